/**
 * One process of a pool. A process of its own and not a thread, because a thread that runs out
 * of memory inside one native call (split, fill, JSON.parse, a growing Map) ends the whole process, whatever
 * its `resourceLimits` are: half of the patterns in test/faults did.
 *
 * It dies alone: by its own crash, by the clock of its task, or because of its memory, which is watched while a
 * task runs (supervised-process.ts).
 */
import { fork } from 'node:child_process';
import type { TaskAnswer } from '../../runtime/tasks/messages/index.ts';
import { PoolWorker, type PoolWorkerOptions } from './pool-worker.ts';
import { commonFlags, SupervisedProcess } from './supervised-process.ts';
import { findResidentMb } from './usage.ts';

export class WorkerProcess extends PoolWorker {
  readonly #process: SupervisedProcess;

  constructor(options: PoolWorkerOptions) {
    super(options);
    const { filename, settings, moreFlags, jobName, maxMemoryMb, log } = options;
    const child = fork(filename, [JSON.stringify(settings)], {
      serialization: 'advanced',
      execArgv: [...nodeFlags, ...moreFlags, `--max-old-space-size=${maxMemoryMb}`],
      env: { ...withoutSecrets(process.env), ...memorySettings },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process = new SupervisedProcess(child, {
      jobName,
      logName: 'a worker process',
      maxMemoryMb,
      log,
      onDeath: (death) => this.die(death),
    });
    // Type boundary: the process sends what `serveTasks` sends.
    child.on('message', (message) => {
      const answer = message as TaskAnswer;
      this.#process.isReady = true;
      if (answer.kind !== 'ready') this.take(answer);
    });
  }

  end(reason: string): void {
    this.#process.end(reason);
  }

  protected post(task: object): void {
    this.#process.child.send(task, (error) => {
      if (error !== null) this.#process.fail(`a task could not be sent: ${error.message}`);
    });
  }

  protected override checkMemory(): void {
    const { pid } = this.#process;
    if ((findResidentMb(pid) ?? 0) > this.options.maxMemoryMb) this.#process.endForMemory();
  }
}

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
