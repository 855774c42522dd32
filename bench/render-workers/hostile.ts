/**
 * A server in small, `hostile.ts <workerKind> <content.db> <folder> <host> <random templates>`: one worker renders for
 * visitors, another one does what strangers try. Prints a JSON line for each attempt that does not end well, and one
 * at the end. That the process lives to print it is a result too.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool, type WorkerKind } from '../../server/processes/pool.ts';
import { hoardNames } from '../../test/support/hoard.ts';
import { recordingLog } from '../../test/support/quiet-log.ts';
import { attackNames } from './attacks.ts';
import type { HostileResults, HostileTask } from './hostile-tasks.ts';
import { openRenderPool, type PoolSite, renderPage } from './render-pool.ts';

const [workerKind = '', databaseFile = '', folder = '', host = '', count = '', withHoards = ''] =
  process.argv.slice(2);
/** Random templates in one task. */
const perTask = 200;
/** A visitor must not wait for longer, in milliseconds. */
const longStallMs = 50;

async function run(kind: WorkerKind, site: PoolSite, randomCount: number): Promise<void> {
  const visitors = openRenderPool(kind, 1, site);
  const strangers = new Pool<HostileTask, HostileResults>({
    filename: new URL('./hostile-worker.ts', import.meta.url).pathname,
    workerKind: kind,
    settings: {},
    jobName: 'an attempt',
    workers: 1,
    log: recordingLog(),
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let pages = 0;
  let failedPages = 0;
  let isOver = false;
  const visitor = (async () => {
    while (!isOver) {
      const outcome = await renderPage(visitors, site, '/', `v=${pages}`).catch((error) => String(error));
      if (outcome === 'page') pages += 1;
      else failedPages += 1;
    }
  })();
  const tasks: HostileTask[] = [
    ...attackNames.map((name) => ({ kind: 'attack', name }) as const),
    ...Array.from(
      { length: Math.ceil(randomCount / perTask) },
      (_, index) => ({ kind: 'random', seed: 1000 + index, count: perTask }) as const,
    ),
    ...(withHoards === '' ? [] : hoardNames.map((name) => ({ kind: 'hoard', name }) as const)),
  ];
  let lost = 0;
  let stalls = 0;
  for (const task of tasks) {
    delay.reset();
    delay.enable();
    const start = performance.now();
    const note = (text: string) =>
      console.log(
        JSON.stringify({ ...task, note: text, ms: Math.round(performance.now() - start), rssMb: rssMb() }),
      );
    try {
      const result = await strangers.run(task);
      if (task.kind === 'random' && result !== 0) note(`${result} faults`);
    } catch (error) {
      lost += 1;
      note(String(error));
    }
    delay.disable();
    const longest = delay.max / 1e6;
    if (longest > longStallMs) {
      stalls += 1;
      note(`the main thread stood still for ${longest.toFixed(0)} ms`);
    }
  }
  isOver = true;
  await visitor;
  console.log(
    JSON.stringify({ end: true, attempts: tasks.length, lost, stalls, pages, failedPages, rssMb: rssMb() }),
  );
  await Promise.all([visitors.close(), strangers.close()]);
}

function rssMb(): number {
  return Math.round(process.memoryUsage.rss() / 2 ** 20);
}

// Type boundary: the benchmark passes `process` or `thread`.
await run(workerKind as WorkerKind, { databaseFile, folder, host }, Number(count));
