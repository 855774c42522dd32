import type { RefObject } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { DropOutside, TreeMove } from '../../../kit/tree/move.ts';
import { formatBlockName } from '../model/labels.ts';
import type { BlockRow, OutlineRow } from '../model/outline.ts';
import { listsFor } from '../model/rules.ts';
import { findBlock, isReference } from '../model/tree.ts';
import { listName, moveChosen } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';
import { keyOfList, type OutlinePlace, placesIn } from './places.ts';

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
