import Type, { type Static } from 'typebox';

const formats = ['apache', 'netlify', 'cloudflare'] as const;
export type ExportFormat = (typeof formats)[number];

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Core, GET /sites/{id}/static. */
export const ExportQuery = Type.Object({
  dry: flag('Answer with the report in place of the archive.'),
  media: Type.Optional(
    Type.Literal('all', {
      description: 'With all public files of the media library; default: those that are used.',
    }),
  ),
  base: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Address at which the files will lie, for `sitemap.xml` and absolute URLs. Default: the first domain with https.',
    }),
  ),
  links: Type.Optional(
    Type.Enum(['root', 'relative', 'base'], {
      default: 'root',
      description:
        'Addresses of links and resources: absolute from `/` (with the path of `base`), relative to each file, or behind the whole `base`.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(formats, {
      default: 'apache',
      description: 'The server that the redirects are written for.',
    }),
  ),
  changed_since: Type.Optional(
    Type.String({
      maxLength: 100,
      description: '`X-IC-Export` of an earlier export: only files that differ from it, and `_deleted.txt`.',
    }),
  ),
});
export type ExportQuery = Static<typeof ExportQuery>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const byPath = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const ExportReport = Type.Object(
  {
    pages: Type.Array(Type.String(), { description: 'Paths of the exported pages.' }),
    errors: byPath('Pages that cannot be rendered or cannot be files, with the reason.'),
    broken_links: byPath(
      'Paths that links lead to and nothing answers at, each with the page that has the link.',
    ),
    media_files: count('Number of files below `media/`.'),
    media_bytes: count('Their size in bytes.'),
    missing_media: Type.Array(Type.String(), { description: 'Addresses below `/media/` that do not exist.' }),
    asset_files: count('Number of CSS and JS files.'),
    base: Type.String({
      description: 'Address of the export without a slash at the end; empty if none is known.',
    }),
    too_many: Type.Boolean({
      description: 'Whether links were not followed any more, because there are too many pages.',
    }),
    private_media: count('Number of private files that are left out.'),
  },
  {
    title: 'ExportReport',
    description: 'What a static export contains.',
    examples: [
      {
        pages: ['/', '/visit'],
        errors: {},
        broken_links: { '/gone': '/visit' },
        media_files: 3,
        media_bytes: 120_000,
        missing_media: [],
        asset_files: 2,
        base: 'https://lighthouse.example',
        too_many: false,
        private_media: 0,
      },
    ],
  },
);
export type ExportReport = Static<typeof ExportReport>;

export const ExportProgress = Type.Object(
  {
    rendering: Type.Boolean({
      description: 'Whether pages of the website are being rendered for an export.',
    }),
    done: count('Pages that are rendered.'),
    total: count('Pages that are known so far. Links may lead to more.'),
  },
  {
    title: 'ExportProgress',
    description: 'How far a static export is, before its first byte is sent.',
    examples: [{ rendering: true, done: 120, total: 400 }],
  },
);
export type ExportProgress = Static<typeof ExportProgress>;
