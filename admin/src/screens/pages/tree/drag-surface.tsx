import { useDraggable } from '@dnd-kit/core';
import type { CSSProperties, MouseEvent, ReactNode, TouchEvent } from 'react';
import { pageOfRow } from './row-id.ts';

export interface DragSurfaceProps {
  readonly treeId: string;
  readonly className: string | undefined;
  readonly style: CSSProperties;
  readonly children: ReactNode;
  /** Tells which page is pressed. @returns whether it can be dragged */
  onGrab(id: number): boolean;
}

/**
 * What lies below the rows of the tree. It is the one draggable part for all of them: the library's hook in each row
 * would make the row twice as dear. Pages are dragged by their titles.
 */
export function DragSurface({ treeId, onGrab, children, ...rest }: DragSurfaceProps) {
  const { setNodeRef, listeners } = useDraggable({ id: treeId });
  const grab = (event: MouseEvent | TouchEvent) => {
    const title = event.target instanceof Element ? event.target.closest('a') : null;
    const id = title === null ? undefined : pageOfRow(treeId, title);
    if (title === null || id === undefined || !onGrab(id)) return;
    setNodeRef(title);
    listeners?.[event.type === 'touchstart' ? 'onTouchStart' : 'onMouseDown']?.(event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tree moves pages by keys
    <div role="presentation" onMouseDown={grab} onTouchStart={grab} {...rest}>
      {children}
    </div>
  );
}
