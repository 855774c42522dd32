import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { NotFoundEntry } from './model.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    notfound: {
      root_id: number;
      path: string;
      hits: number;
      first_at: number;
      last_at: number;
      referer: string;
      ignored: number;
    };
  }
}

const notfound = activityTable('notfound');

/** Counted requests to one dead address of one website. */
export interface DeadVisits extends Omit<NotFoundEntry, 'ignored'> {
  readonly root_id: number;
}

/** Adds visits to the log; an unknown address becomes an open entry. */
export async function addVisits(db: ActivityDb, visits: DeadVisits): Promise<void> {
  await upsert.run(db, visits);
}

/** The log of a website, most frequent first. */
export async function listEntries(db: ActivityDb, rootId: number): Promise<NotFoundEntry[]> {
  const rows = await selectOfSite(db, rootId);
  return rows.map((row) => ({ ...row, ignored: row.ignored !== 0 }));
}

/** Keeps only the `count` open or ignored entries that were seen last. */
export async function trim(db: ActivityDb, rootId: number, ignored: boolean, count: number): Promise<void> {
  await deleteBeyond.run(db, { rootId, ignored: Number(ignored), count });
}

/** Answers false if there is no such entry. */
export async function setIgnored(
  db: ActivityDb,
  rootId: number,
  path: string,
  ignored: boolean,
): Promise<boolean> {
  return (await updateOne(db, rootId, path, Number(ignored))) > 0;
}

export async function setAllIgnored(db: ActivityDb, rootId: number, ignored: boolean): Promise<void> {
  await updateAll(db, rootId, Number(ignored));
}

/** Answers false if there is no such entry. */
export async function deleteEntry(db: ActivityDb, rootId: number, path: string): Promise<boolean> {
  return (await removeOne(db, rootId, path)) > 0;
}

export async function deleteLog(db: ActivityDb, rootId: number): Promise<void> {
  await removeAll(db, rootId);
}

const upsert = activityQuery((db, p: DeadVisits) =>
  db
    .insertInto('notfound')
    .values({
      root_id: p.root_id,
      path: p.path,
      hits: p.hits,
      first_at: p.first_at,
      last_at: p.last_at,
      referer: p.referer,
      ignored: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['root_id', 'path']).doUpdateSet(({ eb, ref }) => ({
        hits: eb(ref('notfound.hits'), '+', ref('excluded.hits')),
        last_at: ref('excluded.last_at'),
        referer: eb
          .case()
          .when('excluded.referer', '=', '')
          .then(ref('notfound.referer'))
          .else(ref('excluded.referer'))
          .end(),
      })),
    ),
);

const selectOfSite = notfound.listBy(
  ['root_id'],
  ['-hits', '-last_at', 'path'],
  ['path', 'hits', 'first_at', 'last_at', 'referer', 'ignored'],
);

/** More than any log can hold. SQLite has no OFFSET without LIMIT. */
const everything = 1_000_000;

const deleteBeyond = activityQuery((db, p: { rootId: number; ignored: number; count: number }) =>
  db
    .deleteFrom('notfound')
    .where('root_id', '=', p.rootId)
    .where('path', 'in', ({ selectFrom }) =>
      selectFrom('notfound as older')
        .select('older.path')
        .where('older.root_id', '=', p.rootId)
        .where('older.ignored', '=', p.ignored)
        .orderBy('older.last_at', 'desc')
        .orderBy('older.path')
        .limit(everything)
        .offset(p.count),
    ),
);

const updateOne = notfound.updateBy(['root_id', 'path'], ['ignored']);

const updateAll = notfound.updateBy(['root_id'], ['ignored']);

const removeOne = notfound.removeBy('root_id', 'path');

const removeAll = notfound.removeBy('root_id');
