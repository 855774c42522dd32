/** Blocks that are dragged into the page from beside it. */
import type { RefObject } from 'react';
import type { ToFrame } from '../../preview/messages.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the outline does with the page while blocks are dragged there. */
export interface PageDrop {
  begin(): void;
  /** Whether the pointer is over the page. @param point in pixels of the window */
  isOver(point: Point): boolean;
  end(isDropped: boolean): void;
}

/** @param scale how small the page is drawn */
export function pageDrop(
  frame: RefObject<HTMLIFrameElement | null>,
  scale: number,
  send: (message: ToFrame) => void,
): PageDrop {
  const shield = (value: string) => {
    if (frame.current !== null) frame.current.style.pointerEvents = value;
  };
  return {
    // The frame would take the moves of the pointer for itself.
    begin: () => shield('none'),
    isOver({ x, y }) {
      const box = frame.current?.getBoundingClientRect();
      const isOver = box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      const at = isOver ? { x: (x - box.left) / scale, y: (y - box.top) / scale } : undefined;
      send({ kind: 'carry', at });
      return isOver;
    },
    end(isDropped) {
      shield('');
      send({ kind: 'carry-end', isDropped });
    },
  };
}
