/** Which column of a file becomes which field. */
import { invalid } from '../../../base/errors.ts';
import type { StoredCollection } from '../model.ts';

/** What a column can become besides a field; empty = ignored. */
const special = new Set(['', '_published', '_draft', '_id']);

/**
 * The mapping of a form, checked, or one made from the names of the columns.
 *
 * @throws ApiError `common.invalid` for `mapping`
 */
export function parseMapping(
  columns: readonly string[],
  collection: Pick<StoredCollection, 'fields'>,
  sent: string | undefined,
): readonly string[] {
  if (sent === undefined || sent === '') return mappingByName(columns, collection);
  const mapping = parseList(sent);
  if (mapping.length > columns.length) throw invalid('mapping', 'has more items than the file has columns');
  const taken = new Set<string>();
  for (const target of mapping) {
    const isField = collection.fields.some(({ name }) => name === target);
    if (!isField && !special.has(target))
      throw invalid('mapping', `names "${target}", which is no field of the collection`);
    if (target !== '' && target !== '_draft' && taken.has(target))
      throw invalid('mapping', `names "${target}" twice`);
    taken.add(target);
  }
  return columns.map((_, index) => mapping[index] ?? '');
}

/**
 * The key of a form; empty = none.
 *
 * @throws ApiError `common.invalid` for `key`
 */
export function parseKeyField(mapping: readonly string[], sent: string | undefined): string {
  if (sent === undefined || sent === '') return '';
  const isMapped = mapping.includes(sent) && sent !== '_published' && sent !== '_draft';
  if (!isMapped) throw invalid('key', 'must be a field that a column has, or _id');
  return sent;
}

function parseList(sent: string): readonly string[] {
  const value = parseJson('mapping', sent);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw invalid('mapping', 'must be a JSON list of texts');
}

/** @throws ApiError `common.invalid` for `field` */
export function parseJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(field, 'is not JSON');
  }
}

/** Names of columns that stand for the status or the ID, in lower case. */
const knownColumns: ReadonlyMap<string, string> = new Map([
  ['id', '_id'],
  ['published', '_published'],
  ['draft', '_draft'],
  ['archived', '_draft'],
]);

/**
 * Each field has one column at most: the one with its name, else the first with its label. An exported file of a
 * collection that has a field `published` names two columns so; there the first is the status.
 */
function mappingByName(
  columns: readonly string[],
  { fields }: Pick<StoredCollection, 'fields'>,
): readonly string[] {
  const lower = columns.map((column) => column.toLowerCase());
  const mapping = lower.map((name) => knownColumns.get(name) ?? '');
  const taken = new Set<number>();
  const take = (field: string, column: number): void => {
    if (column < 0) return;
    taken.add(column);
    mapping[column] = field;
  };
  // All names before any label, so that no label takes the column of another field.
  for (const { name } of fields)
    take(name, knownColumns.has(name) ? columns.lastIndexOf(name) : columns.indexOf(name));
  for (const { name, label } of fields) {
    const names = [label.toLowerCase(), name.toLowerCase()];
    if (!columns.includes(name))
      take(
        name,
        lower.findIndex((column, index) => !taken.has(index) && names.includes(column)),
      );
  }
  return mapping;
}
