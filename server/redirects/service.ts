import { domainsOf } from '../../runtime/page/site-host.ts';
import type { Change } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError, invalid } from '../errors.ts';
import { isPagePath, listPagePaths, requireSite } from '../pages/lookup.ts';
import type { RedirectHits } from './hits.ts';
import type { Redirect, RedirectCreate, RedirectListEntry, RedirectUpdate, StoredRedirect } from './model.ts';
import { checkLoop, isReservedPath, parseSource, parseTarget } from './rules.ts';
import * as store from './store.ts';

/** GET /redirects: all redirects of a website, sorted by path (Core, "Redirects and 404 log"). */
export async function listRedirects(
  db: ContentDb,
  hits: RedirectHits,
  rootId: number,
): Promise<RedirectListEntry[]> {
  await requireSite(db, rootId);
  const use = await hits.ofSite(rootId);
  const redirects = await store.listRedirects(db, rootId);
  const isAnswered = await answeredPaths(db, rootId, redirects);
  return redirects.map((redirect) => ({
    ...present(redirect, use.get(redirect.id)),
    target_missing: redirect.target.startsWith('/') && !isAnswered(redirect.target_path),
  }));
}

/** POST /redirects */
export async function createRedirect(change: Change, body: RedirectCreate): Promise<StoredRedirect> {
  const site = await requireSite(change.tx, body.root_id);
  const redirect = {
    root_id: site.id,
    source: parseSource(body.source),
    ...parseTarget(body.target, domainsOf(site)),
    status: body.status ?? 301,
    auto: false,
    created_at: change.now,
  };
  await checkPlace(change.tx, { id: 0, ...redirect });
  const id = await store.insertRedirect(change.tx, redirect);
  change.record({ kind: 'redirect', action: 'create', id, root_id: site.id, source: redirect.source });
  return { id, ...redirect };
}

/** PUT /redirects/{id}: an edited redirect is no automatic one any more. */
export async function updateRedirect(
  change: Change,
  id: number,
  body: RedirectUpdate,
): Promise<StoredRedirect> {
  const before = await requireRedirect(change.tx, id);
  const site = await requireSite(change.tx, before.root_id);
  const redirect = {
    ...before,
    source: body.source === undefined ? before.source : parseSource(body.source),
    ...(body.target === undefined ? {} : parseTarget(body.target, domainsOf(site))),
    status: body.status ?? before.status,
    auto: false,
  };
  await checkPlace(change.tx, redirect);
  await store.updateRedirect(change.tx, redirect);
  change.record({ kind: 'redirect', action: 'update', id, root_id: site.id, source: redirect.source });
  return redirect;
}

/** DELETE /redirects/{id} */
export async function deleteRedirect(change: Change, id: number): Promise<void> {
  const { root_id, source } = await requireRedirect(change.tx, id);
  await store.deleteRedirect(change.tx, id);
  change.record({ kind: 'redirect', action: 'delete', id, root_id, source });
}

/** A stored redirect with its use, as the API answers it. */
export function present(
  { target_path: _, ...redirect }: StoredRedirect,
  use: { readonly hits: number; readonly last_hit_at: number } = { hits: 0, last_hit_at: 0 },
): Redirect {
  return { ...redirect, hits: use.hits, last_hit_at: use.last_hit_at };
}

async function requireRedirect(db: ContentDb, id: number): Promise<StoredRedirect> {
  const redirect = await store.findRedirect(db, id);
  if (redirect === undefined) throw apiError('common.notFound', {});
  return redirect;
}

/**
 * What a redirect must be among pages and other redirects.
 *
 * @throws ApiError `common.invalid` for the path of a page, 409 `redirect.sourceTaken`, `redirect.loop`
 */
async function checkPlace(db: ContentDb, redirect: StoredRedirect): Promise<void> {
  const { id, root_id, source, target_path } = redirect;
  if (await isPagePath(db, root_id, source)) throw invalid('source', `${source} is the path of a page`);
  const holder = await store.findBySource(db, root_id, source);
  if (holder !== undefined && holder.id !== id) throw apiError('redirect.sourceTaken', { source });
  await checkLoop(source, target_path, async (path) => {
    const next = await store.findBySource(db, root_id, path);
    return next === undefined || next.id === id ? undefined : next.target_path;
  });
}

/** Which paths of a website somebody answers: a page, a catch-all page above, a redirect, the service itself. */
async function answeredPaths(
  db: ContentDb,
  rootId: number,
  redirects: readonly StoredRedirect[],
): Promise<(path: string) => boolean> {
  const pages = await listPagePaths(db, rootId);
  const known = new Set([...pages.map((page) => page.path), ...redirects.map((redirect) => redirect.source)]);
  const catchAll = pages.filter((page) => page.catchAll && page.published).map((page) => page.path);
  return (path) =>
    known.has(path) ||
    isReservedPath(path) ||
    catchAll.some((above) => above === '/' || path.startsWith(`${above}/`));
}
