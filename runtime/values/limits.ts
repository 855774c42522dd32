/**
 * The limits of every text and list that is built at render time, and the error for a value that exceeds one.
 * Lengths are counted in UTF-16 units, because memory use depends on them.
 */
import type { Operand } from './operand.ts';

/** Longest text a filter may build. */
const maxTextLength = 8 * 1024 * 1024;

/** Most entries of a list a filter may build. */
const maxListLength = 1_000_000;

/** Deepest nesting of data that is printed or walked through. */
export const maxDepth = 100;

/** A filter has no result for its value and arguments. The engine adds template, line and column. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  /** The operand that the filter needs and that is empty. */
  readonly empty: Operand | undefined;

  constructor(message: string, empty?: Operand) {
    super(message);
    this.empty = empty;
  }
}

/** Gives the text back, or throws a FilterError if it is longer than `maxTextLength`. */
export function limitText(text: string): string {
  checkTextLength(text.length);
  return text;
}

/** Throws a FilterError if a text of this length may not be built. */
export function checkTextLength(length: number): void {
  if (length > maxTextLength) {
    throw new FilterError(`the text would have ${length} characters, more than ${maxTextLength}`);
  }
}

/** Throws a FilterError if a list of this length may not be built. */
export function checkListLength(length: number): void {
  if (length > maxListLength) {
    throw new FilterError(`the list would have ${length} entries, more than ${maxListLength}`);
  }
}
