import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createManyPages } from '../api/pages.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import type { ServerProcess } from '../serve/child.ts';
import { generator, load } from '../serve/load.ts';
import { fetchAnswer, headerOf } from '../serve/prepared.ts';
import { addBenchPages } from '../serve/scenarios.ts';
import { startIncipit } from '../serve/site.ts';
import { createRows, type Row, type RowSet, rowSets } from './rows.ts';

/** The first one is the reference. */
const fronts = ['uws', 'node'] as const;
type Front = (typeof fronts)[number];

/** Largest ratio of the Node front in each row. */
const goal = 1.5;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly set: RowSet | 'all';
  /** Part of the names of the rows that run; empty = all. */
  readonly only: string;
}

/** A front with a website of its own; pages name their host, so tags and tokens differ. */
interface Contestant {
  readonly front: Front;
  readonly server: ServerProcess;
  readonly rows: readonly Row[];
}

interface Result {
  readonly name: string;
  readonly set: RowSet;
  /** Processor time of the server per request, microseconds, by front. */
  readonly cpuMicros: Readonly<Record<Front, Spread>>;
  /** Processor time divided by that of the reference in the same round. */
  readonly ratio: Spread;
  readonly requestsPerSecond: Readonly<Record<Front, Spread>>;
}

/**
 * What a request costs with each front, the same code above it. Options: `--json`, `--set tuning|check|all` (all),
 * `--only <part of a name>`, `--rounds <n>` (5), `--seconds <n>` (2), `--connections <n>` (64).
 */
export async function runFrontsBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      set: { type: 'string', default: 'all' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
    },
  });
  const set = [...rowSets, 'all' as const].find((name) => name === values.set);
  const options = {
    rounds: Number.parseInt(values.rounds, 10),
    seconds: Number.parseInt(values.seconds, 10),
    connections: Number.parseInt(values.connections, 10),
  };
  if (set === undefined || Object.values(options).some((value) => !(value >= 1)))
    throw new Error(
      '--set is tuning, check or all; --rounds, --seconds and --connections need whole numbers above 0',
    );
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const contestants: Contestant[] = [];
  try {
    for (const front of fronts) contestants.push(await startContestant(front, join(folder, front)));
    const results = await measureRows(contestants, { ...options, set, only: values.only });
    report(results, { ...options, set, only: values.only }, values.json);
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startContestant(front: Front, dataDir: string): Promise<Contestant> {
  const server = await startIncipit(dataDir, ['-demo', '-front', front]);
  await addBenchPages(dataDir, server.url);
  const rows = createRows(await createManyPages(dataDir, server.url));
  return { front, server, rows: await Promise.all(rows.map((row) => withTag(server.url, row))) };
}

async function withTag(url: string, row: Row): Promise<Row> {
  if (!('if-none-match' in row.headers)) return row;
  await fetchAnswer(url + row.path, {});
  const tag = headerOf(await fetchAnswer(url + row.path, {}), 'etag') ?? '';
  return { ...row, headers: { ...row.headers, 'if-none-match': tag } };
}

interface Figures {
  readonly cpuMicros: number[];
  readonly requestsPerSecond: number[];
}

async function measureRows(contestants: readonly Contestant[], options: Options): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, { name, set }] of (contestants[0]?.rows ?? []).entries()) {
    if (!name.includes(options.only) || (options.set !== 'all' && options.set !== set)) continue;
    const figures: Record<Front, Figures> = {
      uws: { cpuMicros: [], requestsPerSecond: [] },
      node: { cpuMicros: [], requestsPerSecond: [] },
    };
    for (const { server, rows } of contestants) await fillCache(server, rows[index]);
    // The first round warms the code.
    for (let round = -1; round < options.rounds; round += 1) {
      for (const { front, server, rows } of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const row = rows[index];
        if (row !== undefined) await runOnce(server, row, options, round < 0 ? undefined : figures[front]);
      }
    }
    const ratios = figures.node.cpuMicros.map(
      (time, round) => time / (figures.uws.cpuMicros[round] ?? Number.NaN),
    );
    results.push({
      name,
      set,
      cpuMicros: { uws: spreadOf(figures.uws.cpuMicros), node: spreadOf(figures.node.cpuMicros) },
      ratio: spreadOf(ratios),
      requestsPerSecond: {
        uws: spreadOf(figures.uws.requestsPerSecond),
        node: spreadOf(figures.node.requestsPerSecond),
      },
    });
  }
  return results;
}

/** The second answer is the one from the cache; one that is not at hand must not have another request behind it. */
async function fillCache({ url }: ServerProcess, row: Row | undefined): Promise<void> {
  if (row === undefined || row.method !== undefined) return;
  for (let count = 0; count < 3; count += 1) await fetchAnswer(url + row.path, row.headers, row.status);
}

async function runOnce(
  server: ServerProcess,
  { path, ...request }: Row,
  { seconds, connections }: Options,
  figures: Figures | undefined,
): Promise<void> {
  const before = server.cpuMs();
  const time = figures === undefined ? 1 : seconds;
  const { requests, requestsPerSecond } = await load(server.url + path, {
    ...request,
    seconds: time,
    connections,
  });
  const after = server.cpuMs();
  if (before === undefined || after === undefined)
    throw new Error('this system does not tell the processor time');
  figures?.cpuMicros.push(((after - before) * 1000) / requests);
  figures?.requestsPerSecond.push(requestsPerSecond);
}

function report(results: readonly Result[], options: Options, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), options, goal, results }, null, 2));
    return;
  }
  const rows = results.map(({ name, set, cpuMicros, ratio, requestsPerSecond }) => [
    name,
    set,
    cpuMicros.uws.median.toFixed(1),
    cpuMicros.node.median.toFixed(1),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    requestsPerSecond.uws.median.toFixed(0),
    requestsPerSecond.node.median.toFixed(0),
  ]);
  const head = [
    'processor time, µs',
    'rows',
    'uws',
    'node',
    'ratio',
    'spread',
    'uws, requests/s',
    'node, requests/s',
  ];
  const missed = results.filter(({ ratio }) => ratio.median > goal).map(({ name }) => name);
  console.log(
    [
      environmentLine(),
      `${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s, load by ${generator}`,
      markdownTable(head, rows),
      missed.length === 0
        ? `All rows are within ${goal} of uws.`
        : `Above ${goal} of uws: ${missed.join('; ')}.`,
    ].join('\n\n'),
  );
}
