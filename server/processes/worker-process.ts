/**
 * One process of a pool. A process of its own and not a thread, because a thread that runs out
 * of memory inside one native call (split, fill, JSON.parse, a growing Map) ends the whole process, whatever
 * its `resourceLimits` are: half of the patterns in test/faults did.
 *
 *  1. It has at most one task at a time, so answers need no number.
 *  2. It dies alone: by its own crash, by the clock of its task, or because of its memory, which is watched while a
 *     task runs (supervised-process.ts).
 *  3. A running task is settled exactly once: by its answer, or by the death of the process.
 */
import { fork } from 'node:child_process';
import type { TaskAnswer } from '../../runtime/tasks/messages/index.ts';
import type { Log } from '../base/log.ts';
import { commonFlags, type ProcessDeath, SupervisedProcess } from './supervised-process.ts';
import { findResidentMb } from './usage.ts';

export interface WorkerProcessOptions {
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
  readonly onDeath: (process: WorkerProcess, wasReady: boolean) => void;
}

/** The process of a task is gone; the message says why. */
export class WorkerLostError extends Error {}

export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #process: SupervisedProcess;
  #running: RunningTask | undefined;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    const child = fork(options.filename, [JSON.stringify(options.settings)], {
      serialization: 'advanced',
      execArgv: [...nodeFlags, ...options.moreFlags, `--max-old-space-size=${options.maxMemoryMb}`],
      env: { ...withoutSecrets(process.env), ...memorySettings },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const { jobName, maxMemoryMb, log } = options;
    this.#process = new SupervisedProcess(child, {
      jobName,
      logName: 'a worker process',
      maxMemoryMb,
      log,
      onDeath: (death) => this.#died(death),
    });
    // Type boundary: the process sends what `serveTasks` sends.
    child.on('message', (answer) => this.#take(answer as TaskAnswer));
  }

  /** @throws WorkerLostError, or the error of the task with its message and stack */
  run(task: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { timeoutMs, jobName } = this.#options;
      this.#process.child.send(task, (error) => {
        if (error !== null) this.#process.fail(`a task could not be sent: ${error.message}`);
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
    this.#process.end(reason);
  }

  #take(answer: TaskAnswer): void {
    this.#process.isReady = true;
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

  #died({ reason, wasReady, wasEnded }: ProcessDeath): void {
    const { log, onDeath } = this.#options;
    const task = this.#settle();
    if (task !== undefined) task.reject(new WorkerLostError(reason));
    else if (!wasEnded) log.error({ reason }, 'an idle worker process died');
    onDeath(this, wasReady);
  }

  #checkMemory(): void {
    const { pid } = this.#process;
    if ((findResidentMb(pid) ?? 0) > this.#options.maxMemoryMb) this.#process.endForMemory();
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
const nodeFlags = [...commonFlags, '--max-semi-space-size=4'];

/** One arena of the C library for all threads, because only one of them works; saves about 5 MB. */
const memorySettings = { MALLOC_ARENA_MAX: '1' };

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('IC_')));
}

function taskError(message: string, stack: string | undefined): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
