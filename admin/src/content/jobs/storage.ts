import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export const storageQuery = queryOptions({
  queryKey: ['storage'],
  queryFn: () => requireData(api.GET('/storage')),
  refetchInterval: ({ state }) => (state.data?.migration.status === 'running' ? 1000 : false),
});

export function storageChanged(): Promise<void> {
  return queryClient.invalidateQueries(storageQuery);
}

export async function cancelMigration(): Promise<void> {
  await requireData(api.DELETE('/storage/migrate'));
  await storageChanged();
}
