/** Blocks that are dragged into the page from beside it. */
import type { RefObject } from 'react';
import type { DropOutside } from '../../../kit/tree/move.ts';
import type { ToFrame } from '../../preview/messages.ts';

/** What the outline does with the page while blocks are dragged there. @param scale how small the page is drawn */
export function pageDrop(
  frame: RefObject<HTMLIFrameElement | null>,
  scale: number,
  send: (message: ToFrame) => void,
): DropOutside {
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
