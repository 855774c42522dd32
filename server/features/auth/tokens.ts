import { randomBytes } from 'node:crypto';
import { type Clock, unixSeconds } from '../../base/clock.ts';
import { apiError, invalid, requireText } from '../../base/errors.ts';
import { type Grants, isWriting } from '../../base/rights.ts';
import type { Change } from '../../changes/changes.ts';
import type { ActivityDb, ContentDb } from '../../db/tables.ts';
import { parseRoleIds } from '../roles/grant-resolver.ts';
import { everything } from '../roles/grants.ts';
import { readGrants, requireCovered, requireRoles } from '../roles/service.ts';
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
  return Promise.all(
    tokens.map(async ({ role_ids, ...token }) => {
      const roleIds = role_ids === null ? null : parseRoleIds(role_ids);
      return {
        ...token,
        can_write: roleIds === null ? token.can_write !== 0 : canWrite(await readGrants(db, roleIds)),
        last_used_at: uses.get(token.id) ?? written.get(token.id) ?? null,
        role_ids: roleIds,
      };
    }),
  );
}

/** What a token that only reads has at most. */
const reading: Grants = [{ actions: ['read'], on: {} }];

/**
 * POST /tokens. Only this answer contains the token itself.
 *
 * @throws ApiError `common.invalid`; `auth.notAllowed` beyond the grants of the caller
 */
export async function createToken(change: Change, body: TokenCreate): Promise<TokenCreated> {
  const { tx, actor, now: created_at } = change;
  const { name, expires_at = null } = body;
  requireText('name', name);
  if (expires_at !== null && expires_at <= created_at) throw invalid('expires_at', 'must be in the future');
  const role_ids = body.role_ids == null ? null : [...new Set(body.role_ids)];
  if (role_ids !== null) await requireRoles(tx, role_ids);
  const grants = role_ids === null ? undefined : await readGrants(tx, role_ids);
  const can_write = role_ids === null ? body.can_write === true : canWrite(grants);
  await requireCovered(change, grants ?? (can_write ? everything : reading), { kind: 'token' });
  const { secret, prefix, hash } = generateToken();
  const owner_id = actor.kind === 'session' ? actor.userId : null;
  const token = { name, prefix, created_at, expires_at, owner_id };
  const id = await store.insertToken(tx, {
    ...token,
    hash,
    can_write: Number(role_ids === null && can_write),
    role_ids: role_ids === null ? null : JSON.stringify(role_ids),
  });
  return { token: { id, ...token, can_write, last_used_at: null, role_ids }, secret };
}

/** @param grants of its roles; undefined for everything */
function canWrite(grants: Grants | undefined): boolean {
  return grants === undefined || grants.some(({ actions }) => actions.some(isWriting));
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
