import type { ContentReader, PageFields, PageRecord } from '../content/reader.ts';

/**
 * The 404 page of a website (Core, "Public non-API routes"): the page in its `notfound_page_id`, else the
 * published page with slug `404` directly below the home page. A draft, or a page of another website, does
 * not count.
 */
export function findNotFoundPage(
  reader: Pick<ContentReader, 'page' | 'pageByPath'>,
  root: Pick<PageFields, 'id' | 'notfound_page_id'>,
): PageRecord | undefined {
  const named = root.notfound_page_id === 0 ? undefined : reader.page(root.notfound_page_id);
  if (named?.published && named.root_id === root.id && named.id !== root.id) return named;
  const automatic = reader.pageByPath(root.id, '/404');
  return automatic?.published ? automatic : undefined;
}
