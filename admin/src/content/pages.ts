import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import type { Page, PageTreeEntry, SavedPage } from '../api/generated/schema.ts';
import { queryClient } from '../api/query-client.ts';

followChanges(['page', 'import'], 'pages');

export type { Page, PageTreeEntry, SavedPage };

const treeQuery = queryOptions({
  queryKey: ['pages', 'tree'],
  queryFn: async ({ signal }) => {
    const pages = await requireData(api.GET('/pages', { params: { query: { view: 'tree' } }, signal }));
    // Type boundary: with `view=tree` all entries have this form.
    return pages as readonly PageTreeEntry[];
  },
});

/** All pages of all websites, by parent and position. */
export function usePageTree() {
  return useQuery(treeQuery);
}

/** The same, for what cannot go on without them. */
export function loadPageTree(): Promise<readonly PageTreeEntry[]> {
  return queryClient.ensureQueryData(treeQuery);
}

/** All pages as the server has them now. */
export function refreshPageTree(): Promise<readonly PageTreeEntry[]> {
  return queryClient.fetchQuery({ ...treeQuery, staleTime: 0 });
}

/** The layouts for new pages. */
export const pageLayoutsQuery = queryOptions({
  queryKey: ['page-layouts'],
  queryFn: () => requireData(api.GET('/page-layouts')),
});

/** Number of websites, as far as it is known. */
export function countSites(): number {
  const pages = queryClient.getQueryData(treeQuery.queryKey) ?? [];
  return pages.filter(({ parent_id }) => parent_id === null).length;
}

export function pageQuery(id: number) {
  return queryOptions({
    queryKey: ['pages', 'page', id],
    queryFn: ({ signal }) => requireData(api.GET('/pages/{id}', { params: { path: { id } }, signal })),
  });
}

export function usePage(id: number) {
  return useQuery(pageQuery(id));
}

/** Puts a saved page into what is known, so that no screen shows the state before. */
export function pageSaved(page: SavedPage | Page): void {
  queryClient.setQueryData(pageQuery(page.id).queryKey, page);
  void queryClient.invalidateQueries({ queryKey: treeQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: ['revisions', 'page', page.id] });
}

/** After a change of several pages. */
export function pagesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['pages'] });
}
