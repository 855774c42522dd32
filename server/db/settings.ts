import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
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

interface SettingsDeclaration<Schema extends TObject> {
  readonly name:
    | 'security'
    | 'countries'
    | 'mail'
    | 'storage'
    | 'instance'
    | 'public_limit'
    | 'trash'
    | 'sign_in'
    | 'oidc'
    | 'reviews';
  readonly schema: Schema;
  readonly defaults: Static<Schema>;
}

/** Settings that one object holds. */
export interface Settings<Stored> {
  /** The stored settings; what was never stored has its default. @throws if they cannot be read */
  read(db: ContentDb): Promise<Stored>;
  save(db: ContentDb, settings: Stored): Promise<void>;
  /** Stores what `change` makes of the stored settings, and returns it. */
  update(db: ContentDb, change: (before: Stored) => Stored | Promise<Stored>): Promise<Stored>;
}

/** Declares settings that are stored as JSON of one object. */
export function defineSettings<Schema extends TObject>({
  name,
  schema,
  defaults,
}: SettingsDeclaration<Schema>): Settings<Static<Schema>> {
  const settings: Settings<Static<Schema>> = {
    async read(db) {
      const row = await selectSetting.first(db, { key: name });
      const stored: unknown = row === undefined ? {} : JSON.parse(row.value);
      // Fields that the settings do not have may once have been stored. One could be a secret under a wrong name.
      return Value.Parse(schema, Value.Clean(schema, Object.assign({}, defaults, stored)));
    },
    async save(db, value) {
      await upsert.run(db, { key: name, value: JSON.stringify(value) });
    },
    async update(db, change) {
      const changed = await change(await settings.read(db));
      await settings.save(db, changed);
      return changed;
    },
  };
  return settings;
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
