import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { type LoadOptions, load } from '../serve/load.ts';
import { createToken, startIncipit } from '../serve/site.ts';

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

interface Result {
  readonly name: string;
  readonly perSecond: Spread;
  readonly p99Ms: Spread;
  /** Requests per second divided by those of the bare server in the same round. */
  readonly share: Spread;
}

/** Flows from an HTTP input to a response, with what lies between. */
const flows = {
  'http-in, http-response': [],
  'http-in, switch, http-response': [
    { id: 'it', type: 'switch', config: { property: 'payload.n', rules: [{ op: 'gt', value: 1 }] } },
  ],
} as const;

const scheduledFlows = 1000;
const body = JSON.stringify({ n: 42, name: 'Ada Lovelace', tags: ['a', 'b', 'c'] });

/**
 * Compares HTTP inputs of workflows with a bare node:http server that parses and writes the same JSON, and measures
 * what scheduled workflows cost while nothing is due. Options: `--json`, `--rounds <n>` (5), `--seconds <n>` (3),
 * `--connections <n>` (32).
 */
export async function runWorkflowBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
    },
  });
  const options = {
    rounds: Number.parseInt(values.rounds, 10),
    seconds: Number.parseInt(values.seconds, 10),
    connections: Number.parseInt(values.connections, 10),
  };
  if (Object.values(options).some((value) => !(value >= 1)))
    throw new Error('--rounds, --seconds and --connections need whole numbers above 0');
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const incipit = await startIncipit(join(folder, 'site'));
    servers.push(incipit);
    const api = apiOf(incipit.url, createToken(join(folder, 'site')));
    const bare = await startServer([fileURLToPath(new URL('bare-server.ts', import.meta.url))]);
    servers.push(bare);
    const results: Result[] = [];
    for (const [name, between] of Object.entries(flows))
      results.push(await ask(name, between, api, bare, options));
    const idle = await idleShare(incipit, api, options.seconds);
    report(results, idle, options, values.json);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Api {
  readonly url: string;
  create(name: string, nodes: readonly object[]): Promise<void>;
}

function apiOf(url: string, token: string): Api {
  return {
    url,
    async create(name, nodes) {
      const ids = nodes.map((node) => String(Reflect.get(node, 'id')));
      const wires = ids.slice(1).map((to, index) => ({ from: ids[index], to }));
      const answer = await fetch(`${url}/api/v1/workflows`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, flow: { nodes, wires } }),
      });
      if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    },
  };
}

async function ask(
  name: string,
  between: readonly object[],
  { url, create }: Api,
  bare: ServerProcess,
  { rounds, seconds, connections }: Options,
): Promise<Result> {
  const path = name.replaceAll(/[^a-z]+/g, '-');
  const input = { id: 'in', type: 'http-in', config: { path, method: 'POST', public: true } };
  await create(name, [input, ...between, { id: 'out', type: 'http-response', config: {} }]);
  const at = `${url}/api/v1/flows/${path}`;
  await requireSame([at, bare.url]);
  const headers = { 'Content-Type': 'application/json' };
  const request: LoadOptions = { seconds, connections, pipelining: 1, headers, method: 'POST', body };
  const [perSecond, p99Ms, shares]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [at, bare.url] : [bare.url, at];
    const figures = new Map<string, Awaited<ReturnType<typeof load>>>();
    for (const target of order) figures.set(target, await load(target, request));
    const [ours, theirs] = [figures.get(at), figures.get(bare.url)];
    if (ours === undefined || theirs === undefined) continue;
    perSecond.push(ours.requestsPerSecond);
    p99Ms.push(ours.p99Ms);
    shares.push(ours.requestsPerSecond / theirs.requestsPerSecond);
  }
  return { name, perSecond: spreadOf(perSecond), p99Ms: spreadOf(p99Ms), share: spreadOf(shares) };
}

async function requireSame(urls: readonly string[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  for (const url of urls) {
    const answer = await fetch(url, { method: 'POST', body, headers });
    const text = await answer.text();
    if (answer.status !== 200 || text !== body) throw new Error(`${url} answers ${answer.status} ${text}`);
  }
}

/** Share of one processor that scheduled workflows take while none is due; undefined where the system does not tell. */
async function idleShare(
  server: ServerProcess,
  { create }: Api,
  seconds: number,
): Promise<number | undefined> {
  for (let index = 0; index < scheduledFlows; index += 1)
    await create(`scheduled ${index}`, [
      { id: 'a', type: 'inject', config: { cron: `${index % 60} 3 1 1 *` } },
    ]);
  const before = server.cpuMs();
  const start = performance.now();
  await pause(seconds * 1000);
  const after = server.cpuMs();
  return before === undefined || after === undefined
    ? undefined
    : (after - before) / (performance.now() - start);
}

function report(
  results: readonly Result[],
  idle: number | undefined,
  options: Options,
  isJson: boolean,
): void {
  if (isJson) {
    console.log(JSON.stringify({ options, results, scheduledFlows, idle }, null, 2));
    return;
  }
  console.log(environmentLine());
  const rows = results.map(({ name, perSecond, p99Ms, share }) => [
    name,
    perSecond.median.toFixed(0),
    p99Ms.median.toFixed(1),
    `${share.median.toFixed(2)} (${share.low.toFixed(2)} to ${share.high.toFixed(2)})`,
  ]);
  console.log(markdownTable(['flow', 'requests a second', 'p99 ms', 'share of bare node:http'], rows));
  if (idle !== undefined)
    console.log(
      `${scheduledFlows} scheduled workflows, none due: ${(idle * 100).toFixed(2)} % of a processor`,
    );
}
