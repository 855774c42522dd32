/**
 * Nodes under load while they, their connections or PostgreSQL fail. Each page has one writer that counts up; readers
 * ask all nodes for all pages. A read that begins after a save was answered must show that save or a later one.
 */
import { rmSync } from 'node:fs';
import { createPage, createSite } from './content.ts';
import { pageOf, startNode, until } from './nodes.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { CutProxy } from './proxy.ts';
import { makeTempDir, masterToken, type TestServer } from './server.ts';

const nodeCount = 3;
const pageCount = 4;
const requestMs = 20_000;

/** What a round of a fault has shown. */
export interface RoundResult {
  /** Saves that were answered, and reads that showed a page. */
  readonly saves: number;
  readonly reads: number;
  /** Descriptions of reads that showed the state before an answered save. */
  readonly stale: readonly string[];
  /** Time from the end of the fault until all nodes served, in milliseconds. */
  readonly healMs: number;
}

export const faults = ['kill', 'restart', 'cut', 'freeze', 'pause'] as const;
export type Fault = (typeof faults)[number];

export class NodesUnderLoad {
  readonly postgres: TestPostgres;
  readonly #proxy: CutProxy;
  readonly #database: string;
  readonly #pausedMs: number;
  /** The first node reaches PostgreSQL through the proxy. */
  readonly #nodes: TestServer[] = [];
  readonly #dirs: string[] = [];
  readonly #ids: number[] = [];
  readonly #answered: number[] = [];
  readonly #tried: number[] = [];
  readonly #stale: string[] = [];
  #saves = 0;
  #reads = 0;
  #isRunning = true;
  #clients: Promise<unknown>[] = [];
  #seed = 1;

  private constructor(postgres: TestPostgres, proxy: CutProxy, database: string, pausedMs: number) {
    this.postgres = postgres;
    this.#proxy = proxy;
    this.#database = database;
    this.#pausedMs = pausedMs;
  }

  /** @param pausedMs how long a paused node stands still; a lease lasts 4 s */
  static async start(pausedMs: number): Promise<NodesUnderLoad> {
    const postgres = await startPostgres();
    const database = await postgres.createDatabase();
    const proxy = await CutProxy.start(postgres.port);
    const load = new NodesUnderLoad(postgres, proxy, database, pausedMs);
    for (let index = 0; index < nodeCount; index++) load.#dirs.push(makeTempDir());
    load.#nodes[0] = await load.#startNode(0);
    await Promise.all(
      load.#dirs.slice(1).map(async (_dir, index) => {
        load.#nodes[index + 1] = await load.#startNode(index + 1);
      }),
    );
    const [first] = load.#nodes;
    if (first === undefined) throw new Error('there is no node');
    await load.#settled();
    const home = await retried(() => createSite(first));
    for (let page = 0; page < pageCount; page++) {
      const html = '<p>{{ page.title }}</p>';
      load.#ids.push(
        await retried(() => createPage(first, home, { slug: `p${page}`, title: '0', published: true, html })),
      );
      load.#answered.push(0);
      load.#tried.push(0);
    }
    load.#clients = load.#ids.map((_id, page) => load.#write(page));
    for (let reader = 0; reader < 4; reader++) load.#clients.push(load.#read());
    return load;
  }

  /** Lets something fail, and waits until all nodes serve again. */
  async round(fault: Fault): Promise<RoundResult> {
    const before = { saves: this.#saves, reads: this.#reads };
    await this.#settle();
    await this.#faults[fault]();
    const start = performance.now();
    await this.#settle();
    const healMs = performance.now() - start;
    await this.#afterMore(20);
    return {
      saves: this.#saves - before.saves,
      reads: this.#reads - before.reads,
      stale: this.#stale.splice(0),
      healMs,
    };
  }

  /** Stops the load; then all nodes must show the same, and nothing older than what was answered. */
  async end(): Promise<{ readonly lost: readonly string[] }> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
    const lost: string[] = [];
    for (const [page, answered] of this.#answered.entries()) {
      const shown = await Promise.all(this.#nodes.map((node) => this.#numberOn(node, page)));
      const tried = this.#tried[page] ?? 0;
      if (
        shown.some(
          (number) => number === undefined || number < answered || number > tried || number !== shown[0],
        )
      )
        lost.push(`page ${page}: answered ${answered}, tried ${tried}, shown ${shown.join(', ')}`);
    }
    return { lost };
  }

  async close(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
    await Promise.all(this.#nodes.map((node) => node.stop()));
    for (const dir of this.#dirs) rmSync(dir, { recursive: true, force: true });
    await this.#proxy.close();
    await this.postgres.remove();
  }

  readonly #faults: Readonly<Record<Fault, () => Promise<void>>> = {
    kill: async () => {
      const index = this.#random(this.#nodes.length);
      await this.#node(index).end('SIGKILL');
      this.#nodes[index] = await this.#startNode(index);
    },
    restart: async () => {
      await this.postgres.stop('immediate');
      await this.postgres.start();
    },
    cut: async () => {
      this.#proxy.refuse();
      this.#proxy.cutAll();
      await pause(500);
      this.#proxy.mend();
    },
    freeze: async () => {
      this.#proxy.freeze();
    },
    pause: async () => {
      const { pid } = this.#node(this.#random(this.#nodes.length));
      process.kill(pid, 'SIGSTOP');
      await pause(this.#pausedMs);
      process.kill(pid, 'SIGCONT');
    },
  };

  #startNode(index: number): Promise<TestServer> {
    const url = index === 0 ? this.#proxy.through(this.#database) : this.#database;
    return startNode(url, { dataDir: this.#dirs[index] ?? '' });
  }

  async #write(page: number): Promise<void> {
    while (this.#isRunning) {
      const number = (this.#tried[page] ?? 0) + 1;
      this.#tried[page] = number;
      const node = this.#node(this.#random(this.#nodes.length));
      const status = await this.#put(node, `/pages/${this.#ids[page]}`, { title: String(number) });
      if (status === 200) {
        this.#answered[page] = number;
        this.#saves += 1;
      } else {
        await pause(50);
      }
    }
  }

  async #read(): Promise<void> {
    while (this.#isRunning) {
      const page = this.#random(pageCount);
      const index = this.#random(this.#nodes.length);
      const wanted = this.#answered[page] ?? 0;
      const shown = await this.#numberOn(this.#node(index), page);
      if (shown === undefined) {
        await pause(20);
        continue;
      }
      this.#reads += 1;
      if (shown < wanted)
        this.#stale.push(`node ${index} showed ${shown} of page ${page} after ${wanted} was answered`);
    }
  }

  async #put(node: TestServer, path: string, body: object): Promise<number> {
    try {
      const response = await fetch(`${node.url}/api/v1${path}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestMs),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** What a node shows of a page; undefined if it does not. */
  async #numberOn(node: TestServer, page: number): Promise<number | undefined> {
    const text = await pageOf(node, `/p${page}`).catch(() => '');
    const digits = /<p>(\d+)<\/p>/.exec(text)?.[1];
    return digits === undefined || /^\d{3} /.test(text) ? undefined : Number(digits);
  }

  /** Resolves when all nodes have a lease. */
  async #settled(): Promise<void> {
    await until(async () => {
      const answers = await Promise.all(this.#nodes.map(({ url }) => fetch(`${url}/healthz`)));
      return answers.every(({ status }) => status === 200);
    });
  }

  /** Resolves when all nodes show all pages, and every writer has been answered. */
  async #settle(): Promise<void> {
    await until(async () => {
      for (const node of this.#nodes)
        for (let page = 0; page < pageCount; page++)
          if ((await this.#numberOn(node, page)) === undefined) return false;
      return true;
    }, 60_000);
    await this.#afterMore(1);
  }

  async #afterMore(saves: number): Promise<void> {
    const goal = this.#saves + saves;
    await until(async () => this.#saves >= goal, 60_000);
  }

  #node(index: number): TestServer {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  /** The same numbers in every run. */
  #random(below: number): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed % below;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A node that has lost its lease, because the machine does other work, answers 503 for a moment. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(1000);
    }
  }
}
