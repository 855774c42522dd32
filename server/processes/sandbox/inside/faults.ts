import type { Fault } from './run.ts';

/** Text of values that an author has made. */
export interface Faults {
  /** Text of any value, for people. */
  show(value: unknown): string;
  /** What an author reads about a thrown value, and where in the code it was made. */
  describe(error: unknown): Fault;
}

/**
 * Both functions read values whose getters are code of the author, so they expect that reading fails.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself.
 */
export function createFaults(): Faults {
  const maxErrorLength = 2_000;
  /** Longest part of a stack in which the place is looked for. */
  const maxStackLength = 10_000;
  const { stringify } = JSON;
  return { show, describe };

  function show(value: unknown): string {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof Error) return describe(value).message;
      return (typeof value === 'object' ? stringify(value) : undefined) ?? String(value);
    } catch {
      return 'a value that cannot be shown';
    }
  }

  function describe(error: unknown): Fault {
    try {
      if (!(error instanceof Error))
        return { message: show(error).slice(0, maxErrorLength), line: 0, column: 0 };
      const name = String(error.name);
      const text = String(error.message).slice(0, maxErrorLength);
      const [, line = '0', column = '0'] =
        /^ +at .*?<code>:(\d+):(\d+)/m.exec(String(error.stack).slice(-maxStackLength)) ?? [];
      return {
        message: name === 'Error' ? text : `${name.slice(0, 100)}: ${text}`,
        line: Number(line),
        column: Number(column),
      };
    } catch {
      return { message: 'an error that cannot be shown', line: 0, column: 0 };
    }
  }
}
