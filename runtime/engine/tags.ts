/** Helpers of single tags. */

import { quotePlus } from '../filters/shared/quote.ts';
import { isMap, parseFloatNumber, parseInteger } from '../filters/shared/values.ts';
import { chargeWork } from '../values/effort.ts';
import { listEntries } from '../values/map.ts';
import { emptyOperand } from '../values/operand.ts';
import { toText } from '../values/text.ts';
import { TemplateFault } from './faults.ts';
import { Group, listOf } from './lookup.ts';
import { equal } from './operators.ts';
import type { RenderState } from './state.ts';

/** The timeout of `{% cache %}` must be a number, but has no effect: pages are cached as a whole. */
export function checkTimeout(timeout: unknown): void {
  if (parseInteger(timeout) === undefined)
    throw new TemplateFault('{% cache %} needs a number of seconds', emptyOperand(timeout, 'argument'));
}

/** `{% regroup %}`: runs of entries with equal keys, each as `grouper` and `list`. */
export function regroup(
  state: RenderState,
  list: unknown,
  keyOf: (entry: unknown) => unknown,
): readonly Group[] {
  const groups: Group[] = [];
  let last: Group | undefined;
  for (const entry of listOf(list, state)) {
    const key = keyOf(entry);
    if (last !== undefined && (last.grouper === key || equal(last.grouper, key))) last.list.push(entry);
    else {
      state.step();
      last = new Group(key, [entry]);
      groups.push(last);
    }
  }
  return groups;
}

/** {@link regroup} for keys that are promises. */
export async function regroupLater(
  state: RenderState,
  list: unknown,
  keyOf: (entry: unknown) => Promise<unknown>,
): Promise<readonly Group[]> {
  const keys: unknown[] = [];
  for (const entry of listOf(list, state)) keys.push(await keyOf(entry));
  let index = 0;
  return regroup(state, list, () => keys[index++]);
}

/**
 * `{% widthratio value max width %}`, halves rounded to even. `0` if max is 0, empty if value or max is not a
 * number.
 */
export function widthRatio(value: unknown, max: unknown, width: unknown): string {
  const whole = parseInteger(width);
  if (whole === undefined)
    throw new TemplateFault(
      'the last argument of {% widthratio %} must be a number',
      emptyOperand(width, 'argument'),
    );
  const [part, total] = [parseFloatNumber(value), parseFloatNumber(max)];
  if (part === undefined || total === undefined) return '';
  const ratio = (part / total) * Number(whole);
  if (total === 0) return '0';
  return Number.isFinite(ratio) ? String(roundHalfEven(ratio)) : '';
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return up ? floor + 1 : floor || 0;
}

/** Cost of one pair of a query, as a number of characters. Name and value are both encoded. */
const pairUnits = 64;

/**
 * `{% querystring %}`: the pairs of the given maps with the changes applied. Of equal keys the last one
 * counts. None removes a key, a list makes one pair per entry. Begins with `?` even without pairs.
 */
export function queryString(
  bases: readonly unknown[],
  changes: readonly (readonly [string, unknown])[],
): string {
  const values = new Map<string, unknown>();
  for (const base of bases) {
    if (base === null || base === undefined || base === '') continue;
    if (!isMap(base)) throw new TemplateFault('{% querystring %} takes maps and named values');
    for (const [key, value] of listEntries(base)) change(values, key, value);
  }
  for (const [key, value] of changes) change(values, key, value);
  chargeWork(pairUnits * values.size);
  const pairs: string[] = [];
  for (const [key, value] of values) {
    const name = quotePlus(key);
    for (const entry of Array.isArray(value) ? value : [value])
      pairs.push(`${name}=${quotePlus(toText(entry))}`);
  }
  return `?${pairs.join('&')}`;
}

function change(values: Map<string, unknown>, key: string, value: unknown): void {
  if (value === null || value === undefined) values.delete(key);
  else values.set(key, value);
}
