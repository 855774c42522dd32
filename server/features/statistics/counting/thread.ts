/**
 * Entry of the thread that counts visits and answers questions about them. It is the only writer of its tables on this
 * machine.
 * Tasks that write run one after the other, in the order in which they came; a question sees what was counted before
 * it came.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '../../../base/log.ts';
import { importLists, loadTable } from '../country-lists/import.ts';
import { saveCheck } from '../country-lists/store.ts';
import { nameOfPath } from '../names.ts';
import { Counter, type FindCountry } from './counter.ts';
import { openStatistics } from './database.ts';
import { exportedDays } from './export.ts';
import type { FromThread, TaskName, Tasks, ThreadNews, ThreadSettings, ToThread } from './messages.ts';
import { makePathReport, makeReport, makeValueReport } from './report.ts';
import { listSites } from './store.ts';
import { visitsIn } from './visit.ts';

// Type boundary: `thread-client.ts` starts this thread with these settings.
const settings = workerData as ThreadSettings;
const log = threadLog((news) => post({ news }));
const { database, salt } = await openStatistics(settings, log);
const { reader } = database;
const counter = new Counter({ database, salt, findCountry: () => findCountry });
let findCountry: FindCountry | undefined;
let written: Promise<unknown> = loadCountries();
if (settings.shared !== undefined) void written.then(tellLists);
database.start(async (tables) => {
  if (tables === 'all' || tables.has('statistics_resets')) counter.forgetToday();
  if (tables !== 'all' && !tables.has('country_lists')) return;
  await inTurn(loadCountries);
  tellLists();
});

async function loadCountries(): Promise<void> {
  const table = await loadTable(database.reader);
  findCountry = table === undefined ? undefined : (address) => table.find(address);
}

function tellLists(): void {
  post({ news: { kind: 'lists' } });
}

/** Runs a task that writes, after those before it. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = written.then(work);
  written = result.catch(() => {});
  return result;
}

/** Runs a question when everything that came before it is written. */
async function afterWrites<T>(ask: () => T): Promise<Awaited<T>> {
  await written;
  await database
    .refresh()
    .catch((error: unknown) => log.warn({ err: error }, 'views on other nodes are missing'));
  return await ask();
}

const handlers: { [Name in TaskName]: (input: Tasks[Name]['input']) => Promise<Tasks[Name]['result']> } = {
  count: (batch) =>
    inTurn(async () => void (await counter.count({ ...batch, visits: visitsIn(batch.visits) }))),
  startDay: ({ day }) => inTurn(async () => void (await counter.startDay(day))),
  forget: ({ siteId }) =>
    inTurn(async () => {
      const sites = siteId === undefined ? await listSites(database.reader) : [siteId];
      for (const site of sites) await counter.forget(site);
      return undefined;
    }),
  importLists: ({ files, now }) =>
    inTurn(async () => {
      await importLists(database, files, now);
      await loadCountries();
      return undefined;
    }),
  saveCheck: (check) => inTurn(async () => void (await database.write((db) => saveCheck(db, check)))),
  report: (scope) => afterWrites(() => makeReport(reader, scope)),
  path: ({ scope, path }) => afterWrites(() => makePathReport(reader, scope, path, nameOfPath(path))),
  value: ({ scope, dimension, name }) => afterWrites(() => makeValueReport(reader, scope, dimension, name)),
  live: ({ now, siteId }) => afterWrites(() => counter.recent.figures(now, siteId)),
  export: ({ scope, titles }) =>
    afterWrites(async () => {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for await (const text of exportedDays(reader, scope, titles)) {
        parts.push(new TextEncoder().encode(text));
        await nextTurn();
      }
      return parts;
    }),
};

function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

async function run({ id, task, input }: Exclude<ToThread, { readonly task: 'close' }>): Promise<void> {
  try {
    // Type boundary: a message has the input of its task.
    const handle = handlers[task] as (input: unknown) => Promise<unknown>;
    const result = await handle(input);
    post({ id, result });
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    const message = error instanceof Error ? error.message : String(error);
    post({ id, error: { message, code: typeof code === 'string' ? code : undefined } });
  }
}

parentPort?.on('message', async (message: ToThread) => {
  if (message.task !== 'close') return run(message);
  await written;
  await database.close();
  parentPort?.close();
  return undefined;
});

/** A log for the thread, whose lines the main thread writes. Of an error it tells the text. */
export function threadLog(tell: (news: ThreadNews) => void): Log {
  const at = (level: keyof Log) => (fields: object, message: string) =>
    tell({ kind: 'log', level, fields: plain(fields), message });
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value]),
  );
}
