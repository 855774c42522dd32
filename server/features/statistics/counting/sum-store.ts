/** Reads the sums of days and longer spans. */
import { type Kysely, sql } from 'kysely';
import { activityQuery } from '../../../db/prepared.ts';
import type { ActivityDb, ActivityTables } from '../../../db/tables.ts';
import type { Kind } from '../kinds.ts';
import type { Spans } from './days.ts';

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

/** Views and visitors of each day that has some. */
export function sumsByDay(
  db: ActivityDb,
  parameters: { rootId: number; kind: Kind; nameId: number; from: number; to: number },
): Promise<{ day: number; views: number; visitors: number }[]> {
  return selectDays.all(db, parameters);
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

/** The pages that most visitors with a referrer arrived at. @param referrerId its name */
export function listTopPages(
  db: ActivityDb,
  query: SumsQuery,
  referrerId: number,
  limit: number,
): Promise<{ name: string; visitors: number }[]> {
  return selectPagesOf.all(db, { ...boundsOf(query), referrerId, limit });
}

export async function countViews(db: ActivityDb, query: SumsQuery): Promise<number> {
  return (await selectViews.first(db, boundsOf(query)))?.views ?? 0;
}

/** First or last day that a website has anything of these kinds; undefined if it has nothing. */
export async function firstDay(db: ActivityDb, rootId: number, kind: Kind): Promise<number | undefined> {
  return (await selectFirstDay.first(db, { rootId, kind }))?.day;
}

export async function lastDay(db: ActivityDb, rootId: number, kind: Kind): Promise<number | undefined> {
  return (await selectLastDay.first(db, { rootId, kind }))?.day;
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
  topVisitors(db, p, 'name_id', selectParts(db, p)),
);

const selectArrivals = activityQuery((db, p: Bounds & { nameId: number; limit: number }) =>
  topVisitors(db, p, 'other_id', selectParts(db, p).where('name_id', '=', p.nameId)),
);

const selectPagesOf = activityQuery((db, p: Bounds & { referrerId: number; limit: number }) =>
  topVisitors(db, p, 'name_id', selectParts(db, p).where('other_id', '=', p.referrerId)),
);

type PartRows = ReturnType<typeof selectParts>;

function selectParts(db: Kysely<ActivityTables>, p: Bounds) {
  return db.selectFrom(rowsOf(db, p));
}

/** The names with most visitors. @param column has their IDs */
function topVisitors(
  db: Kysely<ActivityTables>,
  { limit }: { readonly limit: number },
  column: 'name_id' | 'other_id',
  rows: PartRows,
) {
  return db
    .selectFrom(
      rows
        .select(({ fn, ref }) => [ref(column).as('id'), fn.sum<number>('visitors').as('visitors')])
        .groupBy(column)
        .as('sums'),
    )
    .innerJoin('statistics_names as names', 'names.id', 'sums.id')
    .select(['names.name', 'sums.visitors'])
    .orderBy('sums.visitors', 'desc')
    .orderBy('names.name')
    .limit(limit);
}

const selectViews = activityQuery((db, p: Bounds) =>
  selectParts(db, p).select(({ fn }) => fn.sum<number | null>('views').as('views')),
);

/** The sums of single days. */
function selectSums(db: Kysely<ActivityTables>, p: { rootId: number; kind: number }) {
  return db
    .selectFrom('statistics')
    .where('root_id', '=', p.rootId)
    .where('kind', '=', p.kind)
    .where('span', '=', sql.lit(1));
}

const selectDays = activityQuery(
  (db, p: { rootId: number; kind: number; nameId: number; from: number; to: number }) =>
    selectSums(db, p)
      .select(['day', 'views', 'visitors'])
      .where('day', '>=', p.from)
      .where('day', '<=', p.to)
      .where('name_id', '=', p.nameId)
      .orderBy('day'),
);

const selectFirstDay = activityQuery((db, p: { rootId: number; kind: number }) =>
  selectSums(db, p).select('day').orderBy('day').limit(sql.lit(1)),
);

const selectLastDay = activityQuery((db, p: { rootId: number; kind: number }) =>
  selectSums(db, p).select('day').orderBy('day', 'desc').limit(sql.lit(1)),
);

const selectDaysWithData = activityQuery(
  (db, p: { rootId: number; kind: number; from: number; to: number }) =>
    selectSums(db, p)
      .select('day')
      .distinct()
      .where('day', '>=', p.from)
      .where('day', '<=', p.to)
      .orderBy('day'),
);

const selectRowsOfDay = activityQuery((db, p: { rootId: number; kind: number; day: number }) =>
  selectSums(db, p)
    .leftJoin('statistics_names as names', 'names.id', 'statistics.name_id')
    .select(({ fn, val }) => [fn.coalesce('names.name', val('')).as('name'), 'views', 'visitors'])
    .where('day', '=', p.day)
    .orderBy('views', 'desc')
    .orderBy('visitors', 'desc')
    .orderBy('name'),
);
