import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { TaskAnswer } from './messages/index.ts';

/**
 * Makes this process or thread a worker of a pool: answers each message of its parent with the result of `run`, one
 * after the other.
 *
 * A process ends when its parent does. Signals of a terminal or a service manager reach all processes of the
 * service; they are ignored here, because the parent still needs renders while it finishes.
 */
export function serveTasks<Task>(run: (task: Task) => Promise<unknown>): void {
  const parent = parentPort ?? process;
  if (parent === process) {
    process.on('SIGINT', ignore);
    process.on('SIGTERM', ignore);
    process.on('disconnect', () => process.exit());
  }
  let last = Promise.resolve();
  parent.on('message', (message: unknown) => {
    // Type boundary: the parent sends what the pool sends.
    last = last.then(() => answer(run, message as Task));
  });
  // A process ends by a signal mostly, before Node.js would keep its compiled code.
  parent.once('message', () => {
    last = last.then(() => flushCompileCache());
  });
  send({ kind: 'ready' });
}

function ignore(): void {}

async function answer<Task>(run: (task: Task) => Promise<unknown>, task: Task): Promise<void> {
  try {
    send({ kind: 'result', result: await run(task) });
  } catch (error) {
    const { message: text, stack } = error instanceof Error ? error : new Error(String(error));
    send({ kind: 'error', message: text, stack });
  }
}

function send(message: TaskAnswer): void {
  if (parentPort !== null) parentPort.postMessage(message);
  else if (process.send !== undefined) process.send(message);
  else throw new Error('a worker was started without a parent');
}
