/** Comments about the objects of change sets. */
import { formatAuthor } from '../../base/actor.ts';
import { nextUpdatedAt } from '../../base/clock.ts';
import { apiError, requireText } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import { findPlace } from './anchors.ts';
import type { Comment, CommentCreate, CommentUpdate } from './model.ts';
import type { ReadObject } from './reviewed-sets.ts';
import * as store from './store.ts';

/** GET: the oldest first. */
export async function listComments(db: ContentDb, setId: number, read: ReadObject): Promise<Comment[]> {
  const shown: Comment[] = [];
  for (const row of await store.listComments(db, setId)) shown.push(await presentComment(db, row, read));
  return shown;
}

/** POST. @throws ApiError 404 for an object that does not exist, live or in the change set */
export async function addComment(
  { tx, actor, now }: Change,
  setId: number,
  { kind, id, text, field = null, block = null, quote = null, resolved = false }: CommentCreate,
  read: ReadObject,
): Promise<Comment> {
  requireText('text', text);
  await requireCommented(tx, { kind, id }, read);
  const row = {
    ...{ change_set_id: setId, kind, object_id: id, field, block, quote, text, resolved: Number(resolved) },
    ...{ author: formatAuthor(actor), created_at: now, updated_at: now },
  };
  return presentComment(tx, { id: await store.insertComment(tx, row), ...row }, read);
}

/** PUT: fields that are not sent stay. @throws ApiError `common.notFound`, `common.invalid` */
export async function changeComment(
  { tx, now }: Change,
  { setId, id }: CommentOf,
  { text, field, block, quote, resolved }: CommentUpdate,
  read: ReadObject,
): Promise<Comment> {
  const before = await requireComment(tx, { setId, id });
  if (text !== undefined) requireText('text', text);
  const after: store.CommentRow = {
    ...before,
    field: field === undefined ? before.field : field,
    block: block === undefined ? before.block : block,
    quote: quote === undefined ? before.quote : quote,
    text: text ?? before.text,
    resolved: resolved === undefined ? before.resolved : Number(resolved),
    updated_at: nextUpdatedAt(now, before.updated_at),
  };
  await store.updateComment(
    tx,
    id,
    ...([after.kind, after.object_id, after.field, after.block, after.quote] as const),
    ...([after.text, after.resolved, after.updated_at] as const),
  );
  return presentComment(tx, after, read);
}

/** DELETE. @throws ApiError `common.notFound` */
export async function removeComment({ tx }: Change, { setId, id }: CommentOf): Promise<void> {
  await requireComment(tx, { setId, id });
  await store.removeComment(tx, setId, id);
}

/** A comment of a change set. */
export interface CommentOf {
  readonly setId: number;
  readonly id: number;
}

/** @throws ApiError 404 `common.notFound` for an object that does not exist, live or in the change set */
export async function requireCommented(
  db: ContentDb,
  { kind, id }: Pick<CommentCreate, 'kind' | 'id'>,
  read: ReadObject,
): Promise<void> {
  if ((await read(db, { kind, id })) === undefined) throw apiError('common.notFound', { field: 'id' });
}

/** @throws ApiError `common.notFound` */
export async function requireComment(db: ContentDb, { setId, id }: CommentOf): Promise<store.CommentRow> {
  const row = await store.findComment(db, setId, id);
  if (row === undefined) throw apiError('common.notFound', {});
  return row;
}

async function presentComment(db: ContentDb, row: store.CommentRow, read: ReadObject): Promise<Comment> {
  const { change_set_id: _set, resolved, ...shown } = row;
  const fields = await read(db, { kind: row.kind, id: row.object_id });
  return { ...shown, resolved: resolved !== 0, place: findPlace(fields, row) };
}
