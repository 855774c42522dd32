import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';

/** How this server runs, and how long its trash keeps what is deleted. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => requireData(api.GET('/system')),
});

/** What left the trash before its time, because it was full; null if nothing did. */
export const droppedQuery = queryOptions({
  queryKey: ['cleanup'],
  queryFn: () => requireData(api.GET('/cleanup')),
  select: ({ trash_dropped }) => trash_dropped,
  staleTime: 0,
});
