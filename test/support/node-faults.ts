/**
 * Nodes under load while they, their connections or PostgreSQL fail. Each node has a proxy of its own in front of
 * PostgreSQL. A read that begins after a save was answered must show that save or a later one.
 */
import { rmSync } from 'node:fs';
import { Random } from '../server/delivery/random.ts';
import { MinuteCount } from './minute-count.ts';
import {
  type Counter,
  createImportCounter,
  createMinuteWorkflow,
  createPageCounters,
  type Findings,
  importName,
  NodeLoad,
  pause,
} from './node-load.ts';
import { shareMedia, startNode, until } from './nodes.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { statements } from './proxied-nodes.ts';
import { CutProxy } from './proxy.ts';
import { type S3Server, startS3 } from './s3.ts';
import { makeTempDir, type TestServer } from './server.ts';
import type { ArmedFault, StatementFaults, StatementMatch } from './statement-faults.ts';

const nodeCount = 3;
/** By then a statement comes for which a fault is set, in milliseconds. */
const statementMs = 15_000;
/** By then all nodes serve after a fault, in milliseconds. */
const settleMs = 90_000;

export interface NodesUnderLoadOptions {
  /** How long a paused node stands still, in milliseconds; a lease lasts 4 s. */
  readonly pausedMs: number;
  /** How long connections are slow or silent, in milliseconds. */
  readonly slowMs: number;
  /** Whether there are imports of some MB and a workflow that runs each minute. */
  readonly isLarge: boolean;
  readonly seed: number;
}

/** What a round of a fault has shown. */
export interface RoundResult {
  /** Saves that were answered, reads that showed something, and tokens that were revoked. */
  readonly saves: number;
  readonly reads: number;
  readonly revocations: number;
  readonly findings: Findings;
  /** Time from the end of the fault until all nodes served, in milliseconds. */
  readonly healMs: number;
}

/** What is found when the load has ended. */
export interface EndResult {
  readonly findings: Findings;
  /** Number of the last import that was answered. */
  readonly imports: number;
  /** Minutes in which a workflow was to start. */
  readonly minutes: number;
  readonly twice: readonly string[];
  readonly never: readonly string[];
}

export const faults = [
  'kill',
  'restart',
  'cut',
  'freeze',
  'blackHole',
  'delay',
  'slowPostgres',
  'halfClose',
  'cutStatement',
  'pause',
] as const;
export type Fault = (typeof faults)[number];

interface Member {
  readonly proxy: CutProxy;
  readonly dataDir: string;
  server: TestServer;
}

export class NodesUnderLoad {
  readonly #postgres: TestPostgres;
  readonly #s3: S3Server;
  readonly #database: string;
  readonly #options: NodesUnderLoadOptions;
  readonly #faultRandom: Random;
  readonly #loadRandom: Random;
  readonly #members: Member[] = [];
  readonly #minutes: MinuteCount;
  #counters: readonly Counter[] = [];
  #load: NodeLoad | undefined;

  private constructor(
    { postgres, s3 }: { postgres: TestPostgres; s3: S3Server },
    database: string,
    minutes: MinuteCount,
    options: NodesUnderLoadOptions,
  ) {
    this.#postgres = postgres;
    this.#s3 = s3;
    this.#database = database;
    this.#minutes = minutes;
    this.#options = options;
    this.#faultRandom = new Random(options.seed);
    this.#loadRandom = new Random(options.seed + 1);
  }

  static async start(options: NodesUnderLoadOptions): Promise<NodesUnderLoad> {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    const database = await postgres.createDatabase();
    const nodes = new NodesUnderLoad({ postgres, s3 }, database, await MinuteCount.start(), options);
    await nodes.#addMember();
    for (const first of nodes.#servers()) await shareMedia(first, s3);
    await Promise.all(Array.from({ length: nodeCount - 1 }, () => nodes.#addMember()));
    await nodes.#begin();
    return nodes;
  }

  /** A fault by the seed. */
  pickFault(among: readonly Fault[] = faults): Fault {
    return pickOne(this.#faultRandom, among);
  }

  /** Lets something fail, and waits until all nodes serve again. */
  async round(fault: Fault): Promise<RoundResult> {
    const load = this.#running();
    const { saves, reads, revocations } = load;
    await this.#settle();
    await this.#faults[fault]();
    const start = performance.now();
    await this.#settle();
    const healMs = performance.now() - start;
    await this.#afterMore(20);
    return {
      saves: load.saves - saves,
      reads: load.reads - reads,
      revocations: load.revocations - revocations,
      findings: load.takeFindings(),
      healMs,
    };
  }

  /** Stops the load, and compares what all nodes show. */
  async end(): Promise<EndResult> {
    const load = this.#running();
    await load.stop();
    const findings = await load.findLost();
    if (this.#options.isLarge) findings.torn.push(...(await this.#findTornImports()));
    const { minutes, twice, never } = this.#minutes.result();
    const imports = this.#counters.find(({ name }) => name === importName)?.answered ?? 0;
    return { findings, imports, ...(this.#options.isLarge ? { minutes, twice, never } : noSchedule) };
  }

  async close(): Promise<void> {
    await this.#load?.stop();
    await Promise.all(this.#members.map(({ server }) => server.stop()));
    for (const { proxy, dataDir } of this.#members) {
      await proxy.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
    await this.#minutes.close();
    await Promise.all([this.#postgres.remove(), this.#s3.stop()]);
  }

  readonly #faults: Readonly<Record<Fault, () => Promise<void>>> = {
    kill: async () => {
      const member = this.#pickMember();
      await member.server.end('SIGKILL');
      member.server = await this.#startServer(member);
    },
    restart: async () => {
      await this.#postgres.stop('immediate');
      await this.#postgres.start();
    },
    cut: async () => {
      const { proxy } = this.#pickMember();
      proxy.refuse();
      proxy.cutAll();
      await pause(500);
      proxy.mend();
    },
    freeze: async () => {
      this.#pickMember().proxy.freeze();
    },
    blackHole: async () => {
      const { proxy } = this.#pickMember();
      proxy.blackHole();
      await pause(this.#options.slowMs);
      proxy.mend();
    },
    delay: () => this.#delay([this.#pickMember()]),
    slowPostgres: () => this.#delay(this.#members),
    halfClose: () => this.#atStatement((statement) => statement.halfClose()),
    cutStatement: () => {
      const cut = pickOne(this.#faultRandom, cuts);
      return this.#atStatement((statement) => statement[cut]());
    },
    pause: async () => {
      const { pid } = this.#pickMember().server;
      process.kill(pid, 'SIGSTOP');
      await pause(this.#options.pausedMs);
      process.kill(pid, 'SIGCONT');
    },
  };

  async #delay(members: readonly Member[]): Promise<void> {
    const ms = this.#faultRandom.below(150);
    for (const { proxy } of members) proxy.delayAll(ms);
    await pause(this.#options.slowMs);
    for (const { proxy } of members) proxy.mend();
  }

  /** Resolves when a fault has acted at a statement of some node. */
  async #atStatement(arm: (statement: StatementFaults) => ArmedFault): Promise<void> {
    const { proxy } = this.#pickMember();
    const { secondPart, ...small } = statements;
    const possible = Object.values(this.#options.isLarge ? { ...small, secondPart } : small);
    const match: StatementMatch = {
      statement: pickOne(this.#faultRandom, possible),
      skip: this.#faultRandom.below(5),
    };
    const fault = arm(proxy.at(match));
    await Promise.race([fault.happened(), pause(statementMs)]);
    fault.disarm();
  }

  async #addMember(): Promise<void> {
    const proxy = await CutProxy.start(this.#postgres.port);
    const dataDir = makeTempDir();
    this.#members.push({ proxy, dataDir, server: await this.#startServer({ proxy, dataDir }) });
  }

  #startServer({ proxy, dataDir }: Pick<Member, 'proxy' | 'dataDir'>): Promise<TestServer> {
    return startNode(proxy.through(this.#database), { dataDir });
  }

  async #begin(): Promise<void> {
    const [first] = this.#servers();
    if (first === undefined) throw new Error('there is no node');
    await until(async () => {
      const answers = await Promise.all(this.#servers().map(({ url }) => fetch(`${url}/healthz`)));
      return answers.every(({ status }) => status === 200);
    });
    const pages = await createPageCounters(first);
    const { isLarge } = this.#options;
    this.#counters = isLarge ? [...pages, await createImportCounter(first)] : pages;
    if (isLarge) await createMinuteWorkflow(first, this.#minutes.url);
    this.#load = new NodeLoad(
      { pick: () => pickOne(this.#loadRandom, this.#servers()), all: () => this.#servers() },
      this.#counters,
    );
    await this.#load.start(first);
    this.#minutes.begin();
  }

  /** The rows of an import in PostgreSQL are those of one import. */
  async #findTornImports(): Promise<string[]> {
    const [row] = await this.#postgres.query(
      this.#database,
      `SELECT count(*) AS count, count(DISTINCT substring(data from 'of (\\d+) ')) AS imports
       FROM incipit_content.items`,
    );
    const [count, imports] = [Number(row?.['count']), Number(row?.['imports'])];
    return imports <= 1 ? [] : [`PostgreSQL has ${count} rows of ${imports} imports`];
  }

  /** Resolves when all nodes show everything, and every writer has been answered. */
  async #settle(): Promise<void> {
    await until(async () => {
      for (const node of this.#servers())
        for (const { read, tried } of this.#counters)
          if (tried > 0 && (await read(node)) === undefined) return false;
      return true;
    }, settleMs);
    await this.#afterMore(1);
  }

  async #afterMore(saves: number): Promise<void> {
    const load = this.#running();
    const goal = load.saves + saves;
    await until(async () => load.saves >= goal, settleMs);
  }

  #running(): NodeLoad {
    if (this.#load === undefined) throw new Error('there is no load');
    return this.#load;
  }

  #servers(): readonly TestServer[] {
    return this.#members.map(({ server }) => server);
  }

  #pickMember(): Member {
    return pickOne(this.#faultRandom, this.#members);
  }
}

const cuts = ['cutBefore', 'cutAfterForward', 'cutAfterAnswer', 'cutAfterDelivery'] as const;

const noSchedule = { minutes: 0, twice: [], never: [] } as const;

function pickOne<T>(random: Random, list: readonly T[]): T {
  const found = random.one(list);
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
}
