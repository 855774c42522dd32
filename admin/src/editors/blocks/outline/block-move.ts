import type { RefObject } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { DropOutside, TreeMove } from '../../../kit/tree/move.ts';
import type { Place as TreePlace } from '../../../kit/tree/rows.ts';
import { formatBlockName } from '../model/labels.ts';
import type { BlockRow, OutlineRow } from '../model/outline.ts';
import { listsFor } from '../model/rules.ts';
import { findBlock, isReference, type List, type Place } from '../model/tree.ts';
import { listName, moveChosen } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';

/** Whether a row is a block of this tree, not a slot and not a part of a global block. */
export function isOwn(row: OutlineRow): row is BlockRow {
  return row.kind === 'block' && row.reference === undefined;
}

/** Moves the chosen blocks; a block that is dragged without being chosen is chosen by that. */
export function blockMove(
  editing: BlockEditing,
  page: RefObject<DropOutside | null>,
): TreeMove<OutlineRow, OutlinePlace> {
  return {
    canDrag: isOwn,
    lift: (row, isDragged) => {
      const { ids, inner } = editing.selection;
      if (!isDragged) return inner === undefined ? ids : [];
      if (ids.includes(row.key)) return ids;
      editing.select({ ids: [row.key] });
      return [row.key];
    },
    listPlaces: (lifted, rest) => {
      const lists = listsFor(editing.facts, editing.tree, new Set(lifted));
      return placesIn(rest, new Set(lists.map(keyOfList)));
    },
    canOpen: (row) => row.kind === 'slot' || !isReference(row.block),
    drop: ({ place }) => moveChosen(editing, place),
    words: {
      name: ([id = '']) => {
        const block = findBlock(editing.tree, id);
        return block === undefined ? '' : formatBlockName(editing.facts, block);
      },
      lifted: (_lifted, { length }) => t('blocks.lifted', { count: length }),
      over: ({ place }) => t('blocks.over', { name: listName(editing, place), position: place.index + 1 }),
      cancelled: () => t('blocks.cancelled'),
    },
    outside: page,
  };
}

/** Where a block can be dropped in the outline, from its rows alone. */

interface OutlinePlace extends TreePlace {
  readonly place: Place;
}

function keyOfList({ parent, slot }: List): string {
  return `${parent ?? ''}/${slot}`;
}

/** All places of the rows, from top to bottom. @param allowed keys of lists that take the blocks */
function placesIn(rows: readonly OutlineRow[], allowed: ReadonlySet<string>): readonly OutlinePlace[] {
  const places: OutlinePlace[] = [];
  const open: { readonly list: List; readonly level: number; readonly count: number }[] = [];
  const add = (list: List, index: number, gap: number, level: number) => {
    if (allowed.has(keyOfList(list))) places.push({ place: { ...list, index }, gap, level });
  };
  const close = (level: number, gap: number) => {
    for (let last = open.at(-1); last !== undefined && last.level > level; last = open.at(-1)) {
      add(last.list, last.count, gap, last.level);
      open.pop();
    }
  };
  for (const [gap, row] of rows.entries()) {
    close(row.level, gap);
    if (row.kind === 'slot') {
      const next = rows[gap + 1];
      const isEmpty = next === undefined || next.level <= row.level;
      if (isEmpty) add(row.list, row.count, gap + 1, row.level + 1);
      continue;
    }
    if (row.list === undefined) continue;
    add(row.list, row.position - 1, gap, row.level);
    if (open.at(-1)?.level !== row.level) open.push({ list: row.list, level: row.level, count: row.setSize });
  }
  close(0, rows.length);
  if (rows.length === 0) add({ parent: null, slot: '' }, 0, 0, 1);
  return places;
}
