import type { ContentDb } from '../db/tables.ts';
import { apiError, invalid } from '../errors.ts';
import type { StoredPage } from './model.ts';
import { isPath, listPaths, type PagePath } from './path-store.ts';
import { findPage } from './store.ts';

/** What other features ask about pages. */

/**
 * The home page of a website named by a `root_id`.
 *
 * @throws ApiError `common.notFound` for no page, `common.invalid` for a subpage (open points 12, "Redirects")
 */
export async function requireSite(db: ContentDb, rootId: number): Promise<StoredPage> {
  const page = await findPage(db, rootId);
  if (page === undefined) throw apiError('common.notFound', {});
  if (page.parent_id !== null) throw invalid('root_id', 'is a subpage, not a website');
  return page;
}

/** Whether a website has a page, draft or not, at a path. */
export function isPagePath(db: ContentDb, rootId: number, path: string): Promise<boolean> {
  return isPath(db, rootId, path);
}

export function listPagePaths(db: ContentDb, rootId: number): Promise<PagePath[]> {
  return listPaths(db, rootId);
}
