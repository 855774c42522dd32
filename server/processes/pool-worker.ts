/**
 * One worker of a pool, whatever it runs in.
 *
 *  1. It runs its tasks one after the other, so answers need no number. A task behind the running one waits in the
 *     worker, which need not sleep between the two.
 *  2. A task is settled exactly once: by its answer, or by the death of the worker.
 *  3. The clock of a task starts when it runs. The clock and the watch over memory end the worker, and with it the
 *     running task; those behind it were not started.
 */
import type { TaskAnswer } from '../../runtime/tasks/messages/index.ts';
import type { Log } from '../base/log.ts';

export interface PoolWorkerOptions {
  /** Path of the code to run; it calls `serveTasks`. */
  readonly filename: string;
  /** What a task is called in messages, with its article. */
  readonly jobName: string;
  /** JSON that the worker gets as its argument. */
  readonly settings: unknown;
  /** Memory of the worker in MB. */
  readonly maxMemoryMb: number;
  /** Flags of Node.js besides those that all processes have; a thread has those of its process. */
  readonly moreFlags: readonly string[];
  /** Longest time of one task, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Log;
  /** Called once. @param wasReady whether the worker had loaded its code before it died */
  readonly onDeath: (worker: PoolWorker, wasReady: boolean) => void;
}

/** The worker of a task is gone; the message says why. */
export class WorkerLostError extends Error {}

/** The worker died before it ran the task, which another one can do. */
export class TaskNotStarted extends Error {}

export interface WorkerDeath {
  readonly reason: string;
  /** Whether it had loaded its code. */
  readonly wasReady: boolean;
  /** Whether it was ended from here. */
  readonly wasEnded: boolean;
}

export abstract class PoolWorker {
  protected readonly options: PoolWorkerOptions;
  /** The first one runs. */
  readonly #tasks: SentTask[] = [];

  constructor(options: PoolWorkerOptions) {
    this.options = options;
  }

  /** Ends the worker at once; the first reason counts. A running task fails with it when the worker is gone. */
  abstract end(reason: string): void;
  /** Sends a task to the worker, which answers with `take`. */
  protected abstract post(task: object): void;
  /** Ends the worker if it has more memory than it may have; undefined where nothing tells. */
  protected checkMemory?(): void;

  /** Tasks that it has, the running one too. */
  get load(): number {
    return this.#tasks.length;
  }

  /**
   * Runs a task when those before it are done.
   *
   * @throws WorkerLostError, TaskNotStarted, or the error of the task with its message and stack
   */
  run(task: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.post(task);
      this.#tasks.push({ resolve, reject, stopClocks: undefined });
      if (this.#tasks.length === 1) this.#startClocks();
    });
  }

  protected take(answer: Exclude<TaskAnswer, { kind: 'ready' }>): void {
    const task = this.#settle();
    this.#startClocks();
    if (answer.kind === 'result') task?.resolve(answer.result);
    else task?.reject(taskError(answer.message, answer.stack));
  }

  /** To be called once, when the worker is gone. */
  protected die({ reason, wasReady, wasEnded }: WorkerDeath): void {
    const { log, onDeath } = this.options;
    const running = this.#settle();
    if (running !== undefined) running.reject(new WorkerLostError(reason));
    else if (!wasEnded) log.error({ reason }, 'an idle worker died');
    for (const task of this.#tasks.splice(0)) task.reject(new TaskNotStarted(reason));
    onDeath(this, wasReady);
  }

  #startClocks(): void {
    const running = this.#tasks[0];
    if (running === undefined) return;
    const { timeoutMs, jobName } = this.options;
    const overdue = setTimeout(
      () => this.end(`${jobName} took over ${timeoutMs} ms and was ended`),
      timeoutMs,
    );
    const watch = this.checkMemory && setInterval(() => this.checkMemory?.(), memoryCheckMs);
    running.stopClocks = () => {
      clearTimeout(overdue);
      clearInterval(watch);
    };
  }

  #settle(): SentTask | undefined {
    const task = this.#tasks.shift();
    task?.stopClocks?.();
    return task;
  }
}

interface SentTask {
  resolve(result: unknown): void;
  reject(error: Error): void;
  /** Undefined before it runs. */
  stopClocks: (() => void) | undefined;
}

/** A worker can fill some MB in a millisecond; most renders end before the first look. */
const memoryCheckMs = 25;

function taskError(message: string, stack: string | undefined): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
