/**
 * Runs the authors' code in processes of its own. The server's thread only hands texts
 * over.
 *
 * Most runs take less than a millisecond, so they share processes: a `shared` process has up to 64 runs and
 * executes them one after the other. A run that does not come to its end there must not hold up the others, and
 * must not take them along when it is ended:
 *
 *  1. A process that has used 50 ms of processor time without a sign of life is slow. Its runs are taken back and
 *     begin again in another one. The slow process gets no more runs. The same happens when a process dies.
 *  2. A run that begins again calls nothing twice: it gets the answers that it got before, and log entries that
 *     were told are not told again. A run whose calls would take too much memory to keep fails instead, and so does
 *     one that calls something else at its second attempt; the error says why.
 *  3. A repeated run is suspect: its result is told before another run begins, so the first one without a result
 *     is the one that was slow or deadly. So is the only one that a process had. That one gets a process for
 *     itself (`alone`).
 *  4. Code that has needed long, or has ended a process, runs alone from the start for ten minutes.
 *  5. A run with a long message (`long`) is alone too. Its process has memory for the message beside that of the
 *     code, and is replaced if the garbage of a run would take that from the next one.
 *  6. A run that is alone ends when it has used `cpuMs` of processor time or `memoryMb` of memory. In all lanes
 *     the server looks from outside; nothing inside a process is asked.
 */
import { LRUCache } from 'lru-cache';
import type { Log } from '../../base/log.ts';
import { PoolBusyError } from '../pool.ts';
import { beginAgain, type Code, canRunAgain, failJob, isRunnable, type Job, newRun } from './jobs.ts';
import {
  type CodeFault,
  type CodeListener,
  type CodeResult,
  type CodeRunner,
  type CodeTask,
  type RunLimits,
  runLimits,
} from './model.ts';
import { SandboxPool } from './sandbox-pool.ts';
import type { Death, SandboxProcess } from './sandbox-process.ts';

export interface SandboxOptions {
  /** Path of the code of a process. */
  readonly filename: string;
  readonly log: Log;
  /** Processes for runs that share. Default: 1. */
  readonly processes?: number;
  readonly limits?: Partial<RunLimits>;
  /** Processor time after which a shared process counts as slow, in milliseconds. */
  readonly patienceMs?: number;
  /** Processes end after this time without a run, in milliseconds, unless runs are expected. */
  readonly idleMs?: number;
  /** Runs that may wait for a process. */
  readonly queueLimit?: number;
  /** Length of the messages that may wait for a process, in UTF-16 units. */
  readonly queueLength?: number;
}

export class Sandbox implements CodeRunner {
  readonly #limits: RunLimits;
  readonly #patienceMs: number;
  readonly #idleMs: number;
  readonly #queueLimit: number;
  readonly #queueLength: number;
  readonly #shared: SandboxPool;
  readonly #alone: SandboxPool;
  readonly #long: SandboxPool;
  readonly #codes = new LRUCache<string, Code>({
    max: 1_000,
    maxSize: 32 * 2 ** 20,
    sizeCalculation: (code) => code.text.length + 1,
  });
  #codesSoFar = 0;
  /** Many runs have the same code as the one before. */
  #lastCode: Code | undefined;
  #looking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #areRunsExpected = false;
  #isClosed = false;

  constructor(options: SandboxOptions) {
    const { filename, log, processes = 1, limits, patienceMs = 50, idleMs = 300_000 } = options;
    this.#limits = { ...runLimits, ...limits };
    this.#patienceMs = patienceMs;
    this.#idleMs = idleMs;
    this.#queueLimit = options.queueLimit ?? 5_000;
    this.#queueLength = options.queueLength ?? 64 * 2 ** 20;
    const lane = { filename, limits: this.#limits, log };
    this.#shared = new SandboxPool({
      ...lane,
      processes,
      jobsAtOnce: 64,
      onDeath: (death) => this.#sharedDied(death),
    });
    this.#alone = new SandboxPool({
      ...lane,
      processes: 2,
      jobsAtOnce: 1,
      onDeath: (death) => this.#aloneDied(death),
    });
    this.#long = new SandboxPool({
      ...lane,
      limits: { ...this.#limits, messageMb: longMessageMb },
      processes: 1,
      jobsAtOnce: 1,
      maxRestMb: longRestMb,
      onDeath: (death) => this.#aloneDied(death),
    });
  }

  get #lanes(): readonly SandboxPool[] {
    return [this.#shared, this.#alone, this.#long];
  }

  run(task: CodeTask): Promise<CodeResult> {
    return new Promise((done, failed) => this.start(task, { done, failed }));
  }

  start(task: CodeTask, listener: CodeListener): void {
    if (task.signal.aborted) throw task.signal.reason;
    const code = this.#codeOf(task.code);
    const isAlone = code.aloneUntil > 0 && code.aloneUntil > performance.now();
    const lane = task.message.length > longMessage ? this.#long : isAlone ? this.#alone : this.#shared;
    this.#add(newRun({ task, code, listener }), lane);
  }

  check(text: string): Promise<CodeFault | undefined> {
    return new Promise((resolve, reject) => {
      this.#add({ kind: 'check', number: 0, text, resolve, reject }, this.#shared);
    });
  }

  /** While runs are expected, the processes that they share do not end for want of work. */
  expectRuns(areExpected: boolean): void {
    this.#areRunsExpected = areExpected;
    if (this.#isClosed) return;
    if (areExpected) this.#shared.warmUp();
    else if (this.#looking === undefined) this.#planRest();
  }

  /** Ends all processes; running jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    clearTimeout(this.#resting);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** @throws PoolBusyError */
  #add(job: Job, lane: SandboxPool): void {
    if (this.#isClosed) throw new Error('the sandbox is closed');
    const { length, textLength } = lane.waiting;
    if (length >= this.#queueLimit || textLength >= this.#queueLength)
      throw new PoolBusyError(`${length} runs with ${textLength} characters are waiting`);
    lane.add(job);
    if (this.#looking !== undefined) return;
    clearTimeout(this.#resting);
    this.#looking = setInterval(() => this.#look(), lookMs).unref();
  }

  #codeOf(text: string): Code {
    if (this.#lastCode?.text === text) return this.#lastCode;
    let code = this.#codes.get(text);
    if (code === undefined) {
      this.#codesSoFar += 1;
      code = { id: this.#codesSoFar, text, aloneUntil: 0 };
      this.#codes.set(text, code);
    }
    this.#lastCode = code;
    return code;
  }

  #look(): void {
    for (const lane of this.#lanes) {
      for (const job of lane.takeWaiting(isAborted)) rejectAborted(job);
      for (const process of lane.processes) if (process.size > 0) this.#lookAt(process, lane);
      lane.startWaiting();
    }
    if (!this.#lanes.every(({ isIdle }) => isIdle)) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#planRest();
  }

  #planRest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      if (!this.#areRunsExpected) this.#shared.rest();
      this.#alone.rest();
      this.#long.rest();
    }, this.#idleMs).unref();
  }

  #lookAt(process: SandboxProcess, lane: SandboxPool): void {
    const isAlone = lane !== this.#shared;
    const { isBusy } = process;
    const aborted = process.takeBack(isAborted);
    for (const job of aborted) rejectAborted(job);
    // The run may be in a loop that nobody would look at any more.
    if (isBusy && aborted.length > 0) {
      if (isAlone) process.end('its run was cancelled');
      else this.#passOver(process);
    }
    if (!process.isBusy && !process.isLeaving) return;
    const { cpuMs, residentMb, waitedMs } = process.look();
    const { cpuMs: longest, memoryMb } = this.#limits;
    const messageMb = lane === this.#long ? longResidentMb : 0;
    if (residentMb > memoryMb * residentFactor + baseMb + messageMb) process.endForMemory();
    else if (cpuMs >= longest || (process.isBusy && waitedMs >= longest * waitFactor))
      process.end(`the code did not come to its end within ${longest / 1000} s of processor time`);
    else if (!isAlone && cpuMs >= this.#patienceMs && !process.isLeaving) this.#passOver(process);
    else if (isAlone && cpuMs >= this.#patienceMs) {
      this.#noteSlow(process.jobs);
      process.lowerPriority();
    }
  }

  /** Lets the other runs of a slow process go on elsewhere. */
  #passOver(process: SandboxProcess): void {
    const jobs = [...process.jobs];
    process.takeBack(canRunAgain);
    if (!process.isLeaving) this.#shared.replace(process);
    this.#runAgain(jobs);
  }

  /** @param jobs all jobs of a shared process, in the order in which it got them */
  #runAgain(jobs: readonly Job[]): void {
    const [first, ...others] = jobs.filter(isRunnable);
    const isFound = first?.kind === 'run' && (first.isSuspect || others.length === 0);
    const again: Job[] = [];
    for (const job of jobs) {
      if (!canRunAgain(job)) continue;
      beginAgain(job);
      if (job.kind === 'check' || (isFound && job === first)) this.#alone.add(job);
      else {
        job.isSuspect = true;
        again.push(job);
      }
    }
    this.#shared.addFirst(again);
  }

  #noteSlow(jobs: Iterable<Job>): void {
    for (const job of jobs) if (job.kind === 'run') job.code.aloneUntil = performance.now() + aloneMs;
  }

  #sharedDied({ jobs, reason }: Death): void {
    for (const job of jobs)
      if (this.#isClosed || !canRunAgain(job))
        failJob(job, isRunnable(job) ? reason : `another run ended the process of the code: ${reason}`);
    if (!this.#isClosed) this.#runAgain(jobs);
  }

  #aloneDied({ jobs, reason }: Death): void {
    this.#noteSlow(jobs);
    for (const job of jobs) failJob(job, reason);
  }
}

/** How often the server looks at processes with jobs, in milliseconds. */
const lookMs = 25;

/** A longer message may need much memory; its run gets a process for itself. In UTF-16 units. */
const longMessage = 512 * 1024;

/**
 * Memory for a message in the isolate, in MB. An input has its body twice in the message, 20 MB of text. Its values
 * take up to 12 times the text (objects with names of their own), the result is a text of the same length twice.
 */
const longMessageMb = 320;
/** The same in the whole process, which also has the packets. */
const longResidentMb = 416;
/** What a process may hold before it gets a long message: a new one has 60 MB. */
const longRestMb = 160;

/** How long code that was slow runs alone, in milliseconds. */
const aloneMs = 600_000;

/** Memory of a process beside its isolate, in MB; and how much more than its limit an isolate holds at worst. */
const baseMb = 96;
const residentFactor = 2;

/**
 * Times the processor time after which a run is ended that gives no sign, whatever it has used: for systems that do
 * not tell the use of a process, and for processors with too much to do.
 */
const waitFactor = 6;

function isAborted(job: Job): boolean {
  return job.kind === 'run' && job.task.signal.aborted;
}

function rejectAborted(job: Job): void {
  if (job.kind === 'run') job.listener.failed(job.task.signal.reason);
}
