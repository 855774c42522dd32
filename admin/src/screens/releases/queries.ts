import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSetItem } from '../../api/generated/schema.ts';
import { changeSets, isRelease, requestRevert } from '../../content/releases/releases.ts';

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

export async function takeOut(id: number, { kind, id: objectId }: ChangeSetItem): Promise<void> {
  const path = { id, kind, objectId };
  await requireData(api.DELETE('/change-sets/{id}/items/{kind}/{objectId}', { params: { path } }));
  await changeSets.changed();
}
