import { queryOptions } from '@tanstack/react-query';
import { lastChanges } from '../api/live.ts';

/** How many versions of the content are looked through. */
const maxChanges = 60;

/** What was changed last, the newest first; each object once. */
export const recentChanges = queryOptions({
  queryKey: ['changes'],
  queryFn: async () => {
    const { changes } = await lastChanges(maxChanges);
    const named = changes.filter(({ name }) => name !== undefined && name !== '');
    return [...new Map(named.map((change) => [`${change.kind} ${change.id}`, change])).values()]
      .toSorted((left, right) => right.version - left.version)
      .slice(0, 12);
  },
  staleTime: 0,
});
