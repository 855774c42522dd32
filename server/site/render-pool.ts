/**
 * The threads that do the heavy work, as the main thread sees them.
 *
 * A job is `waiting` (in `#waiting`, in order of arrival) or `running` (handed to Piscina). What holds:
 *
 *  1. At most as many jobs run as there are threads, so Piscina never queues and a job's time starts when it runs.
 *  2. At most `queueLimit` jobs wait; the next is refused with PoolBusyError.
 *  3. A job that runs longer than `timeoutMs` is ended together with its thread: a thread that does not answer cannot be
 *     asked to stop. The engine's own budgets end a render earlier; this is for what they do not see.
 *  4. A thread that dies fails its own job only; Piscina starts another.
 *  5. Every job is settled exactly once; closing fails what waits and runs.
 */
import { Piscina } from 'piscina';
import type { ResultOf, Task } from '../../runtime/tasks/messages.ts';
import type { Log } from '../log.ts';

export interface RenderPoolOptions {
  /** Path of the worker's file. */
  readonly filename: string;
  readonly workerData: unknown;
  readonly workers: number;
  /** Longest time of one job, in milliseconds. */
  readonly timeoutMs?: number;
  readonly queueLimit?: number;
  /** Heap of one thread in MB. A render that needs more ends its thread and not the process. */
  readonly maxHeapMb?: number;
  readonly log: Log;
}

/** More work waits than may: try again later. */
export class PoolBusyError extends Error {
  readonly retryAfterSeconds = 1;
}

/** The thread that had the job is gone: killed after `timeoutMs`, out of memory, or crashed. */
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

  /**
   * @throws PoolBusyError, WorkerLostError, or what the task itself threw.
   */
  run<T extends Task>(task: T): Promise<ResultOf<T>> {
    return new Promise<ResultOf<T>>((resolve, reject) => {
      if (this.#closed) {
        reject(new WorkerLostError('the render pool is closed'));
        return;
      }
      // `result` is what the worker answered to this very task: the boundary where threads forget types.
      const job: Job = { task, resolve: (result) => resolve(result as ResultOf<T>), reject };
      if (this.#running < this.#workers) this.#start(job);
      else if (this.#waiting.length < this.#queueLimit) this.#waiting.push(job);
      else reject(new PoolBusyError(`${this.#queueLimit} renders are waiting`));
    });
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

/** Errors of a thread's death come as they are thrown by the thread's runtime; a task's own errors are passed on. */
function asLoss(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const died = code === 'ERR_WORKER_OUT_OF_MEMORY' || /^worker exited with code/.test(error.message);
  return died ? new WorkerLostError(`a render worker died: ${error.message}`, { cause: error }) : error;
}
