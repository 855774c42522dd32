import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { RenderWorker, type WorkerSettings } from './tasks/context.ts';
import { runTask } from './tasks/index.ts';
import type { Task } from './tasks/messages.ts';

let worker: RenderWorker | undefined;

/**
 * Entry of a render worker: one thread, one read-only connection, one task at a time.
 * A default export, because named handlers would need code made from strings. The database is opened with the
 * first task, so that threads can load while the process still prepares it.
 */
export default async function run(task: Task): Promise<unknown> {
  worker ??= new RenderWorker(parseSettings(workerData));
  const context = worker.contextFor('scheme' in task ? task.scheme : undefined);
  const { result, buffers } = await runTask(context, task);
  return buffers.length === 0 ? result : move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}

function parseSettings(data: unknown): WorkerSettings {
  if (
    typeof data === 'object' &&
    data !== null &&
    'databaseFile' in data &&
    typeof data.databaseFile === 'string' &&
    'cacheDir' in data &&
    typeof data.cacheDir === 'string' &&
    'scheme' in data &&
    (data.scheme === 'http' || data.scheme === 'https')
  ) {
    const { databaseFile, cacheDir, scheme } = data;
    return { databaseFile, cacheDir, scheme };
  }
  throw new TypeError('a render worker was started without its settings');
}
