/** Links that show a website with a change set, without a login. */
import { randomBytes } from 'node:crypto';
import { hostName, isHost, parseDomains } from '../../../../runtime/content/site-host.ts';
import type { Actor } from '../../../base/actor.ts';
import { unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import { allows, allowsOnSome } from '../../../base/rights.ts';
import type { Change } from '../../../changes/changes.ts';
import { placeObject } from '../../../content/kinds/decide.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { defaultTtl } from '../../../content/sites/preview-link.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FindSetPreview } from '../../../delivery/set-previews.ts';
import type { SharedServices } from '../../../feature.ts';
import type { Origin } from '../../../http/origin.ts';
import { type FindOpener, nameOpener } from '../../auth/openers.ts';
import { hashToken } from '../../auth/service.ts';
import type { CachedOverlays } from '../cached-overlays.ts';
import { loadItems, type SetItem } from '../items.ts';
import { requireEditable, requireSet } from '../service.ts';
import type { SetPreviewLink, SetPreviewLinkCreate } from './model.ts';
import * as store from './store.ts';

/** GET: the valid links, newest first, without their tokens. @throws ApiError `common.notFound` */
export async function listSetPreviewLinks(
  deps: SetLinkDeps & LinkedContent,
  { actor, setId }: { readonly actor: Actor; readonly setId: number },
  origin: Origin,
): Promise<SetPreviewLink[]> {
  const { reader, kinds, clock } = deps;
  const { state } = await requireSet(reader, actor, setId);
  // Links end with their change set.
  if (state === 'published' || state === 'discarded') return [];
  const links: SetPreviewLink[] = [];
  for (const { page_id: siteId, opened_by, ...link } of await store.listSetLinks(
    reader,
    setId,
    unixSeconds(clock),
  ))
    if (await mayShow(deps, setId, opened_by))
      links.push({ ...link, site_id: siteId, url: await siteUrl(reader, kinds, siteId, origin) });
  return links;
}

/**
 * POST: a link whose address has the token; only its hash is stored.
 *
 * @throws ApiError `common.notFound` for the change set or the website, 409 `changeset.closed`
 */
export async function createSetPreviewLink(
  { tx, now, actor }: Change,
  kinds: KindsByName,
  setId: number,
  { site_id: wanted, ttl = defaultTtl, note = '' }: SetPreviewLinkCreate,
  origin: Origin,
): Promise<SetPreviewLink> {
  await requireEditable(tx, actor, setId);
  const siteId = wanted ?? (await findSiteOf(tx, kinds, await loadItems(tx, setId, kinds)));
  const site = await kinds.get('page')?.find(tx, siteId ?? 0);
  if (site === undefined || siteId === undefined || Reflect.get(site, 'parent_id') !== null)
    throw apiError('common.notFound', { field: 'site_id' });
  const token = randomBytes(32).toString('base64url');
  const link = { note, created_at: now, expires_at: now + ttl };
  const opened_by = nameOpener(actor);
  const row = { ...link, page_id: siteId, hash: hashToken(token), change_set_id: setId, opened_by };
  const id = await store.insertSetLink(tx, row);
  const url = `${await siteUrl(tx, kinds, siteId, origin)}?ic_preview=${token}`;
  return { id, url, site_id: siteId, ...link };
}

export interface SetLinkDeps {
  /** Of callers. */
  readonly findOpener: FindOpener;
}

type LinkedContent = Pick<SharedServices, 'reader' | 'clock'> & { readonly kinds: KindsByName };

/** Whether somebody who has opened a link may still edit everything in the change set, as at its start. */
async function mayShow(
  { reader, kinds, findOpener }: SetLinkDeps & LinkedContent,
  setId: number,
  openedBy: string,
): Promise<boolean> {
  const rights = await findOpener(openedBy);
  const grants = rights?.grants;
  if (grants === undefined) return rights !== undefined;
  for (const { kind, id, base } of await loadItems(reader, setId, kinds)) {
    const state = (await kind.find(reader, id)) ?? base;
    const mayEdit =
      state === undefined
        ? allowsOnSome(grants, 'edit', kind.name)
        : allows(grants, 'edit', await placeObject(kind, reader, state));
    if (!mayEdit) return false;
  }
  return true;
}

/** Finds what the token of a visitor shows. */
export function findSetPreviewWith(
  deps: SetLinkDeps & LinkedContent & { readonly overlaidReads: Pick<CachedOverlays, 'run'> },
): FindSetPreview {
  const { reader, clock, overlaidReads } = deps;
  return async (token) => {
    const set = await store.findLinkedSet(reader, hashToken(token), unixSeconds(clock));
    if (set === undefined || !(await mayShow(deps, set.id, set.opened_by))) return undefined;
    const { id, name, page_id: siteId } = set;
    return { siteId, name, run: (work) => overlaidReads.run({ kind: 'none' }, id, work) };
  };
}

/** The website of the first page in a change set, else the first website. */
async function findSiteOf(
  db: ContentDb,
  kinds: KindsByName,
  items: readonly SetItem[],
): Promise<number | undefined> {
  const pages = items.filter(({ kind }) => kind.name === 'page');
  for (const { id } of pages) {
    const root = await findRoot(db, kinds, pages, id);
    if (root !== undefined) return root;
  }
  return store.findFirstSite(db);
}

async function findRoot(
  db: ContentDb,
  kinds: KindsByName,
  pages: readonly SetItem[],
  id: number,
): Promise<number | undefined> {
  let current: number | undefined = id;
  // A page that the change set creates may be below another such page.
  for (let depth = 0; current !== undefined && depth <= pages.length; depth++) {
    const page = await kinds.get('page')?.find(db, current);
    if (page !== undefined) return Number(Reflect.get(page, 'root_id'));
    const item: SetItem | undefined = pages.find((one) => one.id === current);
    const parent: unknown = Reflect.get(item?.creation ?? {}, 'parent_id');
    current = typeof parent === 'number' ? parent : undefined;
  }
  return undefined;
}

/** The address of a website; one without a domain has the host of the request. */
async function siteUrl(
  db: ContentDb,
  kinds: KindsByName,
  siteId: number,
  { host, scheme }: Origin,
): Promise<string> {
  const site = await kinds.get('page')?.find(db, siteId);
  const domains = parseDomains({ domains: String(Reflect.get(site ?? {}, 'domains') ?? '') });
  const asked = isHost(host) ? host : 'localhost';
  const named = domains.includes(hostName(asked)) ? hostName(asked) : (domains[0] ?? asked);
  return `${scheme}://${named}/`;
}
