import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
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
  readonly listMs: number;
  /** Longest wait of another request while the list of pages is made. */
  readonly listStallMs: number;
  readonly sitemapMs: number;
  readonly memoryMb: number;
  readonly mixed: MixedLoad;
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
  const sitemapMs = await times(
    () => retitle(unrelatedId),
    () => get(url, '/sitemap.xml'),
  );
  const { listMs, listStallMs } = await measureList(url, token);
  const mixed = await measureMixed(url, plain.slice(0, 10_000), () => retitle(unrelatedId), seconds);
  return {
    pages: site.pageCount,
    uncachedMs,
    unrelatedMs,
    navigationMs,
    listingMs,
    putMs,
    listMs,
    listStallMs,
    sitemapMs,
    memoryMb: memoryMb(server.pid),
    mixed,
  };
}

/** GET /pages, while another connection asks for something small again and again. */
async function measureList(url: string, token: string): Promise<{ listMs: number; listStallMs: number }> {
  let isDone = false;
  const start = performance.now();
  const list = get(url, '/api/v1/pages', token).finally(() => {
    isDone = true;
  });
  let listStallMs = 0;
  while (!isDone) {
    const asked = performance.now();
    await get(url, '/healthz');
    listStallMs = Math.max(listStallMs, performance.now() - asked);
  }
  await list;
  return { listMs: performance.now() - start, listStallMs };
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

async function get(url: string, path: string, token = ''): Promise<void> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

/** Memory of a process and its render processes in MB; 0 where the system does not tell. */
function memoryMb(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [String(pid), ...children].reduce((sum, one) => {
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1];
      return sum + Number(kilobytes ?? 0) / 1024;
    }, 0);
  } catch {
    return 0;
  }
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
  ['sitemap after a change', ({ sitemapMs }) => sitemapMs],
  ['list of pages', ({ listMs }) => listMs],
  ['longest wait during the list', ({ listStallMs }) => listStallMs],
  ['memory, MB', ({ memoryMb: megabytes }) => megabytes],
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
