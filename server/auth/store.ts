import { activityQuery, contentQuery } from '../db/prepared.ts';
import type { ActivityDb, ContentDb } from '../db/tables.ts';

export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly can_write: number;
}

export function findTokenByHash(db: ContentDb, hash: string): Promise<TokenRow | undefined> {
  return selectToken.first(db, { hash });
}

export async function insertToken(
  db: ContentDb,
  token: { name: string; prefix: string; hash: string; can_write: number; created_at: number },
): Promise<void> {
  await insert.run(db, token);
}

export async function saveTokenUse(db: ActivityDb, tokenId: number, lastUsedAt: number): Promise<void> {
  await upsertUse.run(db, { tokenId, lastUsedAt });
}

const selectToken = contentQuery((db, p: { hash: string }) =>
  db.selectFrom('tokens').select(['id', 'name', 'hash', 'can_write']).where('hash', '=', p.hash),
);

const insert = contentQuery(
  (db, p: { name: string; prefix: string; hash: string; can_write: number; created_at: number }) =>
    db.insertInto('tokens').values({
      name: p.name,
      prefix: p.prefix,
      hash: p.hash,
      can_write: p.can_write,
      created_at: p.created_at,
    }),
);

const upsertUse = activityQuery((db, p: { tokenId: number; lastUsedAt: number }) =>
  db
    .insertInto('token_usage')
    .values({ token_id: p.tokenId, last_used_at: p.lastUsedAt })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ last_used_at: p.lastUsedAt })),
);
