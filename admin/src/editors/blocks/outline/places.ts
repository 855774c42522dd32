/** Where a block can be dropped in the outline, from its rows alone. */
import type { OutlineRow } from '../model/outline.ts';
import { type BlockTree, blocksIn, findBlock, type List, type Place } from '../model/tree.ts';

export interface OutlinePlace {
  readonly place: Place;
  /** Number of rows above it. */
  readonly gap: number;
  readonly level: number;
}

export function keyOfList({ parent, slot }: List): string {
  return `${parent ?? ''}/${slot}`;
}

/** The rows without blocks that are moved, and what is inside of them. */
export function rowsWithout(
  tree: BlockTree,
  rows: readonly OutlineRow[],
  moved: ReadonlySet<string>,
): readonly OutlineRow[] {
  if (moved.size === 0) return rows;
  const gone = new Set(moved);
  for (const id of moved) {
    const block = findBlock(tree, id);
    if (block !== undefined) for (const inner of blocksIn([block])) gone.add(inner.id);
  }
  return rows.filter((row) => {
    const id = row.kind === 'slot' ? row.list.parent : (row.reference ?? row.block.id);
    return id === null || !gone.has(id);
  });
}

/** All places of the rows, from top to bottom. @param allowed keys of lists that take the blocks */
export function placesIn(rows: readonly OutlineRow[], allowed: ReadonlySet<string>): readonly OutlinePlace[] {
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

/** The place that is nearest to a pointer. @param gap rows above it, not rounded @param level depth of it */
export function placeNear(
  places: readonly OutlinePlace[],
  gap: number,
  level: number,
): OutlinePlace | undefined {
  const cost = (place: OutlinePlace) => Math.abs(place.gap - gap) * 4 + Math.abs(place.level - level);
  return places.reduce<OutlinePlace | undefined>(
    (best, place) => (best === undefined || cost(place) < cost(best) ? place : best),
    undefined,
  );
}
