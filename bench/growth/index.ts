import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { memoryOfTree } from '../process-memory.ts';
import { environmentLine, markdownTable } from '../report.ts';
import type { ServerProcess } from '../serve/child.ts';
import { callApi, createToken, startIncipit } from '../serve/site.ts';
import { createGrowthSite, type GrowthSite } from './site.ts';

/** Figures of one size of site. Times are medians in milliseconds. */
interface Figures {
  readonly pages: number;
  readonly startMs: number;
  readonly uncachedMs: number;
  /** A page after a change of another page that it does not read. */
  readonly unrelatedMs: number;
  readonly navigationMs: number;
  readonly listingMs: number;
  readonly putMs: number;
  readonly sitemap: Watched;
  readonly list: Watched;
  readonly redirects: Watched;
  readonly redirectsCsv: Watched;
  readonly memoryMb: number;
  /** With 10,000 pages in the page cache (1,000 of the smallest site). */
  readonly filledMemoryMb: number;
  readonly mixed: MixedLoad;
}

/** How long an answer takes, and the longest wait of another client meanwhile. */
interface Watched {
  readonly ms: number;
  readonly longestWaitMs: number;
}

/** 64 readers of 10,000 cached pages, without and with a writer that changes a page every 100 ms. */
interface MixedLoad {
  readonly quiet: Readers;
  readonly written: Readers;
}

const Readers = Type.Object({ answers: Type.Number(), failures: Type.Number(), p99Ms: Type.Number() });
type Readers = Static<typeof Readers>;

/**
 * How costs grow with the number of pages. Options: `--sizes <n,...>` (1000,20000,100000), `--rounds <n>`
 * (15), `--seconds <n>` of the mixed load (6), `--json`.
 */
export async function runGrowthBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '1000,20000,100000' },
      rounds: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '6' },
      json: { type: 'boolean', default: false },
    },
  });
  const all: Figures[] = [];
  for (const size of values.sizes.split(',').map(Number)) {
    all.push(await measureSize(size, Number(values.rounds), Number(values.seconds)));
  }
  if (values.json) console.log(JSON.stringify(all));
  else {
    console.log(`${environmentLine()}; times in ms\n`);
    console.log(table(all));
  }
}

async function measureSize(pageCount: number, rounds: number, seconds: number): Promise<Figures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-growth-'));
  let server: ServerProcess | undefined;
  try {
    const site = createGrowthSite(dataDir, pageCount);
    const token = createToken(dataDir);
    server = await startIncipit(dataDir, ['-workers', '2']);
    return { startMs: server.readyMs, ...(await measureServer(server, site, token, rounds, seconds)) };
  } finally {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureServer(
  server: ServerProcess,
  site: GrowthSite,
  token: string,
  rounds: number,
  seconds: number,
): Promise<Omit<Figures, 'startMs'>> {
  const { url } = server;
  const { plain, navigation, listing, unrelatedId } = site;
  const put = (id: number, fields: object) => callApi(url, token, 'PUT', `/pages/${id}`, fields);
  let count = 0;
  const retitle = (id: number) => put(id, { title: `New title ${++count}` });
  const times = async (
    before: (round: number) => Promise<unknown>,
    work: (round: number) => Promise<unknown>,
  ) => {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await before(round);
      const start = performance.now();
      await work(round);
      all.push(performance.now() - start);
    }
    return median(all);
  };
  const nothing = async () => {};

  await get(url, '/');
  const uncachedMs = await times(nothing, (round) => get(url, plain[round * 7] ?? '/'));
  const [first = '/'] = plain;
  const unrelatedMs = await times(
    () => retitle(unrelatedId),
    () => get(url, first),
  );
  const navigationMs = await times(
    () => retitle(navigation.relatedId),
    () => get(url, navigation.path),
  );
  const listingMs = await times(
    () => retitle(listing.relatedId),
    () => get(url, listing.path),
  );
  const putMs = await times(nothing, () => retitle(unrelatedId));
  const watched = async (path: string): Promise<Watched> => {
    await retitle(unrelatedId);
    return watch(url, () => get(url, path, token));
  };
  const sitemap = await watched('/sitemap.xml');
  const list = await watched('/api/v1/pages');
  const redirects = await watched('/api/v1/redirects?root_id=1');
  const redirectsCsv = await watched('/api/v1/redirects/export?root_id=1');
  const usualMemoryMb = memoryOfTree(server.pid ?? 0) ?? 0;
  const mixed = await measureMixed(url, plain.slice(0, 10_000), () => retitle(unrelatedId), seconds);
  return {
    pages: site.pageCount,
    uncachedMs,
    unrelatedMs,
    navigationMs,
    listingMs,
    putMs,
    sitemap,
    list,
    redirects,
    redirectsCsv,
    memoryMb: usualMemoryMb,
    filledMemoryMb: memoryOfTree(server.pid ?? 0) ?? 0,
    mixed,
  };
}

const probeFile = fileURLToPath(new URL('./probe.ts', import.meta.url));

/** Measures work while another process asks for something small again and again. */
async function watch(url: string, work: () => Promise<void>): Promise<Watched> {
  const probe = spawn(process.execPath, [probeFile, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: probe.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  probe.stdin.end();
  return { ms, longestWaitMs: Number((await lines.next()).value) };
}

async function measureMixed(
  url: string,
  paths: readonly string[],
  write: () => Promise<unknown>,
  seconds: number,
): Promise<MixedLoad> {
  await readersOf(url, paths, seconds);
  const quiet = await readersOf(url, paths, seconds);
  let isDone = false;
  const writer = (async () => {
    while (!isDone) {
      await write();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const written = await readersOf(url, paths, seconds);
  isDone = true;
  await writer;
  return { quiet, written };
}

const readersFile = fileURLToPath(new URL('./readers.ts', import.meta.url));

async function readersOf(url: string, paths: readonly string[], seconds: number): Promise<Readers> {
  const child = spawn(process.execPath, [readersFile, url, String(seconds), '64'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(paths));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Value.Parse(Readers, JSON.parse(Buffer.concat(chunks).toString()));
}

/** Reads an answer and drops it. `fetch` would keep the thread busy with a large one. */
function get(url: string, path: string, token = ''): Promise<void> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { headers, agent: false }, (answer) => {
      answer.resume();
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const rows: readonly (readonly [string, (figures: Figures) => number])[] = [
  ['start', ({ startMs }) => startMs],
  ['uncached page', ({ uncachedMs }) => uncachedMs],
  ['page after an unrelated change', ({ unrelatedMs }) => unrelatedMs],
  ['page with nav() after a related change', ({ navigationMs }) => navigationMs],
  ['page with children() after a related change', ({ listingMs }) => listingMs],
  ['PUT', ({ putMs }) => putMs],
  ['sitemap after a change', ({ sitemap }) => sitemap.ms],
  ['longest wait during the sitemap', ({ sitemap }) => sitemap.longestWaitMs],
  ['list of pages', ({ list }) => list.ms],
  ['longest wait during the list', ({ list }) => list.longestWaitMs],
  ['list of redirects', ({ redirects }) => redirects.ms],
  ['longest wait during that list', ({ redirects }) => redirects.longestWaitMs],
  ['redirects as CSV', ({ redirectsCsv }) => redirectsCsv.ms],
  ['longest wait during the CSV', ({ redirectsCsv }) => redirectsCsv.longestWaitMs],
  ['memory, MB', (figures) => figures.memoryMb],
  ['memory with a filled page cache, MB', (figures) => figures.filledMemoryMb],
  ['readers: answers with a writer / without', ({ mixed }) => mixed.written.answers / mixed.quiet.answers],
  ['readers: p99 with a writer', ({ mixed }) => mixed.written.p99Ms],
  ['readers: p99 without', ({ mixed }) => mixed.quiet.p99Ms],
];

function table(all: readonly Figures[]): string {
  return markdownTable(
    ['', ...all.map(({ pages }) => `${pages.toLocaleString('en')} pages`)],
    rows.map(([name, read]) => [name, ...all.map((figures) => read(figures).toFixed(2))]),
  );
}
