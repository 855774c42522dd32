import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabases } from '../../server/db/open.ts';
import { Counter } from '../../server/features/statistics/counting/counter.ts';
import { OwnStatistics } from '../../server/features/statistics/counting/database.ts';
import { makeReport } from '../../server/features/statistics/counting/report.ts';
import { DailySalt } from '../../server/features/statistics/counting/salt.ts';
import { type Visit, visitsIn, visitText } from '../../server/features/statistics/counting/visit.ts';
import { ListParser } from '../../server/features/statistics/country-lists/list.ts';
import { CountryTable } from '../../server/features/statistics/country-lists/table.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { load } from '../serve/load.ts';
import { callApi, createToken, startIncipit } from '../serve/site.ts';
import { fillYear } from './fill.ts';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const firstDay = 20_454;
const year = 365;
const views = 10_000_000;

/** What statistics cost: counting, asking about a year, finding countries, and a cached page with and without. */
export async function runStatsBench(): Promise<void> {
  const rows = [...(await countingRows()), ...(await reportRows()), ...lookupRows(), ...(await pageRows())];
  console.log(`${environmentLine()}\n\n${markdownTable(['what', 'measured', 'goal'], rows)}`);
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-stats-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Rows = readonly (readonly [what: string, measured: string, goal: string])[];

/** Kinds of traffic: by the number of a view, its page, its visitor and where it came from. */
const traffic: Readonly<Record<string, (view: number) => Pick<Visit, 'path' | 'peer' | 'referer'>>> = {
  'one visitor, one page': () => ({ path: '/', peer: '203.0.113.7', referer: '' }),
  '10,000 visitors, each 4 of 500 pages, one of them from a search': (view) => {
    const visitor = Math.floor(view / 40) * 10 + (view % 10);
    const isFirst = view % 40 < 10;
    return {
      path: `/page-${(view * view * 31) % 499}`,
      peer: `198.51.${visitor >> 8}.${visitor % 256}`,
      referer: isFirst ? 'https://search.example/' : `https://site.test/page-${(view * 13) % 499}`,
    };
  },
};

async function countingRows(): Promise<Rows> {
  const rows: (readonly [string, string, string])[] = [];
  for (const [name, viewOf] of Object.entries(traffic))
    rows.push([
      `counting one view, in the thread: ${name}`,
      `${(await countingMicros(viewOf)).toFixed(1)} µs`,
      '',
    ]);
  return rows;
}

/** Processor time of one view, in microseconds, the views being handed over as at 10,000 per second. */
function countingMicros(viewOf: (view: number) => Pick<Visit, 'path' | 'peer' | 'referer'>): Promise<number> {
  return withFolder(async (folder) => {
    const databases = openDatabases(folder, 1000);
    const counter = new Counter({
      database: new OwnStatistics(databases.activity.writer),
      salt: new DailySalt(join(folder, 'salt')),
      findCountry: () => () => 'DE',
    });
    const texts = Array.from({ length: 40_000 }, (_, view) =>
      visitText(
        { at: Date.now(), times: 1, host: 'site.test', userAgent, forwardedFor: '', ...viewOf(view) },
        'page',
        1,
      ),
    );
    const domains = new Map([[1, ['site.test']]]);
    const batch = 500;
    const start = process.cpuUsage();
    for (let from = 0; from < texts.length; from += batch) {
      const visits = visitsIn(texts.slice(from, from + batch).join('\n'));
      const more = (from + batch) % 10_000 !== 0;
      await counter.count({ visits, domains, countries: true, more });
    }
    const { user, system } = process.cpuUsage(start);
    databases.close();
    return (user + system) / texts.length;
  });
}

function reportRows(): Promise<Rows> {
  return withFolder(async (folder) => {
    const databases = openDatabases(folder, 1000);
    await fillYear(databases.activity.writer, firstDay, year, Math.round(views / year));
    const ranges: readonly (readonly [string, number, number])[] = [
      ['a year', 0, year - 1],
      ['a year less a few days', 3, year - 6],
      ['half a year', 50, 232],
      ['30 days', 200, 229],
      ['one day', 100, 100],
    ];
    const rows: (readonly [string, string, string])[] = [];
    for (const [name, from, to] of ranges) {
      const times: number[] = [];
      for (let round = 0; round < 7; round++) {
        const start = performance.now();
        const scope = { sites: [1], from: firstDay + from, to: firstDay + to, countries: true };
        await makeReport(databases.activity.reader, scope);
        times.push(performance.now() - start);
      }
      rows.push([
        `GET /stats, 10 million views: ${name}`,
        `${spreadOf(times).median.toFixed(1)} ms`,
        '50 ms',
      ]);
    }
    databases.close();
    return rows;
  });
}

/** As many ranges as the five registries have. */
function lookupRows(): Rows {
  const parser = new ListParser();
  parser.add('2|ripencc\n');
  const countries = ['DE', 'FR', 'US', 'JP', 'BR', 'ZA'];
  for (let index = 0; index < 250_000; index++) {
    const start = index * 16_384;
    const address = [24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.');
    parser.add(`ripencc|${countries[(index * 7) % 6]}|ipv4|${address}|8192||allocated\n`);
  }
  for (let index = 0; index < 150_000; index++)
    parser.add(
      `ripencc|${countries[(index * 5) % 6]}|ipv6|2${(index >> 16).toString(16).padStart(3, '0')}:${(index & 0xffff).toString(16)}::|33||allocated\n`,
    );
  const table = new CountryTable([parser.finish()]);
  const million = 1_000_000;
  const nanoseconds = (addresses: readonly string[]): string => {
    let found = 0;
    const start = process.cpuUsage();
    for (let index = 0; index < million; index++)
      if (table.find(addresses[index % addresses.length] ?? '') !== undefined) found += 1;
    const { user, system } = process.cpuUsage(start);
    if (found === 0) throw new Error('no address was found');
    return `${(((user + system) * 1000) / million).toFixed(0)} ns`;
  };
  const v4 = Array.from(
    { length: 10_000 },
    (_, index) => `${index % 223}.${(index * 31) % 256}.${(index * 17) % 256}.9`,
  );
  const v6 = Array.from(
    { length: 10_000 },
    (_, index) => `2001:${((index * 13) % 65_536).toString(16)}::${index.toString(16)}`,
  );
  return [
    ['lookup of 1 million IPv4 addresses, each', nanoseconds(v4), '1000 ns'],
    ['lookup of 1 million IPv6 addresses, each', nanoseconds(v6), '1000 ns'],
    ['lookup table', `${(table.size / 2 ** 20).toFixed(1)} MB`, '8 MB'],
  ];
}

/** Short turns, so that other work of the machine meets both alike. */
const pageRounds = 20;

/** A prefetch is the same request, but no view. */
function pageRows(): Promise<Rows> {
  return withFolder(async (folder) => {
    const server = await startIncipit(folder);
    try {
      const token = createToken(folder);
      const site = await callApi(server.url, token, 'POST', '/sites', { title: 'Site' });
      await callApi(server.url, token, 'PUT', `/pages/${site.id}`, { html: '<p>text</p>'.repeat(700) });
      const rates: number[] = [];
      const costs: number[] = [];
      for (let round = 0; round < pageRounds; round++) {
        const counted = { requestsPerSecond: 0, cpuMs: 0 };
        const uncounted = { requestsPerSecond: 0, cpuMs: 0 };
        const turns = [
          ['none', counted],
          ['prefetch', uncounted],
        ] as const;
        for (const [purpose, into] of round % 2 === 0 ? turns : turns.toReversed()) {
          const headers = { 'user-agent': userAgent, 'sec-purpose': purpose, 'accept-encoding': 'gzip' };
          const before = server.cpuMs() ?? Number.NaN;
          const result = await load(server.url, { seconds: 1, connections: 32, pipelining: 1, headers });
          into.requestsPerSecond = result.requestsPerSecond;
          into.cpuMs = ((server.cpuMs() ?? Number.NaN) - before) / result.requests;
        }
        rates.push(counted.requestsPerSecond / uncounted.requestsPerSecond);
        costs.push(uncounted.cpuMs / counted.cpuMs);
      }
      const text = ({ median, low, high }: Spread) =>
        `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
      return [
        ['requests per second of a cached page, counted / not counted', text(spreadOf(rates)), '0.97'],
        ['processor time of the same, not counted / counted', text(spreadOf(costs)), ''],
      ];
    } finally {
      await server.stop();
    }
  });
}
