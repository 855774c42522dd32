/** A run of an author's code, as the isolate has it. */
export interface Run {
  readonly id: number;
  /** The messages that it has sent, as JSON text, for each output. */
  readonly outputs: string[][];
  readonly sendsLogsAtOnce: boolean;
  /** Calls that the server has not answered, by number; most runs call nothing. */
  calls: Map<number, Call> | undefined;
  callCount: number;
  /** Most characters of all messages that it sends. */
  readonly sendable: number;
  sentLength: number;
  sentCount: number;
  logCount: number;
  logLength: number;
  /** Whether it has returned a promise. */
  isFollowed: boolean;
  isDone: boolean;
}

export interface Call {
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** Made at the call, so that its stack tells where that is. */
  readonly error: Error;
}

/** What an author reads about an error. Line and column are 0 if they are not known. */
export interface Fault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}
