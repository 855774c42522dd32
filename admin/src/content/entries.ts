import { queryOptions } from '@tanstack/react-query';
import { api, maxOperations, requireData } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { followChanges } from '../api/feeds.ts';
import type { Entry, SavedEntry } from '../api/generated/schema.ts';
import { type Paged, type Part, readPart, usePaged } from '../api/paged.ts';
import { queryClient } from '../api/query-client.ts';
import type { Range } from '../base/range.ts';
import { type Collection, collections } from './collections.ts';

followChanges(['item'], 'entries');

export type { Entry };

/** Most entries in one answer. */
const maxEntries = 1000;

/**
 * The entries that fit a query, loaded as they come into view.
 *
 * @param query filters, order and search by the names of the API
 */
export function useEntries({ id }: Pick<Collection, 'id'>, query: string, range: Range): Paged<Entry> {
  return usePaged(['entries', id, 'list', query], (place) => loadEntries(id, query, place), range);
}

/** IDs of all entries that fit a query. */
export async function allEntryIds(collection: number, query: string): Promise<readonly number[]> {
  const ids: number[] = [];
  for (;;) {
    const { rows, count } = await loadEntries(collection, query, { limit: maxEntries, offset: ids.length });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length === 0 || ids.length >= count) return ids;
  }
}

export function loadEntries(
  collection: number,
  query: string,
  { limit, offset, signal }: { limit: number; offset: number; signal?: AbortSignal },
): Promise<Part<Entry>> {
  const search = new URLSearchParams(query);
  search.set('_limit', String(limit));
  search.set('_offset', String(offset));
  const call = api.GET('/collections/{ref}/items', {
    params: { path: { ref: String(collection) }, query: Object.fromEntries(search) },
    ...(signal === undefined ? {} : { signal }),
  });
  return readPart(call.then(({ data, ...rest }) => ({ ...rest, data: listOf(data) })));
}

/** The entry of a singleton comes alone. */
function listOf(data: readonly Entry[] | Entry | null | undefined): readonly Entry[] {
  if (data === null || data === undefined) return [];
  return 'id' in data ? [data] : data;
}

/** Several entries, in the order of the collection. @param ids at most 1,000 */
export async function loadEntriesById(collection: number, ids: readonly number[]): Promise<readonly Entry[]> {
  const query = new URLSearchParams({ id__in: ids.join(',') }).toString();
  const { rows } = await loadEntries(collection, query, { limit: maxEntries, offset: 0 });
  return rows;
}

/** The values of a field of texts that begin in some way. */
export async function listValues(
  collection: number,
  field: string,
  start: string,
): Promise<readonly unknown[]> {
  const query = new URLSearchParams({ [`${field}__startswith`]: start }).toString();
  const values: unknown[] = [];
  for (;;) {
    const place = { limit: maxEntries, offset: values.length };
    const { rows, count } = await loadEntries(collection, query, place);
    values.push(...rows.map(({ data }) => data[field]));
    if (rows.length === 0 || values.length >= count) return values;
  }
}

export function entryQuery(collection: number, id: number) {
  return queryOptions({
    queryKey: ['entries', collection, 'entry', id],
    queryFn: ({ signal }) =>
      requireData(
        api.GET('/collections/{ref}/items/{id}', {
          params: { path: { ref: String(collection), id } },
          signal,
        }),
      ),
  });
}

/** ID of the collection of an entry, for what knows the entry alone; null if there is no such entry. */
export function entryCollectionQuery(id: number) {
  return queryOptions({
    queryKey: ['entries', 'collection', id],
    queryFn: async ({ signal }) => {
      for (const { id: collection } of await queryClient.ensureQueryData(collections.list())) {
        const { rows } = await loadEntries(collection, `id=${id}`, { limit: 1, offset: 0, signal });
        if (rows.some((entry) => entry.id === id)) return collection;
      }
      return null;
    },
  });
}

export interface EntryFields {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly published?: boolean;
  readonly base_updated_at?: number;
}

function putEntry(collection: number, id: number, body: EntryFields): Promise<SavedEntry> {
  const path = { ref: String(collection), id };
  return requireData(
    api.PUT('/collections/{ref}/items/{id}', { params: { path, query: { strict: true } }, body }),
  );
}

/** What is done with each of several entries. */
export type EntryChange =
  | {
      readonly op: 'update';
      readonly data?: Readonly<Record<string, unknown>>;
      readonly published?: boolean;
    }
  | { readonly op: 'delete' };

/**
 * Does the same with several entries. Each 500 of them are changed together or not at all.
 *
 * @throws EntryRefusal for the first entry that refuses it
 */
export async function changeEntries(
  collection: number,
  ids: readonly number[],
  change: EntryChange,
): Promise<void> {
  // An update names its data even if only the state changes.
  const whole = change.op === 'update' ? { data: {}, ...change } : change;
  for (let first = 0; first < ids.length; first += maxOperations) {
    const part = ids.slice(first, first + maxOperations);
    const ops = part.map((id) => ({ kind: 'item', collection, id, ...whole }));
    try {
      await requireData(api.POST('/batch', { params: { query: { strict: true } }, body: { ops } }));
    } catch (error) {
      const index = error instanceof ApiFailure ? Number(error.params['index']) : Number.NaN;
      const refused = part[index];
      throw refused === undefined ? error : new EntryRefusal(refused, error);
    }
  }
}

/** One of several entries cannot be changed, so none of its batch was. */
export class EntryRefusal extends Error {
  readonly id: number;

  constructor(id: number, cause: unknown) {
    super(`entry ${id} was refused`, { cause });
    this.id = id;
  }
}

export async function updateEntry(collection: number, id: number, body: EntryFields): Promise<SavedEntry> {
  const saved = await putEntry(collection, id, body);
  const { warnings: _warnings, ...entry } = saved;
  queryClient.setQueryData(entryQuery(collection, id).queryKey, entry);
  await entriesChanged(collection);
  return saved;
}

export async function createEntry(
  collection: number,
  body: { readonly data: Readonly<Record<string, unknown>>; readonly published: boolean },
): Promise<SavedEntry> {
  const path = { ref: String(collection) };
  const saved = await requireData(
    api.POST('/collections/{ref}/items', { params: { path, query: { strict: true } }, body }),
  );
  await entriesChanged(collection);
  // Type boundary: one entry was sent, so one comes back.
  return saved as SavedEntry;
}

/** Puts entries in an order; they share the places that they had. */
export async function reorderEntries(collection: number, ids: readonly number[]): Promise<void> {
  const path = { ref: String(collection) };
  await requireData(api.POST('/collections/{ref}/items/reorder', { params: { path }, body: [...ids] }));
  await entriesChanged(collection);
}

/** Deletes an entry without asking for lists again. */
export async function deleteEntry(collection: number, id: number): Promise<void> {
  const path = { ref: String(collection), id };
  await requireData(api.DELETE('/collections/{ref}/items/{id}', { params: { path } }));
}

export async function entriesChanged(collection: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['entries', collection] });
  // The number of entries.
  await queryClient.invalidateQueries({ queryKey: ['collections'] });
}
