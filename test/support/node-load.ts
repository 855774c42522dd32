/** What clients do to nodes while something fails, and what they must never see. */
import { asRecord, call, callOk } from './api.ts';
import { createCollection, createPage, createSite } from './content.ts';
import { pageOf } from './nodes.ts';
import { masterToken, type TestServer } from './server.ts';
import { logIn, setUp, withSession } from './session.ts';
import { importRows } from './several-parts.ts';

/** The nodes as they run now. */
export interface LoadedNodes {
  pick(): TestServer;
  all(): readonly TestServer[];
}

/** Descriptions of what must never be. */
export interface Findings {
  /** An answered save that is not there at the end. */
  readonly lost: string[];
  /** The state before an answered save. */
  readonly stale: string[];
  /** A part of a save. */
  readonly torn: string[];
}

export const emptyFindings = (): Findings => ({ lost: [], stale: [], torn: [] });

/** Something with a number that one writer counts up, and that all nodes show. */
export interface Counter {
  readonly name: string;
  /** The number that was sent last, and the last one that was answered. */
  tried: number;
  answered: number;
  /** Resolves with whether it was answered as saved. */
  save(node: TestServer, number: number): Promise<boolean>;
  /** Undefined if the node does not answer. */
  read(node: TestServer): Promise<number | undefined>;
}

/** Name of the counter of imports. */
export const importName = 'import';

const requestMs = 20_000;
const pageCount = 4;
/** An import has so many rows of 1 KB, and as many more as its number says: some 2.5 MB. */
const importBase = 2_500;

/** Pages with their number as title. */
export async function createPageCounters(node: TestServer): Promise<Counter[]> {
  const home = await retried(() => createSite(node));
  const counters: Counter[] = [];
  for (let index = 0; index < pageCount; index++) {
    const slug = `p${index}`;
    const html = '<p>{{ page.title }}</p>';
    const id = await retried(() => createPage(node, home, { slug, title: '0', published: true, html }));
    counters.push({
      ...{ name: `page ${index}`, tried: 0, answered: 0 },
      save: async (target, number) =>
        (await statusOf(target, 'PUT', `/pages/${id}`, { title: String(number) })) === 200,
      read: (target) => readPage(target, `/${slug}`),
    });
  }
  return counters;
}

/** A collection whose entries are replaced by an import; how many there are is the number. */
export async function createImportCounter(node: TestServer): Promise<Counter> {
  const slug = 'imported';
  await retried(() => createCollection(node, { slug, fields: [{ name: 'title', type: 'text' }] }));
  const counter: Counter = {
    ...{ name: importName, tried: 0, answered: 0 },
    async save(target, number) {
      const options = { rows: importBase + number, isReplacing: true, timeoutMs: requestMs };
      return (await importRows(target, slug, options).catch(() => 0)) === 200;
    },
    async read(target) {
      const answer = await call(target, 'GET', `/collections/${slug}`).catch(() => undefined);
      const count = answer?.status === 200 ? Number(asRecord(answer.body)['item_count']) : undefined;
      return count === undefined || counter.tried === 0 ? undefined : Math.max(count - importBase, 0);
    },
  };
  return counter;
}

/** Writers, readers and people who revoke tokens, until they are stopped. */
export class NodeLoad {
  readonly #nodes: LoadedNodes;
  readonly #counters: readonly Counter[];
  #findings = emptyFindings();
  #isRunning = true;
  #clients: Promise<void>[] = [];
  saves = 0;
  reads = 0;
  revocations = 0;

  constructor(nodes: LoadedNodes, counters: readonly Counter[]) {
    this.#nodes = nodes;
    this.#counters = counters;
  }

  /** @param node creates the account of those who revoke tokens */
  async start(node: TestServer): Promise<void> {
    const session = await retried(async () => {
      await setUp(node).catch(() => '');
      return logIn(node);
    });
    this.#clients = [
      ...this.#counters.map((counter) => this.#repeat(() => this.#save(counter))),
      ...this.#counters.map((counter) => this.#repeat(() => this.#read(counter))),
      this.#repeat(() => this.#revoke(session)),
    ];
  }

  /** What was found since the last call. */
  takeFindings(): Findings {
    const found = this.#findings;
    this.#findings = emptyFindings();
    return found;
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
  }

  /** To be called after `stop`: all nodes show the same, and nothing older than what was answered. */
  async findLost(): Promise<Findings> {
    const findings = this.takeFindings();
    for (const { name, answered, tried, read } of this.#counters) {
      if (tried === 0) continue;
      const shown = await Promise.all(this.#nodes.all().map(read));
      const isRight = (number: number | undefined) =>
        number !== undefined && number >= answered && number <= tried && number === shown[0];
      if (!shown.every(isRight))
        findings.lost.push(`${name}: answered ${answered}, tried ${tried}, shown ${shown.join(', ')}`);
    }
    return findings;
  }

  async #repeat(work: () => Promise<boolean>): Promise<void> {
    // A node that fails is not asked again at once.
    while (this.#isRunning) if (!(await work())) await pause(50);
  }

  async #save(counter: Counter): Promise<boolean> {
    const number = counter.tried + 1;
    counter.tried = number;
    const isSaved = await counter.save(this.#nodes.pick(), number);
    if (!isSaved) return false;
    counter.answered = number;
    this.saves += 1;
    return true;
  }

  async #read(counter: Counter): Promise<boolean> {
    const { name, answered } = counter;
    const node = this.#nodes.pick();
    const shown = await counter.read(node);
    if (shown === undefined) return false;
    this.reads += 1;
    const text = `port ${node.port} showed ${shown} of ${name} after ${answered} was answered`;
    if (shown < answered) this.#findings.stale.push(text);
    if (shown > counter.tried || (shown === 0 && answered > 0))
      this.#findings.torn.push(`${text} and ${counter.tried} was tried`);
    return true;
  }

  /** A token that works is revoked; when that is answered no node takes it any more. */
  async #revoke(session: string): Promise<boolean> {
    const created = await call(
      this.#nodes.pick(),
      'POST',
      '/tokens',
      withSession(session, { name: 'short', can_write: false }),
    ).catch(() => undefined);
    if (created?.status !== 201) return false;
    const { token, secret } = asRecord(created.body);
    const statusWithToken = (node: TestServer) => statusOf(node, 'GET', '/pages', undefined, String(secret));
    await Promise.all(this.#nodes.all().map(statusWithToken));
    const path = `/tokens/${asRecord(token)['id']}`;
    const revoked = await call(this.#nodes.pick(), 'DELETE', path, withSession(session)).catch(
      () => undefined,
    );
    if (revoked?.status !== 204) return false;
    this.revocations += 1;
    for (const node of this.#nodes.all())
      if ((await statusWithToken(node)) === 200)
        this.#findings.stale.push(`port ${node.port} took a token after it was revoked`);
    return true;
  }
}

/** The status of an answer; 0 if there was none. */
async function statusOf(
  node: TestServer,
  method: string,
  path: string,
  body?: object,
  token = masterToken,
): Promise<number> {
  try {
    const response = await fetch(`${node.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(requestMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function readPage(node: TestServer, path: string): Promise<number | undefined> {
  const text = await pageOf(node, path).catch(() => '');
  const digits = /<p>(\d+)<\/p>/.exec(text)?.[1];
  return digits === undefined || /^\d{3} /.test(text) ? undefined : Number(digits);
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

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A workflow that all nodes know, to be started each minute. */
export async function createMinuteWorkflow(node: TestServer, url: string): Promise<void> {
  const nodes = [
    { id: 'start', type: 'inject', config: { cron: 'CRON_TZ=UTC * * * * *' } },
    { id: 'send', type: 'http-request', config: { method: 'GET', url } },
  ];
  const flow = { nodes, wires: [{ from: 'start', to: 'send' }] };
  await retried(() => callOk(node, 'POST', '/workflows', { name: 'Each minute', flow }));
}
