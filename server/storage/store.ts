import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

/** A configuration of object storage as it was entered, with its secret encrypted (empty = none). */
const StoredS3 = Type.Object({
  endpoint: Type.String(),
  region: Type.String(),
  bucket: Type.String(),
  prefix: Type.String(),
  access_key: Type.String(),
  path_style: Type.Boolean(),
  secret: Type.String(),
});
export type StoredS3 = Static<typeof StoredS3>;

const StoredStorage = Type.Object({
  type: Type.Union([Type.Literal('local'), Type.Literal('s3')]),
  s3: Type.Union([StoredS3, Type.Null()]),
  cache_mb: Type.Integer(),
});
/** Where media are stored, according to the settings. */
export type StoredStorage = Static<typeof StoredStorage>;

const initial: StoredStorage = { type: 'local', s3: null, cache_mb: 0 };

/** The stored settings; those of a new instance if there are none. @throws if they cannot be read */
export async function readStorage(db: ContentDb): Promise<StoredStorage> {
  const row = await selectStorage.first(db, {});
  if (row === undefined) return initial;
  // Fields that the settings do not have may once have been stored. One could be a secret under a wrong name.
  return Value.Parse(StoredStorage, Value.Clean(StoredStorage, JSON.parse(row.value)));
}

export async function saveStorage(db: ContentDb, storage: StoredStorage): Promise<void> {
  await upsertStorage.run(db, { value: JSON.stringify(storage) });
}

const selectStorage = contentQuery((db, _p: object) =>
  db.selectFrom('settings').select('value').where('key', '=', 'storage'),
);

const upsertStorage = contentQuery((db, p: { value: string }) =>
  db
    .insertInto('settings')
    .values({ key: 'storage', value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);
