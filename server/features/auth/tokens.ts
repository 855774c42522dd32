import { randomBytes } from 'node:crypto';
import { type Clock, unixSeconds } from '../../base/clock.ts';
import { apiError, requireText } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { ActivityDb, ContentDb } from '../../db/tables.ts';
import type { Token, TokenCreate, TokenCreated } from './model.ts';
import { hashToken } from './service.ts';
import * as store from './store.ts';

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

/** Creates a write token and returns it. The database stores only its hash. */
export async function createWriteToken(db: ContentDb, name: string, clock: Clock): Promise<string> {
  const { secret, prefix, hash } = generateToken();
  await store.insertToken(db, { name, prefix, hash, can_write: 1, created_at: unixSeconds(clock) });
  return secret;
}

/** Length of the start of a token that is stored and shown, so that users can tell tokens apart. */
const shownCharacters = 10;

/** A new token: 256 random bits behind the prefix `ic_`. */
export function generateToken(): { secret: string; prefix: string; hash: string } {
  const secret = `ic_${randomBytes(32).toString('base64url')}`;
  return { secret, prefix: secret.slice(0, shownCharacters), hash: hashToken(secret) };
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
