import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { startServer } from '../serve/child.ts';
import { type LoadResult, load } from '../serve/load.ts';

export interface Figures {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** Requests per second divided by those of another answer in the same run. */
  readonly ratio: number | undefined;
  /** What the ratio is taken against. */
  readonly against: string;
}

interface Setting {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
  readonly entries: number;
}

const bareServer = fileURLToPath(new URL('../api/bare-server.ts', import.meta.url));
const connections = 32;

/** Asks each question in turn; the bare server answers the same JSON from memory. */
export async function measureRequests(setting: Setting): Promise<Figures[]> {
  const { url, token, entries } = setting;
  const id = await firstId(url, token);
  const one = `/api/v1/collections/large/items/${id + Math.floor(entries / 2)}`;
  const cached = '/api/v1/data/large?topic=t1&_sort=-date&_limit=25';
  const bare = await startBare(url, token, { one, list: cached });
  try {
    const ask = (base: string, path: string, more: Partial<Parameters<typeof load>[1]> = {}) =>
      load(base + path, {
        seconds: setting.seconds,
        connections,
        pipelining: 1,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...more,
      });
    const results: Figures[] = [];
    const against = (name: string, result: LoadResult, other?: LoadResult, what = ''): void => {
      const ratio = other && result.requestsPerSecond / other.requestsPerSecond;
      results.push({
        name,
        requestsPerSecond: result.requestsPerSecond,
        p99Ms: result.p99Ms,
        ratio,
        against: what,
      });
    };
    against('GET one', await ask(url, one), await ask(bare.url, '/one'), 'bare handler');
    const bareList = await ask(bare.url, '/list');
    against('GET 25, cached', await ask(url, cached), bareList, 'bare handler');
    const another = (n: number) =>
      `/api/v1/data/large?topic=t${n % 4}&_sort=-date&_limit=25&_offset=${n % 200}`;
    const varied = await loadVaried(url, another, setting);
    const bareVaried = await loadVaried(bare.url, () => '/list', setting);
    against('GET 25, each another', varied, bareVaried, 'bare handler');
    const plain = await loadVaried(url, (n) => `/plain?n=${n}`, setting);
    against('page without entries', plain);
    const queries = {
      item: (n: number) => `s=entry-${n % 1000}&n=${n}`,
      data: (n: number) => `t=t${n % 4}&o=${n % 200}&n=${n}`,
    };
    for (const [name, query] of Object.entries(queries)) {
      const small = await loadVaried(url, (n) => `/small-${name}?${query(n)}`, setting);
      against(`page with ${name}(), 1,000 entries`, small, plain, 'page without entries');
      const large = await loadVaried(url, (n) => `/large-${name}?${query(n)}`, setting);
      against(`page with ${name}(), all entries`, large, small, '1,000 entries');
    }
    const body = JSON.stringify({
      data: { slug: 'new', title: 'New', topic: 't1', date: '2026-01-01', text: 'x' },
    });
    against('POST one', await ask(url, '/api/v1/collections/large/items', { method: 'POST', body }));
    return results;
  } finally {
    await bare.stop();
  }
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
  let next = 0;
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await getOnce(base + pathOf(next++), agent, token);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  times.sort((left, right) => left - right);
  const p99Ms = times[Math.floor(times.length * 0.99)] ?? 0;
  return { requests: times.length, requestsPerSecond: times.length / seconds, p99Ms };
}

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
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
