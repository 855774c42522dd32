/** Moving blocks in the outline, by pointer or by keys. */
import { type DragMoveEvent, MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { text } from '../../../base/i18n/index.ts';
import type { PageDrop } from '../canvas/carry.ts';
import type { OutlineRow } from '../model/outline.ts';
import { listsFor } from '../model/rules.ts';
import { listName, moveChosen } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';
import { keyOfList, type OutlinePlace, placeNear, placesIn, rowsWithout } from './places.ts';

export interface OutlineMove {
  /** IDs of the blocks that are moved. */
  readonly moved: ReadonlySet<string>;
  readonly places: readonly OutlinePlace[];
  readonly target: OutlinePlace | undefined;
  /** The pointer is over the page, which knows the place. */
  readonly isOverPage: boolean;
}

export interface MoveOptions {
  readonly editing: BlockEditing;
  readonly page: RefObject<PageDrop | null>;
  readonly rows: readonly OutlineRow[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rowHeight: number;
  readonly levelWidth: number;
}

export function useOutlineMove({ editing, page, rows, scroller, rowHeight, levelWidth }: MoveOptions) {
  const [move, setMove] = useState<OutlineMove>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  const begin = (ids: ReadonlySet<string>): OutlineMove => {
    const allowed = new Set(listsFor(editing.facts, editing.tree, ids).map(keyOfList));
    const places = placesIn(rowsWithout(editing.tree, rows, ids), allowed);
    return { moved: ids, places, target: undefined, isOverPage: false };
  };
  const drop = ({ target, isOverPage }: OutlineMove) => {
    setMove(undefined);
    page.current?.end(isOverPage);
    if (target !== undefined) moveChosen(editing, target.place);
  };
  const cancel = () => {
    if (move === undefined) return;
    editing.announce(text('blocks.cancelled'));
    page.current?.end(false);
    setMove(undefined);
  };
  const onDragStart = ({ active }: Pick<DragMoveEvent, 'active'>) => {
    const id = String(active.id);
    const { ids } = editing.selection;
    if (!ids.includes(id)) editing.select({ ids: [id] });
    setMove(begin(new Set(ids.includes(id) ? ids : [id])));
    page.current?.begin();
  };
  const onDragMove = ({ activatorEvent, delta }: DragMoveEvent) => {
    const box = scroller.current?.getBoundingClientRect();
    if (move === undefined || box === undefined) return;
    const start = pointOf(activatorEvent);
    const point = { x: start.x + delta.x, y: start.y + delta.y };
    const isOverPage = page.current?.isOver(point) ?? false;
    const gap = (point.y - box.top + (scroller.current?.scrollTop ?? 0)) / rowHeight;
    const level = 1 + Math.max(0, point.x - box.left - 28) / levelWidth;
    const target = isOverPage ? undefined : placeNear(move.places, gap, level);
    if (target !== move.target || isOverPage !== move.isOverPage) setMove({ ...move, target, isOverPage });
  };
  /** Starts a move by keys: arrows go through the places that take the blocks. */
  const startByKeys = () => {
    const ids = new Set(editing.selection.ids);
    if (ids.size === 0 || editing.selection.inner !== undefined) return;
    const started = begin(ids);
    const [first] = started.places;
    setMove({ ...started, target: first });
    editing.announce(text('blocks.lifted', { count: started.places.length }));
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (move === undefined) return false;
    event.preventDefault();
    const index = move.target === undefined ? 0 : move.places.indexOf(move.target);
    const by = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') drop(move);
    else if (event.key === 'Escape') cancel();
    else if (by !== undefined) {
      const target = move.places[Math.max(0, Math.min(move.places.length - 1, index + by))];
      setMove({ ...move, target });
      if (target !== undefined)
        editing.announce(
          text('blocks.over', { name: listName(editing, target.place), position: target.place.index + 1 }),
        );
    }
    return true;
  };
  const context = {
    sensors,
    onDragStart,
    onDragMove,
    onDragCancel: cancel,
    onDragEnd: () => {
      if (move !== undefined) drop(move);
    },
    // The library's own texts are English only; ours are in the live region of the editor.
    accessibility: {
      announcements: { onDragStart: none, onDragOver: none, onDragEnd: none, onDragCancel: none },
      screenReaderInstructions: { draggable: '' },
    },
  };
  return { move, context, startByKeys, onKeyDown, cancel };
}

function none(): undefined {
  return undefined;
}

function pointOf(event: Event): { x: number; y: number } {
  if (event instanceof MouseEvent) return { x: event.clientX, y: event.clientY };
  const touch = event instanceof TouchEvent ? event.touches[0] : undefined;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}
