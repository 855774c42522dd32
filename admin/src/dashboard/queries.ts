import { queryOptions } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { newestVersion } from '../api/live.ts';

/** How many changes are looked through. */
const maxChanges = 60;

/** What was changed last, the newest first; each object once. */
export const recentChanges = queryOptions({
  queryKey: ['changes'],
  queryFn: async () => {
    const version = await newestVersion();
    const since = Math.max(0, version - maxChanges);
    const { changes } = await ok(api.GET('/changes', { params: { query: { since, limit: 1000 } } }));
    const named = changes.filter(({ name }) => name !== undefined && name !== '');
    return [...new Map(named.map((change) => [`${change.kind} ${change.id}`, change])).values()]
      .toSorted((left, right) => right.version - left.version)
      .slice(0, 12);
  },
  staleTime: 0,
});
