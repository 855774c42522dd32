import type { Collection, FieldType } from './collections.ts';
import type { Entry } from './entries.ts';

const named: ReadonlySet<FieldType> = new Set(['text', 'select', 'url', 'date', 'number']);

/** What people call an entry: its first short value, else its number. */
export function entryTitle(
  { fields }: Pick<Collection, 'fields'>,
  { id, data }: Pick<Entry, 'id' | 'data'>,
): string {
  for (const { name, type } of fields) {
    const value = data[name];
    if (named.has(type) && value !== null && value !== undefined && value !== '') return String(value);
  }
  return `#${id}`;
}
