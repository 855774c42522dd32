import { type Generated, type Kysely, sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { activityTable, contentTable } from '../../db/table.ts';
import type { ActivityDb, ContentDb, ContentTables } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    tokens: {
      id: Generated<number>;
      name: string;
      prefix: string;
      hash: string;
      can_write: number;
      created_at: number;
      /** JSON list of the IDs of roles; null for a token that reads or writes everything. */
      role_ids: string | null;
      /** Unix seconds. */
      expires_at: number | null;
      /** The user whose rights limit it; null for one from the command line. */
      owner_id: number | null;
    };
  }
  interface ActivityTables {
    token_usage: { token_id: number; last_used_at: number };
  }
}

const tokensTable = contentTable('tokens');
const tokenUsage = activityTable('token_usage');

export interface NewToken {
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly can_write: number;
  readonly created_at: number;
  /** JSON list. Default: none, so it reads or writes everything. */
  readonly role_ids?: string | null;
  readonly expires_at?: number | null;
  readonly owner_id?: number | null;
}

/** A token as it is found by its hash. */
export interface FoundToken {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly can_write: number;
  readonly role_ids: string | null;
  readonly expires_at: number | null;
  readonly owner_id: number | null;
  /** Roles of its owner; null if it has none. */
  readonly owner_role_ids: string | null;
}

/** A token with the roles of its owner. */
export function findTokenByHash(db: ContentDb, hash: string): Promise<FoundToken | undefined> {
  return selectByHash.first(db, { hash });
}

/** A token with the roles of its owner. */
export function findTokenById(db: ContentDb, id: number): Promise<FoundToken | undefined> {
  return selectById.first(db, { id });
}

/** The tokens that end with a user. */
export const listTokensOf = tokensTable.listBy(['owner_id'], ['id'], ['id', 'name', 'prefix']);

/** All tokens without their hashes, by id. */
export const listTokens = tokensTable.listBy(
  [],
  ['id'],
  ['id', 'name', 'prefix', 'can_write', 'created_at', 'role_ids', 'expires_at', 'owner_id'],
);

export async function countWriteTokens(db: ContentDb): Promise<number> {
  return (await selectWriteTokens.first(db, {}))?.tokens ?? 0;
}

/** Returns the id of the new token. */
export async function insertToken(db: ContentDb, token: NewToken): Promise<number> {
  return (await insert.first(db, token))?.id ?? 0;
}

/** False when there is no such token. */
export async function deleteToken(db: ContentDb, id: number): Promise<boolean> {
  return (await remove(db, id)) > 0;
}

/** When each token was last used, in Unix seconds. */
export async function listTokenUses(db: ActivityDb): Promise<Map<number, number>> {
  const uses = await selectUses(db);
  return new Map(uses.map((use) => [use.token_id, use.last_used_at]));
}

export async function saveTokenUse(db: ActivityDb, tokenId: number, lastUsedAt: number): Promise<void> {
  await upsertUse(db, { token_id: tokenId, last_used_at: lastUsedAt });
}

const selectWriteTokens = contentQuery((db, _p: object) =>
  db.selectFrom('tokens').select(sql<number>`count(*)`.as('tokens')).where('can_write', '=', 1),
);

const selectByHash = contentQuery((db, p: { hash: string }) =>
  fromTokens(db).where('tokens.hash', '=', p.hash),
);

const selectById = contentQuery((db, p: { id: number }) => fromTokens(db).where('tokens.id', '=', p.id));

function fromTokens(db: Kysely<ContentTables>) {
  return db
    .selectFrom('tokens')
    .leftJoin('users', 'users.id', 'tokens.owner_id')
    .select(['tokens.id', 'tokens.name', 'tokens.hash', 'tokens.can_write', 'tokens.role_ids'])
    .select(['tokens.expires_at', 'tokens.owner_id', 'users.role_ids as owner_role_ids']);
}

const insert = contentQuery((db, p: NewToken) =>
  db
    .insertInto('tokens')
    .values({
      name: p.name,
      prefix: p.prefix,
      hash: p.hash,
      can_write: p.can_write,
      created_at: p.created_at,
      role_ids: p.role_ids ?? null,
      expires_at: p.expires_at ?? null,
      owner_id: p.owner_id ?? null,
    })
    .returning('id'),
);

const remove = tokensTable.removeBy('id');

const selectUses = tokenUsage.listBy([], []);

const upsertUse = tokenUsage.upsert(['token_id'], ['last_used_at']);
