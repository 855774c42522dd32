import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Spread, spreadOf } from '../measure.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { type LoadResult, load } from '../serve/load.ts';

export interface Figures {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  readonly p99Ms: Spread;
  /** Processor time of the server per request, microseconds, render processes left out. */
  readonly cpuMicros: Spread | undefined;
  /** Requests per second divided by those of another answer in the same round. */
  readonly ratio: Spread | undefined;
  /** What the ratio is taken against. */
  readonly against: string;
}

export interface Setting {
  readonly server: ServerProcess;
  readonly token: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly entries: number;
}

/** A kind of request to one of the servers. */
interface Question {
  readonly name: string;
  readonly server: ServerProcess;
  ask(server: ServerProcess): Promise<LoadResult>;
}

interface Measured {
  readonly result: LoadResult;
  readonly cpuMicros: number | undefined;
}

const bareServer = fileURLToPath(new URL('../api/bare-server.ts', import.meta.url));
const connections = 32;

/** Asks each group of questions in turn; the bare server answers the same JSON from memory. */
export async function measureRequests(setting: Setting): Promise<Figures[]> {
  const { server, token } = setting;
  const paths = await pathsOf(setting);
  const bare = await startBare(server.url, token, { one: paths.one, list: paths.list });
  try {
    const figures: Figures[] = [];
    for (const group of groupsOf(setting, bare.server, paths))
      figures.push(...(await askInTurns(group, setting.rounds)));
    return figures;
  } finally {
    await bare.stop();
  }
}

interface Paths {
  readonly one: string;
  readonly list: string;
  anotherOne(n: number): string;
}

async function pathsOf({ server, token, entries }: Setting): Promise<Paths> {
  const items = '/api/v1/collections/large/items';
  const first = await firstId(server.url, token);
  return {
    one: `${items}/${first + Math.floor(entries / 2)}`,
    anotherOne: (n) => `${items}/${first + ((n * 7919) % entries)}`,
    list: '/api/v1/data/large?topic=t1&_sort=-date&_limit=25',
  };
}

/** In each group, what the first question is compared with comes second, and so on. */
function groupsOf(setting: Setting, bare: ServerProcess, paths: Paths): Question[][] {
  const { server, token, seconds } = setting;
  const same = (path: string, more: Partial<Parameters<typeof load>[1]> = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return ({ url }: ServerProcess) =>
      load(url + path, { seconds, connections, pipelining: 1, headers, ...more });
  };
  const varied = (pathOf: (n: number) => string) => (asked: ServerProcess) =>
    loadVaried(asked.url, pathOf, setting);
  const anotherList = (n: number) =>
    `/api/v1/data/large?topic=t${n % 4}&_sort=-date&_limit=25&_offset=${n % 200}`;
  const queries = {
    item: (n: number) => `s=entry-${n % 1000}&n=${n}`,
    data: (n: number) => `t=t${n % 4}&o=${n % 200}&n=${n}`,
    several: (n: number) => `t=t${n % 4},t${(n + 1) % 4}&o=${n % 200}&n=${n}`,
    references: (n: number) => `t=${1 + (n % 4)}&o=${n % 200}&n=${n}`,
  };
  const what: Readonly<Record<string, string>> = {
    item: 'item()',
    data: 'data()',
    several: 'data() by several values',
    references: 'data() by a reference',
  };
  const page = (name: string, query: (n: number) => string) => varied((n) => `/${name}?${query(n)}`);
  const body = JSON.stringify({
    data: { slug: 'new', title: 'New', topic: 't1', date: '2026-01-01', text: 'x' },
  });
  return [
    [
      { name: 'GET one', server, ask: same(paths.one) },
      { name: 'bare handler, one', server: bare, ask: same('/one') },
    ],
    [
      { name: 'GET 25, cached', server, ask: same(paths.list) },
      { name: 'bare handler, 25', server: bare, ask: same('/list') },
    ],
    [
      { name: 'GET one, each another', server, ask: varied(paths.anotherOne) },
      { name: 'bare handler, one, slower client', server: bare, ask: varied(() => '/one') },
    ],
    [
      { name: 'GET 25, each another', server, ask: varied(anotherList) },
      { name: 'bare handler, 25, slower client', server: bare, ask: varied(() => '/list') },
    ],
    ...Object.entries(queries).map(([name, query]) => [
      { name: `page with ${what[name]}, all entries`, server, ask: page(`large-${name}`, query) },
      { name: `page with ${what[name]}, 1,000 entries`, server, ask: page(`small-${name}`, query) },
      { name: 'page without entries', server, ask: page('plain', (n) => `n=${n}`) },
    ]),
    [{ name: 'POST one', server, ask: same('/api/v1/collections/large/items', { method: 'POST', body }) }],
  ];
}

/** Every second round starts at the other end. The ratio of each question is taken against the next one. */
async function askInTurns(questions: readonly Question[], rounds: number): Promise<Figures[]> {
  const measured = new Map<Question, Measured[]>(questions.map((question) => [question, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const question of round % 2 === 0 ? questions : questions.toReversed())
      measured.get(question)?.push(await measureOnce(question));
  return questions.map((question, index) => {
    const own = measured.get(question) ?? [];
    const next = questions[index + 1];
    const others = next === undefined ? [] : (measured.get(next) ?? []);
    const cpu = own.flatMap(({ cpuMicros }) => cpuMicros ?? []);
    return {
      name: question.name,
      requestsPerSecond: spreadOf(own.map(({ result }) => result.requestsPerSecond)),
      p99Ms: spreadOf(own.map(({ result }) => result.p99Ms)),
      cpuMicros: cpu.length === 0 ? undefined : spreadOf(cpu),
      ratio: others.length === 0 ? undefined : spreadOf(own.map((round, at) => ratio(round, others[at]))),
      against: next?.name ?? '',
    };
  });
}

async function measureOnce({ server, ask }: Question): Promise<Measured> {
  const before = server.cpuMs();
  const result = await ask(server);
  const after = server.cpuMs();
  const isKnown = before !== undefined && after !== undefined;
  return { result, cpuMicros: isKnown ? ((after - before) * 1000) / result.requests : undefined };
}

function ratio(own: Measured, other: Measured | undefined): number {
  return own.result.requestsPerSecond / (other?.result.requestsPerSecond ?? Number.NaN);
}

/** Asks other addresses all the time, from this process, which is a slower client than autocannon. */
async function loadVaried(
  base: string,
  pathOf: (n: number) => string,
  { token, seconds }: Setting,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await getOnce(base + pathOf(nextNumber++), agent, token);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  const latency = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: times.at(-1) ?? 0 };
  return { requests: times.length, requestsPerSecond: times.length / seconds, ...latency };
}

/** Goes on from round to round, so that no round asks what an earlier one has asked. */
let nextNumber = 0;

function getOnce(url: string, agent: Agent, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    request.on('error', reject);
  });
}

async function firstId(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/collections/large/items?_limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [entry] = Value.Parse(Type.Array(Type.Object({ id: Type.Integer() })), await response.json());
  return entry?.id ?? 0;
}

async function startBare(url: string, token: string, paths: Readonly<Record<string, string>>) {
  const answers: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(paths)) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    answers[`/${name}`] = await response.json();
  }
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bare-'));
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(answers));
  const server = await startServer([bareServer, file]);
  return {
    server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
