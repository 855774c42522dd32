import type { Generated } from 'kysely';
import { sql } from 'kysely';
import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { Kind } from '../kinds.ts';
import { spanLengths, spanStart } from './days.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    statistics_names: { id: Generated<number>; name: string };
    statistics: {
      root_id: number;
      kind: number;
      span: number;
      day: number;
      name_id: number;
      other_id: number;
      views: number;
      visitors: number;
    };
    statistics_resets: { root_id: number; times: number };
    statistics_seen: {
      day: number;
      root_id: number;
      visitor: number;
      kind: number;
      name_id: number;
      other_id: number;
    };
  }
}

const statisticsNames = activityTable('statistics_names');

/** What a visitor has been counted for on a day. */
export interface Mark {
  readonly day: number;
  readonly root_id: number;
  readonly visitor: number;
  readonly kind: Kind;
  readonly name_id: number;
  readonly other_id: number;
}

/** What is added to the sums of a day. */
export interface Addition extends Omit<Mark, 'visitor'> {
  readonly views: number;
  readonly visitors: number;
}

/** The ID of a name, which gets one if it is new. */
export async function idOfName(db: ActivityDb, name: string): Promise<number> {
  const found = await selectName(db, name);
  if (found !== undefined) return found.id;
  await insertName(db, { name });
  return (await selectName(db, name))?.id ?? 0;
}

export function findName(db: ActivityDb, name: string): Promise<{ id: number } | undefined> {
  return selectName(db, name);
}

/** Whether this is the first time today. */
export async function addMark(db: ActivityDb, mark: Mark): Promise<boolean> {
  return (await insertMark.run(db, mark)) > 0;
}

/** Tells other nodes that the statistics of a website are deleted. */
export async function noteReset(db: ActivityDb, rootId: number): Promise<void> {
  await upsertReset.run(db, { rootId });
}

/** How many rows `addToSums` writes. */
export const rowsOfSum = spanLengths.length;

/** Adds to the sums of all spans that the day belongs to. */
export async function addToSums(db: ActivityDb, addition: Addition): Promise<void> {
  for (const span of spanLengths)
    await upsertSum.run(db, { ...addition, span, first: spanStart(addition.day, span) });
}

/** The names of a kind that a day has so far. */
export async function namesOfDay(
  db: ActivityDb,
  rootId: number,
  kind: Kind,
  day: number,
): Promise<readonly number[]> {
  return (await selectNamesOfDay.all(db, { rootId, kind, day })).map(({ name_id }) => name_id);
}

export async function listSites(db: ActivityDb): Promise<number[]> {
  return (await selectSites.all(db, {})).map(({ root_id }) => root_id);
}

const selectName = statisticsNames.findBy(['name'], ['id']);

const insertName = statisticsNames.insert('name');

const insertMark = activityQuery((db, p: Mark) =>
  db
    .insertInto('statistics_seen')
    .values({
      day: p.day,
      root_id: p.root_id,
      visitor: p.visitor,
      kind: p.kind,
      name_id: p.name_id,
      other_id: p.other_id,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const upsertSum = activityQuery((db, p: Addition & { span: number; first: number }) =>
  db
    .insertInto('statistics')
    .values({
      root_id: p.root_id,
      kind: p.kind,
      span: p.span,
      day: p.first,
      name_id: p.name_id,
      other_id: p.other_id,
      views: p.views,
      visitors: p.visitors,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['root_id', 'kind', 'span', 'day', 'name_id', 'other_id'])
        .doUpdateSet(({ eb, ref }) => ({
          views: eb(ref('statistics.views'), '+', ref('excluded.views')),
          visitors: eb(ref('statistics.visitors'), '+', ref('excluded.visitors')),
        })),
    ),
);

const upsertReset = activityQuery((db, p: { rootId: number }) =>
  db
    .insertInto('statistics_resets')
    .values({ root_id: p.rootId, times: 1 })
    .onConflict((conflict) =>
      conflict.column('root_id').doUpdateSet(({ eb, ref }) => ({
        times: eb(ref('statistics_resets.times'), '+', 1),
      })),
    ),
);

const selectNamesOfDay = activityQuery((db, p: { rootId: number; kind: number; day: number }) =>
  db
    .selectFrom('statistics')
    .select('name_id')
    .distinct()
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', sql.lit(1))
    .where('day', '=', p.day),
);

const selectSites = activityQuery((db, _p: object) =>
  db.selectFrom('statistics').select('root_id').distinct(),
);
