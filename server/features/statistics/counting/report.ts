import type { ActivityDb } from '../../../db/tables.ts';
import { type Dimension, dimensions, type Kind, kinds } from '../kinds.ts';
import type { PathReport, StatisticsReport, ValueReport } from '../model.ts';
import { computeSpans, textOfDay } from './days.ts';
import { findName } from './store.ts';
import * as sumStore from './sum-store.ts';

/** What a report is about. */
export interface Scope {
  /** IDs of the websites, put together. */
  readonly sites: readonly number[];
  /** First and last day, both included. */
  readonly from: number;
  readonly to: number;
  /** Whether countries are shown. */
  readonly countries: boolean;
}

/** Longest lists of a report, except countries (Data, Automation and Operations, "Limits"). */
const maxEntries = 50;
/** More names than any list has. */
const allNames = 1_000_000;

export async function makeReport(db: ActivityDb, scope: Scope): Promise<StatisticsReport> {
  const bounds = await boundsOf(db, scope.sites);
  const days = await daysOf(db, scope, kinds.total, 0);
  return {
    ...totalsOf(days),
    first_day: bounds === undefined ? '' : textOfDay(bounds.first),
    last_day: bounds === undefined ? '' : textOfDay(bounds.last),
    has_data: bounds !== undefined,
    days,
    pages: await entriesOf(db, scope, kinds.page),
    dims: await dimsOf(db, scope),
    downloads: await entriesOf(db, scope, kinds.download),
    downloads_total: await downloadsOf(db, scope),
  };
}

/** @param name of the page, as `nameOfPath` makes it */
export async function makePathReport(
  db: ActivityDb,
  scope: Scope,
  path: string,
  name: string,
): Promise<PathReport> {
  const id = (await findName(db, name))?.id;
  if (id === undefined) return { path, views: 0, visitors: 0, days: [], referrers: [] };
  const days = await daysOf(db, scope, kinds.page, id);
  const lists: Value[][] = [];
  for (const query of queriesOf(scope, kinds.arrival))
    lists.push(await sumStore.topArrivals(db, query, id, limitOf(scope, maxEntries)));
  return { path, ...totalsOf(days), days, referrers: together(lists, maxEntries) };
}

/** One value of a dimension. Countries that are not shown have no visitors. */
export async function makeValueReport(
  db: ActivityDb,
  scope: Scope,
  dimension: Dimension,
  name: string,
): Promise<ValueReport> {
  const isShown = dimension !== 'country' || scope.countries;
  const id = isShown ? (await findName(db, name))?.id : undefined;
  if (id === undefined) return { dimension, name, visitors: 0, days: [], pages: [] };
  const days = await daysOf(db, scope, kinds[dimension], id);
  return {
    dimension,
    name,
    visitors: totalsOf(days).visitors,
    days: days.map(({ day, visitors }) => ({ day, visitors })),
    pages: dimension === 'referrer' ? await pagesOf(db, scope, id) : [],
  };
}

async function pagesOf(db: ActivityDb, scope: Scope, referrerId: number): Promise<ValueReport['pages']> {
  const pages: ValueReport['pages'] = [];
  for (const query of queriesOf(scope, kinds.arrival)) {
    const found = await sumStore.listTopPages(db, query, referrerId, maxEntries);
    pages.push(...found.map((sums) => ({ root_id: query.rootId, ...sums })));
  }
  // The lists of the websites are in this order already, which a stable sort keeps.
  return pages.sort((a, b) => b.visitors - a.visitors).slice(0, maxEntries);
}

type Value = StatisticsReport['dims']['referrer'][number];

/** One query for each website. */
function queriesOf({ sites, from, to }: Scope, kind: Kind): sumStore.SumsQuery[] {
  const spans = computeSpans(from, to);
  return sites.map((rootId) => ({ rootId, kind, spans }));
}

/** Where websites are put together, the largest of all may be among the smaller ones of each. */
function limitOf({ sites }: Scope, limit: number): number {
  return sites.length > 1 ? allNames : limit;
}

async function entriesOf(db: ActivityDb, scope: Scope, kind: Kind): Promise<StatisticsReport['pages']> {
  const entries: StatisticsReport['pages'] = [];
  for (const query of queriesOf(scope, kind)) {
    const found = await sumStore.topByViews(db, query, maxEntries);
    entries.push(...found.map((sums) => ({ root_id: query.rootId, ...sums })));
  }
  // The lists of the websites are in this order already, which a stable sort keeps.
  return entries.sort((a, b) => b.views - a.views || b.visitors - a.visitors).slice(0, maxEntries);
}

async function dimsOf(db: ActivityDb, scope: Scope): Promise<StatisticsReport['dims']> {
  const dims: StatisticsReport['dims'] = { referrer: [], browser: [], os: [], device: [], country: [] };
  for (const dimension of dimensions) {
    if (dimension === 'country' && !scope.countries) continue;
    const limit = dimension === 'country' ? allNames : maxEntries;
    const lists: Value[][] = [];
    for (const query of queriesOf(scope, kinds[dimension]))
      lists.push(await sumStore.topByVisitors(db, query, limitOf(scope, limit)));
    dims[dimension] = together(lists, limit);
  }
  return dims;
}

async function downloadsOf(db: ActivityDb, scope: Scope): Promise<number> {
  let views = 0;
  for (const query of queriesOf(scope, kinds.download)) views += await sumStore.countViews(db, query);
  return views;
}

/** The lists of several websites as one, with most visitors first. */
function together(lists: readonly (readonly Value[])[], limit: number): Value[] {
  const [only = []] = lists;
  if (lists.length <= 1) return [...only];
  const visitors = new Map<string, number>();
  for (const value of lists.flat())
    visitors.set(value.name, (visitors.get(value.name) ?? 0) + value.visitors);
  return [...visitors]
    .map(([name, count]) => ({ name, visitors: count }))
    .sort((a, b) => b.visitors - a.visitors || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

async function daysOf(
  db: ActivityDb,
  { sites, from, to }: Scope,
  kind: Kind,
  nameId: number,
): Promise<StatisticsReport['days']> {
  const days = new Map<number, { views: number; visitors: number }>();
  for (const rootId of sites) {
    for (const { day, views, visitors } of await sumStore.sumsByDay(db, { rootId, kind, nameId, from, to })) {
      const sums = days.get(day) ?? { views: 0, visitors: 0 };
      days.set(day, { views: sums.views + views, visitors: sums.visitors + visitors });
    }
  }
  return [...days].sort(([a], [b]) => a - b).map(([day, sums]) => ({ day: textOfDay(day), ...sums }));
}

function totalsOf(days: StatisticsReport['days']): { views: number; visitors: number } {
  return {
    views: days.reduce((sum, { views }) => sum + views, 0),
    visitors: days.reduce((sum, { visitors }) => sum + visitors, 0),
  };
}

/** First and last day with anything; undefined if there is nothing. */
async function boundsOf(
  db: ActivityDb,
  sites: readonly number[],
): Promise<{ first: number; last: number } | undefined> {
  const days: number[] = [];
  for (const site of sites) {
    for (const kind of [kinds.total, kinds.download]) {
      const first = await sumStore.firstDay(db, site, kind);
      if (first !== undefined) days.push(first, (await sumStore.lastDay(db, site, kind)) ?? first);
    }
  }
  return days.length === 0 ? undefined : { first: Math.min(...days), last: Math.max(...days) };
}
