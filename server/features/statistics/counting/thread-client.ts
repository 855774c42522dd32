import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromThread, TaskName, Tasks, ThreadNews, ThreadSettings } from './messages.ts';

/** The thread could not do a task. `code` is that of the error, for example `SQLITE_FULL`. */
export class ThreadError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The thread that counts, as the main thread sees it. It starts with the first task, and again if it has died. */
export class CounterThread {
  readonly #file: string;
  readonly #settings: ThreadSettings;
  readonly #onNews: (news: ThreadNews) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  /** @param onNews is told what the thread says without being asked */
  constructor(file: string, settings: ThreadSettings, onNews: (news: ThreadNews) => void = () => {}) {
    this.#file = file;
    this.#settings = settings;
    this.#onNews = onNews;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Starts the thread, so that it follows other nodes before it has a task. */
  start(): void {
    this.#worker ??= this.#start();
  }

  /** @throws ThreadError */
  run<Name extends TaskName>(task: Name, input: Tasks[Name]['input']): Promise<Tasks[Name]['result']> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<Tasks[Name]['result']>();
    // Type boundary: the thread answers a task with its result.
    this.#waiting.set(id, { resolve: (result) => resolve(result as Tasks[Name]['result']), reject });
    worker.postMessage({ id, task, input });
    return promise;
  }

  /** Resolves when everything is written and the thread has ended. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.postMessage({ task: 'close' });
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#settings, env: {}, name: 'statistics' });
    worker.on('message', (message: FromThread) => {
      if ('news' in message) {
        this.#onNews(message.news);
        return;
      }
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('error' in message) waiting?.reject(new ThreadError(message.error.message, message.error.code));
      else waiting?.resolve(message.result);
    });
    let reason = 'the thread that counts visits has ended';
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const waiting of this.#waiting.values()) waiting.reject(new ThreadError(reason));
      this.#waiting.clear();
    });
    return worker;
  }
}
