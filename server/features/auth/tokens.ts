import { apiError, requireText } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { ActivityDb, ContentDb } from '../../db/tables.ts';
import type { Token, TokenCreate, TokenCreated } from './model.ts';
import * as store from './store.ts';
import { generateToken } from './token.ts';

/**
 * GET /tokens: all tokens in the order of creation.
 *
 * @param uses last uses that are not written yet: Unix seconds by token id
 */
export async function listTokens(
  db: ContentDb,
  activity: ActivityDb,
  uses: ReadonlyMap<number, number>,
): Promise<Token[]> {
  const written = await store.listTokenUses(activity);
  const tokens = await store.listTokens(db);
  return tokens.map((token) => ({
    ...token,
    can_write: token.can_write !== 0,
    last_used_at: uses.get(token.id) ?? written.get(token.id) ?? null,
  }));
}

/** POST /tokens. Only this answer contains the token itself. */
export async function createToken(change: Change, body: TokenCreate): Promise<TokenCreated> {
  requireText('name', body.name);
  const { secret, prefix, hash } = generateToken();
  const { name, can_write = false } = body;
  const created_at = change.now;
  const id = await store.insertToken(change.tx, {
    name,
    prefix,
    hash,
    can_write: Number(can_write),
    created_at,
  });
  return { token: { id, name, prefix, can_write, created_at, last_used_at: null }, secret };
}

/**
 * DELETE /tokens/{id}: the next request with this token is refused.
 *
 * @throws ApiError `common.notFound`
 */
export async function deleteToken(change: Change, id: number): Promise<void> {
  if (!(await store.deleteToken(change.tx, id))) throw apiError('common.notFound', {});
}

export function countWriteTokens(db: ContentDb): Promise<number> {
  return store.countWriteTokens(db);
}
