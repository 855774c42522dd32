import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { visit } from '../../conformance/public-client.ts';
import { asRecord, call, callList, callOk } from '../../support/api.ts';
import { until } from '../../support/nodes.ts';
import { makeTempDir, startServer, type TestServer } from '../../support/server.ts';
import { Random } from '../delivery/random.ts';
import { type ExpectedFailure, findFailures, keyOf, type SiteAddress } from './expected-list.ts';
import { RandomSite } from './random-site.ts';

/** What a check of random changes has seen. */
export interface ListReport {
  readonly rounds: number;
  /** Pages that have begun to fail, and that have left the list. */
  readonly broken: number;
  readonly mended: number;
  /** Differences between the list and a render of all pages that starts from nothing. */
  readonly wrong: readonly string[];
}

export interface ListOptions {
  readonly seed: number;
  readonly rounds: number;
}

const hosts = ['one.test', 'two.test'];
/** After so many problems the search ends. */
const maxProblems = 5;
/** So many addresses of one page are entered by visits; beyond that it is left open. */
const maxVisitsOfPage = 20;

/**
 * Changes random content, and after each round compares the lists of failing pages with a render of all published
 * pages that starts from nothing. Same seed, same rounds.
 */
export async function checkFailingList({ seed, rounds }: ListOptions): Promise<ListReport> {
  const dataDir = makeTempDir();
  const check = new ListCheck(seed, dataDir);
  try {
    return await check.run(rounds);
  } finally {
    await check.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Entries by website and path. */
type Listed = ReadonlyMap<string, Record<string, unknown>>;

class ListCheck {
  readonly #seed: number;
  readonly #random: Random;
  readonly #dataDir: string;
  readonly #problems: string[] = [];
  readonly #visited = new Map<string, SiteAddress>();
  /** Pages that nobody has seen since the last start: whether they are checked is left open. */
  #unseen = new Set<string>();
  /** Pages that failed after the round before without an entry, as is left open: nobody knows what broke them. */
  #unlisted: ReadonlySet<string> = new Set();
  /** Pages that a visit has found failing since the round before; a check may have found another error since. */
  readonly #failedVisits = new Set<string>();
  #server: TestServer | undefined;
  #site: RandomSite | undefined;
  /** Entries of the lists after the round before, with their change. */
  #listed: Listed = new Map();
  #seenVersion = 0;
  #broken = 0;
  #mended = 0;

  constructor(seed: number, dataDir: string) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#dataDir = dataDir;
  }

  async run(rounds: number): Promise<ListReport> {
    await this.#start();
    const server = this.#running();
    await callOk(server, 'POST', '/sources', {
      slug: 'outside',
      url: 'http://127.0.0.1:1/',
      cache_seconds: 0,
    });
    const random = this.#random;
    // The server is another one after a restart.
    const url = () => this.#running().url;
    const site = new RandomSite({
      server: {
        get url() {
          return url();
        },
      },
      ...{ random, hosts, source: 'outside' },
    });
    this.#site = site;
    await site.fill();
    await this.#compare('filled', 'many');
    for (let round = 0; round < rounds && this.#problems.length < maxProblems; round++)
      await this.#round(round);
    return { rounds, broken: this.#broken, mended: this.#mended, wrong: this.#problems };
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }

  async #round(round: number): Promise<void> {
    if (this.#random.below(25) === 0) await this.#restart();
    const count = this.#random.below(3) === 0 ? 2 + this.#random.below(4) : 1;
    const names: string[] = [];
    for (let left = count; left > 0; left--) {
      names.push((await this.#site?.changeSomething()) ?? '');
      if (this.#random.below(4) === 0) await this.#visit();
    }
    await this.#compare(`round ${round} (${names.join(', ')})`, count === 1 ? 'one' : 'many');
    for (let left = this.#random.below(4); left > 0; left--) await this.#visit();
  }

  async #start(): Promise<void> {
    this.#server = await startServer({ dataDir: this.#dataDir });
  }

  #running(): TestServer {
    if (this.#server === undefined) throw new Error('no server runs');
    return this.#server;
  }

  /** Pages that nobody has asked for are not known afterwards, so all are asked for. */
  async #restart(): Promise<void> {
    this.#unseen = new Set();
    for (const address of await this.#addresses())
      if (!(await this.#ask(address))) this.#unseen.add(keyOf(address));
    await this.#server?.end('SIGTERM');
    await this.#start();
  }

  async #visit(): Promise<void> {
    const addresses = await this.#addresses();
    const address = this.#random.one(addresses);
    if (address === undefined) return;
    const below = { ...address, path: `${address.path === '/' ? '' : address.path}/x` };
    const isDeep = address.path.endsWith('/x/x');
    await this.#ask(!isDeep && this.#random.below(3) === 0 ? below : address);
  }

  /** @returns whether there is a page */
  async #ask(address: SiteAddress): Promise<boolean> {
    const { status } = await visit(this.#running(), address.path, { host: address.host });
    const isPage = status === 200 || status === 500;
    if (isPage) this.#visited.set(keyOf(address), address);
    if (status === 500) this.#failedVisits.add(keyOf(address));
    return isPage;
  }

  /** All published pages, and what was asked for below catch-all pages. */
  async #addresses(): Promise<SiteAddress[]> {
    const pages = await callList(this.#running(), '/pages');
    const published = pages.flatMap(({ root_id, path, published }): SiteAddress[] =>
      published === true ? [this.#addressOf(Number(root_id), String(path))] : [],
    );
    const all = new Map(published.map((address) => [keyOf(address), address]));
    for (const [key, address] of this.#visited) if (!all.has(key)) all.set(key, address);
    return [...all.values()];
  }

  #addressOf(siteId: number, path: string): SiteAddress {
    const host = hosts[this.#site?.sites.indexOf(siteId) ?? 0] ?? '';
    return { siteId, host, path };
  }

  async #compare(when: string, commits: 'one' | 'many'): Promise<void> {
    await this.#untilChecked();
    const listed = await this.#list();
    const told = await this.#newChanges();
    const expected = await findFailures(join(this.#dataDir, 'content.db'), await this.#addresses());
    for (const key of new Set([...listed.keys(), ...expected.keys()])) {
      const problem = this.#compareEntry(key, listed, expected.get(key), told, commits);
      if (problem !== undefined) this.#problems.push(`seed ${this.#seed}, ${when}, ${key}: ${problem}`);
    }
    for (const key of this.#listed.keys()) if (!listed.has(key)) this.#mended += 1;
    this.#listed = listed;
    this.#failedVisits.clear();
    const failing = [...expected].filter(([, failure]) => failure !== 'unchecked');
    this.#unlisted = new Set(failing.flatMap(([key]) => (listed.has(key) ? [] : [key])));
  }

  #compareEntry(
    key: string,
    listed: Listed,
    expected: ExpectedFailure | 'unchecked' | undefined,
    told: readonly Record<string, unknown>[],
    commits: 'one' | 'many',
  ): string | undefined {
    const entry = listed.get(key);
    if (expected === 'unchecked')
      return entry === undefined || entry['found_by'] === 'visit' ? undefined : 'is listed by a check';
    if (expected === undefined) return entry && `is listed: ${JSON.stringify(entry)}`;
    if (entry === undefined)
      return this.#unseen.has(key) || isCrowded(listed, expected)
        ? undefined
        : `is not listed: ${JSON.stringify(expected)}`;
    const { pageId: page_id, ...place } = expected;
    for (const [name, value] of Object.entries({ page_id, ...place }))
      if (entry[name] !== value) return `has the ${name} ${String(entry[name])} in place of ${String(value)}`;
    const change = JSON.stringify(entry['change']);
    const lastEntry = this.#listed.get(key);
    const before = lastEntry?.['page_id'] === page_id ? lastEntry : undefined;
    if (before === undefined) this.#broken += 1;
    else if (commits === 'one' || JSON.stringify(before['change']) === change) {
      return JSON.stringify(before['change']) === change ? undefined : `has another change: ${change}`;
    }
    const { version, kind, id } = asRecord(entry['change']);
    const isTold = told.some((one) => one['version'] === version && one['kind'] === kind && one['id'] === id);
    const mayBeUnknown = this.#failedVisits.has(key) || this.#unlisted.has(key);
    if (isTold || (mayBeUnknown && change === 'null')) return undefined;
    return `has the change ${change}, none of ${JSON.stringify(told)}`;
  }

  async #list(): Promise<Listed> {
    const listed = new Map<string, Record<string, unknown>>();
    for (const siteId of this.#site?.sites ?? [])
      for (const entry of await callList(this.#running(), `/sites/${siteId}/failing-pages`))
        listed.set(keyOf({ siteId, path: String(entry['path']) }), entry);
    return listed;
  }

  /** What the feed tells of since the last call, besides pages that fail. */
  async #newChanges(): Promise<Record<string, unknown>[]> {
    const told: Record<string, unknown>[] = [];
    for (;;) {
      const answer = asRecord(
        (await call(this.#running(), 'GET', `/changes?since=${this.#seenVersion}&limit=1000`)).body,
      );
      const changes = Array.isArray(answer['changes']) ? answer['changes'].map(asRecord) : [];
      this.#seenVersion = Number(answer['version']);
      if (changes.length === 0) return told;
      told.push(...changes.filter(({ action }) => action !== 'failed'));
    }
  }

  #untilChecked(): Promise<void> {
    return until(async () => {
      const text = await (await fetch(`${this.#running().url}/metrics`)).text();
      return text.includes('\nincipit_page_checks_running 0\n');
    });
  }
}

function isCrowded(listed: Listed, { pageId }: ExpectedFailure): boolean {
  return [...listed.values()].filter((entry) => entry['page_id'] === pageId).length >= maxVisitsOfPage;
}
