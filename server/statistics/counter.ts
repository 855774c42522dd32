/**
 * Counts visits into activity.db. What holds:
 *
 *  1. Visits are written in transactions of at most `maxChunk`, short enough that other writers do not notice. Each
 *     has the sums and the marks of the same visits, so a process that is killed loses whole visits that were not
 *     written, and none counts twice.
 *  2. A visit counts for the day that the clock showed, in server time.
 *  3. Addresses and User-Agent headers are never written. A visitor is a number made of them with the salt of the
 *     day; the numbers of other days are deleted.
 *  4. Of names that visitors can choose (paths, referrers) a website has at most `maxNames` of a kind on a day;
 *     further ones count together.
 */
import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityDb } from '../db/tables.ts';
import { clientOf } from '../http/client.ts';
import { agentOf } from './agents.ts';
import { dayOf } from './days.ts';
import { type Kind, kinds, placeholders } from './kinds.ts';
import { nameOfPath } from './names.ts';
import { RecentViews } from './recent.ts';
import { referrerOf } from './referrer.ts';
import * as removal from './removal-store.ts';
import { DailySalt } from './salt.ts';
import * as store from './store.ts';
import type { Visit, VisitBatch } from './visit.ts';

const maxChunk = 200;
const maxNames = 10_000;
/** Most visits that wait because they could not be written. */
const maxWaiting = 50_000;
/** Most names whose IDs are remembered. */
const maxKnownNames = 100_000;

/** The country of an address as ISO code; undefined if it cannot be told. */
export type FindCountry = (address: string) => string | undefined;

export interface CounterOptions {
  readonly db: ActivityDb;
  readonly saltFile: string;
  /** Undefined while there is no country data. */
  readonly findCountry: () => FindCountry | undefined;
}

export class Counter {
  readonly recent = new RecentViews();
  readonly #options: CounterOptions;
  readonly #salt: DailySalt;
  #waiting: Visit[] = [];
  #day: number | undefined;
  #nameIds = new Map<string, number>();
  /** The names that a website has today, by website and kind. */
  #namesOfDay = new Map<string, Set<number>>();

  constructor(options: CounterOptions) {
    this.#options = options;
    this.#salt = new DailySalt(options.saltFile);
  }

  /**
   * Counts visits. Those that cannot be written wait for the next call.
   *
   * @throws the error of the database
   */
  async count({ visits, domains, countries }: VisitBatch): Promise<void> {
    this.#waiting.push(...visits.filter(({ siteId }) => domains.has(siteId)));
    if (this.#waiting.length > maxWaiting) this.#waiting = this.#waiting.slice(-maxWaiting);
    while (this.#waiting.length > 0) {
      const day = dayOf(this.#waiting[0]?.at ?? 0);
      const end = this.#waiting.findIndex(({ at }, index) => index >= maxChunk || dayOf(at) !== day);
      const chunk = end < 0 ? this.#waiting : this.#waiting.slice(0, end);
      await this.startDay(day);
      await this.#write(new Chunk(day, this.#salt.of(day)), chunk, domains, countries);
      this.#waiting = end < 0 ? [] : this.#waiting.slice(end);
      await nextTurn();
    }
  }

  /** Forgets what was known of the visitors of other days. */
  async startDay(day: number): Promise<void> {
    if (day === this.#day) return;
    this.#day = day;
    this.#namesOfDay.clear();
    this.#salt.of(day);
    while ((await removal.deleteSomeOldMarks(this.#options.db, day)) > 0) await nextTurn();
  }

  /** Deletes everything of a website, some rows at a time. */
  async forget(siteId: number): Promise<void> {
    const { db } = this.#options;
    this.#waiting = this.#waiting.filter((visit) => visit.siteId !== siteId);
    this.recent.forget(siteId);
    for (const span of await removal.listSpans(db, siteId)) {
      await removal.deleteSpan(db, siteId, span);
      await nextTurn();
    }
    while ((await removal.deleteSomeMarks(db, siteId)) > 0) await nextTurn();
    this.#forgetNames();
    for (const id of await removal.unusedNames(db)) {
      await removal.deleteName(db, id);
      await nextTurn();
    }
  }

  async #write(
    chunk: Chunk,
    visits: readonly Visit[],
    domains: VisitBatch['domains'],
    countries: boolean,
  ): Promise<void> {
    const { db, findCountry } = this.#options;
    const find = countries ? findCountry() : undefined;
    db.execute('BEGIN IMMEDIATE');
    try {
      for (const visit of visits) await this.#add(chunk, visit, domains.get(visit.siteId) ?? [], find);
      for (const addition of chunk.additions()) await store.addToSums(db, addition);
      db.execute('COMMIT');
    } catch (error) {
      if (db.inTransaction) db.execute('ROLLBACK');
      this.#forgetNames();
      throw error;
    }
    for (const view of chunk.views) this.recent.add(view);
  }

  async #add(
    chunk: Chunk,
    visit: Visit,
    own: readonly string[],
    find: FindCountry | undefined,
  ): Promise<void> {
    const agent = agentOf(visit.userAgent);
    if (agent.isBot) return;
    const { address } = clientOf(visit.peer, visit.forwardedFor);
    const visitor = chunk.visitorOf(visit, address);
    const name = nameOfPath(visit.path);
    const count = (kind: Kind, nameId: number, otherId = 0) =>
      this.#count(chunk, {
        day: chunk.day,
        root_id: visit.siteId,
        visitor,
        kind,
        name_id: nameId,
        other_id: otherId,
      });
    if (visit.kind === 'download') {
      await count(kinds.download, await this.#idOf(visit.siteId, kinds.download, name));
      return;
    }
    chunk.views.push({ at: visit.at, siteId: visit.siteId, name, visitor });
    await count(kinds.total, 0);
    const page = await this.#idOf(visit.siteId, kinds.page, name);
    await count(kinds.page, page);
    const dimension = async (kind: Kind, value: string) => {
      const id = await this.#idOf(visit.siteId, kind, value);
      await count(kind, id);
      return id;
    };
    await dimension(kinds.browser, agent.browser);
    await dimension(kinds.os, agent.os);
    await dimension(kinds.device, agent.device);
    if (find !== undefined) await dimension(kinds.country, find(address) ?? placeholders.unknown);
    const referrer = referrerOf(visit.referer, own, visit.host);
    if (referrer !== undefined) await count(kinds.arrival, page, await dimension(kinds.referrer, referrer));
  }

  async #count(chunk: Chunk, mark: store.Mark): Promise<void> {
    const isNew = chunk.isUnseen(mark) && (await store.addMark(this.#options.db, mark));
    chunk.add(mark, isNew);
  }

  /** The ID of a name, or of the placeholder if the website has too many today. */
  async #idOf(siteId: number, kind: Kind, name: string): Promise<number> {
    const { db } = this.#options;
    const key = `${siteId} ${kind}`;
    let known = this.#namesOfDay.get(key);
    if (known === undefined) {
      known = new Set(await store.namesOfDay(db, siteId, kind, this.#day ?? 0));
      this.#namesOfDay.set(key, known);
    }
    if (known.size >= maxNames) {
      const id = (await this.#knownId(name)) ?? -1;
      return known.has(id) ? id : this.#newId(placeholders.other);
    }
    const id = await this.#newId(name);
    known.add(id);
    return id;
  }

  async #knownId(name: string): Promise<number | undefined> {
    return this.#nameIds.get(name) ?? (await store.findName(this.#options.db, name))?.id;
  }

  async #newId(name: string): Promise<number> {
    const known = this.#nameIds.get(name);
    if (known !== undefined) return known;
    const id = await store.idOfName(this.#options.db, name);
    if (this.#nameIds.size >= maxKnownNames) this.#nameIds.clear();
    this.#nameIds.set(name, id);
    return id;
  }

  #forgetNames(): void {
    this.#nameIds.clear();
    this.#namesOfDay.clear();
  }
}

/** What the visits of one transaction add. */
class Chunk {
  readonly day: number;
  readonly views: { at: number; siteId: number; name: string; visitor: number }[] = [];
  readonly #salt: Buffer;
  readonly #seen = new Set<string>();
  readonly #additions = new Map<string, { mark: store.Mark; views: number; visitors: number }>();

  constructor(day: number, salt: Buffer) {
    this.day = day;
    this.#salt = salt;
  }

  /** A number of 48 bits: two of a million visitors have the same in one of 500 cases. */
  visitorOf({ siteId, userAgent }: Visit, address: string): number {
    const digest = createHmac('sha256', this.#salt).update(`${siteId} ${address} ${userAgent}`).digest();
    return digest.readUIntBE(0, 6);
  }

  /** Spares the database marks that were set in the same transaction. */
  isUnseen({ root_id, visitor, kind, name_id, other_id }: store.Mark): boolean {
    const key = `${root_id} ${visitor} ${kind} ${name_id} ${other_id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  add(mark: store.Mark, isNew: boolean): void {
    const key = `${mark.root_id} ${mark.kind} ${mark.name_id} ${mark.other_id}`;
    const addition = this.#additions.get(key) ?? { mark, views: 0, visitors: 0 };
    addition.views += 1;
    if (isNew) addition.visitors += 1;
    this.#additions.set(key, addition);
  }

  *additions(): IterableIterator<store.Addition> {
    for (const { mark, views, visitors } of this.#additions.values()) {
      const { day, root_id, kind, name_id, other_id } = mark;
      yield { day, root_id, kind, name_id, other_id, views, visitors };
    }
  }
}
