/**
 * One child process, as processes of pools and of the sandbox share it: its start, its memory and its death.
 *
 *  1. It dies by its own crash or by `end`, always at once. `onDeath` is called once, with the reason.
 *  2. Its memory is watched from here, and nothing inside is asked. V8 has a limit of its own, which ends the process at
 *     a single allocation that is too large, and on systems that do not tell the memory of a process. V8 alone would
 *     not do: it does not count buffers, and close to its limit it collects garbage for more than 15 s before it
 *     gives up.
 */
import type { ChildProcess } from 'node:child_process';
import type { Log } from '../base/log.ts';

export interface SupervisedProcessOptions {
  /** What the process does in messages, with its article. */
  readonly jobName: string;
  /** What the log calls it, with its article. */
  readonly logName: string;
  readonly maxMemoryMb: number;
  readonly log: Log;
  readonly onDeath: (death: ProcessDeath) => void;
}

export interface ProcessDeath {
  readonly reason: string;
  /** Whether it had loaded its code. */
  readonly wasReady: boolean;
  /** Whether it was ended from here. */
  readonly wasEnded: boolean;
}

export class SupervisedProcess {
  readonly child: ChildProcess;
  /** Whether it has loaded its code. */
  isReady = false;
  readonly #options: SupervisedProcessOptions;
  /** Why the process was ended from here. */
  #reason: string | undefined;
  #lastOutput = '';
  #isDead = false;

  /** @param child just started, with a pipe for its standard error */
  constructor(child: ChildProcess, options: SupervisedProcessOptions) {
    this.child = child;
    this.#options = options;
    child.on('error', (error) => this.fail(error.message));
    // Not `exit`: what the process has sent before its end still counts.
    child.once('close', (code, signal) => this.#die(code, signal));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#noteOutput(text));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether it was ended from here; what is sent to it then is lost. */
  get isEnding(): boolean {
    return this.#reason !== undefined;
  }

  /** Ends the process at once; the first reason counts. */
  end(reason: string): void {
    this.#reason ??= reason;
    this.child.kill('SIGKILL');
  }

  endForMemory(): void {
    this.end(this.#tooMuchMemory());
  }

  /** Ends a process that does not work, because its state is not known then. */
  fail(reason: string): void {
    this.end(`the process of ${this.#options.jobName} was ended: ${reason}`);
    // Without a process number there was no process, and no exit is reported.
    if (this.pid === undefined) this.#die(null, null);
  }

  #die(code: number | null, signal: string | null): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#options.onDeath({
      reason: this.#reason ?? this.#ownReason(code, signal),
      wasReady: this.isReady,
      wasEnded: this.#reason !== undefined,
    });
  }

  #ownReason(code: number | null, signal: string | null): string {
    if (code === outOfMemoryExit || outOfMemory.test(this.#lastOutput)) return this.#tooMuchMemory();
    return `the process of ${this.#options.jobName} died (${signal ?? `exit code ${code}`})`;
  }

  #tooMuchMemory(): string {
    const { jobName, maxMemoryMb } = this.#options;
    return `${jobName} needed more than ${maxMemoryMb} MB of memory and was ended`;
  }

  #noteOutput(text: string): void {
    this.#lastOutput = (this.#lastOutput + text).slice(-4000);
    const { log, logName } = this.#options;
    // The reason of its death says it.
    if (!outOfMemory.test(this.#lastOutput)) log.warn({ output: text }, `${logName} wrote to standard error`);
  }
}

/** Exit code of a process that has caught its own want of memory. */
export const outOfMemoryExit = 77;

/** Flags of Node.js that all processes have. */
export const commonFlags = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

/** What V8 writes before it ends a process that cannot get memory. */
const outOfMemory =
  /heap out of memory|Fatal JavaScript (?:invalid size|out of memory)|Allocation failed|is_heap_oom = 1/;
