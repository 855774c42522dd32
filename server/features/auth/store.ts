import { type Generated, sql } from 'kysely';
import { activityQuery, contentQuery } from '../../db/prepared.ts';
import type { ActivityDb, ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    tokens: {
      id: Generated<number>;
      name: string;
      prefix: string;
      hash: string;
      can_write: number;
      created_at: number;
    };
  }
  interface ActivityTables {
    token_usage: { token_id: number; last_used_at: number };
  }
}

export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly can_write: number;
}

export interface TokenListRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly can_write: number;
  readonly created_at: number;
}

export interface NewToken extends Omit<TokenListRow, 'id'> {
  readonly hash: string;
}

export function findTokenByHash(db: ContentDb, hash: string): Promise<TokenRow | undefined> {
  return selectToken.first(db, { hash });
}

/** All tokens without their hashes, by id. */
export function listTokens(db: ContentDb): Promise<TokenListRow[]> {
  return selectTokens.all(db, {});
}

export async function countWriteTokens(db: ContentDb): Promise<number> {
  return (await selectWriteTokens.first(db, {}))?.tokens ?? 0;
}

/** Returns the id of the new token. */
export async function insertToken(db: ContentDb, token: NewToken): Promise<number> {
  return (await insert.first(db, token))?.id ?? 0;
}

/** False when there is no such token. */
export async function deleteToken(db: ContentDb, id: number): Promise<boolean> {
  return (await remove.run(db, { id })) > 0;
}

/** When each token was last used, in Unix seconds. */
export async function listTokenUses(db: ActivityDb): Promise<Map<number, number>> {
  const uses = await selectUses.all(db, {});
  return new Map(uses.map((use) => [use.token_id, use.last_used_at]));
}

export async function saveTokenUse(db: ActivityDb, tokenId: number, lastUsedAt: number): Promise<void> {
  await upsertUse.run(db, { tokenId, lastUsedAt });
}

const selectToken = contentQuery((db, p: { hash: string }) =>
  db.selectFrom('tokens').select(['id', 'name', 'hash', 'can_write']).where('hash', '=', p.hash),
);

const selectTokens = contentQuery((db, _p: object) =>
  db.selectFrom('tokens').select(['id', 'name', 'prefix', 'can_write', 'created_at']).orderBy('id'),
);

const selectWriteTokens = contentQuery((db, _p: object) =>
  db.selectFrom('tokens').select(sql<number>`count(*)`.as('tokens')).where('can_write', '=', 1),
);

const insert = contentQuery((db, p: NewToken) =>
  db
    .insertInto('tokens')
    .values({
      name: p.name,
      prefix: p.prefix,
      hash: p.hash,
      can_write: p.can_write,
      created_at: p.created_at,
    })
    .returning('id'),
);

const remove = contentQuery((db, p: { id: number }) => db.deleteFrom('tokens').where('id', '=', p.id));

const selectUses = activityQuery((db, _p: object) => db.selectFrom('token_usage').selectAll());

const upsertUse = activityQuery((db, p: { tokenId: number; lastUsedAt: number }) =>
  db
    .insertInto('token_usage')
    .values({ token_id: p.tokenId, last_used_at: p.lastUsedAt })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ last_used_at: p.lastUsedAt })),
);
