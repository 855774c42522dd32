/**
 * Work that only shows while it is done: what is inside of lists and maps that are compared, sorted or written as text.
 * Whoever does it notes it here; the render it was done for is charged when it next hands a list or map to something.
 *
 * Units are about what a character costs to write.
 */
import { FilterError } from './filters/limits.ts';

/** Most that one step may take, a few tenths of a second. */
const maxNoted = 64 * 1024 * 1024;

let noted = 0;

/** @throws FilterError if the step takes too much */
export function note(units: number): void {
  noted += units;
  if (noted <= maxNoted) return;
  noted = 0;
  throw new FilterError('the values are too large to be compared, sorted or printed');
}

/** What was noted since this was asked last. */
export function takeNoted(): number {
  const units = noted;
  noted = 0;
  return units;
}
