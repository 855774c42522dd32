/**
 * Entry of the thread that counts visits and answers questions about them. It is the only writer of its tables.
 * Tasks that write run one after the other, in the order in which they came; a question sees what was counted before
 * it came.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from '../db/connection.ts';
import type { ActivityTables } from '../db/tables.ts';
import { Counter, type FindCountry } from './counter.ts';
import { importLists, loadTable } from './countries/import.ts';
import { exportedDays } from './export.ts';
import type { FromThread, TaskName, Tasks, ThreadSettings, ToThread } from './messages.ts';
import { nameOfPath } from './names.ts';
import { makePathReport, makeReport, makeValueReport } from './report.ts';
import { listSites } from './store.ts';
import { visitsIn } from './visit.ts';

/** How long a write waits for the main thread, which writes to the same database, in milliseconds. */
const busyTimeoutMs = 5000;

// Type boundary: `thread-client.ts` starts this thread with these settings.
const { databaseFile, saltFile } = workerData as ThreadSettings;
const db = new Connection<ActivityTables>(databaseFile, { busyTimeoutMs });
db.pragma('synchronous = NORMAL');
const counter = new Counter({ db, saltFile, findCountry: () => findCountry });
let findCountry: FindCountry | undefined;
let written: Promise<unknown> = loadCountries();

async function loadCountries(): Promise<void> {
  const table = await loadTable(db);
  findCountry = table === undefined ? undefined : (address) => table.find(address);
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
  return await ask();
}

const handlers: { [Name in TaskName]: (input: Tasks[Name]['input']) => Promise<Tasks[Name]['result']> } = {
  count: (batch) =>
    inTurn(async () => void (await counter.count({ ...batch, visits: visitsIn(batch.visits) }))),
  startDay: ({ day }) => inTurn(async () => void (await counter.startDay(day))),
  forget: ({ siteId }) =>
    inTurn(async () => {
      for (const site of siteId === undefined ? await listSites(db) : [siteId]) await counter.forget(site);
      return undefined;
    }),
  importLists: ({ files, now }) =>
    inTurn(async () => {
      await importLists(db, files, now);
      await loadCountries();
      return undefined;
    }),
  report: (scope) => afterWrites(() => makeReport(db, scope)),
  path: ({ scope, path }) => afterWrites(() => makePathReport(db, scope, path, nameOfPath(path))),
  value: ({ scope, dimension, name }) => afterWrites(() => makeValueReport(db, scope, dimension, name)),
  live: ({ now, siteId }) => afterWrites(() => counter.recent.figures(now, siteId)),
  async export({ scope, titles }) {
    await written;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const text of exportedDays(db, scope, titles)) {
      parts.push(new TextEncoder().encode(text));
      await nextTurn();
    }
    return parts;
  },
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
  db.close();
  parentPort?.close();
  return undefined;
});
