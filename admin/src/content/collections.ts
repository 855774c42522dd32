import type { Collection, CollectionField } from '../api/generated/schema.ts';
import { Resource } from '../api/resource.ts';

export type { Collection, CollectionField };
export type FieldType = CollectionField['type'];

/** Fields of a collection are those of its entries. */
export const collections = new Resource('/collections', {
  feeds: ['collection'],
  also: ['entries', 'revisions'],
});

/** The field that is the last part of the address of entries; undefined if there is none that people write. */
export function findSlugField({
  fields,
  ...collection
}: Pick<Collection, 'fields' | 'detail_page_id' | 'detail_field'>): CollectionField | undefined {
  const name = collection.detail_page_id === 0 ? 'slug' : collection.detail_field;
  return fields.find((field) => field.name === name && field.type === 'text');
}

/** A collection by slug or ID; undefined until it is known, null if there is none. */
export function useCollection(ref: string): Collection | null | undefined {
  const { data } = collections.useList();
  if (data === undefined) return undefined;
  return data.find(({ id, slug }) => slug === ref || String(id) === ref) ?? null;
}
