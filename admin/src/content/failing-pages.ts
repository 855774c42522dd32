import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, requireData } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';

followChanges(
  ['page', 'snippet', 'asset', 'file', 'collection', 'item', 'source', 'global_block', 'redirect', 'import'],
  'failing-pages',
);

/** How often it is asked whether a page has left the list, of which no change tells, in milliseconds. */
const againMs = 5_000;

/** The pages of a website that visitors cannot see, the newest first. */
export function failingPagesQuery(site: number) {
  return queryOptions({
    queryKey: ['failing-pages', site],
    queryFn: () => requireData(api.GET('/sites/{id}/failing-pages', { params: { path: { id: site } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? againMs : false),
  });
}

/** IDs of the pages of a website that visitors cannot see. */
export function useFailingIds(site: number): ReadonlySet<number> {
  const { data } = useQuery(failingPagesQuery(site));
  return useMemo(() => new Set((data ?? []).map(({ page_id }) => page_id)), [data]);
}
