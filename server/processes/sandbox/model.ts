/** A fault in the author's code. Lines and columns start at 1. */
export interface CodeFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface CodeTask {
  /** Body of an asynchronous function of `msg`. */
  readonly code: string;
  /** JSON text of `msg`. */
  readonly message: string;
  /** JSON text of the parameters of a custom node. */
  readonly params?: string | undefined;
  /** Number of outputs of the node. */
  readonly outputs: number;
  /**
   * Answers `store.*` and `idb.*`. A rejection becomes an error in the author's code.
   *
   * @param name e.g. `store.get`
   * @param args JSON text of the list of arguments, without `undefined` at its end
   * @returns JSON text; undefined for `undefined`
   */
  call(name: string, args: string): Promise<string | undefined>;
  log(level: LogLevel, text: string): void;
  /** Looked at every 25 ms, so that no run pays for a listener. */
  readonly signal: Cancellation;
}

/** Whether and why something was cancelled, such as an `AbortSignal`. */
export type Cancellation = Pick<AbortSignal, 'aborted' | 'reason'>;

export type LogLevel = 'log' | 'warn' | 'error';

export interface CodeResult {
  /** One list per output: the messages sent, as JSON text, in order. */
  readonly outputs: readonly (readonly string[])[];
  readonly error?: CodeFault | { readonly message: string };
}

/** Is told what becomes of a run; one of the functions is called once, never before `start` has returned. */
export interface CodeListener {
  /** A fault of the code is a result with `error`. */
  done(result: CodeResult): void;
  /** @param error the reason of `task.signal` */
  failed(error: unknown): void;
}

/** Runs code of authors. */
export interface CodeRunner {
  /** Looks for what keeps the code from being compiled; runs nothing. */
  check(code: string): Promise<CodeFault | undefined>;
  /**
   * A fault of the code is a result with `error`.
   *
   * @throws PoolBusyError, or the reason of `task.signal`
   */
  run(task: CodeTask): Promise<CodeResult>;
  /** `run` for those who need no promise. @throws as `run` */
  start(task: CodeTask, listener: CodeListener): void;
  /** Whether runs are to be expected, so that the first one need not wait for a process to start. */
  expectRuns(areExpected: boolean): void;
}

/** What one run may use. */
export interface RunLimits {
  /** Memory of one run in MB. */
  readonly memoryMb: number;
  /** Memory for the message itself, beside that of the run, in MB: its text, its values and the texts of the result. */
  readonly messageMb: number;
  /** Processor time of one run, in milliseconds. */
  readonly cpuMs: number;
  /**
   * How much longer all messages that a run sends may be than the one that it got, and length of the arguments of one
   * call, in UTF-16 units.
   */
  readonly messageLength: number;
  /** Messages that a run sends. */
  readonly messages: number;
  /** Calls of `store` and `idb`. */
  readonly calls: number;
  readonly logEntries: number;
  /** Length of all log entries, in UTF-16 units. */
  readonly logLength: number;
  /**
   * Time of one turn of a process, in milliseconds. The server ends a process much earlier, so this is for one whose
   * server was killed while code runs in a loop: it would not see that its channel is closed.
   */
  readonly turnMs: number;
}

/** Data, Automation and Operations, "Limits". */
export const runLimits: RunLimits = {
  memoryMb: 64,
  messageMb: 0,
  cpuMs: 10_000,
  messageLength: 10 * 2 ** 20,
  messages: 10_000,
  calls: 10_000,
  logEntries: 1_000,
  logLength: 256 * 1024,
  turnMs: 600_000,
};
