import { chargeWork } from './effort.ts';
import { SafeString } from './safe.ts';

/** Two values that Python cannot put in order (its TypeError). */
export class NotComparable extends Error {}

/**
 * Python's order of two values, negative if `left` comes first: numbers and booleans with each other, texts
 * by code point, dates, lists entry by entry. Throws NotComparable for anything else.
 */
export function compareValues(left: unknown, right: unknown): number {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  const leftText = textOf(left);
  const rightText = textOf(right);
  if (leftText !== undefined && rightText !== undefined) return compareCodePoints(leftText, rightText);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right, 0);
  throw new NotComparable();
}

/** Order by code point; JavaScript's own puts the supplementary planes before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  chargeWork(length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return planeOrder(a) - planeOrder(b);
  }
  return left.length - right.length;
}

/** Moves surrogates above all other UTF-16 units. */
function planeOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

type Numeric = number | bigint | boolean;

function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function compareNumbers(left: Numeric, right: Numeric): number {
  if (left === right) return 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

function textOf(value: unknown): string | undefined {
  return value instanceof SafeString ? value.value : typeof value === 'string' ? value : undefined;
}

/** Cost of comparing one entry, in the units of `chargeWork`. */
const entryUnits = 8;

/** Deepest nesting of lists that are compared. */
const maxListDepth = 20;

function compareLists(left: readonly unknown[], right: readonly unknown[], depth: number): number {
  if (depth > maxListDepth) throw new NotComparable();
  const length = Math.min(left.length, right.length);
  chargeWork(entryUnits * (length + 1));
  for (let index = 0; index < length; index += 1) {
    const a = left[index];
    const b = right[index];
    if (a === b) continue;
    const order = Array.isArray(a) && Array.isArray(b) ? compareLists(a, b, depth + 1) : compareValues(a, b);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
