/**
 * Work whose size is known only while it is done: comparing, sorting or writing the content of lists and
 * maps. The function that does the work notes it here. The render is charged for it at its next charge for a
 * value or its next check of the budgets.
 *
 * One unit is about the cost of writing one character.
 */
import { FilterError } from './limits.ts';

/** Most units that one step may take: a few tenths of a second. */
const maxNoted = 64 * 1024 * 1024;

let noted = 0;

/** @throws FilterError if the step takes too much */
export function chargeWork(units: number): void {
  noted += units;
  if (noted <= maxNoted) return;
  noted = 0;
  throw new FilterError('the values are too large to be compared, sorted or printed');
}

/** The units noted since the last call. */
export function takeChargedWork(): number {
  const units = noted;
  noted = 0;
  return units;
}
