/** Operators of expressions, with Python's meaning. A comparison that raises in Python is false here. */

import { isMap, isTruthy } from '../filters/shared/values.ts';
import { compareValues, NotComparable } from '../values/compare.ts';
import { chargeWork } from '../values/effort.ts';
import { escapeHtml } from '../values/escape.ts';
import { checkListLength, checkTextLength } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { TemplateFault } from './faults.ts';
import { describe } from './lookup.ts';
import type { RenderState } from './state.ts';

// The helpers that templates call most are so small that V8 puts them into the code of the template, however
// much of it there is. What is rare stands in functions of its own.

/** Python's truth: none, false, 0, empty texts, lists and maps are false. */
export function truthy(value: unknown, state: RenderState): boolean {
  return typeof value === 'boolean' ? value : truthyOther(value, state);
}

function truthyOther(value: unknown, state: RenderState): boolean {
  if (typeof value === 'string') return value !== '';
  if (Array.isArray(value)) return value.length > 0;
  // JavaScript collects all keys of a map before the loop in `isTruthy` gets the first one.
  if (typeof value === 'object' && isMap(value)) state.checkTimeLimit();
  return isTruthy(value);
}

/** `a and b` as a value: the first false operand, else the last. */
export function and(state: RenderState, left: unknown, right: () => unknown): unknown {
  return truthy(left, state) ? right() : left;
}

/** `a or b` as a value: the first true operand, else the last. */
export function or(state: RenderState, left: unknown, right: () => unknown): unknown {
  return truthy(left, state) ? left : right();
}

/** @param state is charged for operands that are read as a whole; absent for those that cost little */
export function equal(left: unknown, right: unknown, state?: RenderState): boolean {
  return typeof left === 'number' && typeof right === 'number'
    ? left === right
    : equalOther(left, right, state);
}

function equalOther(left: unknown, right: unknown, state: RenderState | undefined): boolean {
  if (state !== undefined) chargeBoth(state, left, right);
  if (typeof left === 'string' && typeof right === 'string') return left === right;
  return left === right || equalWithin(left, right, maxDepth);
}

function chargeBoth(state: RenderState, left: unknown, right: unknown): void {
  state.charge(left);
  state.charge(right);
}

const maxDepth = 20;

/** Cost of comparing one entry, in the units of `chargeWork`. */
const entryUnits = 8;

function equalWithin(left: unknown, right: unknown, depth: number): boolean {
  const a = plain(left);
  const b = plain(right);
  if (a === b) return true;
  if (a === null || b === null || depth === 0) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b)) {
    chargeWork(entryUnits * (a.length + 1));
    return a.length === b.length && a.every((entry, index) => equalWithin(entry, b[index], depth - 1));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  chargeWork(entryUnits * (keys.length + 1));
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalWithin(a[key], b[key], depth - 1))
  );
}

/** Safe text becomes text, missing becomes none, a boolean becomes the number that it equals in Python. */
function plain(value: unknown): unknown {
  if (value instanceof SafeString) return value.value;
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `a is b`: the same value, not only an equal one. Equal texts always count as the same. */
export function identical(left: unknown, right: unknown): boolean {
  const a = left instanceof SafeString ? left.value : (left ?? null);
  const b = right instanceof SafeString ? right.value : (right ?? null);
  return a === b;
}

export function less(left: unknown, right: unknown, state?: RenderState): boolean {
  return typeof left === 'number' && typeof right === 'number'
    ? left < right
    : ordered(left, right, state, (order) => order < 0);
}

export function lessOrEqual(left: unknown, right: unknown, state?: RenderState): boolean {
  return typeof left === 'number' && typeof right === 'number'
    ? left <= right
    : ordered(left, right, state, (order) => order <= 0);
}

function ordered(
  left: unknown,
  right: unknown,
  state: RenderState | undefined,
  holds: (order: number) => boolean,
): boolean {
  if (state !== undefined) chargeBoth(state, left, right);
  try {
    return holds(compareValues(left, right));
  } catch (error) {
    if (error instanceof NotComparable) return false;
    throw error;
  }
}

/** `item in collection`: part of a text, entry of a list, key of a map. */
export function contains(collection: unknown, item: unknown): boolean {
  return membership(collection, item) === true;
}

/** `item not in collection`. Also false for values that `in` does not work for, as in Django. */
export function lacks(collection: unknown, item: unknown): boolean {
  return membership(collection, item) === false;
}

function membership(collection: unknown, item: unknown): boolean | undefined {
  const within = plain(collection);
  const wanted = plain(item);
  if (typeof within === 'string') return typeof wanted === 'string' ? within.includes(wanted) : undefined;
  if (Array.isArray(within)) return within.some((entry) => equal(entry, wanted));
  return isMap(within) ? hasName(within, item) : undefined;
}

/** Names in maps are texts, and numbers written as such. Lists and maps can be no names, so `in` does not work. */
function hasName(map: object, item: unknown): boolean | undefined {
  const name = item instanceof SafeString ? item.value : item;
  if (typeof name === 'object' && name !== null) return undefined;
  return (typeof name === 'string' || typeof name === 'number') && Object.hasOwn(map, toText(name));
}

// --------------------------------------------------------------------------------------------- arithmetic

/**
 * The result of an operator: undefined, which is none and prints nothing, if an operand is missing (none or the
 * empty text). The names are the operands as the template has them, for errors.
 */
type Sum<Result> = (
  left: unknown,
  right: unknown,
  leftName?: string,
  rightName?: string,
) => Result | undefined;

/** `a + b`: numbers or lists. */
export const add: Sum<unknown> = (left, right, leftName, rightName) => {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (Array.isArray(left) && Array.isArray(right)) {
    checkListLength(left.length + right.length);
    return [...left, ...right];
  }
  return calculate('+', left, right, leftName, rightName);
};

export const subtract: Sum<number> = (left, right, leftName, rightName) =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : calculate('-', left, right, leftName, rightName);

export const multiply: Sum<number> = (left, right, leftName, rightName) =>
  typeof left === 'number' && typeof right === 'number'
    ? left * right
    : calculate('*', left, right, leftName, rightName);

export const divide: Sum<number> = (left, right, leftName, rightName) =>
  calculate('/', left, right, leftName, rightName);

/** `a % b` with the sign of the divisor, as in Python. */
export const modulo: Sum<number> = (left, right, leftName, rightName) =>
  calculate('%', left, right, leftName, rightName);

const calculations: Readonly<Record<'+' | '-' | '*' | '/' | '%', (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / divisor(b),
  '%': (a, b) => {
    const rest = a % divisor(b);
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
  },
};

export function negative(value: unknown, name: string): number | undefined {
  return isMissing(value) ? undefined : -numberOf(value, '-', name);
}

export function positive(value: unknown, name: string): number | undefined {
  return isMissing(value) ? undefined : numberOf(value, '+', name);
}

function calculate(
  operator: keyof typeof calculations,
  left: unknown,
  right: unknown,
  leftName = '',
  rightName = '',
): number | undefined {
  if (isMissing(left) || isMissing(right)) return undefined;
  return calculations[operator](numberOf(left, operator, leftName), numberOf(right, operator, rightName));
}

function divisor(value: number): number {
  if (value === 0) throw new TemplateFault('division by zero');
  return value;
}

function isMissing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (value instanceof SafeString && value.value === '')
  );
}

function numberOf(value: unknown, operator: string, name: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const text = value instanceof SafeString ? value.value : value;
  if (typeof text === 'string' && text.trim() !== '') {
    const number = Number(text);
    if (Number.isFinite(number)) return number;
  }
  throw new TemplateFault(`"${operator}" needs numbers, and ${name} is ${describe(value)}`);
}

/** `a ~ b`: both as text. If one part is safe HTML the other is escaped and the whole is safe. */
export function join(left: unknown, right: unknown): unknown {
  const safe = left instanceof SafeString || right instanceof SafeString;
  const joined = safe ? markup(left) + markup(right) : textOf(left) + textOf(right);
  checkTextLength(joined.length);
  return safe ? new SafeString(joined) : joined;
}

function markup(value: unknown): string {
  return value instanceof SafeString ? value.value : escapeHtml(textOf(value));
}

/** Missing and none join as the empty text: `"a" ~ none` is `a`. */
function textOf(value: unknown): string {
  return value === null ? '' : toText(value);
}
