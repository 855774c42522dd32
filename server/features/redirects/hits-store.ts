import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import type { ActivityDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    redirect_hits: { redirect_id: number; root_id: number; hits: number; last_hit_at: number };
  }
}

const redirectHits = activityTable('redirect_hits');

export interface RedirectUse {
  readonly hits: number;
  readonly last_hit_at: number;
}

export interface RedirectHitCount extends RedirectUse {
  readonly redirect_id: number;
  readonly root_id: number;
}

/** Adds hits to the stored count. */
export async function addHits(db: ActivityDb, count: RedirectHitCount): Promise<void> {
  await upsert.run(db, count);
}

export const findUse = redirectHits.findBy(['redirect_id'], ['hits', 'last_hit_at']);

/** The counts of a website by redirect, from the one after `afterId` on; at most `limit`. */
export function listUse(
  db: ActivityDb,
  rootId: number,
  afterId: number,
  limit: number,
): Promise<Omit<RedirectHitCount, 'root_id'>[]> {
  return selectOfSite.all(db, { rootId, afterId, limit });
}

export async function deleteOfRedirect(db: ActivityDb, redirectId: number): Promise<void> {
  await removeOfRedirect(db, redirectId);
}

export async function deleteOfSite(db: ActivityDb, rootId: number): Promise<void> {
  await removeOfSite(db, rootId);
}

const upsert = activityQuery((db, p: RedirectHitCount) =>
  db
    .insertInto('redirect_hits')
    .values({ redirect_id: p.redirect_id, root_id: p.root_id, hits: p.hits, last_hit_at: p.last_hit_at })
    .onConflict((conflict) =>
      conflict.column('redirect_id').doUpdateSet(({ eb, ref }) => ({
        hits: eb(ref('redirect_hits.hits'), '+', ref('excluded.hits')),
        last_hit_at: ref('excluded.last_hit_at'),
      })),
    ),
);

const selectOfSite = activityQuery((db, p: { rootId: number; afterId: number; limit: number }) =>
  db
    .selectFrom('redirect_hits')
    .select(['redirect_id', 'hits', 'last_hit_at'])
    .where('root_id', '=', p.rootId)
    .where('redirect_id', '>', p.afterId)
    .orderBy('redirect_id')
    .limit(p.limit),
);

const removeOfRedirect = redirectHits.removeBy('redirect_id');

const removeOfSite = redirectHits.removeBy('root_id');
