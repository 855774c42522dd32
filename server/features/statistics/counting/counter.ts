/**
 * Counts visits. What holds:
 *
 *  1. Visits are written in transactions of about `maxWrites` rows, short enough that other writers do not notice.
 *     Each has the sums and the marks of the same visits, so a process that is killed loses whole visits that were
 *     not written, and none counts twice.
 *  2. A visit counts for the day that the clock showed, in server time.
 *  3. Addresses and User-Agent headers are never written. A visitor is a number made of them with the salt of the
 *     day; the numbers of other days are deleted.
 *  4. Of names that visitors can choose (paths, referrers) a website has a bounded number of a kind on a day; further
 *     ones count together.
 */
import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hostName } from '../../../../runtime/content/site-host.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import { resolveClient } from '../../../http/client-address.ts';
import { kinds, placeholders } from '../kinds.ts';
import { nameOfPath } from '../names.ts';
import { classifyAgent } from './agents.ts';
import { DayCounts, type SiteCounts, type Sum, type Visitor } from './day-counts.ts';
import { computeDaySpan, type DaySpan } from './days.ts';
import { RecentViews } from './recent.ts';
import * as removal from './removal-store.ts';
import type { DaySalt } from './salt.ts';
import { noteReset } from './store.ts';
import type { Visit, VisitBatch } from './visit.ts';

/** Rows that a transaction writes, about. */
const maxWrites = 1_500;
/** Visits that a transaction counts at most; so many are not kept waiting for a batch that follows. */
const maxChunk = 5_000;
/** Short writes that are asked for at once. */
const writesAtOnce = 50;
/** Most visits that wait because they could not be written. */
const maxWaiting = 50_000;

/** The country of an address as ISO code; undefined if it cannot be told. */
export type FindCountry = (address: string) => string | undefined;

export interface CounterOptions {
  readonly database: ActivityStore;
  readonly salt: DaySalt;
  /** Undefined while there is no country data. */
  readonly findCountry: () => FindCountry | undefined;
}

export class Counter {
  readonly recent = new RecentViews();
  readonly #options: CounterOptions;
  #waiting: Visit[] = [];
  #day: number | undefined;
  #saltOfDay: Buffer = Buffer.alloc(0);
  #today: DayCounts | undefined;
  #find: FindCountry | undefined;

  constructor(options: CounterOptions) {
    this.#options = options;
  }

  /**
   * Counts visits. Those that cannot be written, and those that may be written with the next, wait for the next call.
   *
   * @throws the error of the database
   */
  async count({ visits, domains, countries, more = false }: VisitBatch): Promise<void> {
    for (const visit of visits) if (domains.has(visit.siteId)) this.#waiting.push(visit);
    if (this.#waiting.length > maxWaiting) this.#waiting = this.#waiting.slice(-maxWaiting);
    const find = countries ? this.#options.findCountry() : undefined;
    if (find !== this.#find) this.#today?.forgetVisitors();
    this.#find = find;
    if (more && this.#waiting.length < maxChunk) return;
    while (this.#waiting[0] !== undefined) {
      const span = computeDaySpan(this.#waiting[0].at);
      await this.startDay(span.day);
      this.#waiting = this.#waiting.slice(await this.#write(span, domains));
      if (this.#waiting.length > 0) await nextTurn();
    }
  }

  /** Forgets what was known of the visitors of other days. */
  async startDay(day: number): Promise<void> {
    if (day === this.#day) return;
    const { database, salt } = this.#options;
    this.#saltOfDay = await salt.of(day);
    this.#day = day;
    this.#today = undefined;
    while ((await database.write((db) => removal.deleteSomeOldMarks(db, day))) > 0) await nextTurn();
  }

  /** Forgets what is remembered of the day: another node has deleted the statistics of a website. */
  forgetToday(): void {
    this.#today = undefined;
  }

  /** Deletes everything of a website, some rows at a time. */
  async forget(siteId: number): Promise<void> {
    const { database } = this.#options;
    this.#waiting = this.#waiting.filter((visit) => visit.siteId !== siteId);
    this.recent.forget(siteId);
    this.#today = undefined;
    await database.write((db) => noteReset(db, siteId));
    const spans = await removal.listSpans(database.reader, siteId);
    await this.#writeEach(spans, (db, span) => removal.deleteSpan(db, siteId, span));
    while ((await database.write((db) => removal.deleteSomeMarks(db, siteId))) > 0) await nextTurn();
    const names = await removal.unusedNames(database.reader);
    await this.#writeEach(names, (db, id) => removal.deleteName(db, id));
  }

  /** Short writes, some of them at a time, which nodes put into one version. */
  async #writeEach<T>(
    values: readonly T[],
    write: (db: ActivityDb, value: T) => Promise<void>,
  ): Promise<void> {
    for (let start = 0; start < values.length; start += writesAtOnce) {
      const some = values.slice(start, start + writesAtOnce);
      await Promise.all(some.map((value) => this.#options.database.write((db) => write(db, value))));
      await nextTurn();
    }
  }

  /** Writes the first visits that wait, those of one day; resolves with their number. */
  async #write(span: DaySpan, domains: VisitBatch['domains']): Promise<number> {
    try {
      const { count, views } = await this.#options.database.write((db) => this.#addAll(db, span, domains));
      for (const [{ at, times, siteId, path }, { number }] of views)
        this.recent.add({ at, times, siteId, path, visitor: number });
      return count;
    } catch (error) {
      this.#today = undefined;
      throw error;
    }
  }

  async #addAll(
    db: ActivityDb,
    span: DaySpan,
    domains: VisitBatch['domains'],
  ): Promise<{ count: number; views: (readonly [Visit, Visitor])[] }> {
    // Load today's counts inside the write: acquiring the lock first applies deletions by other nodes.
    const today = this.#countsOf(db, span.day);
    const views: (readonly [Visit, Visitor])[] = [];
    let count = 0;
    for (const visit of this.#waiting) {
      const isToday = visit.at >= span.from && visit.at < span.to;
      if (!isToday || count >= maxChunk || today.writes >= maxWrites) break;
      count += 1;
      const visitor = this.#visitorOf(today, visit);
      if (visitor.agent.isBot) continue;
      await this.#add(today, visit, visitor, domains.get(visit.siteId) ?? []);
      if (visit.kind === 'page') views.push([visit, visitor]);
    }
    await today.write();
    return { count, views };
  }

  #countsOf(db: ActivityDb, day: number): DayCounts {
    if (this.#today?.day !== day || this.#today.isFull) this.#today = new DayCounts(db, day);
    return this.#today;
  }

  #visitorOf(today: DayCounts, { siteId, peer, forwardedFor, userAgent }: Visit): Visitor {
    const key = `${siteId} ${peer} ${forwardedFor} ${userAgent}`;
    const known = today.visitorOf(key);
    if (known !== undefined) return known;
    const { address } = resolveClient(peer, forwardedFor);
    // 48 bits: two of a million visitors have the same number in one of 500 cases.
    const number = createHmac('sha256', this.#saltOfDay)
      .update(`${siteId} ${address} ${userAgent}`)
      .digest()
      .readUIntBE(0, 6);
    const visitor: Visitor = { number, agent: classifyAgent(userAgent), always: undefined, seen: new Set() };
    today.remember(key, visitor);
    return visitor;
  }

  async #add(today: DayCounts, visit: Visit, visitor: Visitor, own: readonly string[]): Promise<void> {
    const site = today.siteOf(visit.siteId);
    if (visit.kind === 'download') {
      const file = await today.namedSum(site, kinds.download, nameOfPath(visit.path));
      await today.addViewsOf(visitor, file, visit.times);
      return;
    }
    if (visitor.always === undefined) await this.#addFirst(today, site, visit, visitor);
    else for (const sum of visitor.always) today.addViews(sum, visit.times);
    const page = site.pages.get(visit.path) ?? (await this.#pageOf(today, site, visit.path));
    if (visitor.seen.has(page)) today.addViews(page, visit.times);
    else await today.addViewsOf(visitor, page, visit.times);
    const referrer = findReferrer(visit.referer, own, visit.host);
    if (referrer === undefined) return;
    const from = await today.namedSum(site, kinds.referrer, referrer);
    await today.addViewsOf(visitor, from, visit.times);
    await today.addViewsOf(
      visitor,
      today.sumOf(site, kinds.arrival, page.name_id, from.name_id),
      visit.times,
    );
  }

  /**
   * Counts what every view of a visitor counts for, and remembers it. The number of a visitor is made of the agent, so
   * whoever is new is new for browser, system and device too; the country is apart, since its data may come later.
   */
  async #addFirst(today: DayCounts, site: SiteCounts, visit: Visit, visitor: Visitor): Promise<void> {
    const { agent } = visitor;
    const total = today.sumOf(site, kinds.total, 0);
    const always = [
      total,
      await today.namedSum(site, kinds.browser, agent.browser),
      await today.namedSum(site, kinds.os, agent.os),
      await today.namedSum(site, kinds.device, agent.device),
    ];
    const isNew = await today.isNew(visitor, total);
    for (const sum of always) today.addViews(sum, visit.times, isNew);
    if (this.#find !== undefined) {
      const address = resolveClient(visit.peer, visit.forwardedFor).address;
      const country = await today.namedSum(site, kinds.country, this.#find(address) ?? placeholders.unknown);
      await today.addViewsOf(visitor, country, visit.times);
      always.push(country);
    }
    visitor.always = always;
  }

  async #pageOf(today: DayCounts, site: SiteCounts, path: string): Promise<Sum> {
    const page = await today.namedSum(site, kinds.page, nameOfPath(path));
    today.rememberPage(site, path, page);
    return page;
  }
}

/** Longest host name (RFC 1035). */
const maxHostLength = 253;

/**
 * The host that a visit came from, in lower case and without port; the placeholder for none; undefined if it came
 * from the website itself.
 *
 * @param own domains of the website
 * @param host host that the visitor used
 */
function findReferrer(header: string, own: readonly string[], host: string): string | undefined {
  const address = header === '' ? null : URL.parse(header);
  if (address === null) return placeholders.direct;
  const { protocol, hostname } = address;
  // An app may name itself in an address of another scheme.
  if (!['http:', 'https:', 'android-app:'].includes(protocol) || hostname === '') return placeholders.direct;
  const from = hostName(hostname.toLowerCase());
  if (from.length > maxHostLength) return placeholders.direct;
  return from === hostName(host) || own.includes(from) ? undefined : from;
}
