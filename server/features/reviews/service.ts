/** Reviews of change sets: who has asked for one, and whether the set may be published. */
import { type Actor, formatAuthor } from '../../base/actor.ts';
import { type ApiError, apiError } from '../../base/errors.ts';
import { requireRight } from '../../base/refusals/refusal.ts';
import type { Change } from '../../changes/changes.ts';
import { reviewSettings } from '../../content/kinds/review-settings.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Review, ReviewRequest } from './model.ts';
import type { ReviewedSet } from './reviewed-sets.ts';
import * as store from './store.ts';

/** What was said about a change set last. */
export async function readReview(
  db: ContentDb,
  { id, hash }: Pick<ReviewedSet, 'id' | 'hash'>,
): Promise<Review | null> {
  const row = await store.findReview(db, id);
  if (row === undefined) return null;
  const { state, note, author: by, at } = row;
  // Type boundary: only `reviewSet` writes this column.
  return { state: state as Review['state'], note, by, at, hash: row.hash, holds: row.hash === hash };
}

/** Notes what somebody says about a change set. @throws ApiError 403 `auth.notAllowed` */
export async function reviewSet(
  { tx, actor, now }: Change,
  { id, authors, hash }: ReviewedSet,
  { state, note = '' }: ReviewRequest,
): Promise<void> {
  if (state === 'approved') requireApprover(actor, id, authors);
  await store.saveReview(tx, { change_set_id: id, state, note, hash, author: formatAuthor(actor), at: now });
}

/** Why a change set cannot be published or scheduled; undefined if it can. */
export async function findMissingApproval(
  db: ContentDb,
  set: Pick<ReviewedSet, 'id' | 'hash'>,
): Promise<ApiError | undefined> {
  if (!(await reviewSettings.read(db)).required) return undefined;
  const review = await readReview(db, set);
  const isApproved = review?.state === 'approved' && review.holds;
  return isApproved ? undefined : apiError('changeset.notApproved', { id: set.id });
}

/** @throws ApiError 403 `auth.notAllowed` for authors, and for callers who may publish nothing */
function requireApprover(actor: Actor, id: number, authors: readonly string[]): void {
  const about = { kind: 'change_set', id };
  requireRight(actor.grants, 'publish', undefined, about);
  if (!authors.some((author) => isAuthor(actor, author))) return;
  const needs = 'somebody else, who has changed nothing in the change set';
  throw apiError('auth.notAllowed', { action: 'publish', ...about, needs });
}

/** Whether a caller is an author. A token that names a person has all that it wrote without one, too. */
function isAuthor(actor: Actor, author: string): boolean {
  const name = formatAuthor(actor);
  const onBehalf = ' (for ';
  return (
    author === name || author.startsWith(`${name}${onBehalf}`) || name.startsWith(`${author}${onBehalf}`)
  );
}
