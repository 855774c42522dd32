import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Pool, WorkerKind } from '../../server/processes/pool.ts';
import { callOk } from '../../test/support/api.ts';
import { createPage } from '../../test/support/content.ts';
import { makeTempDir, startServer } from '../../test/support/server.ts';
import { findProcessorMs } from '../failing/processor-time.ts';
import { memoryOfTree } from '../process-memory.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { openRenderPool, type PoolSite, renderPage } from './render-pool.ts';

/**
 * Renders in processes and in threads, by the same pool: processor time and time of an uncached page, memory of a
 * worker, its start, and what ends or delays the process that has them. Options: `--rounds <n>` (7), `--random <n>`
 * random templates (20000), `--only <speed|hostile>`.
 */
export async function runRenderWorkersBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '7' },
      random: { type: 'string', default: '20000' },
      only: { type: 'string', default: '' },
    },
  });
  console.log(environmentLine());
  const dataDir = makeTempDir();
  try {
    const site = await makeSite(dataDir);
    if (values.only !== 'hostile') await compareSpeed(site, Number(values.rounds));
    if (values.only !== 'speed')
      for (const workerKind of workerKinds) await runHostile(workerKind, site, Number(values.random));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const workerKinds = ['process', 'thread'] as const;

/** Pools that are compared; all others are divided by the first one. */
const contestants = [
  { name: 'processes', workerKind: 'process', sendsAhead: true },
  { name: 'nothing ahead', workerKind: 'process', sendsAhead: false },
  { name: 'threads', workerKind: 'thread', sendsAhead: true },
] as const;
type ContestantName = (typeof contestants)[number]['name'];

const pages = [
  ['one line', '/one-line'],
  ['nav()', '/menu'],
  ['home of the demo', '/'],
] as const;

/** The demo website with two small pages. */
async function makeSite(dataDir: string): Promise<PoolSite> {
  const server = await startServer({ dataDir, args: ['-demo'] });
  const { id } = (await callOk(server, 'GET', '/pages/1')) as { id: number };
  const small = { published: true, layout: '' };
  await createPage(server, id, { ...small, slug: 'one-line', html: '<p>{{ page.title }}</p>' });
  await createPage(server, id, {
    ...small,
    slug: 'menu',
    html: '<ul>{% for p in nav() %}<li><a href="{{ p.url }}">{{ p.title }}</a>{% endfor %}</ul>',
  });
  await server.stop();
  return { databaseFile: join(dataDir, 'content.db'), folder: dataDir, host: 'localhost' };
}

async function compareSpeed(site: PoolSite, rounds: number): Promise<void> {
  const rows: string[][] = [];
  const memory: string[][] = [];
  for (const workers of [1, 2, 4]) {
    const pools = new Map<ContestantName, Pool>();
    for (const { name, workerKind, sendsAhead } of contestants) {
      const before = memoryOfTree(process.pid) ?? Number.NaN;
      const start = performance.now();
      const pool = openRenderPool(workerKind, workers, site, sendsAhead);
      await Promise.all(Array.from({ length: workers }, () => renderPage(pool, site, '/one-line', 's')));
      const firstMs = performance.now() - start;
      pools.set(name, pool);
      for (let count = 0; count < 400; count++) await renderPage(pool, site, '/', `w=${count}`);
      const mb = (((memoryOfTree(process.pid) ?? Number.NaN) - before) / workers).toFixed(0);
      memory.push([name, String(workers), `${firstMs.toFixed(0)} ms`, `${mb} MB`]);
    }
    for (const [page, path] of pages)
      for (const clients of [1, 8])
        rows.push([
          page,
          String(workers),
          String(clients),
          ...(await compare(pools, site, path, clients, rounds)),
        ]);
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
  const others = contestants.slice(1).flatMap(({ name }) => [`${name}: CPU`, 'time', 'p99']);
  console.log(
    markdownTable(['page', 'workers', 'clients', 'processes: CPU', 'time', 'p99', ...others], rows),
  );
  console.log(markdownTable(['', 'workers', 'first pages', 'memory of a worker'], memory));
}

/** @returns what the first contestant takes, and the ratios of the others to it */
async function compare(
  pools: ReadonlyMap<ContestantName, Pool>,
  site: PoolSite,
  path: string,
  clients: number,
  rounds: number,
): Promise<string[]> {
  const samples = new Map<ContestantName, Sample[]>([...pools.keys()].map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [name, pool] of round % 2 === 0 ? pools : [...pools].toReversed()) {
      const sample = await measure(pool, site, path, clients);
      if (round > 0) samples.get(name)?.push(sample);
    }
  const [first = [], ...others] = samples.values();
  const keys = ['cpuUs', 'timeUs', 'p99Us'] as const;
  const ratios = others.flatMap((other) =>
    keys.map((key) =>
      median(first.map((sample, index) => (other[index]?.[key] ?? Number.NaN) / sample[key])).toFixed(2),
    ),
  );
  return [...keys.map((key) => `${median(first.map((sample) => sample[key])).toFixed(0)} µs`), ...ratios];
}

interface Sample {
  /** Processor time of all processes for a page, in microseconds. */
  readonly cpuUs: number;
  /** Time divided by the number of pages, in microseconds. */
  readonly timeUs: number;
  readonly p99Us: number;
}

const pagesPerSample = 1_200;

async function measure(pool: Pool, site: PoolSite, path: string, clients: number): Promise<Sample> {
  const count = path === '/' ? pagesPerSample / 3 : pagesPerSample;
  const times: number[] = [];
  let next = 0;
  const cpu = findProcessorMs(process.pid) ?? Number.NaN;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) {
        const begin = performance.now();
        if ((await renderPage(pool, site, path, `q=${next++}`)) !== 'page') throw new Error(`${path} fails`);
        times.push(performance.now() - begin);
      }
    }),
  );
  const ms = performance.now() - start;
  times.sort((left, right) => left - right);
  return {
    cpuUs: (((findProcessorMs(process.pid) ?? Number.NaN) - cpu) * 1000) / times.length,
    timeUs: (ms * 1000) / times.length,
    p99Us: (times[Math.floor(times.length * 0.99)] ?? 0) * 1000,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

/** What strangers may try, in a process of its own, because it may not survive. */
async function runHostile(
  workerKind: WorkerKind,
  { databaseFile, folder, host }: PoolSite,
  random: number,
): Promise<void> {
  for (const withHoards of ['', 'with hoards']) {
    const file = fileURLToPath(new URL('./hostile.ts', import.meta.url));
    const flags = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];
    const count = withHoards === '' ? random : 0;
    const child = spawn(
      process.execPath,
      [...flags, file, workerKind, databaseFile, folder, host, String(count), withHoards],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-1000);
    });
    console.log(
      `\n${workerKind}, ${withHoards === '' ? `hostile templates and ${random} random ones` : 'code that allocates without end'}`,
    );
    child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...end) => resolve(end));
    });
    if (code !== 0) console.log(`the process ended: ${signal ?? `exit code ${code}`}\n${errors}`);
  }
}
