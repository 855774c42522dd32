/**
 * The pool of worker threads for rendering and other heavy work, used by the main thread.
 *
 * A job is `waiting` (in `#waiting`, in order of arrival) or `running` (handed to Piscina). Invariants:
 *
 *  1. At most as many jobs run as there are threads. So Piscina never queues, and the time of a job starts
 *     when the job runs.
 *  2. At most `queueLimit` jobs wait; the next job is refused with PoolBusyError.
 *  3. A job that runs longer than `timeoutMs` is ended together with its thread, because a blocked thread
 *     cannot be asked to stop. The engine's own limits end a render earlier; this limit is for work that they
 *     do not measure.
 *  4. When a thread dies, only its own job fails; Piscina starts another thread.
 *  5. Every job is settled exactly once. Closing the pool rejects all waiting and running jobs.
 */
import { Piscina } from 'piscina';
import type { ResultOf, Task } from '../runtime/tasks/messages.ts';
import { busy } from './errors.ts';
import type { Log } from './log.ts';

export interface RenderPoolOptions {
  /** Path of the worker's file. */
  readonly filename: string;
  readonly workerData: unknown;
  readonly workers: number;
  /** Longest time of one job, in milliseconds. */
  readonly timeoutMs?: number;
  readonly queueLimit?: number;
  /** Heap of one thread in MB. A render that needs more ends its thread, not the process. */
  readonly maxHeapMb?: number;
  readonly log: Log;
}

/** The queue is full. The caller can try again later. */
export class PoolBusyError extends Error {
  readonly retryAfterSeconds = 1;
}

/** The thread of a job is gone: ended after `timeoutMs`, out of memory, crashed, or the pool is closed. */
export class WorkerLostError extends Error {}

export class RenderPool {
  readonly #pool: Piscina<Task, unknown>;
  readonly #workers: number;
  readonly #timeoutMs: number;
  readonly #queueLimit: number;
  #waiting: Job[] = [];
  #running = 0;
  #closed = false;

  constructor(options: RenderPoolOptions) {
    this.#workers = options.workers;
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    this.#queueLimit = options.queueLimit ?? 512;
    this.#pool = new Piscina<Task, unknown>({
      filename: options.filename,
      workerData: options.workerData,
      minThreads: options.workers,
      maxThreads: options.workers,
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 512 },
    });
    this.#pool.on('error', (error: unknown) => {
      options.log.error({ err: error }, 'an idle render worker died');
    });
  }

  /** @throws PoolBusyError, WorkerLostError, or the error of the task. */
  run<T extends Task>(task: T): Promise<ResultOf<T>> {
    return new Promise<ResultOf<T>>((resolve, reject) => {
      if (this.#closed) {
        reject(new WorkerLostError('the render pool is closed'));
        return;
      }
      // Type boundary: the worker answers exactly this task, but threads do not keep types.
      const job: Job = { task, resolve: (result) => resolve(result as ResultOf<T>), reject };
      if (this.#running < this.#workers) this.#start(job);
      else if (this.#waiting.length < this.#queueLimit) this.#waiting.push(job);
      else reject(new PoolBusyError(`${this.#queueLimit} renders are waiting`));
    });
  }

  /** Like `run`, for handlers of the API. @throws ApiError `common.busy` */
  async request<T extends Task>(task: T): Promise<ResultOf<T>> {
    try {
      return await this.run(task);
    } catch (error) {
      if (!(error instanceof PoolBusyError)) throw error;
      throw busy(error.retryAfterSeconds, error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const job of waiting) job.reject(new WorkerLostError('the render pool was closed'));
    await this.#pool.destroy();
  }

  async #start(job: Job): Promise<void> {
    this.#running += 1;
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(), this.#timeoutMs);
    try {
      job.resolve(await this.#pool.run(job.task, { signal: overdue.signal }));
    } catch (error) {
      job.reject(overdue.signal.aborted ? this.#overdue(error) : asLoss(error));
    } finally {
      clearTimeout(timer);
      this.#running -= 1;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#start(next);
    }
  }

  #overdue(cause: unknown): WorkerLostError {
    return new WorkerLostError(`a render took over ${this.#timeoutMs} ms and was ended`, { cause });
  }
}

interface Job {
  readonly task: Task;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Turns the error of a dead thread into a WorkerLostError. Errors of the task itself stay as they are. */
function asLoss(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const died = code === 'ERR_WORKER_OUT_OF_MEMORY' || /^worker exited with code/.test(error.message);
  return died ? new WorkerLostError(`a render worker died: ${error.message}`, { cause: error }) : error;
}
