/** Two nodes, each with a proxy of its own in front of PostgreSQL, for tests of faults. */
import { rmSync } from 'node:fs';
import { type ApiAnswer, call, outcomeOf } from './api.ts';
import { pageOf, shareMedia, startNode, until } from './nodes.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { CutProxy } from './proxy.ts';
import { type S3Server, startS3 } from './s3.ts';
import { makeTempDir, type ServerOptions, type TestServer } from './server.ts';

/** Names of connections of a node, as PostgreSQL knows them. */
export const connections = {
  contentWriter: 'incipit content writer',
  contentReader: 'incipit content reader',
  lease: 'incipit lease',
} as const;

/** Statements of a node. */
export const statements = {
  /** Takes the lock of the lane for a change. */
  lock: /FROM incipit\.lanes\s+WHERE name = 'content' FOR UPDATE/,
  /** Sends a part of a version that is not the first. */
  secondPart: /INSERT INTO incipit\.log [^;]{0,200}VALUES\s+\('content', \d+, 1,/,
  firstPart: /INSERT INTO incipit\.log [^;]{0,200}VALUES\s+\('content', \d+, 0,/,
  /** Commits a version. */
  commit: /UPDATE incipit\.lanes SET version = \d+/,
  /** Reads versions of other nodes. */
  readLog: /FROM incipit\.log\s+WHERE lane = 'content' AND \(version, part\) >/,
} as const;

/** A node that can be started again with the same files, on another port. */
export class ProxiedNode {
  readonly proxy: CutProxy;
  readonly dataDir: string;
  readonly #database: string;
  readonly #options: ServerOptions;
  #server: TestServer | undefined;

  private constructor(proxy: CutProxy, database: string, options: ServerOptions) {
    this.proxy = proxy;
    this.dataDir = makeTempDir();
    this.#database = database;
    this.#options = options;
  }

  static async start({ port }: TestPostgres, database: string, options: ServerOptions): Promise<ProxiedNode> {
    const node = new ProxiedNode(await CutProxy.start(port), database, options);
    await node.startServer();
    return node;
  }

  get server(): TestServer {
    if (this.#server === undefined) throw new Error('the node is not running');
    return this.#server;
  }

  get url(): string {
    return this.server.url;
  }

  get program(): string {
    return this.server.program;
  }

  async startServer(): Promise<void> {
    const url = this.proxy.through(this.#database);
    this.#server = await startNode(url, { ...this.#options, dataDir: this.dataDir });
  }

  async stopServer(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#server?.end(signal);
    this.#server = undefined;
  }

  /** Resolves when the node has a lease. */
  async serves(): Promise<void> {
    await until(async () => (await fetch(`${this.url}/healthz`)).status === 200, 30_000);
  }

  /** Resolves when the node has noticed that it has no lease. */
  async servesNot(): Promise<void> {
    await until(async () => (await fetch(`${this.url}/healthz`)).status === 503, 30_000);
  }

  async close(): Promise<void> {
    await this.stopServer('SIGKILL');
    await this.proxy.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export interface NodeGroupOptions {
  /** Default: 3. */
  readonly leaseSeconds?: number;
  /** More options of the command line. */
  readonly args?: readonly string[];
}

export class NodeGroup {
  readonly postgres: TestPostgres;
  readonly database: string;
  readonly one: ProxiedNode;
  readonly two: ProxiedNode;
  readonly #s3: S3Server;

  private constructor(
    { postgres, s3 }: { postgres: TestPostgres; s3: S3Server },
    database: string,
    nodes: readonly [ProxiedNode, ProxiedNode],
  ) {
    this.postgres = postgres;
    this.#s3 = s3;
    this.database = database;
    [this.one, this.two] = nodes;
  }

  static async start(options: NodeGroupOptions = {}): Promise<NodeGroup> {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    const database = await postgres.createDatabase();
    const server = toServerOptions(options);
    // One after the other: the first one makes the tables.
    const one = await ProxiedNode.start(postgres, database, server);
    await one.serves();
    await shareMedia(one, s3);
    const two = await ProxiedNode.start(postgres, database, server);
    const group = new NodeGroup({ postgres, s3 }, database, [one, two]);
    await group.serve();
    return group;
  }

  get nodes(): readonly [ProxiedNode, ProxiedNode] {
    return [this.one, this.two];
  }

  /** Resolves when both nodes have a lease. */
  async serve(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.serves()));
  }

  /** Ends all faults, and resolves when both nodes have a lease. */
  async mend(): Promise<void> {
    for (const { proxy } of this.nodes) proxy.mend();
    await this.serve();
  }

  query(sql: string): Promise<Record<string, unknown>[]> {
    return this.postgres.query(this.database, sql);
  }

  /** The number of the newest version, and that of the newest one in the log. They are equal, whatever fails. */
  async contentVersions(): Promise<{ readonly newest: number; readonly logged: number }> {
    const [row] = await this.query(
      `SELECT version, (SELECT max(version) FROM incipit.log WHERE lane = 'content') AS logged
       FROM incipit.lanes WHERE name = 'content'`,
    );
    return { newest: Number(row?.['version']), logged: Number(row?.['logged']) };
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await Promise.all([this.postgres.remove(), this.#s3.stop()]);
  }
}

function toServerOptions({ leaseSeconds = 3, args = [] }: NodeGroupOptions): ServerOptions {
  return { args, env: { IC_LEASE: String(leaseSeconds) } };
}

type Node = Pick<TestServer, 'url' | 'program'>;

/** Saves the title of a page. The outcome is a status, with a code if there is one; `cut` without an answer. */
export async function saveTitle(node: Node, page: number, title: string): Promise<string> {
  const answer: ApiAnswer | undefined = await call(node, 'PUT', `/pages/${page}`, { body: { title } }).catch(
    () => undefined,
  );
  if (answer === undefined) return 'cut';
  const { status, code } = outcomeOf(answer);
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** HTML of pages whose title `shownTitle` finds. */
export const titleTemplate = '<p>{{ page.title }}</p>';

/** The title that a node shows of a page; its status and text if it shows none. */
export async function shownTitle(node: Node, path: string): Promise<string> {
  const text = await pageOf(node, path);
  return /<p>(.*?)<\/p>/.exec(text)?.[1] ?? text;
}
