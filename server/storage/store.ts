import Type, { type Static } from 'typebox';
import { defineSettings } from '../db/settings.ts';

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

const storageSettings = defineSettings({
  name: 'storage',
  schema: StoredStorage,
  defaults: { type: 'local', s3: null, cache_mb: 0 },
});

export const readStorage = storageSettings.read;
export const saveStorage = storageSettings.save;
