import Type, { type Static } from 'typebox';
import { maxPathLength } from '../../../runtime/page/address.ts';
import { serverFields } from '../../content/common-fields.ts';

/** Longest target, in characters. */
const maxTargetLength = 2000;

export const RedirectStatus = Type.Union([Type.Literal(301), Type.Literal(302)], {
  description: '301 (moved permanently, the default) or 302 (found).',
});
export type RedirectStatus = Static<typeof RedirectStatus>;

/** Longer than a path, because a client may send a full URL, which is reduced to its path. */
const source = Type.String({
  maxLength: 2 * maxPathLength,
  description: 'Old address, a path or URL; stored as normalised path.',
});
const target = Type.String({
  maxLength: maxTargetLength,
  description: 'New address, a path or http(s) URL.',
});
const rootId = Type.Integer({ description: 'ID of the website.' });

const automatic = Type.Boolean({
  description:
    'Sent by programs that copy content: whether it was made for a renamed page, `auto` of answers.',
});

export const RedirectCreate = Type.Object(
  {
    root_id: rootId,
    source,
    target,
    status: Type.Optional(RedirectStatus),
    automatic: Type.Optional(automatic),
  },
  {
    title: 'RedirectCreate',
    description: 'A new redirect.',
    examples: [{ root_id: 1, source: '/old', target: '/new' }],
  },
);
export type RedirectCreate = Static<typeof RedirectCreate>;

export const RedirectUpdate = Type.Object(
  {
    source: Type.Optional(source),
    target: Type.Optional(target),
    status: Type.Optional(RedirectStatus),
  },
  {
    title: 'RedirectUpdate',
    description: 'The fields of a redirect that change.',
    examples: [{ target: '/newer' }],
  },
);
export type RedirectUpdate = Static<typeof RedirectUpdate>;

/** Core, "Redirect". */
export const Redirect = Type.Object(
  {
    id: serverFields.id,
    root_id: rootId,
    source: Type.String({ description: 'Old address, a normalised path.' }),
    target: Type.String({ description: 'New address as it was sent.' }),
    status: RedirectStatus,
    auto: Type.Boolean({ description: 'True if it was made for a renamed or moved page.' }),
    hits: Type.Integer({ description: 'Number of uses.' }),
    last_hit_at: Type.Integer({ description: 'Last use in Unix seconds; 0 before the first.' }),
    created_at: serverFields.created_at,
  },
  {
    title: 'Redirect',
    description: 'A redirect from an old address of a website.',
    examples: [
      {
        id: 4,
        root_id: 1,
        source: '/old',
        target: '/new',
        status: 301,
        auto: false,
        hits: 0,
        last_hit_at: 0,
        created_at: 1767225600,
      },
    ],
  },
);
export type Redirect = Static<typeof Redirect>;

/** A redirect as stored in content.db. Its uses are counted in activity.db. */
export type StoredRedirect = Omit<Redirect, 'hits' | 'last_hit_at'> & {
  /** Normalised path of a target on the same website, else empty. */
  readonly target_path: string;
};

export const RedirectListEntry = Type.Object(
  {
    ...Redirect.properties,
    target_missing: Type.Boolean({ description: 'True if the target is a path that nothing answers.' }),
  },
  { title: 'RedirectListEntry', description: 'A redirect, and whether its target exists.' },
);
export type RedirectListEntry = Static<typeof RedirectListEntry>;

export const SiteQuery = Type.Object({ root_id: rootId });
export type SiteQuery = Static<typeof SiteQuery>;

export const ImportQuery = Type.Object({
  root_id: rootId,
  dry_run: Type.Optional(Type.Boolean({ description: 'Only report what would be done.' })),
  delete: Type.Optional(
    Type.Boolean({ description: 'Also delete the redirects for which the file has no target.' }),
  ),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** The form of an import. */
export const ImportForm = Type.Object(
  { file: Type.String({ format: 'binary', description: 'CSV, at most 8 MB.' }) },
  { title: 'RedirectFile', description: 'A CSV file with redirects.' },
);

const ImportChange = Type.Object(
  {
    action: Type.Union([Type.Literal('create'), Type.Literal('update')], { description: 'What is done.' }),
    source: Type.String({ description: 'Old address.' }),
    target: Type.String({ description: 'New address.' }),
    status: RedirectStatus,
    old_target: Type.Optional(Type.String({ description: 'Target until now; for `update` only.' })),
    old_status: Type.Optional(
      Type.Union([Type.Literal(301), Type.Literal(302)], {
        description: 'Status until now; for `update` only.',
      }),
    ),
  },
  { title: 'RedirectImportChange', description: 'A redirect that the import creates or updates.' },
);
export type ImportChange = Static<typeof ImportChange>;

/** One error in a file. The header is row 1. */
const ImportError = Type.Object(
  {
    row: Type.Integer({ description: 'Row of the file; the header is row 1.' }),
    message: Type.String({ description: 'English text for humans.' }),
    code: Type.String({ description: 'Code of the error.' }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'Variable parts of the text.' }),
  },
  { title: 'RedirectImportError', description: 'An error in a row.' },
);
export type ImportError = Static<typeof ImportError>;

const count = (description: string) => Type.Integer({ description });

/** Answer of POST /redirects/import (Core, "Redirects and 404 log"). */
export const ImportReport = Type.Object(
  {
    delimiter: Type.String({ description: 'The delimiter that was found: comma, semicolon or tab.' }),
    rows: count('Rows without the header and empty lines.'),
    created: count('New redirects.'),
    updated: count('Changed redirects.'),
    deleted: count('Deleted redirects.'),
    unchanged: count('Rows that change nothing.'),
    open: count('Rows without a target.'),
    changes: Type.Array(ImportChange, { description: 'The new and changed redirects.' }),
    errors: Type.Array(ImportError, { description: 'The first 50 errors.' }),
    error_count: count('Number of all errors.'),
    imported: Type.Boolean({ description: 'False for a dry run.' }),
  },
  { title: 'RedirectImportReport', description: 'What an import did, or would do.' },
);
export type ImportReport = Static<typeof ImportReport>;
