import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import type { ServerProcess } from '../serve/child.ts';
import { type LoadResult, load } from '../serve/load.ts';
import { addBenchPages } from '../serve/scenarios.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { type ChangesResult, readWhileChanging } from './changes.ts';

interface Options {
  readonly seconds: number;
  readonly connections: number;
}

interface Result {
  readonly threads: string;
  readonly alone: LoadResult;
  readonly saturated: LoadResult;
  /** Of the pages that are rendered meanwhile, for each of their addresses. */
  readonly renders: readonly LoadResult[];
  readonly changes: ChangesResult;
}

/**
 * What visitors of cached pages notice of the work beside them: uncached pages that have all render processes, and a
 * writer who changes the page every 200 ms. Options: `--seconds <n>` (30), `--connections <n>` (64), `--json`. Fails if
 * an answer is a 5xx, or older than a change that was answered before it was asked for.
 */
export async function runVisitorsBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '30' },
      connections: { type: 'string', default: '64' },
      json: { type: 'boolean', default: false },
    },
  });
  const options = { seconds: Number(values.seconds), connections: Number(values.connections) };
  if (!Object.values(options).every((number) => Number.isInteger(number) && number > 0))
    throw new Error('--seconds and --connections need whole numbers above 0');
  runSelfCheck();
  const results = [await measureWith('1', options), await measureWith('2', options)];
  if (values.json) console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
  else console.log([environmentLine(), waitingTable(results), changesTable(results, options)].join('\n\n'));
  if (results.some(({ changes }) => changes.stale + changes.failed > 0)) process.exitCode = 1;
}

async function measureWith(threads: string, options: Options): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-visitors-'));
  const server = await startIncipit(folder, ['-demo', '-front-threads', threads]);
  try {
    await addBenchPages(folder, server.url);
    const waiting = await measureWaiting(server, options);
    const changes = await readWhileChanging(server, createToken(folder), options);
    return { threads, ...waiting, changes };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests for one address share a render, so that one address does not keep all render processes busy. */
const addresses = 8;

/** How long one visitor of a cached page waits, alone and while uncached pages keep all render processes busy. */
async function measureWaiting(
  { url }: ServerProcess,
  { seconds, connections }: Options,
): Promise<Pick<Result, 'alone' | 'saturated' | 'renders'>> {
  const headers = { 'accept-encoding': 'gzip' };
  const run = (path: string, clients: number): Promise<LoadResult> =>
    load(url + path, { seconds: seconds / 3, connections: clients, pipelining: 1, headers });
  const renderAll = (): Promise<LoadResult[]> =>
    Promise.all(
      Array.from({ length: addresses }, (_, n) =>
        run(`/bench-live?n=${n}`, Math.ceil(connections / addresses)),
      ),
    );
  await renderAll();
  const alone = await run('/bench-8', 1);
  const [renders, saturated] = await Promise.all([renderAll(), run('/bench-8', 1)]);
  return { alone, saturated, renders };
}

function waitingTable(results: readonly Result[]): string {
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms, maxMs }: Waiting): string[] => [
    name,
    requestsPerSecond.toFixed(0),
    ...[p50Ms, p99Ms, maxMs].map((time) => time.toFixed(1)),
  ];
  return markdownTable(
    ['one visitor of a cached page', 'requests/s', 'p50 ms', 'p99 ms', 'max ms'],
    results.flatMap(({ threads, alone, saturated, renders }) => [
      row(`${threads} front threads, alone`, alone),
      row('while uncached pages saturate', saturated),
      row(`(the ${addresses} uncached pages)`, together(renders)),
    ]),
  );
}

type Waiting = Pick<LoadResult, 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'maxMs'>;

/** The requests of all, and the longest times of one of them. */
function together(results: readonly LoadResult[]): Waiting {
  const longest = (time: 'p50Ms' | 'p99Ms' | 'maxMs') => Math.max(...results.map((result) => result[time]));
  return {
    requestsPerSecond: results.reduce((sum, result) => sum + result.requestsPerSecond, 0),
    p50Ms: longest('p50Ms'),
    p99Ms: longest('p99Ms'),
    maxMs: longest('maxMs'),
  };
}

function changesTable(results: readonly Result[], { seconds, connections }: Options): string {
  return markdownTable(
    ['front threads', 'answers', 'changes', 'stale', 'not 200', 'MB at first', 'at the end'],
    results.map(({ threads, changes }) => [
      `${threads}, ${connections} readers for ${seconds} s`,
      String(changes.answers),
      String(changes.changes),
      String(changes.stale),
      String(changes.failed),
      ...[changes.memoryBefore, changes.memoryAfter].map((size) => size?.toFixed(0) ?? ''),
    ]),
  );
}
