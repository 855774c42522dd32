import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import type { GlobalBlock, GlobalBlockCreate, GlobalBlockUpdate } from '../api/generated/schema.ts';
import { queryClient } from '../api/query-client.ts';

followChanges(['global_block'], 'global-blocks');

export type { GlobalBlock };

const globalsQuery = queryOptions({
  queryKey: ['global-blocks'],
  queryFn: () => ok(api.GET('/global-blocks')),
});

export function useGlobalBlocks() {
  return useQuery(globalsQuery);
}

export function globalQuery(id: number) {
  return queryOptions({
    queryKey: ['global-blocks', id],
    queryFn: () => ok(api.GET('/global-blocks/{id}', { params: { path: { id } } })),
  });
}

/** The places that use a global block. */
export function globalUsageQuery(id: number) {
  return queryOptions({
    queryKey: ['global-blocks', id, 'usage'],
    queryFn: () => ok(api.GET('/global-blocks/{id}/usage', { params: { path: { id } } })),
  });
}

export async function createGlobal(body: GlobalBlockCreate): Promise<GlobalBlock> {
  const global = await ok(api.POST('/global-blocks', { body }));
  await globalsChanged();
  return global;
}

export async function updateGlobal(id: number, body: GlobalBlockUpdate): Promise<GlobalBlock> {
  const global = await ok(api.PUT('/global-blocks/{id}', { params: { path: { id } }, body }));
  queryClient.setQueryData(globalQuery(id).queryKey, global);
  void queryClient.invalidateQueries({ queryKey: globalsQuery.queryKey, exact: true });
  void queryClient.invalidateQueries({ queryKey: ['revisions', 'globalblock', id] });
  return global;
}

export async function deleteGlobal(id: number): Promise<void> {
  await ok(api.DELETE('/global-blocks/{id}', { params: { path: { id } } }));
  await globalsChanged();
}

export function globalsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: globalsQuery.queryKey });
}
