import { contentQuery } from './db/prepared.ts';
import type { ContentDb } from './db/tables.ts';

/** Settings that are on or off, stored as `1` or `0`. */
export type Flags = Record<'admin_enabled' | 'headless', boolean>;

/** The stored flags. A flag that was never set is absent. */
export async function readFlags(db: ContentDb): Promise<Partial<Flags>> {
  const rows = await selectFlags.all(db, {});
  return Object.fromEntries(rows.map(({ key, value }) => [key, value === '1']));
}

export async function saveFlag(db: ContentDb, key: keyof Flags, value: boolean): Promise<void> {
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
