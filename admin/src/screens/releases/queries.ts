import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSetItem, PublishRequest, Reverted } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { changeSets, isRelease } from '../../content/releases/releases.ts';

/** The releases, newest first. */
export const releases = {
  name: changeSets.name,
  useList() {
    const { data } = changeSets.useList();
    return { data: data?.filter(isRelease) };
  },
};

export function itemsQuery(id: number) {
  return queryOptions({
    queryKey: [changeSets.name, id, 'items'],
    queryFn: () => requireData(api.GET('/change-sets/{id}/items', { params: { path: { id } } })),
    staleTime: 0,
  });
}

export function diffQuery(id: number) {
  return queryOptions({
    queryKey: [changeSets.name, id, 'diff'],
    queryFn: () => requireData(api.GET('/change-sets/{id}/diff', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** Publishes at once. What others read may be old then. */
export async function publish(id: number, resolve: PublishRequest['resolve'] = {}): Promise<void> {
  await requireData(api.POST('/change-sets/{id}/publish', { params: { path: { id } }, body: { resolve } }));
  await queryClient.invalidateQueries();
}

/** What a revert would leave as it is, because it was changed since. */
export function planRevertQuery(id: number) {
  return queryOptions({
    queryKey: [changeSets.name, id, 'revert'],
    queryFn: () => requestRevert(id, true),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Puts back what a published release has changed. */
export async function revert(id: number): Promise<Reverted> {
  const done = await requestRevert(id, false);
  await queryClient.invalidateQueries();
  return done;
}

function requestRevert(id: number, isDryRun: boolean): Promise<Reverted> {
  const params = { path: { id } };
  return requireData(api.POST('/change-sets/{id}/revert', { params, body: { dry_run: isDryRun } }));
}

export async function takeOut(id: number, { kind, id: objectId }: ChangeSetItem): Promise<void> {
  const path = { id, kind, objectId };
  await requireData(api.DELETE('/change-sets/{id}/items/{kind}/{objectId}', { params: { path } }));
  await changeSets.changed();
}
