/**
 * One process that runs the authors' code, seen from the server.
 *
 *  1. A job belongs to one process at a time. What a process says about a job that it has no longer is ignored.
 *  2. The process dies by its own crash or by `end`, always at once. It never ends a job itself: `onDeath` gets
 *     the jobs that it had.
 */
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { lowerPriority } from '../../../runtime/tasks/low-priority.ts';
import type { Log } from '../../base/log.ts';
import { SlotSet } from '../../base/slot-set.ts';
import { commonFlags, type ProcessDeath, SupervisedProcess } from '../supervised-process.ts';
import { findProcessUsage, type ProcessUsage } from '../usage.ts';
import { type CheckJob, callOnce, isRunnable, type Job, type RunJob, tellLogs } from './jobs.ts';
import type { CodeFault, RunLimits } from './model.ts';
import { Outbox } from './outbox.ts';
import {
  atOnce,
  type CheckedPacket,
  logLevels,
  PacketReader,
  ReceivedRecords,
  type RecordToServer,
  toProcess,
  toServer,
} from './packets.ts';

export interface SandboxProcessOptions {
  /** Path of the code of the process, child.ts or its bundle. */
  readonly filename: string;
  readonly limits: RunLimits;
  /** Whether its one job has it for itself. */
  readonly isForOne: boolean;
  readonly log: Log;
  readonly onReady: (process: SandboxProcess) => void;
  /** A job is done. */
  readonly onFree: (process: SandboxProcess) => void;
  /** Called once, when the process is gone. */
  readonly onDeath: (process: SandboxProcess, death: Death) => void;
}

export interface Death {
  readonly jobs: readonly Job[];
  readonly reason: string;
  readonly wasReady: boolean;
}

export class SandboxProcess {
  readonly #options: SandboxProcessOptions;
  readonly #process: SupervisedProcess;
  readonly #channel: Duplex;
  readonly #outbox: Outbox;
  readonly #reader = new PacketReader();
  readonly #jobs = new SlotSet<Job>();
  #runs = 0;
  /** Set when it gets no more jobs. */
  isLeaving = false;

  /**
   * Its processor time when it last gave a sign, or when its job began if that has it for itself; undefined: to be
   * measured at the next look.
   */
  #cpuAtSign: number | undefined;
  /** When it last gave a sign or got an answer; undefined: to be measured at the next look. */
  #signAt: number | undefined;

  constructor(options: SandboxProcessOptions) {
    this.#options = options;
    const { limits, log } = options;
    const child = spawn(process.execPath, [...nodeFlags, options.filename, JSON.stringify(limits)], {
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#process = new SupervisedProcess(child, {
      jobName: 'the code',
      logName: 'a sandbox process',
      maxMemoryMb: limits.memoryMb,
      log,
      onDeath: (death) => this.#died(death),
    });
    const channel = child.stdio[3];
    if (!(channel instanceof Duplex)) throw new Error('a sandbox process has no channel');
    this.#channel = channel;
    this.#outbox = new Outbox((bytes) => {
      if (!this.#process.isEnding) channel.write(bytes);
    });
    channel.on('data', (piece: Buffer) => this.#receive(piece));
    // A process that cannot be reached is useless, and most often dead already.
    channel.on('error', () => child.kill('SIGKILL'));
  }

  get isReady(): boolean {
    return this.#process.isReady;
  }

  /** In the order in which it got them. */
  get jobs(): readonly Job[] {
    return [...this.#jobs].sort((left, right) => left.number - right.number);
  }

  /** Number of jobs that it has. */
  get size(): number {
    return this.#jobs.size;
  }

  run(job: RunJob): void {
    this.#take(job);
    const { message, params, outputs } = job.task;
    const told = this.#options.isForOne ? atOnce.log : job.isSuspect ? atOnce.result : atOnce.nothing;
    const lengths = `${message.length},${params?.length ?? -1}`;
    this.#outbox.addCode(job.code);
    this.#outbox.addRecord(
      `[${toProcess.start},${job.number},${job.code.id},${outputs},${told},${lengths}]`,
      params === undefined ? message : message + params,
    );
  }

  check(job: CheckJob): void {
    this.#take(job);
    this.#outbox.addCheck(job.number, job.text);
  }

  #take(job: Job): void {
    if (this.#jobs.size === 0) {
      this.#cpuAtSign = undefined;
      this.#signAt = undefined;
    }
    this.#runs += 1;
    job.number = this.#runs * maxJobs + this.#jobs.add(job);
  }

  #jobOf(number: number): Job | undefined {
    const job = this.#jobs.at(number % maxJobs);
    return job?.number === number ? job : undefined;
  }

  #remove(job: Job): void {
    this.#jobs.remove(job.number % maxJobs, job);
  }

  /** Takes back the jobs that fulfil a condition; what they still do counts no more. */
  takeBack(isWanted: (job: Job) => boolean): Job[] {
    const taken: Job[] = [];
    for (const job of this.jobs) {
      if (!isWanted(job)) continue;
      this.#remove(job);
      taken.push(job);
      this.#outbox.addRecord(`[${toProcess.forget},${job.number}]`);
    }
    return taken;
  }

  /** Whether a job may be using processor time now. */
  get isBusy(): boolean {
    for (const job of this.#jobs) if (isRunnable(job)) return true;
    return false;
  }

  /** What it has used since its last sign, or since its job began if that has it for itself. */
  look(): ProcessUsage & { readonly waitedMs: number } {
    const at = performance.now();
    const usage = findProcessUsage(this.#process.pid);
    this.#signAt ??= at;
    this.#cpuAtSign ??= usage?.cpuMs ?? 0;
    const waitedMs = at - this.#signAt;
    const cpuMs = usage === undefined ? waitedMs : usage.cpuMs - this.#cpuAtSign;
    return { residentMb: usage?.residentMb ?? 0, cpuMs, waitedMs };
  }

  /** For code that takes long, so that pages do not wait for it. */
  lowerPriority(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      lowerPriority(pid);
    } catch {
      // The process is gone already; its exit is reported.
    }
  }

  /** Ends the process at once. */
  end(reason: string): void {
    this.isLeaving = true;
    this.#process.end(reason);
  }

  endForMemory(): void {
    this.isLeaving = true;
    this.#process.endForMemory();
  }

  #receive(piece: Buffer): void {
    this.#signAt = undefined;
    if (!this.#options.isForOne) this.#cpuAtSign = undefined;
    try {
      for (const packet of this.#reader.read(piece)) {
        if (packet[0] === 'R') this.#takeRecords(packet);
        else this.#takeChecked(JSON.parse(packet.slice(1)));
      }
    } catch (error) {
      this.end(`a sandbox process sent something that cannot be read: ${error}`);
    }
  }

  #takeRecords(packet: string): void {
    const received = new ReceivedRecords(packet);
    for (const record of received.records) {
      const job = this.#jobOf(record[1]);
      this.#takeRecord(record, received, job?.kind === 'run' ? job : undefined);
    }
  }

  /** Reads the texts of a record even if its job is gone, because others follow them. */
  #takeRecord(record: RecordToServer, received: ReceivedRecords, job: RunJob | undefined): void {
    const [kind] = record;
    if (kind === toServer.done) {
      const outputs = received.nextLists(record[2]);
      const message = record[3] < 0 ? undefined : received.next(record[3]);
      if (job === undefined) return;
      this.#remove(job);
      tellLogs(job);
      job.listener.done(
        message === undefined ? { outputs } : { outputs, error: errorOf(message, record[4], record[5]) },
      );
      this.#options.onFree(this);
    } else if (kind === toServer.call) {
      const name = received.next(record[3]);
      const args = received.next(record[4]);
      if (job !== undefined) this.#answerCall(job, record[2], name, args);
    } else {
      const level = logLevels[record[2]] ?? 'log';
      const text = received.next(record[3]);
      if (job === undefined) return;
      job.logs.push({ level, text });
      if (this.#options.isForOne) tellLogs(job);
    }
  }

  async #answerCall(job: RunJob, call: number, name: string, args: string): Promise<void> {
    const run = job.number;
    tellLogs(job);
    job.openCalls += 1;
    let head: string;
    let text: string;
    try {
      const result = await callOnce(job, call, name, args);
      text = result ?? '';
      head = `[${toProcess.answer},${run},${call},1,${result === undefined ? -1 : text.length}]`;
    } catch (error) {
      text = error instanceof Error ? error.message : String(error);
      head = `[${toProcess.answer},${run},${call},0,${text.length}]`;
    }
    if (this.#jobOf(run) !== job) return;
    job.openCalls -= 1;
    this.#signAt = undefined;
    this.#outbox.addRecord(head, text);
  }

  #takeChecked(checked: CheckedPacket): void {
    if (!this.#process.isReady) {
      this.#process.isReady = true;
      this.#options.onReady(this);
    }
    for (const [check, fault] of checked) {
      const job = this.#jobOf(check);
      if (job?.kind !== 'check') continue;
      this.#remove(job);
      job.resolve(fault ?? undefined);
      this.#options.onFree(this);
    }
  }

  #died({ reason, wasReady }: ProcessDeath): void {
    this.isLeaving = true;
    const { jobs } = this;
    for (const job of jobs) this.#remove(job);
    this.#channel.destroy();
    this.#options.onDeath(this, { jobs, reason, wasReady });
  }
}

/** More jobs than a process has at once. The number of a job is its turn times this, and its slot. */
const maxJobs = 128;

/** Node's snapshot does not go together with further isolates. */
const nodeFlags = ['--no-node-snapshot', ...commonFlags];

function errorOf(message: string, line: number, column: number): CodeFault | { message: string } {
  return line === 0 ? { message } : { message, line, column };
}
