import { randomBytes } from 'node:crypto';
import type { Generated, Kysely } from 'kysely';
import type { RowViews } from '../../../../runtime/content/overlay.ts';
import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { ApiError, apiError } from '../../../base/errors.ts';
import type { Grants } from '../../../base/rights.ts';
import type { Change } from '../../../changes/changes.ts';
import { defaultTtl, type PreviewLink, type PreviewLinkCreate } from '../../../content/sites/preview-link.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { limitReads } from '../../../db/readable-rows.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb, ContentTables } from '../../../db/tables.ts';
import type { FindPreviewScope } from '../../../delivery/preview.ts';
import type { Origin } from '../../../http/origin.ts';
import {
  type FindOpener,
  nameLink,
  nameOpener,
  type OpenerRights,
  readRowOpener,
} from '../../auth/openers.ts';
import { type Auth, hashToken } from '../../auth/service.ts';
import { pageUrl } from '../address.ts';
import { decidePreview } from '../previews/decide-preview.ts';
import { requirePage } from '../service.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    preview_links: {
      id: Generated<number>;
      page_id: number;
      hash: string;
      note: string;
      created_at: number;
      expires_at: number;
      /** Set for a link that shows a website with a change set. */
      change_set_id: Generated<number | null>;
      /** Whom the link ends with, see `nameOpener`. */
      opened_by: Generated<string>;
    };
  }
}

const previewLinks = contentTable('preview_links');

/**
 * GET /pages/{id}/preview-links: the valid links, newest first.
 *
 * @throws ApiError `common.notFound`
 */
export async function listPreviewLinks(
  deps: LinkDeps,
  pageId: number,
  { host, scheme }: Origin,
): Promise<PreviewLink[]> {
  const { reader, clock } = deps;
  const page = await requirePage(reader, pageId);
  const url = await pageUrl(reader, page, host, scheme);
  const links: PreviewLink[] = [];
  for (const { opened_by, ...link } of await listLinks(reader, pageId, unixSeconds(clock)))
    if ((await findLinkRights(deps, { page_id: pageId, opened_by })) !== undefined)
      links.push({ ...link, url });
  return links;
}

/**
 * POST /pages/{id}/preview-links: a link that shows the page without a login, until the caller or their right ends. The
 * token is part of `url`; only its hash is stored.
 *
 * @throws ApiError `common.notFound`
 */
export async function createPreviewLink(
  change: Change,
  pageId: number,
  body: PreviewLinkCreate,
  { host, scheme }: Origin,
): Promise<PreviewLink> {
  const { tx, now, actor } = change;
  const page = await requirePage(tx, pageId);
  await deleteExpired(tx, now);
  const token = randomBytes(32).toString('base64url');
  const link = { note: body.note ?? '', created_at: now, expires_at: now + (body.ttl ?? defaultTtl) };
  const row = { ...link, page_id: pageId, hash: hashToken(token), opened_by: nameOpener(actor) };
  const id = await insertLink(tx, row);
  return { id, url: `${await pageUrl(tx, page, host, scheme)}?ic_preview=${token}`, ...link };
}

/**
 * DELETE /preview-links/{id}: the link is no longer valid.
 *
 * @throws ApiError `common.notFound`
 */
export async function deletePreviewLink({ tx, actor }: Change, id: number): Promise<void> {
  const pageId = await findPageOfLink(tx, id);
  if (pageId === undefined) throw apiError('common.notFound', {});
  await decidePreview(tx, actor, pageId);
  if ((await deleteLink(tx, id)) === 0) throw apiError('common.notFound', {});
}

export interface LinkDeps {
  readonly reader: ContentDb;
  readonly clock: Clock;
  /** Of callers. */
  readonly auth: Pick<Auth, 'findOpener'>;
}

/** What whoever has opened a link may do now; undefined if they have ended or may not show the page any more. */
async function findLinkRights(
  { reader, auth }: LinkDeps,
  { page_id, opened_by }: Pick<OpenLink, 'page_id' | 'opened_by'>,
): Promise<OpenerRights | undefined> {
  const rights = await auth.findOpener(opened_by);
  if (rights === undefined) return undefined;
  try {
    await decidePreview(reader, rights, page_id);
    return rights;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Finds what openers may do now, also what preview links have opened. */
export function findOpenerWith(deps: LinkDeps): FindOpener {
  const { reader, auth, clock } = deps;
  return async (opener) => {
    const linkId = readRowOpener(opener, 'link');
    if (linkId === undefined) return auth.findOpener(opener);
    const link = await selectById.first(reader, { id: linkId, now: unixSeconds(clock) });
    return link && findLinkRights(deps, link);
  };
}

export interface PreviewAccessDeps extends LinkDeps {
  readonly auth: Pick<Auth, 'findOpener' | 'sessionOf'>;
}

/**
 * Decides which drafts a visitor sees: with a session all drafts, with a preview link those of its page. API
 * tokens do not open previews.
 */
export function previewAccess(deps: PreviewAccessDeps): FindPreviewScope {
  const { reader, auth, clock } = deps;
  return async (question) => {
    if (question.kind === 'session') {
      const actor = await auth.sessionOf(question.cookieHeader, question);
      if (actor.kind !== 'session') return undefined;
      return { scope: { kind: 'all' }, views: findViews(actor.grants), opener: nameOpener(actor) };
    }
    const hash = hashToken(question.token);
    const link = await selectByHash.first(reader, { hash, now: unixSeconds(clock) });
    const rights = link && (await findLinkRights(deps, link));
    if (link === undefined || rights === undefined) return undefined;
    const scope = { kind: 'page', pageId: link.page_id } as const;
    return { scope, views: findViews(rights.grants), opener: nameLink(link.id) };
  };
}

/** The rows that somebody may be shown; undefined if all. */
function findViews(grants: Grants | undefined): RowViews | undefined {
  return (grants && limitReads(grants))?.rendering['page'];
}

interface OpenLink {
  readonly id: number;
  readonly page_id: number;
  readonly opened_by: string;
}

export interface LinkRow {
  readonly id: number;
  readonly note: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly opened_by: string;
}

interface NewLink extends Omit<LinkRow, 'id'> {
  readonly page_id: number;
  readonly hash: string;
}

/** The links of a page that are valid at `now`, newest first. */
function listLinks(db: ContentDb, pageId: number, now: number): Promise<LinkRow[]> {
  return selectLinks.all(db, { pageId, now });
}

async function insertLink(db: ContentDb, link: NewLink): Promise<number> {
  return (await insert.first(db, link))?.id ?? 0;
}

/** Deletes a link and returns the number of deleted rows. */
const deleteLink = previewLinks.removeBy('id');

const findPageOfLink = previewLinks.findCellBy(['id'], 'page_id');

async function deleteExpired(db: ContentDb, now: number): Promise<void> {
  await removeExpired.run(db, { now });
}

const selectLinks = contentQuery((db, p: { pageId: number; now: number }) =>
  db
    .selectFrom('preview_links')
    .select(['id', 'note', 'created_at', 'expires_at', 'opened_by'])
    .where('page_id', '=', p.pageId)
    .where('change_set_id', 'is', null)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
);

const insert = contentQuery((db, p: NewLink) =>
  db
    .insertInto('preview_links')
    .values({
      page_id: p.page_id,
      hash: p.hash,
      note: p.note,
      created_at: p.created_at,
      expires_at: p.expires_at,
      opened_by: p.opened_by,
    })
    .returning('id'),
);

const removeExpired = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('preview_links').where('expires_at', '<=', p.now),
);

const selectByHash = contentQuery((db, p: { hash: string; now: number }) =>
  fromOpenLinks(db, p.now).where('hash', '=', p.hash),
);

const selectById = contentQuery((db, p: { id: number; now: number }) =>
  fromOpenLinks(db, p.now).where('id', '=', p.id),
);

function fromOpenLinks(db: Kysely<ContentTables>, now: number) {
  return db
    .selectFrom('preview_links')
    .select(['id', 'page_id', 'opened_by'])
    .where('change_set_id', 'is', null)
    .where('expires_at', '>', now);
}
