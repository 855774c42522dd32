import { readdirSync, rmSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createAsset, createPage, createRedirect, createSite, insertPages } from '../support/content.ts';
import type { Usage } from '../support/probe.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { type CheapRequest, cachedPage, type Row, rows, usualHost } from './cheap-requests.ts';

/**
 * No small request may cost much more than a cached page. Measured is what the server and its render processes use
 * for many requests, compared with the same number for a cached page in the same run: processor time (not time
 * that passes, so that other work on the machine does not count), bytes of the answer, and memory: by how much
 * the process grew, against the bytes of a cached page.
 */
const mostTimes = 30;
const usualCount = 150;
const clients = 8;
/** Makes the sitemap 80 KB long. */
const pageCount = 1000;

const dir = makeTempDir();
const agent = new Agent({ keepAlive: true, maxSockets: clients });
let server: TestServer;
let cached: Cost;

beforeAll(async () => {
  const probe = pathToFileURL(join(import.meta.dirname, '../support/probe.ts'));
  server = await startServer({ env: { NODE_OPTIONS: `--import=${probe}`, PROBE_DIR: dir } });
  await addContent();
  // The lowest of several, because code that is new to the engine is slower at first.
  const baselines: Cost[] = [];
  for (let round = 0; round < 3; round++) baselines.push(await costOf(cachedPage, round));
  cached = baselines.reduce((best, cost) => (cost.cpuMicros < best.cpuMicros ? cost : best));
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A website without domains: its answers name the host of the request, which is the harder case. */
async function addContent(): Promise<void> {
  const home = await createSite(server);
  await callOk(server, 'PUT', `/pages/${home}`, {
    html: `{% for page in nav() %}{{ page.title }}{% endfor %}${'<p>Some text of a page.</p>\n'.repeat(400)}`,
  });
  await insertPages(server, home, pageCount);
  await createPage(server, home, { slug: 'live', published: true, no_cache: true, html: 'now' });
  const html = '{% if route.rest %}{{ not_found() }}{% endif %}';
  await createPage(server, home, { slug: 'all', published: true, catch_all: true, html });
  await createRedirect(server, home, { source: '/old' });
  await createAsset(server, { content: 'a { color: red }' });
  await setUp(server);
}

describe('one request costs at most a bounded number of cached pages', () => {
  it.each(rows)('$name', async (row) => {
    // Other work of the machine only adds to what is measured, so a row may try again.
    let excess: readonly string[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      excess = excessOf(await costOf(row, attempt), row.most);
      if (excess.length === 0) break;
    }
    expect(excess).toEqual([]);
  });

  it('and each exception has its reason', () => {
    const exceptions = rows.filter(({ most }) => most !== undefined);
    for (const { most } of exceptions) expect(most?.because).toMatch(/\w+ \w+ \w+/);
    expect(exceptions.length).toBeLessThan(rows.length / 2);
  });
});

/** The figures that are above their limits. */
function excessOf({ cpuMicros, bytes, memoryBytes, requestBytes }: Cost, most: Row['most']): string[] {
  const figures = [
    ['cpu', cpuMicros / cached.cpuMicros, most?.cpu ?? mostTimes],
    ['bytes', bytes / cached.bytes, most?.bytes ?? mostTimes],
    ['memory', memoryBytes / cached.bytes, most?.memory ?? mostTimes],
    ['bytes of the request', requestBytes, 1024],
  ] as const;
  return figures
    .filter(([, figure, limit]) => figure > limit)
    .map(([name, figure, limit]) => `${name}: ${figure.toFixed(1)} instead of ${limit}`);
}

/** What one request costs the server. */
interface Cost {
  readonly cpuMicros: number;
  readonly bytes: number;
  readonly memoryBytes: number;
  /** Size of the longest request. */
  readonly requestBytes: number;
}

/** @param attempt no two attempts make the same requests */
async function costOf({ make, statuses, count = usualCount }: Row, attempt: number): Promise<Cost> {
  const warmUp = Math.ceil(count / 5);
  const all = warmUp + count;
  const numbers = Array.from({ length: all }, (_, index) => attempt * all + index);
  await inParallel(numbers.slice(0, warmUp), (number) => send(make(number)));
  const before = await usage();
  const answers = await inParallel(numbers.slice(warmUp), (number) => send(make(number)));
  const after = await usage();
  for (const { status } of answers) expect(statuses).toContain(status);
  const growth = Math.max(0, after.residentBytes - before.residentBytes, after.peakBytes - before.peakBytes);
  return {
    cpuMicros: (after.cpuMicros - before.cpuMicros) / count,
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) / count,
    memoryBytes: growth / count,
    requestBytes: Math.max(...numbers.map((number) => sizeOf(make(number)))),
  };
}

/** The sum of what the server and its render processes have used. */
async function usage(): Promise<Usage> {
  const total = { cpuMicros: 0, residentBytes: 0, peakBytes: 0 };
  for (const name of readdirSync(dir)) {
    const { text } = await exchange({ socketPath: join(dir, name), path: '/', agent: false });
    const { cpuMicros, residentBytes, peakBytes }: Usage = JSON.parse(text);
    total.cpuMicros += cpuMicros;
    total.residentBytes += residentBytes;
    total.peakBytes += peakBytes;
  }
  return total;
}

async function send(cheap: CheapRequest): Promise<{ readonly status: number; readonly bytes: number }> {
  const { method = 'GET', path } = cheap;
  const { status, head, text } = await exchange(
    { agent, host: '127.0.0.1', port: server.port, method, path, headers: headersOf(cheap) },
    cheap.body,
  );
  return { status, bytes: head + text.length };
}

function headersOf({ headers, body = '' }: CheapRequest): Record<string, string> {
  const length = body === '' ? {} : { 'Content-Length': String(body.length) };
  return { Host: usualHost, ...headers, ...length };
}

function sizeOf(cheap: CheapRequest): number {
  const { method = 'GET', path, body = '' } = cheap;
  const head = Object.entries(headersOf(cheap)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`.length;
}

function exchange(
  options: RequestOptions,
  body?: string,
): Promise<{ readonly status: number; readonly head: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      let text = '';
      response.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status, head: rawHeaders.join(': ').length, text }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Results of the work for each item, with `clients` items at a time. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.values();
  const workers = Array.from({ length: clients }, async () => {
    for (const item of waiting) results.push(await work(item));
  });
  await Promise.all(workers);
  return results;
}
