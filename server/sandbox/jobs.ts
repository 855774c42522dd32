import type { CodeFault, CodeResult, CodeTask, LogLevel } from './model.ts';

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
  readonly task: CodeTask;
  readonly code: Code;
  /** Whether anything outside has seen that it runs. Until then it can be run again from its beginning. */
  isSeen: boolean;
  /** Whether it may be the one that ended a process, or held it up. Its result is told before another run begins. */
  isSuspect: boolean;
  /** Calls that the server has not answered. A run with such calls uses no processor time of its own. */
  openCalls: number;
  /** Log entries that come before it is seen. */
  logs: { readonly level: LogLevel; readonly text: string }[];
  resolve(result: CodeResult): void;
  reject(error: unknown): void;
}

/** A look for faults, from its call to its result. */
export interface CheckJob {
  readonly kind: 'check';
  readonly text: string;
  resolve(fault: CodeFault | undefined): void;
  reject(error: unknown): void;
}

export type Job = RunJob | CheckJob;

/** Whether nothing outside has seen anything of it. */
export function canRunAgain(job: Job): boolean {
  return job.kind === 'check' || !job.isSeen;
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
    job.resolve({ outputs: Array.from({ length: job.task.outputs }, () => []), error: { message } });
  }
}

/** Tells log entries that came before the run was seen. */
export function tellLogs(job: RunJob): void {
  job.isSeen = true;
  const { logs, task } = job;
  if (logs.length === 0) return;
  job.logs = [];
  for (const { level, text } of logs) task.log(level, text);
}
