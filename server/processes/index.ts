/** The processes and threads of the server: one pool for each sort of task, and the sandbox. */
import type { ImageTask, ImageTaskResults } from '../../runtime/images/messages.ts';
import type { WorkerSettings } from '../../runtime/tasks/context.ts';
import type { Log } from '../base/log.ts';
import { type AskOutside, Pool, type WorkerKind } from './pool.ts';
import type { CodeRunner } from './sandbox/model.ts';
import { Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
import { Threads } from './threads.ts';

export type ImagePool = Pool<ImageTask, ImageTaskResults>;

export interface Processes {
  /** Renders pages with the templates of authors. */
  readonly render: Pool;
  /** For tasks that take long and that nobody waits for; they keep no render waiting. */
  readonly background: Pool;
  /** Renders websites to files. Its processes yield to those that render for visitors. */
  readonly exports: Pool;
  /** Images wait for each other and never for pages. A process of it holds libvips: about 60 MB. */
  readonly images: ImagePool;
  /** Runs the code of function and custom nodes. */
  readonly sandbox: CodeRunner;
  /** Runs code of ours on bounded data. */
  readonly threads: Threads;
  /** Resolves when all processes are gone. */
  close(): Promise<void>;
}

export interface ProcessesOptions {
  /** Paths of the code of processes. */
  readonly files: { readonly worker: string; readonly images: string; readonly sandbox: string };
  readonly settings: WorkerSettings;
  /** Processes or threads that render for visitors. */
  readonly workers: number;
  /** What renders for visitors run in; all else runs in processes. */
  readonly workerKind: WorkerKind;
  readonly sandbox?: Pick<SandboxOptions, 'limits'> | undefined;
  readonly log: Log;
  /** Answers what renders need of REST sources and workflows. */
  readonly askOutside: AskOutside;
}

/** Starts the processes that render for visitors; all others start by need. */
export function openProcesses({
  files,
  settings,
  workers,
  workerKind,
  sandbox,
  log,
  askOutside,
}: ProcessesOptions): Processes {
  const worker = { filename: files.worker, log };
  const render = new Pool({ ...worker, settings, workers, workerKind, sendsAhead: true, askOutside });
  const background = new Pool({
    ...worker,
    settings,
    jobName: 'a background task',
    workers: 1,
    idleMs,
    timeoutMs: backgroundTimeoutMs,
  });
  const exports = new Pool({
    ...worker,
    settings: { ...settings, yields: true, rendersOnce: true },
    jobName: 'a part of an export',
    moreFlags: exportFlags,
    workers: Math.min(workers + 1, maxExportWorkers),
    timeoutMs: 60_000,
    // Who has read the report often exports next.
    idleMs,
    askOutside,
  });
  const images: ImagePool = new Pool({
    filename: files.images,
    settings: {},
    jobName: 'the work on an image',
    workers: Math.min(workers, maxImageProcesses),
    timeoutMs: 60_000,
    maxMemoryMb: 1536,
    idleMs,
    log,
  });
  const code = new Sandbox({ filename: files.sandbox, log, ...sandbox });
  const threads = new Threads();
  return {
    ...{ render, background, exports, images, sandbox: code, threads },
    async close() {
      await Promise.all([render, background, exports, images, code, threads].map((one) => one.close()));
    },
  };
}

/** Processes that are started by need end after this time without a task, in milliseconds. */
const idleMs = 30_000;

/** Longest time of a background task, in milliseconds: the index of a million entries on a slow disk. */
const backgroundTimeoutMs = 600_000;

/** More processes would wait for the disk. */
const maxExportWorkers = 4;

const maxImageProcesses = 4;

/**
 * The processes live for some exports only, and everything that they run is run for each page. V8 waits too long for
 * them: it notes from the first call of a function what it is called with, optimises it after a quarter of the usual
 * number of calls, and puts less of other functions into it, which is most of the work of optimising.
 */
const exportFlags = [
  '--no-lazy-feedback-allocation',
  '--invocation-count-for-turbofan=800',
  '--max-inlined-bytecode-size-cumulative=200',
];
