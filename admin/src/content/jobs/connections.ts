import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { Connection, ConnectionStatus, KindDiff } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { Resource } from '../../api/resource.ts';
import { jobSignal } from './signal.ts';

export type { Connection, ConnectionStatus };
export type Direction = 'push' | 'pull';

/** What would happen to the objects of each kind. */
export type ContentChanges = Readonly<Record<string, KindDiff>>;

/** How often a running transfer is asked for, in milliseconds. */
const pollMs = 500;

export const connections = new Resource('/connections');

/** Whether the other instance answers, and what has changed on which side. */
export function statusQuery(id: number) {
  return queryOptions({
    queryKey: ['connections', 'status', id],
    queryFn: () => requireData(api.GET('/connections/{id}/status', { params: { path: { id } } })),
    staleTime: 30_000,
  });
}

/** The running or last push or pull. */
export const syncQuery = queryOptions({
  queryKey: ['connections', 'sync'],
  queryFn: () => requireData(api.GET('/bundle/push')),
  refetchInterval: ({ state }) => (state.data?.running === true ? pollMs : false),
  staleTime: 0,
});

/** What a push or pull would do. */
export async function previewSync(id: number, direction: Direction): Promise<ContentChanges> {
  const params = { path: { id }, query: { direction } };
  return (await requireData(api.GET('/connections/{id}/diff', { params }))).kinds;
}

/** Replaces the content of one side by that of the other. Resolves with the name of the backup there. */
export async function sync(id: number, direction: Direction): Promise<string> {
  const request = { body: { connection_id: id } };
  const answer = direction === 'push' ? api.POST('/bundle/push', request) : api.POST('/bundle/pull', request);
  // The first answer may come before the transfer has begun.
  const asking = setInterval(() => {
    jobSignal.raise();
    void queryClient.invalidateQueries(syncQuery);
  }, pollMs);
  try {
    return (await requireData(answer)).backup;
  } finally {
    clearInterval(asking);
    await connections.changed();
  }
}
