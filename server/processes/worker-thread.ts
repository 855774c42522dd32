/**
 * One thread of a pool (`-render threads`). It has a heap of its own with a limit, but dies alone only where V8 can
 * throw or be interrupted: what ends the process from inside one native call ends the server. Nothing tells what memory it
 * has outside that heap.
 * `docs/decisions.md` has what was measured.
 */
import { Worker } from 'node:worker_threads';
import type { TaskAnswer } from '../../runtime/tasks/messages/index.ts';
import { PoolWorker, type PoolWorkerOptions } from './pool-worker.ts';

export class WorkerThread extends PoolWorker {
  readonly #thread: Worker;
  #isReady = false;
  /** Why the thread was ended from here. */
  #reason: string | undefined;
  #error: Error | undefined;

  constructor(options: PoolWorkerOptions) {
    super(options);
    this.#thread = new Worker(options.filename, {
      argv: [JSON.stringify(options.settings)],
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxMemoryMb, maxYoungGenerationSizeMb },
    });
    this.#thread.on('message', (answer: TaskAnswer) => {
      this.#isReady = true;
      if (answer.kind !== 'ready') this.take(answer);
    });
    this.#thread.on('error', (error: Error) => {
      this.#error = error;
    });
    this.#thread.once('exit', (code) =>
      this.die({
        reason: this.#reason ?? this.#ownReason(code),
        wasReady: this.#isReady,
        wasEnded: this.#reason !== undefined,
      }),
    );
  }

  end(reason: string): void {
    this.#reason ??= reason;
    void this.#thread.terminate();
  }

  protected post(task: object): void {
    this.#thread.postMessage(task);
  }

  #ownReason(code: number): string {
    const { jobName, maxMemoryMb } = this.options;
    const error = this.#error;
    if (error !== undefined && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY')
      return `${jobName} needed more than ${maxMemoryMb} MB of memory and was ended`;
    return `the thread of ${jobName} died (${error?.message ?? `exit code ${code}`})`;
  }
}

/** As much as render processes have: three spaces of 4 MB. */
const maxYoungGenerationSizeMb = 12;
