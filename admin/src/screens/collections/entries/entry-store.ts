/** An entry in an editor: each field of the collection is a field of the editor, so that conflicts name it. */

import type { Collection } from '../../../content/collections.ts';
import type { Entry } from '../../../content/entries.ts';
import type { Editable, EditorStore } from '../../../editing/editor-store.ts';
import type { Fields } from '../../../editing/merge/fields.ts';

/** The values of an entry are under `data.` and the name of the field. */
export type EntryValue = Editable & { readonly published: boolean; readonly [name: string]: unknown };
export type EntryStore = EditorStore<EntryValue>;

const prefix = 'data.';

export function createEntryKey(field: string): string {
  return `${prefix}${field}`;
}

export function entryValue({ id, updated_at, published, data }: Entry): EntryValue {
  const values = Object.entries(data).map(([name, value]) => [createEntryKey(name), value]);
  return { ...Object.fromEntries(values), id, updated_at, published };
}

/** A new entry: nothing but what its fields are when nobody has filled them in. The ID is the collection's. */
export function emptyValue({ id, fields }: Pick<Collection, 'id' | 'fields'>): EntryValue {
  const values = fields.map(({ name, type }) => [createEntryKey(name), type === 'boolean' ? false : null]);
  return { ...Object.fromEntries(values), id, updated_at: 0, published: true };
}

/** Fields of the editor as the API takes them. */
export function toEntryBody(fields: Fields): { data: Fields; published?: boolean } {
  const data = Object.entries(fields)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  const { published } = fields;
  return { data: Object.fromEntries(data), ...(typeof published === 'boolean' ? { published } : {}) };
}

/** Name of a field of the editor for people. */
export function fieldLabel({ fields }: Pick<Collection, 'fields'>, key: string): string | undefined {
  return fields.find(({ name }) => createEntryKey(name) === key)?.label;
}
