/** Where a block can be dropped in the outline, from its rows alone. */
import type { Place as TreePlace } from '../../../kit/tree/rows.ts';
import type { OutlineRow } from '../model/outline.ts';
import type { List, Place } from '../model/tree.ts';

export interface OutlinePlace extends TreePlace {
  readonly place: Place;
}

export function keyOfList({ parent, slot }: List): string {
  return `${parent ?? ''}/${slot}`;
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
