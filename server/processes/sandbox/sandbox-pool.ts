import type { Log } from '../../base/log.ts';
import { failJob, type Job } from './jobs.ts';
import type { RunLimits } from './model.ts';
import { type Death, SandboxProcess } from './sandbox-process.ts';

export interface LaneOptions {
  readonly filename: string;
  readonly limits: RunLimits;
  /** Processes that take jobs. */
  readonly processes: number;
  /** Jobs of one process at the same time. One job has its process for itself. */
  readonly jobsAtOnce: number;
  /** A process that holds more memory when its job is done is replaced, in MB. */
  readonly maxRestMb?: number;
  readonly log: Log;
  /** What becomes of the jobs of a process that died. */
  readonly onDeath: (death: Death) => void;
}

/**
 * Processes of the same sort, and the jobs that wait for them in order of arrival.
 *
 * A process that dies is replaced at once if it had been ready or if jobs wait; a process that cannot start is
 * not started without end, the waiting jobs fail instead.
 */
export class SandboxPool {
  readonly #options: LaneOptions;
  readonly #processes = new Set<SandboxProcess>();
  readonly #waiting = new JobQueue();
  /** Whether a process that dies is replaced although no job waits. */
  #isStandingBy = false;
  #isClosed = false;
  #whenEmpty: () => void = () => {};

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Processes that run now, including those that get no more jobs. */
  get processes(): ReadonlySet<SandboxProcess> {
    return this.#processes;
  }

  /** The jobs that wait for a process. */
  get waiting(): Pick<JobQueue, 'length' | 'textLength'> {
    return this.#waiting;
  }

  /** Whether it has no job. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && ![...this.#processes].some(({ size }) => size > 0);
  }

  /** Starts the processes, if they do not run. */
  warmUp(): void {
    this.#isStandingBy = this.#options.jobsAtOnce > 1;
    while (this.#takers().length < this.#options.processes) this.#open();
  }

  add(job: Job): void {
    if (this.#waiting.length === 0 && this.#place(job)) return;
    this.#waiting.add(job);
    const isShared = this.#options.jobsAtOnce > 1;
    if (isShared) this.warmUp();
    else if (this.#takers().length < this.#options.processes) this.#open();
  }

  /** Lets jobs wait before all others. */
  addFirst(jobs: readonly Job[]): void {
    this.#waiting.addFirst(jobs);
    this.startWaiting();
    if (this.#waiting.length > 0) this.warmUp();
  }

  /** The waiting jobs that fulfil a condition; they wait no more. */
  takeWaiting(isWanted: (job: Job) => boolean): Job[] {
    return this.#waiting.take(isWanted);
  }

  /** Gives waiting jobs to processes that are free. */
  startWaiting(): void {
    for (;;) {
      const { first } = this.#waiting;
      if (first === undefined || !this.#place(first)) return;
      this.#waiting.removeFirst();
    }
  }

  /** Gives no more jobs to a process and lets another take its place. It ends when it has no job left. */
  replace(process: SandboxProcess): void {
    process.isLeaving = true;
    if (process.size === 0) process.end('it was replaced');
    this.warmUp();
  }

  /** Ends the processes, which have no jobs. */
  rest(): void {
    this.#isStandingBy = false;
    for (const process of this.#processes) process.end('it had nothing to do');
  }

  /** Resolves when all processes are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.takeWaiting(() => true)) failJob(job, 'the sandbox was closed');
    if (this.#processes.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenEmpty = resolve;
    for (const process of this.#processes) process.end('the sandbox was closed');
    await promise;
  }

  #takers(): SandboxProcess[] {
    return [...this.#processes].filter(({ isLeaving }) => !isLeaving);
  }

  /** Gives the job to the process with the fewest jobs; false if all have enough. */
  #place(job: Job): boolean {
    let best: SandboxProcess | undefined;
    for (const process of this.#processes) {
      const isFree = process.isReady && !process.isLeaving && process.size < this.#options.jobsAtOnce;
      if (isFree && (best === undefined || process.size < best.size)) best = process;
    }
    if (best === undefined) return false;
    if (job.kind === 'run') best.run(job);
    else best.check(job);
    return true;
  }

  #open(): void {
    const { filename, limits, jobsAtOnce, log } = this.#options;
    const process = new SandboxProcess({
      filename,
      limits,
      isForOne: jobsAtOnce === 1,
      log,
      onReady: () => this.startWaiting(),
      onFree: (free) => this.#jobDone(free),
      onDeath: (dead, death) => this.#died(dead, death),
    });
    this.#processes.add(process);
  }

  #jobDone(process: SandboxProcess): void {
    const { maxRestMb = Infinity } = this.#options;
    if (maxRestMb < Infinity && process.look().residentMb > maxRestMb) process.isLeaving = true;
    if (process.isLeaving) {
      if (process.size === 0) process.end('it was replaced');
    } else if (this.#waiting.length > 0) this.startWaiting();
  }

  #died(dead: SandboxProcess, death: Death): void {
    this.#processes.delete(dead);
    this.#options.onDeath(death);
    if (this.#isClosed) {
      if (this.#processes.size === 0) this.#whenEmpty();
      return;
    }
    if (!death.wasReady) {
      this.#options.log.error({ reason: death.reason }, 'a sandbox process could not start');
      for (const job of this.takeWaiting(() => true)) failJob(job, 'the sandbox cannot start');
    } else if (this.#waiting.length > 0 || this.#isStandingBy) this.warmUp();
  }
}

/** Jobs that wait, in order, and how long their texts are together. */
export class JobQueue {
  #jobs: Job[] = [];
  #textLength = 0;

  get length(): number {
    return this.#jobs.length;
  }

  /** In UTF-16 units. */
  get textLength(): number {
    return this.#textLength;
  }

  get first(): Job | undefined {
    return this.#jobs[0];
  }

  add(job: Job): void {
    this.#jobs.push(job);
    this.#textLength += textLengthOf(job);
  }

  addFirst(jobs: readonly Job[]): void {
    this.#jobs.unshift(...jobs);
    for (const job of jobs) this.#textLength += textLengthOf(job);
  }

  removeFirst(): void {
    const job = this.#jobs.shift();
    if (job !== undefined) this.#textLength -= textLengthOf(job);
  }

  /** Removes the jobs that fulfil a condition, and returns them. */
  take(isWanted: (job: Job) => boolean): Job[] {
    const taken = this.#jobs.filter(isWanted);
    if (taken.length === 0) return taken;
    this.#jobs = this.#jobs.filter((job) => !isWanted(job));
    for (const job of taken) this.#textLength -= textLengthOf(job);
    return taken;
  }
}

/** The code of a run is shared by all its runs. */
function textLengthOf(job: Job): number {
  return job.kind === 'check' ? job.text.length : job.task.message.length + (job.task.params?.length ?? 0);
}
