/**
 * A pool of processes for one sort of work, used by the main thread: pages are rendered in one, images are made in
 * another, so that neither waits for the other. It counts its tasks.
 *
 * A job is `waiting` (in `#waiting`, in order of arrival), `running`, or `ahead`: in a process behind its running one,
 * so that the process goes on without a pause. Invariants:
 *
 *  1. There are at most `workers` processes. Each runs one job; the time of a job starts when it runs. With
 *     `sendsAhead`, each has at most one more, and only while all processes run one and jobs are short.
 *  2. At most `queueLimit` jobs wait; the next job is refused with PoolBusyError.
 *  3. A job that takes too long or too much memory is ended together with its process (worker-process.ts).
 *     The engine's own limits end a render earlier; these limits are for work that they do not measure.
 *  4. When a process dies, only its own job fails, and another process takes its place: at once, or, if it
 *     died before it had loaded its code, with the next job. So a process that cannot start is not started
 *     without end.
 *  5. A pool with `idleMs` starts no process before its first job, and ends those that had no job for that long.
 *  6. No process is idle while a job is ahead, and none takes a newer job before one that is ahead for 50 ms: it
 *     takes that job over, and what the other process answers later is dropped. A job is taken over once at most.
 *  7. Every job is settled exactly once. Closing the pool rejects all waiting and running jobs.
 */
import type { OutsideAnswer, OutsideRequest } from '../../runtime/content/source-data.ts';
import type { Task, TaskResults } from '../../runtime/tasks/messages/index.ts';
import type { NeedsSources } from '../../runtime/tasks/messages/sources.ts';
import { findContentOverlay } from '../base/content-overlay.ts';
import { busy } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type AheadJob, JobsAhead } from './jobs-ahead.ts';
import { type PoolWorker, TaskNotStarted, WorkerLostError } from './pool-worker.ts';
import { type TaskFigures, TaskMeter, type TaskOutcome } from './task-meter.ts';
import { WorkerProcess } from './worker-process.ts';
import { WorkerThread } from './worker-thread.ts';

export interface PoolOptions {
  /** Path of the code of a process. */
  readonly filename: string;
  /** What its workers run in. Default: `process`. */
  readonly workerKind?: WorkerKind;
  /** What a job is called in messages, with its article; default: `a render`. */
  readonly jobName?: string;
  /** Settings for each process, as JSON. */
  readonly settings: unknown;
  readonly workers: number;
  /** Longest time of one job, in milliseconds. */
  readonly timeoutMs?: number;
  readonly queueLimit?: number;
  /** Memory of one process in MB. After a render of the demo website it is about 100. */
  readonly maxMemoryMb?: number;
  /** Flags of Node.js besides those that all processes have. Default: none. */
  readonly moreFlags?: readonly string[];
  /** Whether a process gets its next job before it has answered the last one. Default: no. */
  readonly sendsAhead?: boolean;
  /** Processes are started by need, and ended after this time without a job, in milliseconds. */
  readonly idleMs?: number;
  /**
   * Answers what a task needs of REST sources and workflows: a process reaches nothing but content, so the task ends
   * with its requests, and runs again with the answers. Without it no task asks.
   */
  readonly askOutside?: AskOutside;
  readonly log: Log;
}

const workerKinds = { process: WorkerProcess, thread: WorkerThread } as const;
export type WorkerKind = keyof typeof workerKinds;

export type AskOutside = (request: OutsideRequest) => Promise<OutsideAnswer>;

/** The queue is full. The caller can try again later. */
export class PoolBusyError extends Error {
  readonly retryAfterSeconds = 1;
}

/** @typeParam AnyTask the tasks of the processes, by `kind` @typeParam Results the result of each kind */
export class Pool<AnyTask extends { readonly kind: string } = Task, Results extends object = TaskResults> {
  readonly #options: PoolOptions;
  readonly #queueLimit: number;
  /** Each process with its lane. */
  readonly #processes = new Map<PoolWorker, number>();
  #idle: PoolWorker[] = [];
  #waiting: Job<AnyTask>[] = [];
  readonly #ahead = new JobsAhead<Job<AnyTask>>();
  readonly #endings = new Map<PoolWorker, NodeJS.Timeout>();
  readonly #meter = new TaskMeter();
  #closed = false;
  #whenEmpty: () => void = () => {};

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#queueLimit = options.queueLimit ?? 512;
    if (options.idleMs !== undefined) return;
    while (this.#processes.size < options.workers) this.#idle.push(this.#open());
  }

  /** Whether jobs are waiting for a process. */
  get hasQueue(): boolean {
    return this.#waiting.length > 0 || !this.#ahead.isEmpty;
  }

  /** Most processes at the same time. */
  get workers(): number {
    return this.#options.workers;
  }

  /** Number of processes that run now. */
  get size(): number {
    return this.#processes.size;
  }

  /** Tasks that wait or run. */
  get unfinished(): number {
    return this.#meter.unfinished;
  }

  figures(): TaskFigures[] {
    return this.#meter.figures();
  }

  /**
   * @param lane number of the process, from 0 on, that should do it because it has done the like before; another one
   *   does it if that one is busy and nothing else waits
   * @throws PoolBusyError, WorkerLostError, or the error of the task
   */
  async run<T extends AnyTask>(task: T, lane?: number): Promise<ResultOf<Results, T>> {
    const end = this.#meter.begin(task.kind);
    try {
      const { askOutside } = this.#options;
      const result = await (askOutside === undefined
        ? this.#runOnce(task, lane)
        : this.#runAsking(task, lane, askOutside));
      end('done');
      // Type boundary: the process answers exactly this task, but a channel does not keep types.
      return result as ResultOf<Results, T>;
    } catch (error) {
      end(outcomeOf(error));
      throw error;
    }
  }

  /** Runs a task until it has all answers that it needs. */
  async #runAsking(task: AnyTask, lane: number | undefined, ask: AskOutside): Promise<unknown> {
    const sources: OutsideAnswer[] = [];
    for (;;) {
      const result = await this.#runOnce(sources.length === 0 ? task : { ...task, sources }, lane);
      if (!needsSources(result)) return result;
      if (sources.length >= maxSources)
        throw new Error(`a page asks more than ${maxSources} sources and workflows`);
      sources.push(...(await Promise.all(result.requests.map((request) => ask(request)))));
    }
  }

  #runOnce(task: AnyTask, lane: number | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new WorkerLostError('the pool is closed'));
        return;
      }
      const job: Job<AnyTask> = {
        task: addOverlay(task),
        lane,
        worker: undefined,
        sentAt: 0,
        resolve,
        reject,
      };
      const process = this.#freeProcess(lane);
      const busy = process ?? this.#processForNext();
      if (process !== undefined) this.#start(job, process);
      else if (busy !== undefined) this.#sendAhead(job, busy);
      else if (this.#waiting.length < this.#queueLimit) this.#waiting.push(job);
      else reject(new PoolBusyError(`${this.#queueLimit} jobs are waiting`));
    });
  }

  /** Like `run`, for handlers of the API. @throws ApiError `common.busy` */
  async request<T extends AnyTask>(task: T): Promise<ResultOf<Results, T>> {
    try {
      return await this.run(task);
    } catch (error) {
      if (!(error instanceof PoolBusyError)) throw error;
      throw busy(error.retryAfterSeconds, error);
    }
  }

  /** Resolves when all processes are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const job of waiting) job.reject(new WorkerLostError('the pool was closed'));
    if (this.#processes.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenEmpty = resolve;
    for (const process of this.#processes.keys()) process.end('the pool was closed');
    await promise;
  }

  #open(): PoolWorker {
    const { filename, settings, maxMemoryMb = 640, timeoutMs = 15_000, log } = this.#options;
    const { jobName = 'a render', moreFlags = [], workerKind = 'process' } = this.#options;
    const process = new workerKinds[workerKind]({
      filename,
      settings,
      jobName,
      maxMemoryMb,
      moreFlags,
      timeoutMs,
      log,
      onDeath: (dead, wasReady) => this.#replace(dead, wasReady),
    });
    const taken = new Set(this.#processes.values());
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    this.#processes.set(process, lane);
    return process;
  }

  #freeProcess(lane: number | undefined): PoolWorker | undefined {
    const idle = this.#idle.findLast((process) => this.#processes.get(process) === lane) ?? this.#idle.at(-1);
    if (idle !== undefined) {
      this.#idle = this.#idle.filter((process) => process !== idle);
      clearTimeout(this.#endings.get(idle));
      this.#endings.delete(idle);
      return idle;
    }
    return this.#processes.size < this.#options.workers ? this.#open() : undefined;
  }

  /** A job that is stuck; else the one that has waited longest of those for this process, else of all. */
  #nextFor(process: PoolWorker): Job<AnyTask> | undefined {
    const stuck = this.#ahead.takeStuck();
    if (stuck !== undefined) return stuck;
    const lane = this.#processes.get(process);
    const index = this.#waiting.findIndex((job) => job.lane === undefined || job.lane === lane);
    return this.#waiting.splice(Math.max(0, index), 1)[0];
  }

  /** A process without a next job, if jobs are sent ahead. */
  #processForNext(): PoolWorker | undefined {
    if (this.#options.sendsAhead !== true || !this.#ahead.areShort) return undefined;
    for (const process of this.#processes.keys()) if (process.load === 1) return process;
    return undefined;
  }

  #sendAhead(job: Job<AnyTask>, process: PoolWorker): void {
    this.#ahead.add(job);
    this.#start(job, process);
  }

  async #start(job: Job<AnyTask>, process: PoolWorker): Promise<void> {
    job.worker = process;
    job.sentAt = performance.now();
    try {
      const result = await process.run(job.task);
      this.#ahead.noteDone(job);
      if (job.worker === process) job.resolve(result);
    } catch (error) {
      if (job.worker === process) this.#fail(job, error);
    }
    if (this.#processes.has(process)) this.#release(process);
  }

  #fail(job: Job<AnyTask>, error: unknown): void {
    if (!(error instanceof TaskNotStarted)) {
      job.reject(error);
      return;
    }
    this.#ahead.remove(job);
    if (this.#closed) {
      job.reject(new WorkerLostError('the pool was closed'));
      return;
    }
    const process = this.#freeProcess(job.lane);
    if (process !== undefined) this.#start(job, process);
    else this.#waiting.unshift(job);
  }

  /** One of its jobs is done. */
  #release(process: PoolWorker): void {
    this.#ahead.runNextOf(process);
    if (process.load > 0) {
      const job = this.#ahead.areShort ? this.#nextFor(process) : undefined;
      if (job !== undefined) this.#sendAhead(job, process);
      return;
    }
    const next = this.#nextFor(process) ?? this.#ahead.takeFirst();
    if (next !== undefined) {
      this.#start(next, process);
      return;
    }
    this.#idle.push(process);
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    const end = (): void => {
      this.#idle = this.#idle.filter((idle) => idle !== process);
      this.#endings.delete(process);
      process.end('it had nothing to do');
    };
    this.#endings.set(process, setTimeout(end, idleMs).unref());
  }

  #replace(dead: PoolWorker, wasReady: boolean): void {
    this.#processes.delete(dead);
    this.#idle = this.#idle.filter((process) => process !== dead);
    clearTimeout(this.#endings.get(dead));
    this.#endings.delete(dead);
    const isWanted = wasReady && this.#options.idleMs === undefined;
    if (this.#closed) {
      if (this.#processes.size === 0) this.#whenEmpty();
    } else if (isWanted || this.#waiting.length > 0) {
      this.#release(this.#open());
    }
  }
}

/** The task with what lies over content for whoever wants it. */
function addOverlay<AnyTask extends { readonly kind: string }>(task: AnyTask): AnyTask {
  const overlay = findContentOverlay();
  if (overlay === undefined) return task;
  const { file: overlayFile, limits } = overlay;
  const views = limits?.rendering[task.kind];
  return {
    ...task,
    ...(overlayFile === undefined ? {} : { overlayFile }),
    ...(views === undefined ? {} : { views }),
  };
}

/** Sources and workflows that one task may ask. */
const maxSources = 50;

function needsSources(result: unknown): result is NeedsSources {
  return typeof result === 'object' && result !== null && Reflect.get(result, 'kind') === 'needs-sources';
}

function outcomeOf(error: unknown): TaskOutcome {
  if (error instanceof PoolBusyError) return 'refused';
  return error instanceof WorkerLostError ? 'lost' : 'failed';
}

type ResultOf<Results, T extends { readonly kind: string }> = Results[T['kind'] & keyof Results];

interface Job<AnyTask> extends AheadJob {
  readonly task: AnyTask;
  readonly lane: number | undefined;
  worker: PoolWorker | undefined;
  sentAt: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}
