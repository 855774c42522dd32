/**
 * What is known of the running day, in memory: the sums that grow, and visitors who have come before. It only spares
 * work. What a transaction could not write must be forgotten with it, since the sums here were part of it.
 */
import { LRUCache } from 'lru-cache';
import type { ActivityDb } from '../../../db/tables.ts';
import { type Kind, placeholders } from '../kinds.ts';
import type { Agent } from './agents.ts';
import * as store from './store.ts';

/** Most names of a kind that a website has on a day. */
const maxNames = 10_000;
/** Most sums that are remembered. */
const maxSums = 100_000;
/** Most visitors that are remembered, and most things that each is known to have been counted for. */
const maxVisitors = 20_000;
const maxSeen = 100;
/** Visitors with longer names are not remembered. Characters. */
const maxKeyLength = 1_000;
/** Most paths of a website whose pages are remembered. */
const maxPaths = 20_000;

/** Views and visitors that the next transaction adds to a sum of the day. */
export interface Sum {
  readonly root_id: number;
  readonly kind: Kind;
  readonly name_id: number;
  readonly other_id: number;
  views: number;
  visitors: number;
}

export interface Visitor {
  /** Made of the address, the agent and the salt of the day. */
  readonly number: number;
  readonly agent: Agent;
  /** What every view counts for. Undefined before the first view. */
  always: readonly Sum[] | undefined;
  /** Sums in which the visitor is known to be counted. */
  readonly seen: Set<Sum>;
}

/** A website on this day. */
export interface SiteCounts {
  readonly siteId: number;
  readonly sums: Map<string, Sum>;
  /** IDs of the names of each kind that the day has so far. */
  readonly names: Map<Kind, Set<number>>;
  readonly pages: Map<string, Sum>;
}

export class DayCounts {
  readonly day: number;
  /** Rows that the transaction has to write, about. */
  writes = 0;
  readonly #db: ActivityDb;
  readonly #sites = new Map<number, SiteCounts>();
  readonly #visitors = new LRUCache<string, Visitor>({ max: maxVisitors });
  readonly #nameIds = new Map<string, number>();
  #grown: Sum[] = [];
  #sumCount = 0;

  constructor(db: ActivityDb, day: number) {
    this.#db = db;
    this.day = day;
  }

  get isFull(): boolean {
    return this.#sumCount > maxSums || this.#nameIds.size > maxSums;
  }

  siteOf(siteId: number): SiteCounts {
    let site = this.#sites.get(siteId);
    if (site === undefined) {
      site = { siteId, sums: new Map(), names: new Map(), pages: new Map() };
      this.#sites.set(siteId, site);
    }
    return site;
  }

  visitorOf(key: string): Visitor | undefined {
    return this.#visitors.get(key);
  }

  remember(key: string, visitor: Visitor): void {
    if (key.length <= maxKeyLength) this.#visitors.set(key, visitor);
  }

  forgetVisitors(): void {
    this.#visitors.clear();
  }

  rememberPage(site: SiteCounts, path: string, page: Sum): void {
    if (site.pages.size >= maxPaths) site.pages.clear();
    site.pages.set(path, page);
  }

  sumOf(site: SiteCounts, kind: Kind, nameId: number, otherId = 0): Sum {
    const key = `${kind} ${nameId} ${otherId}`;
    let sum = site.sums.get(key);
    if (sum === undefined) {
      sum = { root_id: site.siteId, kind, name_id: nameId, other_id: otherId, views: 0, visitors: 0 };
      site.sums.set(key, sum);
      this.#sumCount += 1;
    }
    return sum;
  }

  /** The sum of a name, or of the placeholder if the website has too many names today. */
  async namedSum(site: SiteCounts, kind: Kind, name: string): Promise<Sum> {
    let names = site.names.get(kind);
    if (names === undefined) {
      names = new Set(await store.namesOfDay(this.#db, site.siteId, kind, this.day));
      site.names.set(kind, names);
    }
    if (names.size < maxNames) {
      const id = await this.#idOf(name);
      names.add(id);
      return this.sumOf(site, kind, id);
    }
    const id = this.#nameIds.get(name) ?? (await store.findName(this.#db, name))?.id ?? -1;
    return this.sumOf(site, kind, names.has(id) ? id : await this.#idOf(placeholders.other));
  }

  /** Counts views. @param isNew whether the visitor has not been counted in this sum today */
  addViews(sum: Sum, times: number, isNew = false): void {
    if (sum.views === 0) {
      this.#grown.push(sum);
      this.writes += store.rowsOfSum;
    }
    sum.views += times;
    if (isNew) sum.visitors += 1;
  }

  /** Counts views, and the visitor unless counted before. */
  async addViewsOf(visitor: Visitor, sum: Sum, times: number): Promise<void> {
    this.addViews(sum, times, !visitor.seen.has(sum) && (await this.isNew(visitor, sum)));
  }

  /** Whether a visitor is to be counted in a sum; the next time it is not so. */
  async isNew(visitor: Visitor, sum: Sum): Promise<boolean> {
    const { root_id, kind, name_id, other_id } = sum;
    const mark = { day: this.day, root_id, visitor: visitor.number, kind, name_id, other_id };
    this.writes += 1;
    if (visitor.seen.size >= maxSeen) visitor.seen.clear();
    visitor.seen.add(sum);
    return store.addMark(this.#db, mark);
  }

  /** Writes the sums that have grown. */
  async write(): Promise<void> {
    for (const sum of this.#grown) {
      const { root_id, kind, name_id, other_id, views, visitors } = sum;
      await store.addToSums(this.#db, { day: this.day, root_id, kind, name_id, other_id, views, visitors });
      sum.views = 0;
      sum.visitors = 0;
    }
    this.#grown = [];
    this.writes = 0;
  }

  async #idOf(name: string): Promise<number> {
    const known = this.#nameIds.get(name);
    if (known !== undefined) return known;
    const id = await store.idOfName(this.#db, name);
    this.#nameIds.set(name, id);
    return id;
  }
}
