/** Work of a thread whose result comes in parts: all of it in one message would hold the main thread up. */
import { on } from 'node:events';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/tasks/low-priority.ts';

export interface ThreadWork {
  /** Path of the code. Its default export gets a `StreamedTask` and returns what `sendParts` returns. */
  readonly filename: string;
  readonly input: object;
  /** What the thread gets in place of a copy. */
  readonly transfer: readonly Transferable[];
}

/** Runs work in a thread. Who takes no more parts ends the work. */
export type StreamInThread = <Part>(work: ThreadWork) => AsyncGenerator<Part>;

export interface StreamedTask<Input> {
  readonly input: Input;
  readonly port: MessagePort;
}

/** Runs in the thread: sends a part each time one is asked for, and `undefined` at the end. */
export async function sendParts(port: MessagePort, parts: AsyncGenerator<unknown>): Promise<void> {
  // On Linux of this thread alone: visitors' requests come first. Elsewhere it would be that of the whole server.
  if (process.platform === 'linux') lowerPriority();
  for await (const _ask of on(port, 'message', { close: ['close'] })) {
    const { value, done } = await parts.next();
    port.postMessage(value);
    if (done === true) break;
  }
  await parts.return(undefined);
  port.close();
}
