import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { Resource } from '../../api/resource.ts';

/** Whoever changes one also changes which addresses are not found. */
export const redirects = new Resource('/redirects', { feeds: ['redirect'], also: ['notfound', 'revisions'] });

export function useNotFound(site: number) {
  return useQuery(
    queryOptions({
      queryKey: ['notfound', site],
      queryFn: ({ signal }) =>
        requireData(api.GET('/notfound', { params: { query: { root_id: site } }, signal })),
    }),
  );
}

export interface NewRedirect {
  readonly source: string;
  readonly target: string;
  readonly status: 301 | 302;
}

/** @param path one address; undefined for all */
export async function ignoreNotFound(site: number, path: string, ignored: boolean): Promise<void> {
  await requireData(api.PUT('/notfound', { params: { query: { root_id: site, path } }, body: { ignored } }));
  await redirects.changed();
}
