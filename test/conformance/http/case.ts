import type { AnswerPattern } from '../../support/http-answers.ts';

/** One case of HTTP: what is sent, and what may come back. */
export interface HttpCase extends Behaviour {
  /** Different from those of all other cases. */
  readonly name: string;
  /** Where the rule stands. */
  readonly rule: string;
  /** The bytes, a character each. */
  readonly send: string;
  /** What is sent once `100 Continue` has come. */
  readonly body?: string;
}

export interface Behaviour {
  /** The answers in order; more must not come. */
  readonly answers: readonly AnswerPattern[];
  /**
   * Whether the connection must close, must stay open, or may do either. `waits`: nothing comes, whatever else is sent,
   * until the connection closes because of its silence.
   */
  readonly connection: 'closes' | 'stays' | 'any' | 'waits';
}

/** What a front does in place of what the cases say. */
export interface HttpException extends Behaviour {
  /** Begin of the row that says so in the table of both fronts in `server/docs/options.md`. */
  readonly row: string;
  /** Names of the cases. */
  readonly cases: readonly string[];
}
