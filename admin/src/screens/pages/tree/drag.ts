import { type DragMoveEvent, MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core';
import { type RefObject, useRef, useState } from 'react';
import { text } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { moveCommand } from '../commands/page-commands.ts';
import { moveTarget, subtreeOf, type TreeIndex, type TreeRow } from '../model/tree-model.ts';
import type { Moving } from './move-mode.ts';

export interface TreeDragOptions {
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly rows: readonly TreeRow<PageTreeEntry>[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rowHeight: number;
  setOpen(ids: readonly number[], isOpen: boolean): void;
}

/** A closed page opens when something is held over it for so long, in milliseconds. */
const openAfterMs = 600;

/** Width of a level in pixels. */
const levelWidth = 18;

/**
 * Moving a page by mouse or finger. The rows are no drop targets of their own: the place follows from the
 * pointer alone (`moveTarget`), so that a drag draws only the line, not the rows.
 */
export function useTreeDrag({ tree, rows, scroller, rowHeight, setOpen }: TreeDragOptions) {
  const [moving, setMoving] = useState<Moving>();
  const [announcement, setAnnouncement] = useState('');
  const rest = useRef<{ id: number; since: number }>({ id: 0, since: 0 });
  const grabbed = useRef(0);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  const onDragMove = ({ activatorEvent, delta }: DragMoveEvent) => {
    const page = tree.byId.get(grabbed.current);
    const box = scroller.current?.getBoundingClientRect();
    if (page === undefined || box === undefined) return;
    const start = pointOf(activatorEvent);
    const moved = subtreeOf(tree, page.id);
    const others = rows.filter((row) => !moved.has(row.page.id));
    const y = start.y + delta.y - box.top + (scroller.current?.scrollTop ?? 0);
    const x = start.x + delta.x - box.left;
    const target = moveTarget(tree, others, page.id, Math.round(y / rowHeight), Math.round(x / levelWidth));
    setMoving({ page, target });
    const over = others[Math.floor(y / rowHeight)];
    if (over === undefined || over.page.id !== rest.current.id) {
      rest.current = { id: over?.page.id ?? 0, since: Date.now() };
    } else if (over.hasChildren && !over.isOpen && Date.now() - rest.current.since > openAfterMs) {
      setOpen([over.page.id], true);
    }
  };
  const context = {
    sensors,
    onDragMove,
    onDragCancel: () => setMoving(undefined),
    onDragEnd: () => {
      setMoving(undefined);
      if (moving?.target === undefined) return;
      setAnnouncement(text('tree.dropped', { position: moving.target.index + 1 }));
      void runCommand(moveCommand(tree, moving.page, moving.target));
    },
    // The library's own texts are English only; ours are in a live region of the tree.
    accessibility: {
      announcements: { onDragStart: none, onDragOver: none, onDragEnd: none, onDragCancel: none },
      screenReaderInstructions: { draggable: '' },
    },
  };
  /** The home page of a website stays where it is. */
  const grab = (id: number): boolean => {
    grabbed.current = id;
    return id !== tree.home?.id;
  };
  return { moving, announcement, context, grab };
}

function none(): undefined {
  return undefined;
}

function pointOf(event: Event): { x: number; y: number } {
  if (event instanceof MouseEvent) return { x: event.clientX, y: event.clientY };
  const touch = event instanceof TouchEvent ? event.touches[0] : undefined;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}
