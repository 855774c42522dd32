import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { findQueryKeys, followChanges } from '../../api/feeds.ts';
import type { RestoreRequest, RestoreResult, TrashEntry } from '../../api/generated/schema.ts';
import { readPart } from '../../api/paged.ts';
import { queryClient } from '../../api/query-client.ts';

/** Kinds of objects that go to the trash, in the order of the filter. */
export const trashKinds = [
  ...(['page', 'global_block', 'collection', 'item', 'file', 'folder'] as const),
  ...(['snippet', 'asset', 'source', 'redirect', 'workflow', 'flow_node'] as const),
] as const;

followChanges(trashKinds, 'trash');

export interface TrashFilter {
  readonly kind: string;
  readonly q: string;
}

/** Deleted objects, newest first, and the number of all that fit. */
export function trashQuery({ kind, q }: TrashFilter, limit: number) {
  const query = { limit, ...(kind === '' ? {} : { kind }), ...(q === '' ? {} : { q }) };
  return queryOptions({
    queryKey: ['trash', query],
    queryFn: ({ signal }) => readPart(api.GET('/trash', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export function restore(id: number, body: RestoreRequest): Promise<RestoreResult> {
  return requireData(api.POST('/trash/{id}/restore', { params: { path: { id } }, body }));
}

/** What a restore would do, or why it cannot be done so. */
export type RestorePlan = { readonly result: RestoreResult } | { readonly refusal: ApiFailure };

export function planQuery(id: number, options: RestoreRequest) {
  return queryOptions({
    queryKey: ['trash', id, options],
    queryFn: async (): Promise<RestorePlan> => {
      try {
        return { result: await restore(id, { ...options, dry_run: true }) };
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 409) return { refusal: error };
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The website of a page that is back. */
export async function findSite(page: number): Promise<number> {
  return (await requireData(api.GET('/pages/{id}', { params: { path: { id: page } } }))).root_id;
}

export async function forget(id: number): Promise<void> {
  await requireData(api.DELETE('/trash/{id}', { params: { path: { id } } }));
  await trashChanged();
}

export async function emptyTrash(): Promise<void> {
  await requireData(api.DELETE('/trash'));
  await trashChanged();
}

/** @param kinds of what has come back */
export async function trashChanged(kinds: Iterable<TrashEntry['kind']> = []): Promise<void> {
  const keys = new Set(['trash', 'cleanup', ...[...kinds].flatMap((kind) => [...findQueryKeys(kind)])]);
  await Promise.all([...keys].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
