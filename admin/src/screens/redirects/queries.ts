import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export function useRedirects(site: number) {
  return useQuery(
    queryOptions({
      queryKey: ['redirects', site],
      queryFn: ({ signal }) => ok(api.GET('/redirects', { params: { query: { root_id: site } }, signal })),
    }),
  );
}

export function useNotFound(site: number) {
  return useQuery(
    queryOptions({
      queryKey: ['notfound', site],
      queryFn: ({ signal }) => ok(api.GET('/notfound', { params: { query: { root_id: site } }, signal })),
    }),
  );
}

export interface NewRedirect {
  readonly source: string;
  readonly target: string;
  readonly status: 301 | 302;
}

export async function createRedirect(site: number, redirect: NewRedirect): Promise<void> {
  await ok(api.POST('/redirects', { body: { root_id: site, ...redirect } }));
  await trafficChanged();
}

export async function updateRedirect(id: number, redirect: NewRedirect): Promise<void> {
  await ok(api.PUT('/redirects/{id}', { params: { path: { id } }, body: redirect }));
  await trafficChanged();
}

export async function deleteRedirect(id: number): Promise<void> {
  await ok(api.DELETE('/redirects/{id}', { params: { path: { id } } }));
  await trafficChanged();
}

/** @param path one address; undefined for all */
export async function ignoreNotFound(site: number, path: string, ignored: boolean): Promise<void> {
  await ok(api.PUT('/notfound', { params: { query: { root_id: site, path } }, body: { ignored } }));
  await trafficChanged();
}

async function trafficChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['redirects'] });
  await queryClient.invalidateQueries({ queryKey: ['notfound'] });
}
