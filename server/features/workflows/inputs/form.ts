import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalid } from '../../../base/errors.ts';

/** Most fields of different names: to make one object of them cannot be interrupted. */
const maxNames = 50_000;
/** Characters that are decoded in one turn of the event loop; about 1 ms. */
const charactersPerTurn = 50_000;

/**
 * The fields of a query or form as an object; a field that is there several times is a list. Long forms are decoded
 * in slices.
 *
 * @throws ApiError `common.invalid` for too many names
 */
export async function decodeForm(text: string): Promise<Record<string, unknown>> {
  const fields = new Map<string, string | string[]>();
  let decoded = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('&', start);
    const pair = text.slice(start, end < 0 ? text.length : end);
    start += pair.length + 1;
    if (pair !== '') add(fields, pair);
    if (fields.size > maxNames) throw invalid('body', `has more than ${maxNames} fields`);
    decoded += pair.length + 1;
    if (decoded < charactersPerTurn) continue;
    decoded = 0;
    await nextTurn();
  }
  return Object.fromEntries(fields);
}

function add(fields: Map<string, string | string[]>, pair: string): void {
  for (const [name, value] of new URLSearchParams(pair)) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else fields.set(name, [known, value]);
  }
}
