import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

/** Settings that are on or off, stored as `1` or `0`. */
export type SystemFlag = 'admin_enabled' | 'headless';

/** Those that have ever been set. */
export async function readFlags(db: ContentDb): Promise<Partial<Record<SystemFlag, boolean>>> {
  const rows = await selectFlags.all(db, {});
  return Object.fromEntries(rows.map(({ key, value }) => [key, value === '1']));
}

export async function saveFlag(db: ContentDb, key: SystemFlag, value: boolean): Promise<void> {
  await upsert.run(db, { key, value: value ? '1' : '0' });
}

const selectFlags = contentQuery((db, _p: object) =>
  db.selectFrom('settings').selectAll().where('key', 'in', ['admin_enabled', 'headless']),
);

const upsert = contentQuery((db, p: { key: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);
