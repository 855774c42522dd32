import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';

/** The redirects that the server made when pages of a website got other addresses. */
export function automaticRedirectsQuery(site: number) {
  return queryOptions({
    queryKey: ['automatic-redirects', site],
    queryFn: async () => {
      const all = await requireData(api.GET('/redirects', { params: { query: { root_id: site } } }));
      return new Set(all.filter(({ auto }) => auto).map(({ id }) => id));
    },
    // They are asked for right before something depends on them.
    staleTime: 0,
  });
}
