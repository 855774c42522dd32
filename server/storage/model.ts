import Type, { type Static } from 'typebox';

/** Data, Automation and Operations, "Media storage". */

const storageType = Type.Union([Type.Literal('local'), Type.Literal('s3')], {
  description: '`local` (files of this server) or `s3` (S3-compatible object storage).',
});

const text = (description: string) => Type.String({ maxLength: 1000, description });

const s3Fields = {
  endpoint: text('Scheme, host and port; without a scheme https is assumed.'),
  region: text('Region; empty = `us-east-1`.'),
  bucket: text('Name of the bucket.'),
  prefix: text('Path in the bucket below which all objects lie; empty = none.'),
  access_key: text('Access key.'),
  path_style: Type.Boolean({
    description: 'Whether the bucket is the first part of the path instead of a part of the host name.',
  }),
};

const exampleS3 = {
  endpoint: 'https://s3.example.org',
  region: 'eu-central-1',
  bucket: 'website-media',
  prefix: '',
  access_key: 'AKEXAMPLE',
  path_style: true,
};

const S3Settings = Type.Object(
  {
    ...s3Fields,
    secret_set: Type.Boolean({ description: 'Whether a secret key is stored. It is never returned.' }),
  },
  {
    title: 'S3Settings',
    description: 'Where the bucket is.',
    examples: [{ ...exampleS3, secret_set: true }],
  },
);
export type S3Settings = Static<typeof S3Settings>;

export const S3Update = Type.Object(
  {
    ...Type.Partial(Type.Object(s3Fields)).properties,
    secret_key: Type.Optional(
      text(
        'Secret key. Missing or empty keeps the stored one as long as access key and endpoint are the same.',
      ),
    ),
  },
  {
    title: 'S3Update',
    description: 'Where the bucket is, with the secret key.',
    examples: [{ ...exampleS3, secret_key: 'example-secret' }],
  },
);
export type S3Update = Static<typeof S3Update>;

const migrationPhase = Type.Union(
  [
    Type.Literal(''),
    Type.Literal('check'),
    Type.Literal('scan'),
    Type.Literal('copy'),
    Type.Literal('verify'),
    Type.Literal('switch'),
    Type.Literal('cleanup'),
  ],
  { description: 'Current or last step; empty while idle.' },
);
export type MigrationPhase = Static<typeof migrationPhase>;

const migrationState = Type.Union(
  [
    Type.Literal('idle'),
    Type.Literal('running'),
    Type.Literal('done'),
    Type.Literal('failed'),
    Type.Literal('canceled'),
  ],
  { description: 'State of the migration that runs, or of the last one since the start of the server.' },
);

const migrationSide = (description: string) =>
  Type.Union([Type.Literal(''), Type.Literal('local'), Type.Literal('s3')], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const exampleMigration = {
  status: 'done',
  phase: 'switch',
  from: 'local',
  to: 's3',
  delete_old: false,
  total_files: 2,
  total_bytes: 81920,
  done_files: 2,
  done_bytes: 81920,
  skipped_files: 0,
  verified_files: 2,
  changed_files: 0,
  deleted_files: 0,
  cleanup_errors: 0,
  started_at: 1767225600,
};

export const MigrationStatus = Type.Object(
  {
    status: migrationState,
    phase: migrationPhase,
    from: migrationSide('Old storage; empty while idle.'),
    to: migrationSide('New storage; empty while idle.'),
    delete_old: Type.Boolean({ description: 'Whether the old objects are deleted at the end.' }),
    total_files: count('Objects that were found in the old storage.'),
    total_bytes: count('Their size.'),
    done_files: count('Objects that were copied or skipped.'),
    done_bytes: count('Their size.'),
    skipped_files: count('Objects that were at the target already.'),
    verified_files: count('Objects that were found at the target with the same size.'),
    changed_files: count('Objects that were written or deleted meanwhile, and were carried over.'),
    deleted_files: count('Old objects that were deleted.'),
    cleanup_errors: count('Old objects that could not be deleted.'),
    started_at: count('Start in Unix seconds; 0 while idle.'),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
    error_code: Type.Optional(Type.String({ description: 'Code of the error.' })),
    error_params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Params of the error.' }),
    ),
  },
  {
    title: 'StorageMigration',
    description: 'State of a migration of the media storage.',
    examples: [exampleMigration],
  },
);
export type MigrationStatus = Static<typeof MigrationStatus>;

export const StorageSettings = Type.Object(
  {
    type: storageType,
    s3: Type.Union([S3Settings, Type.Null()], {
      description: 'Configuration of the object storage, in use or as a draft; null without one.',
    }),
    cache_mb: count('Size of the local copies in MB; 0 = as the start option `-media-cache-mb` says.'),
    cache: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether copies are kept.' }),
        max_bytes: count('Most bytes of all copies together.'),
        used_bytes: count('Bytes of the copies.'),
        entries: count('Number of copies.'),
        default_bytes: count('Most bytes according to the start option.'),
      },
      { description: 'Copies of objects on the local disk.' },
    ),
    media: Type.Object(
      {
        files: count('Number of stored objects.'),
        bytes: count('Their size.'),
        partial: Type.Boolean({ description: 'True if counting took too long or failed midway.' }),
      },
      { description: 'What is stored. Counted once a minute at most.' },
    ),
    migration: MigrationStatus,
    encryption: Type.Union([Type.Literal('env'), Type.Literal('file')], {
      description: 'Where the key that encrypts stored secrets comes from.',
    }),
    error: Type.Optional(
      Type.String({
        description:
          'Why the object storage cannot be used. Local files are in use then; on a node of several, requests for media fail.',
      }),
    ),
    error_code: Type.Optional(Type.String({ description: 'Code of the error.' })),
  },
  {
    title: 'StorageSettings',
    description: 'Where media are stored.',
    examples: [
      {
        type: 's3',
        s3: { ...exampleS3, secret_set: true },
        cache_mb: 0,
        cache: {
          enabled: true,
          max_bytes: 536870912,
          used_bytes: 81920,
          entries: 2,
          default_bytes: 536870912,
        },
        media: { files: 2, bytes: 81920, partial: false },
        migration: exampleMigration,
        encryption: 'file',
      },
    ],
  },
);
export type StorageSettings = Static<typeof StorageSettings>;

export const StorageUpdate = Type.Object(
  {
    s3: Type.Optional(S3Update),
    cache_mb: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16_777_216,
        description: 'Size of the local copies in MB; 0 = as the start option says.',
      }),
    ),
  },
  {
    title: 'StorageUpdate',
    description:
      'The settings that change. While local files are in use, `s3` is a draft; with all texts empty it is deleted.',
    examples: [{ s3: { ...exampleS3, secret_key: 'example-secret' }, cache_mb: 1024 }],
  },
);
export type StorageUpdate = Static<typeof StorageUpdate>;

export const StorageCheck = Type.Object(
  { s3: Type.Optional(S3Update) },
  {
    title: 'StorageCheck',
    description: 'The configuration to test; without `s3` the stored one.',
    examples: [{}],
  },
);
export type StorageCheck = Static<typeof StorageCheck>;

export const StorageCheckResult = Type.Object(
  { ok: Type.Literal(true, { description: 'An object was written, read and deleted.' }) },
  { title: 'StorageCheckResult', description: 'The object storage works.', examples: [{ ok: true }] },
);

export const MigrationStart = Type.Object(
  {
    target: storageType,
    s3: Type.Optional(S3Update),
    delete_old: Type.Optional(
      Type.Boolean({ description: 'Deletes the old objects at the end. Default false.' }),
    ),
  },
  {
    title: 'StorageMigrationStart',
    description: 'Where media move. For `s3` without a configuration the draft counts.',
    examples: [{ target: 's3', s3: { ...exampleS3, secret_key: 'example-secret' }, delete_old: false }],
  },
);
export type MigrationStart = Static<typeof MigrationStart>;
