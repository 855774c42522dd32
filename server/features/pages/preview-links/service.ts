import { randomBytes } from 'node:crypto';
import type { Generated } from 'kysely';
import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { defaultTtl, type PreviewLink, type PreviewLinkCreate } from '../../../content/sites/preview-link.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { limitReads } from '../../../db/readable-rows.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FindPreviewScope } from '../../../delivery/preview.ts';
import type { Origin } from '../../../http/origin.ts';
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
    };
  }
}

const previewLinks = contentTable('preview_links');

/**
 * GET /pages/{id}/preview-links: the valid links, newest first.
 *
 * @param now Unix seconds
 * @throws ApiError `common.notFound`
 */
export async function listPreviewLinks(
  db: ContentDb,
  pageId: number,
  { host, scheme }: Origin,
  now: number,
): Promise<PreviewLink[]> {
  const page = await requirePage(db, pageId);
  const url = await pageUrl(db, page, host, scheme);
  return (await listLinks(db, pageId, now)).map((link) => ({ ...link, url }));
}

/**
 * POST /pages/{id}/preview-links: a link that shows the page without a login. The token is part of `url`;
 * only its hash is stored.
 *
 * @throws ApiError `common.notFound`
 */
export async function createPreviewLink(
  change: Change,
  pageId: number,
  body: PreviewLinkCreate,
  { host, scheme }: Origin,
): Promise<PreviewLink> {
  const { tx, now } = change;
  const page = await requirePage(tx, pageId);
  await deleteExpired(tx, now);
  const token = randomBytes(32).toString('base64url');
  const link = { note: body.note ?? '', created_at: now, expires_at: now + (body.ttl ?? defaultTtl) };
  const id = await insertLink(tx, { ...link, page_id: pageId, hash: hashToken(token) });
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

/**
 * The ID of the page that a token from a visitor's address opens.
 *
 * @param now Unix seconds
 */
function findPreviewedPage(db: ContentDb, token: string, now: number): Promise<number | undefined> {
  return findLinkedPage(db, hashToken(token), now);
}

export interface PreviewAccessDeps {
  readonly reader: ContentDb;
  readonly auth: Pick<Auth, 'sessionOf'>;
  readonly clock: Clock;
}

/**
 * Decides which drafts a visitor sees: with a session all drafts, with a preview link those of its page. API
 * tokens do not open previews.
 */
export function previewAccess({ reader, auth, clock }: PreviewAccessDeps): FindPreviewScope {
  return async (question) => {
    if (question.kind === 'session') {
      const actor = await auth.sessionOf(question.cookieHeader, question);
      if (actor.kind !== 'session') return undefined;
      const limits = actor.grants && limitReads(actor.grants);
      return { scope: { kind: 'all' }, views: limits?.rendering['page'] };
    }
    const pageId = await findPreviewedPage(reader, question.token, unixSeconds(clock));
    return pageId === undefined ? undefined : { scope: { kind: 'page', pageId } };
  };
}

export interface LinkRow {
  readonly id: number;
  readonly note: string;
  readonly created_at: number;
  readonly expires_at: number;
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

/** The page that a valid link opens. */
async function findLinkedPage(db: ContentDb, hash: string, now: number): Promise<number | undefined> {
  return (await selectPage.first(db, { hash, now }))?.page_id;
}

const selectLinks = contentQuery((db, p: { pageId: number; now: number }) =>
  db
    .selectFrom('preview_links')
    .select(['id', 'note', 'created_at', 'expires_at'])
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
    })
    .returning('id'),
);

const removeExpired = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('preview_links').where('expires_at', '<=', p.now),
);

const selectPage = contentQuery((db, p: { hash: string; now: number }) =>
  db
    .selectFrom('preview_links')
    .select('page_id')
    .where('hash', '=', p.hash)
    .where('change_set_id', 'is', null)
    .where('expires_at', '>', p.now),
);
