import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import type { ServerProcess } from './child.ts';
import { type Contestant, startIncipits, startOthers, withTag } from './contestants.ts';
import { generator, type LoadOptions, type LoadResult, load } from './load.ts';
import { fetchAnswer } from './prepared.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { startIncipit } from './site.ts';

interface Options extends Omit<LoadOptions, 'headers'> {
  readonly rounds: number;
  /** Part of the names of the scenarios that run; empty = all. */
  readonly only: string;
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

interface ScenarioResult {
  readonly name: string;
  readonly bodyBytes: number;
  readonly results: readonly Result[];
}

/**
 * What each kind of request costs, compared with servers that only repeat the bytes. Options: `--json`, `--only
 * <part of a name>`, `--rounds <n>` (3), `--seconds <n>` (2), `--connections <n>` (64), `--pipelining <n>` (1).
 */
export async function runServeBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      pipelining: { type: 'string', default: '1' },
    },
  });
  const options: Options = {
    only: values.only,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    connections: positive('connections', values.connections),
    pipelining: positive('pipelining', values.pipelining),
  };
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const incipits: Contestant[] = [];
  try {
    const start = await measureStart(join(folder, 'demo'));
    await startIncipits(folder, incipits);
    const measured: ScenarioResult[] = [];
    for (const scenario of scenarios.filter(({ name }) => name.includes(options.only)))
      measured.push(await measureScenario(folder, incipits, scenario, options));
    report({ start, measured }, options, values.json);
  } finally {
    await Promise.all(incipits.map(({ server }) => server.stop()));
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

interface Figures {
  readonly requestsPerSecond: number[];
  readonly cpuMicros: number[];
  readonly p99Ms: number[];
}

async function measureScenario(
  folder: string,
  incipits: readonly Contestant[],
  asked: Scenario,
  options: Options,
): Promise<ScenarioResult> {
  const others: Contestant[] = [];
  try {
    const [incipit] = incipits;
    if (incipit === undefined) throw new Error('no server has started');
    // Pages name their host, so every server has tags of its own.
    const own = new Map<Contestant, Scenario>();
    const prepare = async (contestant: Contestant): Promise<void> => {
      const scenario = await withTag(contestant.server.url, asked);
      own.set(contestant, scenario);
      await warmUp(contestant.server, scenario);
    };
    for (const contestant of incipits) await prepare(contestant);
    const bodyBytes = await startOthers(folder, incipit.server.url, own.get(incipit) ?? asked, others);
    for (const contestant of others) if (contestant.isBare !== true) await prepare(contestant);
    const contestants = [...others, ...incipits];
    const figures = contestants.map((): Figures => ({ requestsPerSecond: [], cpuMicros: [], p99Ms: [] }));
    for (let round = 0; round < options.rounds; round += 1) {
      for (let turn = 0; turn < contestants.length; turn += 1) {
        const index = (round + turn) % contestants.length;
        const contestant = contestants[index];
        const into = figures[index];
        if (contestant !== undefined && into !== undefined)
          await runOnce(contestant, own.get(contestant) ?? asked, options, into);
      }
    }
    return { name: asked.name, bodyBytes, results: resultsOf(contestants, figures) };
  } finally {
    await Promise.all(others.map(({ server }) => server.stop()));
  }
}

/** Each thread must have seen the answer, and the second answer is the one from the cache. */
async function warmUp({ url }: ServerProcess, { path, headers, status }: Scenario): Promise<void> {
  for (let count = 0; count < 8; count += 1) await fetchAnswer(url + path, headers, status);
}

async function runOnce(
  { server, hasChildren = false }: Contestant,
  scenario: Scenario,
  options: Options,
  { requestsPerSecond, cpuMicros, p99Ms }: Figures,
): Promise<void> {
  const { path, headers, status, isRendered = false } = scenario;
  const before = server.cpuMs(isRendered || hasChildren);
  // A request whose answer is not at hand, or has no body, must not have another one behind it (`bodyless-turns.ts`).
  const pipelining = isRendered || status === 304 ? 1 : options.pipelining;
  const result: LoadResult = await load(server.url + path, { ...options, headers, status, pipelining });
  const after = server.cpuMs(isRendered || hasChildren);
  requestsPerSecond.push(result.requestsPerSecond);
  p99Ms.push(result.p99Ms);
  if (before !== undefined && after !== undefined)
    cpuMicros.push(((after - before) * 1000) / result.requests);
}

function resultsOf(contestants: readonly Contestant[], figures: readonly Figures[]): Result[] {
  const reference = figures[0]?.requestsPerSecond ?? [];
  return contestants.map(({ name }, index) => {
    const { requestsPerSecond = [], cpuMicros = [], p99Ms = [] } = figures[index] ?? {};
    return {
      name,
      requestsPerSecond: spreadOf(requestsPerSecond),
      ratio: spreadOf(requestsPerSecond.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
      cpuMicros: cpuMicros.length === 0 ? undefined : spreadOf(cpuMicros),
      p99Ms: spreadOf(p99Ms),
    };
  });
}

// --- report ----------------------------------------------------------------------------------------------

interface Report {
  readonly start: StartResult;
  readonly measured: readonly ScenarioResult[];
}

function report({ start, measured }: Report, options: Options, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), options, start, measured }, null, 2));
    return;
  }
  const tables = measured.map(({ name, bodyBytes, results }) => {
    const rows = results.map(({ name: server, requestsPerSecond, ratio, cpuMicros, p99Ms }) => [
      server,
      requestsPerSecond.median.toFixed(0),
      ratio.median.toFixed(2),
      `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
      cpuMicros?.median.toFixed(1) ?? '',
      p99Ms.median.toFixed(0),
    ]);
    const title = `${name} (${bodyBytes} bytes)`;
    return markdownTable([title, 'requests/s', 'ratio', 'spread', 'server CPU, µs', 'p99, ms'], rows);
  });
  const memory =
    start.residentBytes === undefined ? '' : `, ${(start.residentBytes / 2 ** 20).toFixed(0)} MB in use then`;
  console.log(
    [
      environmentLine(),
      `${options.connections} connections, ${options.pipelining} requests in flight on each (1 where answers are ` +
        `made anew or empty), ${options.rounds} rounds of ${options.seconds} s, load by ${generator}`,
      ...tables,
      `Start with the demo website: first answer after ${start.firstAnswerMs.toFixed(0)} ms${memory}.`,
    ].join('\n\n'),
  );
}
