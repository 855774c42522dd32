import type { Collection, CollectionField } from '../api/generated/schema.ts';
import { Resource } from '../api/resource.ts';

export type { Collection, CollectionField };
export type FieldType = CollectionField['type'];

/** Fields of a collection are those of its entries. */
export const collections = new Resource('/collections', {
  feeds: ['collection'],
  also: ['entries', 'revisions'],
});

/** A collection by slug or ID; undefined until it is known, null if there is none. */
export function useCollection(ref: string): Collection | null | undefined {
  const { data } = collections.useList();
  if (data === undefined) return undefined;
  return data.find(({ id, slug }) => slug === ref || String(id) === ref) ?? null;
}
