import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { type ServerProcess, startServer } from './child.ts';
import { type LoadOptions, load } from './load.ts';
import { fetchAnswer, type PreparedAnswer } from './prepared.ts';
import { createBenchSite, startIncipit } from './site.ts';

interface Options extends LoadOptions {
  readonly rounds: number;
}

interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly requestsPerSecond: number[];
  readonly cpuMicros: number[];
  readonly p99Ms: number[];
}

interface Result {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  /** Requests per second divided by those of the reference in the same round. */
  readonly ratio: Spread;
  /** Processor time of the server per request, microseconds; absent where the system does not tell. */
  readonly cpuMicros: Spread | undefined;
  readonly p99Ms: Spread;
}

/**
 * Compares a cached page with servers that only repeat its bytes. Options: `--json`, `--gzip`,
 * `--rounds <n>` (5), `--seconds <n>` (3), `--connections <n>` (64), `--pipelining <n>` (4).
 */
export async function runServeBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      gzip: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      pipelining: { type: 'string', default: '4' },
    },
  });
  const options: Options = {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    connections: positive('connections', values.connections),
    pipelining: positive('pipelining', values.pipelining),
    headers: values.gzip ? { 'accept-encoding': 'gzip' } : {},
  };
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const contestants: Contestant[] = [];
  try {
    const start = await measureStart(join(folder, 'demo'));
    const bodyBytes = await startContestants(folder, contestants, options);
    for (let round = 0; round < options.rounds; round += 1) await runRound(contestants, round, options);
    report({ start, bodyBytes, results: resultsOf(contestants) }, options, values.json);
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} needs a whole number above 0`);
  return number;
}

// --- start and memory ------------------------------------------------------------------------------------

interface StartResult {
  /** From the start of the process to the first answered request with the demo website, milliseconds. */
  readonly firstAnswerMs: number;
  /** Memory in use after that, bytes. */
  readonly residentBytes: number | undefined;
}

/** Starts a server twice on the demo website and measures the second start. */
async function measureStart(dataDir: string): Promise<StartResult> {
  const first = await startIncipit(dataDir, ['-demo']);
  await fetchAnswer(`${first.url}/`, {});
  await first.stop();
  const begin = performance.now();
  const second = await startIncipit(dataDir, ['-demo']);
  await fetchAnswer(`${second.url}/`, {});
  const firstAnswerMs = performance.now() - begin;
  const residentBytes = second.residentBytes();
  await second.stop();
  return { firstAnswerMs, residentBytes };
}

// --- load ------------------------------------------------------------------------------------------------

const bareServer = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** Starts all servers, lists the reference first, checks that they answer alike. Returns bytes per answer. */
async function startContestants(
  folder: string,
  contestants: Contestant[],
  options: Options,
): Promise<number> {
  const dataDir = join(folder, 'site');
  const incipit = contestant('incipit', await startIncipit(dataDir));
  contestants.push(incipit);
  await createBenchSite(dataDir, incipit.server.url);
  const url = `${incipit.server.url}/`;
  await fetchAnswer(url, options.headers);
  const answer = await fetchAnswer(url, options.headers);
  if (headerOf(answer, 'x-cache') !== 'HIT')
    throw new Error('the page of the benchmark does not come from the cache');
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify(answer));
  contestants.push(contestant('node:http', await startServer([bareServer, 'node', file])));
  contestants.unshift(contestant('bare uWebSockets.js', await startServer([bareServer, 'uws', file])));
  for (const { name, server } of contestants) {
    const given = await fetchAnswer(`${server.url}/`, options.headers);
    if (given.body !== answer.body) throw new Error(`${name} gives another answer`);
  }
  return Buffer.from(answer.body, answer.bodyEncoding).length;
}

function contestant(name: string, server: ServerProcess): Contestant {
  return { name, server, requestsPerSecond: [], cpuMicros: [], p99Ms: [] };
}

function headerOf(answer: PreparedAnswer, name: string): string | undefined {
  return answer.headers.find(([header]) => header.toLowerCase() === name)?.[1];
}

/** Loads the servers one after the other. Each round starts with another one. */
async function runRound(contestants: readonly Contestant[], round: number, options: Options): Promise<void> {
  const shift = round % contestants.length;
  for (const entry of [...contestants.slice(shift), ...contestants.slice(0, shift)]) {
    const before = entry.server.cpuMs();
    const result = await load(`${entry.server.url}/`, options);
    const after = entry.server.cpuMs();
    entry.requestsPerSecond.push(result.requestsPerSecond);
    entry.p99Ms.push(result.p99Ms);
    if (before !== undefined && after !== undefined) {
      entry.cpuMicros.push(((after - before) * 1000) / result.requests);
    }
  }
}

function resultsOf(contestants: readonly Contestant[]): Result[] {
  const reference = contestants[0]?.requestsPerSecond ?? [];
  return contestants.map(({ name, requestsPerSecond, cpuMicros, p99Ms }) => ({
    name,
    requestsPerSecond: spreadOf(requestsPerSecond),
    ratio: spreadOf(requestsPerSecond.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
    cpuMicros: cpuMicros.length === 0 ? undefined : spreadOf(cpuMicros),
    p99Ms: spreadOf(p99Ms),
  }));
}

// --- report ----------------------------------------------------------------------------------------------

interface Report {
  readonly start: StartResult;
  readonly bodyBytes: number;
  readonly results: readonly Result[];
}

function report({ start, bodyBytes, results }: Report, options: Options, asJson: boolean): void {
  if (asJson) {
    console.log(
      JSON.stringify({ environment: environmentLine(), options, start, bodyBytes, results }, null, 2),
    );
    return;
  }
  const rows = results.map(({ name, requestsPerSecond, ratio, cpuMicros, p99Ms }) => [
    name,
    requestsPerSecond.median.toFixed(0),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    cpuMicros?.median.toFixed(1) ?? '',
    p99Ms.median.toFixed(0),
  ]);
  const head = ['cached page', 'requests/s', 'ratio', 'spread', 'server CPU, µs per request', 'p99, ms'];
  const memory =
    start.residentBytes === undefined ? '' : `, ${(start.residentBytes / 2 ** 20).toFixed(0)} MB in use then`;
  console.log(
    [
      environmentLine(),
      `${bodyBytes} bytes, ${options.connections} connections, ${options.pipelining} requests in flight on each, ` +
        `${options.rounds} rounds of ${options.seconds} s`,
      markdownTable(head, rows),
      `Start with the demo website: first answer after ${start.firstAnswerMs.toFixed(0)} ms${memory}.`,
    ].join('\n\n'),
  );
}
