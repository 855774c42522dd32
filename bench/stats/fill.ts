import type { ActivityDb } from '../../server/db/tables.ts';
import { addToSums, idOfName } from '../../server/features/statistics/counting/store.ts';
import { type Kind, kinds } from '../../server/features/statistics/kinds.ts';

/** How many names of a kind the website has, and how many views one visitor makes. */
const names: readonly (readonly [kind: Kind, count: number])[] = [
  [kinds.page, 2000],
  [kinds.referrer, 1000],
  [kinds.browser, 20],
  [kinds.os, 12],
  [kinds.device, 4],
  [kinds.country, 150],
  [kinds.download, 200],
];
const viewsPerVisitor = 3;

/**
 * Writes the sums of `days` days with as many views each, as the counter would: names are as frequent as their place in
 * the list is early (Zipf).
 */
export async function fillYear(
  db: ActivityDb,
  firstDay: number,
  days: number,
  viewsPerDay: number,
): Promise<void> {
  const ids = new Map<Kind, number[]>();
  for (const [kind, count] of names) {
    const ofKind: number[] = [];
    for (let index = 0; index < count; index++) ofKind.push(await idOfName(db, `/${kind}/name-${index}`));
    ids.set(kind, ofKind);
  }
  for (let day = firstDay; day < firstDay + days; day++) {
    db.execute('BEGIN');
    const add = (kind: Kind, name_id: number, views: number) => {
      const visitors = Math.ceil(views / viewsPerVisitor);
      return addToSums(db, { root_id: 1, kind, day, name_id, other_id: 0, views, visitors });
    };
    await add(kinds.total, 0, viewsPerDay);
    for (const [kind, list] of ids) {
      const share = viewsPerDay / Math.log(list.length + 1);
      for (const [index, id] of list.entries())
        await add(kind, id, Math.max(1, Math.round(share / (index + 1))));
    }
    db.execute('COMMIT');
  }
}
