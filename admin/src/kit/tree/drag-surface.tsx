import { useDraggable } from '@dnd-kit/core';
import type { CSSProperties, MouseEvent, ReactNode, TouchEvent } from 'react';

export interface DragSurfaceProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly style: CSSProperties;
  readonly children: ReactNode;
  onClick(event: MouseEvent): void;
  onContextMenu(event: MouseEvent): void;
  /** The part of a row that is pressed; undefined if it cannot be dragged. */
  findGrip(event: MouseEvent | TouchEvent): HTMLElement | undefined;
}

/**
 * What lies below the rows of a tree. It is the one draggable part for all of them: the library's hook in each row
 * would make the row twice as dear.
 */
export function DragSurface({ id, findGrip, children, ...rest }: DragSurfaceProps) {
  const { setNodeRef, listeners } = useDraggable({ id });
  const grab = (event: MouseEvent | TouchEvent) => {
    const grip = findGrip(event);
    if (grip === undefined) return;
    setNodeRef(grip);
    listeners?.[event.type === 'touchstart' ? 'onTouchStart' : 'onMouseDown']?.(event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tree has the keys
    <div role="presentation" onMouseDown={grab} onTouchStart={grab} {...rest}>
      {children}
    </div>
  );
}
