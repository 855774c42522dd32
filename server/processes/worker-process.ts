/**
 * One process of a pool. A process of its own and not a thread, because a thread that runs out
 * of memory inside one native call (split, fill, JSON.parse, a growing Map) ends the whole process, whatever
 * its `resourceLimits` are: half of the patterns in test/faults did.
 *
 *  1. It has at most one task at a time, so answers need no number.
 *  2. It dies alone: by its own crash, by the clock of its task, or because of its memory. That is watched
 *     from here while a task runs, and nothing inside the process is asked. V8 has the same number as the limit
 *     of its heap, which ends the process at a single allocation that is too large, and on systems that do not
 *     tell the memory of a process. V8 alone would not do: it does not count buffers, and close to its limit it
 *     collects garbage for more than 15 s before it gives up.
 *  3. A running task is settled exactly once: by its answer, or by the death of the process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { TaskAnswer } from '../../runtime/tasks/messages/index.ts';
import type { Log } from '../base/log.ts';
import { residentMbOf } from './usage.ts';

export interface RenderProcessOptions {
  /** Path of the code to run; it calls `serveTasks`. */
  readonly filename: string;
  /** What a task is called in messages, with its article. */
  readonly jobName: string;
  /** JSON that the process gets as its argument. */
  readonly settings: unknown;
  /** Memory of the process in MB. */
  readonly maxMemoryMb: number;
  /** Flags of Node.js besides those that all processes have. */
  readonly moreFlags: readonly string[];
  /** Longest time of one task, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Log;
  /** Called once. @param wasReady whether the process had loaded its code before it died */
  readonly onDeath: (process: RenderProcess, wasReady: boolean) => void;
}

/** The process of a task is gone; the message says why. */
export class WorkerLostError extends Error {}

export class RenderProcess {
  readonly #options: RenderProcessOptions;
  readonly #child: ChildProcess;
  #isReady = false;
  #running: RunningTask | undefined;
  /** Why the process was ended from here. */
  #reason: string | undefined;
  #lastOutput = '';

  constructor(options: RenderProcessOptions) {
    this.#options = options;
    this.#child = fork(options.filename, [JSON.stringify(options.settings)], {
      serialization: 'advanced',
      execArgv: [...nodeFlags, ...options.moreFlags, `--max-old-space-size=${options.maxMemoryMb}`],
      env: { ...withoutSecrets(process.env), ...memorySettings },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Type boundary: the process sends what `serveTasks` sends.
    this.#child.on('message', (answer) => this.#take(answer as TaskAnswer));
    this.#child.on('error', (error) => this.#fail(error.message));
    this.#child.once('exit', (code, signal) => this.#died(signal ?? `exit code ${code}`));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#note(text));
  }

  /** @throws WorkerLostError, or the error of the task with its message and stack */
  run(task: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { timeoutMs, jobName } = this.#options;
      this.#child.send(task, (error) => {
        if (error !== null) this.#fail(`a task could not be sent: ${error.message}`);
      });
      const overdue = setTimeout(
        () => this.end(`${jobName} took over ${timeoutMs} ms and was ended`),
        timeoutMs,
      );
      const watch = setInterval(() => this.#checkMemory(), memoryCheckMs);
      this.#running = {
        resolve,
        reject,
        stopClocks() {
          clearTimeout(overdue);
          clearInterval(watch);
        },
      };
    });
  }

  /** Ends the process at once. A running task fails with the reason when the process is gone. */
  end(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** A channel that does not work ends the process, because its state is not known then. */
  #fail(reason: string): void {
    this.end(`the process of ${this.#options.jobName} was ended: ${reason}`);
    // Without a process number there was no process, and no exit is reported.
    if (this.#child.pid === undefined) this.#died('not started');
  }

  #take(answer: TaskAnswer): void {
    this.#isReady = true;
    if (answer.kind === 'ready') return;
    const task = this.#settle();
    if (answer.kind === 'result') task?.resolve(answer.result);
    else task?.reject(taskError(answer.message, answer.stack));
  }

  #settle(): RunningTask | undefined {
    const task = this.#running;
    this.#running = undefined;
    task?.stopClocks();
    return task;
  }

  #died(how: string): void {
    const message = this.#reason ?? this.#ownReason(how);
    const { log, onDeath } = this.#options;
    const task = this.#settle();
    if (task !== undefined) task.reject(new WorkerLostError(message));
    else if (this.#reason === undefined) log.error({ reason: message }, 'an idle worker process died');
    onDeath(this, this.#isReady);
  }

  #ownReason(how: string): string {
    return outOfMemory.test(this.#lastOutput)
      ? this.#tooMuchMemory()
      : `the process of ${this.#options.jobName} died (${how})`;
  }

  #checkMemory(): void {
    if ((residentMbOf(this.#child.pid) ?? 0) > this.#options.maxMemoryMb) this.end(this.#tooMuchMemory());
  }

  #tooMuchMemory(): string {
    const { jobName, maxMemoryMb } = this.#options;
    return `${jobName} needed more than ${maxMemoryMb} MB of memory and was ended`;
  }

  #note(text: string): void {
    this.#lastOutput = (this.#lastOutput + text).slice(-4000);
    this.#options.log.warn({ output: text }, 'a worker process wrote to standard error');
  }
}

interface RunningTask {
  resolve(result: unknown): void;
  reject(error: Error): void;
  stopClocks(): void;
}

/** A process can fill some MB in a millisecond; most renders end before the first look. */
const memoryCheckMs = 25;

/**
 * A small space for new objects (V8's default is 16 MB, of which it uses three times as much): a render leaves
 * few objects behind, so that it costs no time, and it saves 20 MB of each process.
 */
const nodeFlags = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--max-semi-space-size=4',
];

/** One arena of the C library for all threads, because only one of them works; saves about 5 MB. */
const memorySettings = { MALLOC_ARENA_MAX: '1' };

/** What V8 writes before it ends a process that cannot get memory. */
const outOfMemory = /heap out of memory|Fatal JavaScript (?:invalid size|out of memory)/;

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('IC_')));
}

function taskError(message: string, stack: string | undefined): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
