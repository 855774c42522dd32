import { contentQuery } from './prepared.ts';
import type { ContentDb } from './tables.ts';

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

/** Settings that are objects, stored as JSON; the feature that owns one checks its form. */
export type ObjectSetting = 'security' | 'countries' | 'mail' | 'instance';

/** The stored object; undefined if it was never stored. */
export async function readSetting(db: ContentDb, key: ObjectSetting): Promise<object | undefined> {
  const row = await selectSetting.first(db, { key });
  const value: unknown = row === undefined ? undefined : JSON.parse(row.value);
  return typeof value === 'object' && value !== null ? value : undefined;
}

export async function saveSetting(db: ContentDb, key: ObjectSetting, value: object): Promise<void> {
  await upsert.run(db, { key, value: JSON.stringify(value) });
}

const selectSetting = contentQuery((db, p: { key: string }) =>
  db.selectFrom('settings').select('value').where('key', '=', p.key),
);

const selectFlags = contentQuery((db, _p: object) =>
  db.selectFrom('settings').selectAll().where('key', 'in', ['admin_enabled', 'headless']),
);

const upsert = contentQuery((db, p: { key: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);
