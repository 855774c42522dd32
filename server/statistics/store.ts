import type { Generated } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { activityQuery } from '../db/prepared.ts';
import type { ActivityDb, ActivityTables } from '../db/tables.ts';
import { type Spans, spanLengths, spanStart } from './days.ts';
import type { Kind } from './kinds.ts';

declare module '../db/tables.ts' {
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
  const found = await selectName.first(db, { name });
  if (found !== undefined) return found.id;
  await insertName.run(db, { name });
  return (await selectName.first(db, { name }))?.id ?? 0;
}

/** Whether this is the first time today. */
export async function addMark(db: ActivityDb, mark: Mark): Promise<boolean> {
  return (await insertMark.run(db, mark)) > 0;
}

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

/** Deletes some marks of other days; resolves with their number. */
export function deleteSomeOldMarks(db: ActivityDb, day: number): Promise<number> {
  return deleteOldMarks.run(db, { day });
}

/** First or last day that a website has anything of these kinds; undefined if it has nothing. */
export async function firstDay(db: ActivityDb, rootId: number, kind: Kind): Promise<number | undefined> {
  return (await selectFirstDay.first(db, { rootId, kind }))?.day;
}

export async function lastDay(db: ActivityDb, rootId: number, kind: Kind): Promise<number | undefined> {
  return (await selectLastDay.first(db, { rootId, kind }))?.day;
}

/** Views and visitors of each day that has some. */
export function sumsByDay(
  db: ActivityDb,
  parameters: { rootId: number; kind: Kind; nameId: number; from: number; to: number },
): Promise<{ day: number; views: number; visitors: number }[]> {
  return selectDays.all(db, parameters);
}

/** Which sums are added up. */
export interface SumsQuery {
  readonly rootId: number;
  readonly kind: Kind;
  readonly spans: readonly Spans[];
}

export interface NamedSums {
  readonly name: string;
  readonly views: number;
  readonly visitors: number;
}

/** The names with most views. */
export function topByViews(db: ActivityDb, query: SumsQuery, limit: number): Promise<NamedSums[]> {
  return selectByViews.all(db, { ...boundsOf(query), limit });
}

/** The names with most visitors. */
export function topByVisitors(
  db: ActivityDb,
  query: SumsQuery,
  limit: number,
): Promise<{ name: string; visitors: number }[]> {
  return selectByVisitors.all(db, { ...boundsOf(query), limit });
}

/** The hosts with most visitors who arrived at a page. */
export function topArrivals(
  db: ActivityDb,
  query: SumsQuery,
  nameId: number,
  limit: number,
): Promise<{ name: string; visitors: number }[]> {
  return selectArrivals.all(db, { ...boundsOf(query), nameId, limit });
}

export async function viewsOf(db: ActivityDb, query: SumsQuery): Promise<number> {
  return (await selectViews.first(db, boundsOf(query)))?.views ?? 0;
}

/**
 * The places that a query has for spans: two for each length (before and after the longer ones), one for the longest.
 * A prepared query has a fixed number of them; those that are not needed hold nothing.
 */
const places = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
type Place = (typeof places)[number];
type Bounds = { readonly [Name in `${'length' | 'first' | 'last'}_${Place}`]: number } & {
  readonly rootId: number;
  readonly kind: number;
};

function boundsOf({ rootId, kind, spans }: SumsQuery): Bounds {
  const nothing: Spans = { length: 1, first: 1, last: 0 };
  const bounds = places.flatMap((place, index) => {
    const { length, first, last } = spans[index] ?? nothing;
    return [
      [`length_${place}`, length],
      [`first_${place}`, first],
      [`last_${place}`, last],
    ];
  });
  // Type boundary: the names come from `places`.
  return { ...(Object.fromEntries(bounds) as Bounds), rootId, kind };
}

/** The rows of all places. */
function rowsOf(db: Kysely<ActivityTables>, p: Bounds) {
  const rows = (place: Place) =>
    db
      .selectFrom('statistics')
      .select(['name_id', 'other_id', 'views', 'visitors'])
      .where('root_id', '=', p.rootId)
      .where('kind', '=', p.kind)
      .where('span', '=', p[`length_${place}`])
      .where('day', '>=', p[`first_${place}`])
      .where('day', '<=', p[`last_${place}`]);
  const [first, ...others] = places;
  return others.reduce((all, place) => all.unionAll(rows(place)), rows(first)).as('parts');
}

export function findName(db: ActivityDb, name: string): Promise<{ id: number } | undefined> {
  return selectName.first(db, { name });
}

/** The days of a range on which a website has something of a kind. */
export async function daysWithData(
  db: ActivityDb,
  parameters: { rootId: number; kind: Kind; from: number; to: number },
): Promise<number[]> {
  return (await selectDaysWithData.all(db, parameters)).map(({ day }) => day);
}

/** The rows of one day, kind and website, as the export has them. */
export function rowsOfDay(db: ActivityDb, rootId: number, kind: Kind, day: number): Promise<NamedSums[]> {
  return selectRowsOfDay.all(db, { rootId, kind, day });
}

/** All combinations of kind, length and day that a website has. */
export function listSpans(
  db: ActivityDb,
  rootId: number,
): Promise<{ kind: number; span: number; day: number }[]> {
  return selectSpans.all(db, { rootId });
}

export async function listSites(db: ActivityDb): Promise<number[]> {
  return (await selectSites.all(db, {})).map(({ root_id }) => root_id);
}

export async function deleteSpan(
  db: ActivityDb,
  rootId: number,
  { kind, span, day }: { kind: number; span: number; day: number },
): Promise<void> {
  await removeSpan.run(db, { rootId, kind, span, day });
}

/** Deletes some marks of a website; resolves with their number. */
export function deleteSomeMarks(db: ActivityDb, rootId: number): Promise<number> {
  return removeMarks.run(db, { rootId });
}

/** Names that no sum has any more. */
export async function unusedNames(db: ActivityDb): Promise<number[]> {
  return (await selectUnusedNames.all(db, {})).map(({ id }) => id);
}

export async function deleteName(db: ActivityDb, id: number): Promise<void> {
  await removeName.run(db, { id });
}

/** Rows that are deleted at once: other writers must not wait for long. */
const slice = 1000;

const selectName = activityQuery((db, p: { name: string }) =>
  db.selectFrom('statistics_names').select('id').where('name', '=', p.name),
);

const insertName = activityQuery((db, p: { name: string }) =>
  db.insertInto('statistics_names').values({ name: p.name }),
);

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

const deleteOldMarks = activityQuery((db, p: { day: number }) =>
  db
    .deleteFrom('statistics_seen')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
        'in',
        selectFrom('statistics_seen as old')
          .select(['old.day', 'old.root_id', 'old.visitor', 'old.kind', 'old.name_id'])
          .where('old.day', '<>', p.day)
          .limit(sql.lit(slice))
          .$asTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
      ),
    ),
);

const removeMarks = activityQuery((db, p: { rootId: number }) =>
  db
    .deleteFrom('statistics_seen')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
        'in',
        selectFrom('statistics_seen as old')
          .select(['old.day', 'old.root_id', 'old.visitor', 'old.kind', 'old.name_id'])
          .where('old.root_id', '=', p.rootId)
          .limit(sql.lit(slice))
          .$asTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
      ),
    ),
);

const selectFirstDay = activityQuery((db, p: { rootId: number; kind: number }) =>
  db
    .selectFrom('statistics')
    .select('day')
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', sql.lit(1))
    .orderBy('day')
    .limit(sql.lit(1)),
);

const selectLastDay = activityQuery((db, p: { rootId: number; kind: number }) =>
  db
    .selectFrom('statistics')
    .select('day')
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', sql.lit(1))
    .orderBy('day', 'desc')
    .limit(sql.lit(1)),
);

const selectDays = activityQuery(
  (db, p: { rootId: number; kind: number; nameId: number; from: number; to: number }) =>
    db
      .selectFrom('statistics')
      .select(['day', 'views', 'visitors'])
      .where('root_id', '=', p.rootId)
      .where('kind', '=', p.kind)
      .where('span', '=', sql.lit(1))
      .where('day', '>=', p.from)
      .where('day', '<=', p.to)
      .where('name_id', '=', p.nameId)
      .orderBy('day'),
);

const selectDaysWithData = activityQuery(
  (db, p: { rootId: number; kind: number; from: number; to: number }) =>
    db
      .selectFrom('statistics')
      .select('day')
      .distinct()
      .where('root_id', '=', p.rootId)
      .where('kind', '=', p.kind)
      .where('span', '=', sql.lit(1))
      .where('day', '>=', p.from)
      .where('day', '<=', p.to)
      .orderBy('day'),
);

const selectByViews = activityQuery((db, p: Bounds & { limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom(rowsOf(db, p))
        .select(({ fn }) => [
          'name_id',
          fn.sum<number>('views').as('views'),
          fn.sum<number>('visitors').as('visitors'),
        ])
        .groupBy('name_id')
        .as('sums'),
    )
    .innerJoin('statistics_names as names', 'names.id', 'sums.name_id')
    .select(['names.name', 'sums.views', 'sums.visitors'])
    .orderBy('sums.views', 'desc')
    .orderBy('sums.visitors', 'desc')
    .orderBy('names.name')
    .limit(p.limit),
);

const selectByVisitors = activityQuery((db, p: Bounds & { limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom(rowsOf(db, p))
        .select(({ fn }) => ['name_id', fn.sum<number>('visitors').as('visitors')])
        .groupBy('name_id')
        .as('sums'),
    )
    .innerJoin('statistics_names as names', 'names.id', 'sums.name_id')
    .select(['names.name', 'sums.visitors'])
    .orderBy('sums.visitors', 'desc')
    .orderBy('names.name')
    .limit(p.limit),
);

const selectArrivals = activityQuery((db, p: Bounds & { nameId: number; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom(rowsOf(db, p))
        .select(({ fn }) => ['other_id', fn.sum<number>('visitors').as('visitors')])
        .where('name_id', '=', p.nameId)
        .groupBy('other_id')
        .as('sums'),
    )
    .innerJoin('statistics_names as names', 'names.id', 'sums.other_id')
    .select(['names.name', 'sums.visitors'])
    .orderBy('sums.visitors', 'desc')
    .orderBy('names.name')
    .limit(p.limit),
);

const selectViews = activityQuery((db, p: Bounds) =>
  db.selectFrom(rowsOf(db, p)).select(({ fn }) => fn.sum<number | null>('views').as('views')),
);

const selectRowsOfDay = activityQuery((db, p: { rootId: number; kind: number; day: number }) =>
  db
    .selectFrom('statistics')
    .leftJoin('statistics_names as names', 'names.id', 'statistics.name_id')
    .select(({ fn, val }) => [fn.coalesce('names.name', val('')).as('name'), 'views', 'visitors'])
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', sql.lit(1))
    .where('day', '=', p.day)
    .orderBy('views', 'desc')
    .orderBy('visitors', 'desc')
    .orderBy('name'),
);

const selectSpans = activityQuery((db, p: { rootId: number }) =>
  db.selectFrom('statistics').select(['kind', 'span', 'day']).distinct().where('root_id', '=', p.rootId),
);

const selectSites = activityQuery((db, _p: object) =>
  db.selectFrom('statistics').select('root_id').distinct(),
);

const removeSpan = activityQuery((db, p: { rootId: number; kind: number; span: number; day: number }) =>
  db
    .deleteFrom('statistics')
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', p.span)
    .where('day', '=', p.day),
);

const selectUnusedNames = activityQuery((db, _p: object) =>
  db
    .selectFrom('statistics_names')
    .select('id')
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('statistics')
        .select('name_id')
        .union(selectFrom('statistics').select('other_id as name_id')),
    ),
);

const removeName = activityQuery((db, p: { id: number }) =>
  db.deleteFrom('statistics_names').where('id', '=', p.id),
);
