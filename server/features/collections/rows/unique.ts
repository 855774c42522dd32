/** Fields whose values no two entries of a collection may share. Empty values never collide. */
import type { EntryData, FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { apiError } from '../../../base/errors.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import { findIdByValue } from './value-store.ts';

/** A value that can be compared with those of other entries; undefined for an empty one. */
export function toComparable(value: unknown): string | number | undefined {
  const isFit = typeof value === 'number' || (typeof value === 'string' && value !== '');
  return isFit ? value : undefined;
}

export function listUniqueFields({ fields }: Pick<StoredCollection, 'fields'>): readonly FieldDefinition[] {
  return fields.filter(({ unique }) => unique === true);
}

/**
 * Refuses an entry with a value that another one has. The values that it has already may stay.
 *
 * @param entry its new data, and what the save sets: other values may change with the type of their field
 * @throws ApiError 409 `item.notUnique`
 */
export async function requireUnique(
  db: ContentDb,
  collection: Pick<StoredCollection, 'id' | 'fields'>,
  { data, sent }: { readonly data: EntryData; readonly sent: EntryData },
  before: { readonly id: number; readonly data: EntryData } | undefined,
): Promise<void> {
  for (const field of listUniqueFields(collection)) {
    const { name } = field;
    const value = toComparable(data[name]);
    if (value === undefined || value === before?.data[name] || !Object.hasOwn(sent, name)) continue;
    const id = await findIdByValue(db, collection.id, field, value, before?.id ?? 0);
    if (id !== undefined) throw apiError('item.notUnique', { field: name, id });
  }
}
