import { apiError, invalid } from '../../../base/errors.ts';
import type { Value } from '../conditions.ts';
import type { Table } from './adapter.ts';
import { isRow } from './reading.ts';

/**
 * The columns of the primary key with their values. A key of one column is its value; a key of several columns
 * is an object, or JSON of one.
 *
 * @throws ApiError `extdb.unsupported` for a table without a primary key, `common.invalid` for another key
 */
export function primaryKey(
  { table, columns }: Table,
  pk: unknown,
  service: string,
): (readonly [string, Value])[] {
  const names = columns.filter(({ primary_key }) => primary_key).map(({ name }) => name);
  const [only] = names;
  if (only === undefined)
    throw apiError('extdb.unsupported', {
      service,
      reason: `the table "${table.ref}" has no primary key; find its rows by field and value`,
    });
  if (names.length === 1 && !isRow(pk)) return [[only, keyValue(pk)]];
  const key: unknown = typeof pk === 'string' ? parsed(pk) : pk;
  if (!isRow(key)) throw invalid('pk', `must be a JSON object with ${names.join(', ')}`);
  return names.map((name) => [name, keyValue(Object.hasOwn(key, name) ? key[name] : undefined)]);
}

function keyValue(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw invalid('pk', 'must be a text or a number, of a key with several columns an object of them');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
