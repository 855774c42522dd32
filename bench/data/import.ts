import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Spread, spreadOf } from '../measure.ts';
import type { ServerProcess } from '../serve/child.ts';
import { load } from '../serve/load.ts';
import { callApi } from '../serve/site.ts';
import { longestTurn, type Turns } from './turns.ts';

const Counted = Type.Object({ item_count: Type.Integer() });

const rows = 50_000;
const clients = 64;

export interface ImportFigures {
  /** The slowest hundredth of the cached page, milliseconds, while nothing else happens. */
  readonly quietP99Ms: Spread;
  /** The same while files are imported. */
  readonly p99Ms: Spread;
  /** Longest turn of the server's event loop while files are imported, milliseconds. */
  readonly longestTurnMs: Spread;
  /** The same in processor time, so without waiting for a core or a disk. */
  readonly longestTurnCpuMs: Spread;
  /** Time of one import, seconds. */
  readonly seconds: Spread;
}

export interface WatchedServer {
  readonly server: ServerProcess;
  readonly token: string;
  /** Where the server tells of its longest turn. */
  readonly turnsSocket: string;
}

/**
 * Reads a cached page all the time while files of 50,000 rows are imported one after the other. Fails if a part of
 * an import is seen before all of it.
 */
export async function measureImport(
  { server, token, turnsSocket }: WatchedServer,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<ImportFigures> {
  await prepare(server, token);
  const quiet: number[] = [];
  const busy: number[] = [];
  const turns: Turns[] = [];
  const times: number[] = [];
  const page = () =>
    load(`${server.url}/cached`, { seconds, connections: clients, pipelining: 1, headers: {} });
  for (let round = 0; round < rounds; round += 1) {
    quiet.push((await page()).p99Ms);
    await longestTurn(turnsSocket);
    const loaded = page();
    let isLoaded = false;
    void loaded.finally(() => {
      isLoaded = true;
    });
    while (!isLoaded) times.push(await importOnce(server, token));
    busy.push((await loaded).p99Ms);
    turns.push(await longestTurn(turnsSocket));
  }
  return {
    quietP99Ms: spreadOf(quiet),
    p99Ms: spreadOf(busy),
    longestTurnMs: spreadOf(turns.map(({ elapsedMs }) => elapsedMs)),
    longestTurnCpuMs: spreadOf(turns.map(({ cpuMs }) => cpuMs)),
    seconds: spreadOf(times),
  };
}

async function prepare({ url }: ServerProcess, token: string): Promise<void> {
  await callApi(url, token, 'POST', '/pages', {
    parent_id: 1,
    title: 'Cached',
    slug: 'cached',
    published: true,
    html: `<p>${'A page that is read from the cache. '.repeat(200)}</p>`,
  });
  await callApi(url, token, 'POST', '/collections', {
    slug: 'imported',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'price', type: 'number' },
      { name: 'is_new', type: 'boolean' },
      { name: 'date', type: 'date' },
      { name: 'topic', type: 'select', options: ['a', 'b', 'c'] },
      { name: 'text', type: 'textarea' },
    ],
  });
}

/** Replaces all entries by those of a file, and watches their number. Resolves with the seconds it took. */
async function importOnce({ url }: ServerProcess, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const form = new FormData();
  form.set('file', new Blob([file()]), 'entries.csv');
  const started = performance.now();
  let isDone = false;
  const imported = fetch(`${url}/api/v1/collections/imported/import?replace=1`, {
    method: 'POST',
    headers,
    body: form,
  }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const response = await fetch(`${url}/api/v1/collections/imported`, { headers });
    const { item_count: count } = Value.Parse(Counted, await response.json());
    if (count !== 0 && count !== rows) throw new Error(`${count} of ${rows} entries were seen`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const response = await imported;
  if (!response.ok) throw new Error(`the import answered ${response.status}: ${await response.text()}`);
  return (performance.now() - started) / 1000;
}

function file(): string {
  const lines = ['title,price,is_new,date,topic,text'];
  for (let n = 0; n < rows; n += 1) {
    const text = `"A lamp of brass, and of ""glass"", number ${n}.\nIt shines since 18${n % 100}."`;
    lines.push(
      `Entry ${n},"${n},50",${n % 2 ? 'yes' : 'no'},0${1 + (n % 9)}.02.2026,${'abc'[n % 3]},${text}`,
    );
  }
  return lines.join('\n');
}
