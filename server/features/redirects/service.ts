import { isDeepStrictEqual } from 'node:util';
import { apiError, collectFaults, type ErrorCode, invalid } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { mediaReferencesIn } from '../../content/kinds/references.ts';
import type { RestoredNames, RowEdits } from '../../content/kinds/trash/declaration.ts';
import { isReservedPath } from '../../content/sites/reserved-paths.ts';
import { findIdAt, isPagePath, listCatchAllPaths, requireSite } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { RedirectHits } from './hits.ts';
import {
  Redirect,
  RedirectCreate,
  RedirectListEntry,
  RedirectUpdate,
  SiteQuery,
  type StoredRedirect,
} from './model.ts';
import { checkLoop, parseSource, parseTarget } from './rules.ts';
import * as store from './store.ts';

/** What others need of a redirect to record a change of it. */
export const redirectIdentity = {
  name: 'redirect',
  revisions: {
    kind: 'redirect',
    restore: async (_db: ContentDb, _current: StoredRedirect, stored: StoredRedirect) => ({
      source: stored.source,
      target: stored.target,
      status: stored.status,
    }),
  },
  rights: { code: [], place: async (_db: ContentDb, { root_id }: StoredRedirect) => ({ site: root_id }) },
  namesOf: ({ root_id, source }: StoredRedirect) => ({ root_id, path: source }),
  refersTo: ({ target, target_path }: StoredRedirect) => ({
    target: [
      ...(target_path === '' ? [] : [{ kind: 'link', key: target_path }]),
      ...mediaReferencesIn(target),
    ],
  }),
} as const;

const errors: readonly ErrorCode[] = ['common.notFound', 'redirect.sourceTaken', 'redirect.loop'];

/** A redirect from an old address of a website to another address. */
export function redirectKind(
  hits: RedirectHits,
): Kind<StoredRedirect, typeof RedirectCreate, typeof RedirectUpdate> {
  return {
    ...redirectIdentity,
    path: '/redirects',
    noun: 'a redirect',
    about: 'Redirects from old addresses of a website to new ones.',
    schemas: { create: RedirectCreate, update: RedirectUpdate, answer: Redirect },
    errors: { create: errors, update: errors },
    list: {
      summary: 'List the redirects of a website, sorted by path',
      query: SiteQuery,
      entry: RedirectListEntry,
      read: (db, { root_id }: SiteQuery) => listRedirects(db, hits, root_id),
    },
    endpoints: ['list', 'create', 'update', 'delete'],
    countsVisits: true,
    find: store.redirects.find,
    faultsIn: (db, body, before) => collectFaults(rulesFor(db, body, before)),
    async create({ tx, now }, body) {
      const site = await requireSite(tx, body.root_id);
      const redirect = {
        root_id: site.id,
        source: parseSource(body.source),
        ...parseTarget(body.target, site.domains),
        status: body.status ?? 301,
        auto: body.automatic ?? false,
        created_at: now,
      };
      await checkPlace(tx, { id: 0, ...redirect });
      return { id: await store.redirects.insert(tx, redirect), ...redirect };
    },
    merge: mergeRedirect,
    async write({ tx }, after) {
      await store.redirects.update(tx, after);
      return after;
    },
    async remove({ tx }, { id }) {
      await store.redirects.remove(tx, id);
    },
    present: async (redirect) => withUse(redirect, await hits.ofRedirect(redirect.id)),
    batch: { ops: ['create', 'update', 'delete'], idFields: ['root_id'] },
    trash: {
      parentOf: ({ root_id: id }) => ({ kind: 'page', id }),
      beforeRestore: prepareRedirect,
      present: async (db, redirect) => ({
        ...withUse(redirect, await hits.ofRedirect(redirect.id)),
        target_missing: await isTargetMissing(db, redirect),
      }),
      forget({ after }, deleted) {
        for (const { id } of deleted('redirects')) after(() => hits.dropRedirect(Number(id)));
      },
    },
    tables: ['redirects'],
  };
}

/** @throws ApiError 409 `trash.nameTaken`, `redirect.loop` */
async function prepareRedirect(
  { tx }: Change,
  redirect: StoredRedirect,
  names: RestoredNames,
): Promise<RowEdits> {
  const { root_id, source } = redirect;
  const free = await names.claim({
    what: 'path',
    name: source,
    async findHolder(path) {
      const page = await findIdAt(tx, root_id, path);
      if (page !== undefined) return { kind: 'page', id: page };
      const other = await store.findBySource(tx, root_id, path);
      return other === undefined ? undefined : { kind: 'redirect', id: other.id };
    },
    next: (number) => `${source}-${number}`,
  });
  await checkPlace(tx, { ...redirect, source: free });
  return { redirects: (row) => (row['id'] === redirect.id ? { ...row, source: free } : row) };
}

/** The redirects of a website in slices, by source. The connection must be in a transaction. */
export async function* listTargets(db: ContentDb, rootId: number): AsyncGenerator<StoredRedirect[]> {
  for await (const slice of store.listRedirects(db, rootId)) yield slice.map(({ redirect }) => redirect);
}

/** GET /redirects: all redirects of a website in slices, sorted by path (Core, "Redirects and 404 log"). */
export async function* listRedirects(
  db: ContentDb,
  hits: RedirectHits,
  rootId: number,
): AsyncGenerator<RedirectListEntry[]> {
  // Who may read redirects of a website need not be able to read its home page.
  if (!(await store.hasRedirects(db, rootId))) await requireSite(db, rootId);
  const use = await hits.ofSite(rootId);
  const catchAll = new Set(await listCatchAllPaths(db, rootId));
  /** Whether the path is answered although there is neither a page nor a redirect. */
  const isCovered = (path: string) =>
    isReservedPath(path) || pathsAbove(path).some((above) => catchAll.has(above));
  for await (const slice of store.listRedirects(db, rootId)) {
    yield slice.map(({ redirect, leadsSomewhere }) => ({
      ...withUse(redirect, use.get(redirect.id)),
      target_missing: redirect.target.startsWith('/') && !leadsSomewhere && !isCovered(redirect.target_path),
    }));
  }
}

/** Whether a redirect that is no more led to nothing of its website. */
async function isTargetMissing(
  db: ContentDb,
  { root_id, target, target_path }: StoredRedirect,
): Promise<boolean> {
  if (!target.startsWith('/') || isReservedPath(target_path)) return false;
  if (await isPagePath(db, root_id, target_path)) return false;
  if ((await store.findBySource(db, root_id, target_path)) !== undefined) return false;
  const catchAll = new Set(await listCatchAllPaths(db, root_id));
  return !pathsAbove(target_path).some((above) => catchAll.has(above));
}

/** The paths of which a path is below: `/` and `/a` for `/a/b`. */
function pathsAbove(path: string): string[] {
  const paths = ['/'];
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1))
    paths.push(path.slice(0, end));
  return paths;
}

/** The rules for single fields. */
function rulesFor(
  db: ContentDb,
  { root_id, source, target }: Partial<RedirectCreate>,
  before: StoredRedirect | undefined,
): (() => unknown)[] {
  const rootId = before?.root_id ?? root_id;
  return [
    () => before === undefined && root_id !== undefined && requireSite(db, root_id),
    async () => {
      const path = source === undefined ? before?.source : parseSource(source);
      if (rootId !== undefined && path !== undefined) await checkIsNoPage(db, rootId, path);
    },
    () => target !== undefined && parseTarget(target, []),
  ];
}

/** @throws ApiError `common.invalid` for the path of a page */
async function checkIsNoPage(db: ContentDb, rootId: number, source: string): Promise<void> {
  if (await isPagePath(db, rootId, source)) throw invalid('source', `${source} is the path of a page`);
}

/** An edited redirect is no longer an automatic one. */
async function mergeRedirect(
  { tx }: Change,
  before: StoredRedirect,
  body: RedirectUpdate,
): Promise<StoredRedirect> {
  const site = await requireSite(tx, before.root_id);
  const redirect = {
    ...before,
    source: body.source === undefined ? before.source : parseSource(body.source),
    ...(body.target === undefined ? {} : parseTarget(body.target, site.domains)),
    status: body.status ?? before.status,
  };
  await checkPlace(tx, redirect);
  return isDeepStrictEqual(redirect, before) ? before : { ...redirect, auto: false };
}

/** A stored redirect with its use, in the form of the API. */
function withUse(
  { target_path: _, ...redirect }: StoredRedirect,
  { hits, last_hit_at }: { readonly hits: number; readonly last_hit_at: number } = {
    hits: 0,
    last_hit_at: 0,
  },
): Redirect {
  return { ...redirect, hits, last_hit_at };
}

/**
 * Checks a redirect against the other redirects of its website.
 *
 * @throws ApiError 409 `redirect.sourceTaken`, `redirect.loop`
 */
async function checkPlace(db: ContentDb, redirect: StoredRedirect): Promise<void> {
  const { id, root_id, source, target_path } = redirect;
  const holder = await store.findBySource(db, root_id, source);
  if (holder !== undefined && holder.id !== id) throw apiError('redirect.sourceTaken', { source });
  await checkLoop(source, target_path, async (path) => {
    const next = await store.findBySource(db, root_id, path);
    return next === undefined || next.id === id ? undefined : next.target_path;
  });
}
