import { MessageChannel } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { ThreadWork } from '../base/thread-stream.ts';

/**
 * Threads for code of ours on data whose size is bounded; what authors and strangers wrote runs in processes. They
 * start by need, and end when they had nothing to do for a while.
 */
export class Threads {
  #pool: Promise<Piscina> | undefined;

  /** Runs work in a thread, as soon as one is free. */
  async *stream<Part>({ filename, input, transfer }: ThreadWork): AsyncGenerator<Part> {
    this.#pool ??= openPool();
    const pool = await this.#pool;
    const { port1, port2 } = new MessageChannel();
    const running: Promise<void> = pool.run(
      { input, port: port2 },
      { filename, transferList: [port2, ...transfer] },
    );
    // Its end alone says nothing: the last part may come later.
    const failed = running.then(() => new Promise<never>(() => {}));
    let asked = Promise.withResolvers<Part | undefined>();
    port1.on('message', (part) => asked.resolve(part));
    try {
      for (;;) {
        asked = Promise.withResolvers();
        port1.postMessage('next');
        const part = await Promise.race([asked.promise, failed]);
        if (part === undefined) return;
        yield part;
      }
    } finally {
      failed.catch(() => {});
      port1.close();
      await running.catch(() => {});
    }
  }

  /** Ends all threads; work that runs fails. */
  async close(): Promise<void> {
    const pool = await this.#pool;
    await pool?.destroy();
  }
}

const maxThreads = 2;
const idleMs = 30_000;

/** Loaded by need: the package takes 10 MB. */
async function openPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({ minThreads: 0, maxThreads, idleTimeout: idleMs, env: {}, recordTiming: false });
}
