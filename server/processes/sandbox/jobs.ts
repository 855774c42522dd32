import type { CodeFault, CodeListener, CodeTask, LogLevel } from './model.ts';

/** A code that the sandbox knows. */
export interface Code {
  readonly id: number;
  readonly text: string;
  /** Until then, in monotonic milliseconds, its runs have a process for themselves. */
  aloneUntil: number;
}

/** A run, from its call to its result. */
export interface RunJob {
  readonly kind: 'run';
  /** By which its process knows it. */
  number: number;
  readonly task: CodeTask;
  readonly code: Code;
  /**
   * What it has called, by number of the call, so that it can be run again from its beginning without calling again;
   * most runs call nothing.
   */
  calls: Map<number, MadeCall> | undefined;
  /** False once keeping the calls would take too much memory. */
  keepsCalls: boolean;
  /** Length of what `calls` keeps. */
  keptLength: number;
  /** Log entries that were told. */
  toldLogs: number;
  /** Log entries that were told already when this attempt began, and that come again. */
  logsToSkip: number;
  /** Whether it may be the one that ended a process, or held it up. Its result is told before another run begins. */
  isSuspect: boolean;
  /** Calls that the server has not answered. A run with such calls uses no processor time of its own. */
  openCalls: number;
  /** Log entries that wait for a call or for the end. */
  logs: { readonly level: LogLevel; readonly text: string }[];
  readonly listener: CodeListener;
}

export interface MadeCall {
  readonly name: string;
  readonly args: string;
  readonly answer: Promise<string | undefined>;
}

/** A look for faults, from its call to its result. */
export interface CheckJob {
  readonly kind: 'check';
  number: number;
  readonly text: string;
  resolve(fault: CodeFault | undefined): void;
  reject(error: unknown): void;
}

export type Job = RunJob | CheckJob;

/** A run that has not begun. */
export function newRun(fields: Pick<RunJob, 'task' | 'code' | 'listener'>): RunJob {
  const counts = { number: 0, keptLength: 0, toldLogs: 0, logsToSkip: 0, openCalls: 0 };
  return {
    kind: 'run',
    ...fields,
    ...counts,
    calls: undefined,
    keepsCalls: true,
    isSuspect: false,
    logs: [],
  };
}

/** Whether it can begin again without doing anything twice. */
export function canRunAgain(job: Job): boolean {
  return job.kind === 'check' || job.keepsCalls;
}

/** Prepares a run for another attempt. */
export function beginAgain(job: Job): void {
  if (job.kind === 'check') return;
  job.logs = [];
  job.logsToSkip = job.toldLogs;
  job.openCalls = 0;
}

/** Whether it may be using processor time. */
export function isRunnable(job: Job): boolean {
  return job.kind === 'check' || job.openCalls === 0;
}

/** Ends a job that its process could not finish. */
export function failJob(job: Job, message: string): void {
  if (job.kind === 'check') job.resolve({ message, line: 1, column: 1 });
  else {
    tellLogs(job);
    job.listener.done({ outputs: Array.from({ length: job.task.outputs }, () => []), error: { message } });
  }
}

/** Tells log entries, except those that an earlier attempt has told. */
export function tellLogs(job: RunJob): void {
  const { logs, task } = job;
  if (logs.length === 0) return;
  job.logs = [];
  for (const { level, text } of logs) {
    if (job.logsToSkip > 0) job.logsToSkip -= 1;
    else {
      job.toldLogs += 1;
      task.log(level, text);
    }
  }
}

/** Makes a call, or gives the answer of an earlier attempt. @throws Error if that has called something else */
export function callOnce(job: RunJob, id: number, name: string, args: string): Promise<string | undefined> {
  const known = job.calls?.get(id);
  if (known !== undefined) {
    if (known.name !== name || known.args !== args)
      throw new Error(
        'the run was repeated because its process was ended, and it called something else this time',
      );
    return known.answer;
  }
  const answer = job.task.call(name, args);
  if (job.keepsCalls) {
    job.calls ??= new Map();
    job.calls.set(id, { name, args, answer });
    keep(job, args.length);
    answer.then((text) => keep(job, text?.length ?? 0)).catch(() => {});
  }
  return answer;
}

function keep(job: RunJob, length: number): void {
  job.keptLength += length;
  if (job.keptLength <= longestKept) return;
  job.keepsCalls = false;
  job.calls = undefined;
}

/** Length of the calls and answers that are kept for one run, in UTF-16 units. */
const longestKept = 2 ** 20;
