import { randomBytes } from 'node:crypto';
import { apiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { Origin } from '../../../http/origin.ts';
import { hashToken } from '../../auth/token.ts';
import { pageUrl } from '../address.ts';
import { requirePage } from '../service.ts';
import { defaultTtl, type PreviewLink, type PreviewLinkCreate } from './model.ts';
import * as store from './store.ts';

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
  return (await store.listLinks(db, pageId, now)).map((link) => ({ ...link, url }));
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
  await store.deleteExpired(tx, now);
  const token = randomBytes(32).toString('base64url');
  const link = { note: body.note ?? '', created_at: now, expires_at: now + (body.ttl ?? defaultTtl) };
  const id = await store.insertLink(tx, { ...link, page_id: pageId, hash: hashToken(token) });
  return { id, url: `${await pageUrl(tx, page, host, scheme)}?ic_preview=${token}`, ...link };
}

/**
 * DELETE /preview-links/{id}: the link is no longer valid.
 *
 * @throws ApiError `common.notFound`
 */
export async function deletePreviewLink({ tx }: Change, id: number): Promise<void> {
  if ((await store.deleteLink(tx, id)) === 0) throw apiError('common.notFound', {});
}

/**
 * The ID of the page that a token from a visitor's address opens.
 *
 * @param now Unix seconds
 */
export function findPreviewedPage(db: ContentDb, token: string, now: number): Promise<number | undefined> {
  return store.findLinkedPage(db, hashToken(token), now);
}
