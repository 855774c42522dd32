import { parseDomains } from '../../../runtime/content/site-host.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { ContentDb } from '../../db/tables.ts';
import * as store from './store.ts';

export { findHomePage, listIdsAbove } from './store.ts';

/** A website; `id` is the ID of its home page. */
export interface Website {
  readonly id: number;
  readonly title: string;
  readonly domains: readonly string[];
}

/**
 * The website of a `root_id`.
 *
 * @throws ApiError `common.notFound` if there is no such page, `common.invalid` for a subpage
 */
export async function requireSite(db: ContentDb, rootId: number): Promise<Website> {
  const root = await store.findHomePage(db, rootId);
  // A caller who may see only where the home page stands may not read the website (`db/readable-rows.ts`).
  if (root === undefined || root.updated_at === 0) throw apiError('common.notFound', { field: 'root_id' });
  if (root.parent_id !== null) throw invalid('root_id', 'is a subpage, not a website');
  return { id: root.id, title: root.title, domains: parseDomains(root) };
}

/** All websites by ID, as others see them. */
export async function listSites(db: ContentDb): Promise<
  {
    readonly id: number;
    readonly title: string;
    readonly lang: string;
    readonly domains: string[];
    readonly default: boolean;
  }[]
> {
  const pages = await store.listHomePages(db);
  return pages.map((page) => ({
    id: page.id,
    title: page.title,
    lang: page.lang,
    domains: [...parseDomains(page)],
    default: page.default_site,
  }));
}

/**
 * Checks that no other website has one of these domains.
 *
 * @param rootId 0 for a new website
 * @throws ApiError 409 `site.domainTaken`
 */
export async function checkDomains(db: ContentDb, rootId: number, domains: readonly string[]): Promise<void> {
  for (const domain of domains) {
    const owner = await store.findDomainOwner(db, domain);
    if (owner !== undefined && owner !== rootId) throw apiError('site.domainTaken', { domain });
  }
}

/** Replaces the domains of a website. */
export function replaceDomains(db: ContentDb, rootId: number, domains: readonly string[]): Promise<void> {
  return store.replaceDomains(db, rootId, domains);
}

/** Clears the default flag of every website except one, because there is at most one default website. */
export function clearDefaultSite(db: ContentDb, exceptId: number, now: number): Promise<void> {
  return store.clearDefaultSite(db, exceptId, now);
}

export {
  findDomainOwner,
  findFavicon,
  findIdAt,
  hasDefaultSite,
  isPagePath,
  listCatchAllPaths,
  listDomains,
  listPathsOfSubtree,
} from './store.ts';
