import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';

/** Version of the form of a bundle. */
export const bundleFormat = 1;
/** Formats of folders that programs may push to this server. */
export const folderFormats: readonly number[] = [1];

const Counts = (what: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: what });

/** `manifest.json`: what a bundle is, before anything of it is read. */
export const Manifest = Type.Object({
  format: Type.Integer(),
  version: Type.String(),
  /** Number of the newest migration of the content. */
  schema: Type.Integer({ minimum: 1 }),
  /** Unix seconds. */
  created_at: Type.Integer(),
  /** The instance it comes from. */
  instance: Type.String(),
  counts: Counts(''),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The highest IDs of files and entries that were ever given. */
  last_ids: Type.Optional(
    Type.Object({ files: Type.Integer({ minimum: 0 }), items: Type.Integer({ minimum: 0 }) }),
  ),
  /** False: files and folders of the target stay as they are. */
  media: Type.Optional(Type.Boolean()),
});
export type Manifest = Static<typeof Manifest>;

export const BundleInfo = Type.Object(
  {
    version: Type.String({ description: 'Version of the program.' }),
    build: Type.String({ description: 'Build of the bundled admin.' }),
    commit: Type.String({ description: 'Commit of the program; empty if unknown.' }),
    schema: Type.Integer({ description: 'Number of the newest migration of the content.' }),
    folder_formats: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'Formats of websites as folders that it takes; older servers take none, and do not say so.',
      }),
    ),
    headless: Type.Boolean({ description: 'Whether nobody can sign in.' }),
    hash: Type.String({
      description: 'SHA-256 of the content without entries of live collections; equal for equal content.',
    }),
    counts: Counts('Rows of each table of a bundle.'),
    updated_at: Type.Integer({ description: 'Last change of content, in Unix seconds; 0 before the first.' }),
  },
  { title: 'BundleInfo', description: 'What a bundle of this instance would be.' },
);
export type BundleInfo = Static<typeof BundleInfo>;

/** The same for callers without the right `settings`. */
export const BundleFormats = Type.Object(
  Type.Pick(BundleInfo, ['version', 'schema', 'folder_formats']).properties,
  {
    title: 'BundleFormats',
    description: 'Which bundles and folders this instance takes.',
  },
);

const DiffEntry = {
  id: Type.Integer({ description: 'ID of the object.' }),
  title: Type.String({ description: 'Name or title.' }),
};
const FieldDiff = Type.Object(
  {
    name: Type.String({ description: 'Field.' }),
    from: Type.String({ description: 'Value that goes, at most 500 characters.' }),
    to: Type.String({ description: 'Value that comes, at most 500 characters.' }),
  },
  { title: 'FieldDiff', description: 'A field that differs.' },
);
const ObjectDiff = Type.Object(DiffEntry, { title: 'ObjectDiff', description: 'An object.' });
export const KindDiff = Type.Object(
  {
    created: Type.Array(ObjectDiff, { description: 'Objects that would be created.' }),
    updated: Type.Array(
      Type.Object(
        { ...DiffEntry, fields: Type.Array(FieldDiff, { description: 'Fields that differ.' }) },
        { title: 'ChangedObject', description: 'An object with what differs.' },
      ),
      { description: 'Objects that would be changed.' },
    ),
    deleted: Type.Array(ObjectDiff, { description: 'Objects that would be deleted.' }),
  },
  { title: 'KindDiff', description: 'What would happen to the objects of a kind.' },
);
export type KindDiff = Static<typeof KindDiff>;

export const ImportReport = Type.Object(
  {
    created: Counts('New rows of each table.'),
    updated: Counts('Changed rows of each table.'),
    deleted: Counts('Deleted rows of each table.'),
    backup: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the backup of the state before; null for a dry run.',
    }),
    kinds: Type.Optional(
      Type.Record(Type.String(), KindDiff, { description: 'Of a dry run: what would happen, by kind.' }),
    ),
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Entries that break rules of their fields; absent if none do.' }),
    ),
  },
  { title: 'ImportReport', description: 'What an import has done, or would do.' },
);
export type ImportReport = Static<typeof ImportReport>;

export const Backup = Type.Object(
  {
    name: Type.String({ description: 'Name of the backup.' }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    created_at: Type.Integer({ description: 'When it was made, in Unix seconds.' }),
  },
  { title: 'Backup', description: 'A bundle that the server has kept.' },
);
export type Backup = Static<typeof Backup>;

export const BackupParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the backup.' }),
});

export const ExportQuery = Type.Object({
  media: Type.Optional(Type.Boolean({ description: 'False leaves the bytes of files out.' })),
});

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Checks the bundle and says what it would do, object by object.' }),
  ),
});

const file = { type: 'string', format: 'binary', description: 'The bundle.' };
export const BundleForm = Type.Object({ file: Type.Unsafe<string>(file) });

/** A ZIP archive in a description of the API. */
export const Archive = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  description: 'The ZIP archive.',
});
