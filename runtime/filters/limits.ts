/**
 * The bounds every text and list built at render time keeps, and the error that tells of a broken one.
 * Lengths are counted in UTF-16 units, which is what memory use follows.
 */

/** Longest text a filter may build. */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024;

/** Most entries of a list a filter may build. */
const MAX_LIST_LENGTH = 1_000_000;

/** Deepest nesting of data that is printed or walked through. */
export const MAX_DEPTH = 100;

/** A filter cannot do what was asked. The engine adds template, line and column. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/** Gives the text back, or throws a FilterError if it is longer than `MAX_TEXT_LENGTH`. */
export function limitText(text: string): string {
  checkTextLength(text.length);
  return text;
}

/** Throws a FilterError if a text of this length may not be built. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) {
    throw new FilterError(`the text would have ${length} characters, more than ${MAX_TEXT_LENGTH}`);
  }
}

/** Throws a FilterError if a list of this length may not be built. */
export function checkListLength(length: number): void {
  if (length > MAX_LIST_LENGTH) {
    throw new FilterError(`the list would have ${length} entries, more than ${MAX_LIST_LENGTH}`);
  }
}
