import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import type {
  Collection,
  CollectionCreate,
  CollectionField,
  CollectionUpdate,
} from '../api/generated/schema.ts';
import { queryClient } from '../api/query-client.ts';

followChanges(['collection'], 'collections');

export type { Collection, CollectionField };
export type FieldType = CollectionField['type'];

const listQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: () => ok(api.GET('/collections')),
});

export function useCollections() {
  return useQuery(listQuery);
}

/** A collection by slug or ID; undefined until it is known, null if there is none. */
export function useCollection(ref: string): Collection | null | undefined {
  const { data } = useCollections();
  if (data === undefined) return undefined;
  return data.find(({ id, slug }) => slug === ref || String(id) === ref) ?? null;
}

export async function createCollection(body: CollectionCreate): Promise<Collection> {
  const collection = await ok(api.POST('/collections', { body }));
  await collectionsChanged();
  return collection;
}

export async function updateCollection(id: number, body: CollectionUpdate): Promise<Collection> {
  const path = { ref: String(id) };
  const collection = await ok(api.PUT('/collections/{ref}', { params: { path }, body }));
  await collectionsChanged();
  return collection;
}

export async function deleteCollection(id: number, isOnlyUnused: boolean): Promise<void> {
  const query = isOnlyUnused ? { if_unused: true } : {};
  await ok(api.DELETE('/collections/{ref}', { params: { path: { ref: String(id) }, query } }));
  await collectionsChanged();
}

export async function collectionsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['collections'] });
  await queryClient.invalidateQueries({ queryKey: ['entries'] });
}
