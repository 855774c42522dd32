import Type, { type Static } from 'typebox';
import { rasterFormats } from '../../../runtime/images/messages.ts';
import { fieldLimits, serverFields } from '../../content/common-fields.ts';
import { fileKinds } from './types.ts';

const { id, created_at, updated_at } = serverFields;

const fields = {
  name: Type.String({ maxLength: fieldLimits.name, description: 'Name for people; not unique.' }),
  alt: Type.String({ maxLength: fieldLimits.title, description: 'Text in place of the image.' }),
  folder_id: Type.Integer({ minimum: 0, description: 'Folder; 0 = none.' }),
  private: Type.Boolean({ description: 'Visitors need a signed address.' }),
  focus_x: Type.Number({ minimum: 0, maximum: 1, description: 'Point that crops keep, from the left.' }),
  focus_y: Type.Number({ minimum: 0, maximum: 1, description: 'Point that crops keep, from the top.' }),
};

const FileKindName = oneOf(fileKinds, 'What sort of file it is.');
const Pixels = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${what} in pixels, after the orientation; null if it is no image of a known size.`,
  });

const VariantState = oneOf(
  ['none', 'pending', 'done', 'failed'],
  'Other widths and formats of an image. `none`: it needs none. `pending`: they are being written. `failed`: they could not be made (the log says why), only the original is served.',
);

const UsageListEntry = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the object.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    title: Type.String({ description: 'Name or title of the object.' }),
  },
  { title: 'UsageListEntry', description: 'An object that refers to another one.' },
);

export const File = Type.Object(
  {
    id,
    name: fields.name,
    path: Type.String({ description: 'Address below `/media/`.' }),
    url: Type.String({ description: 'Address of the file.' }),
    mime: Type.String({ description: 'Type of the content.' }),
    kind: FileKindName,
    size: Type.Integer({ description: 'Size in bytes.' }),
    width: Pixels('Width'),
    height: Pixels('Height'),
    alt: fields.alt,
    folder_id: fields.folder_id,
    private: fields.private,
    srcset: Type.String({
      description: 'Widths in the original format, for `srcset`; empty if it is no image.',
    }),
    webp_srcset: Type.String({ description: 'Widths in WebP; empty if there are none.' }),
    avif_srcset: Type.String({ description: 'Widths in AVIF (option `-avif`); empty if there are none.' }),
    focus_x: fields.focus_x,
    focus_y: fields.focus_y,
    variants: VariantState,
    placeholder: Type.String({ description: 'Tiny blurred version as a data URL; empty if there is none.' }),
    source_url: Type.String({ description: 'Where an import has found the file.' }),
    created_at,
    updated_at,
  },
  {
    title: 'File',
    description: 'An uploaded file, served at its `url`.',
  },
);
export type File = Static<typeof File>;

export const FileWithUsage = Type.Object(
  {
    ...File.properties,
    usage: Type.Array(UsageListEntry, { description: 'Objects that refer to the file, at most 100.' }),
  },
  { title: 'FileWithUsage', description: 'A file with the objects that refer to it.' },
);

export const FileListQuery = Type.Object({
  folder_id: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only files of this folder; 0 = of none.' }),
  ),
  kind: Type.Optional(FileKindName),
  q: Type.Optional(
    Type.String({
      maxLength: fieldLimits.name,
      description: 'Only files whose name or alt text contains this.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 100.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Files to leave out at the start.' })),
});
export type FileListQuery = Static<typeof FileListQuery>;

export const FileUpdate = Type.Object(Type.Partial(Type.Object(fields)).properties, {
  title: 'FileUpdate',
  description: 'The fields of a file that change.',
  examples: [{ alt: 'The harbour at low tide' }],
});
export type FileUpdate = Static<typeof FileUpdate>;

const flag = oneOf(['1', 'true', '0', 'false'], '1 or 0: visitors need a signed address.');
const formFile = { type: 'string', format: 'binary', description: 'One or more files.' };

/** The form of an upload, for the description of the API. */
export const UploadForm = Type.Object({
  file: Type.Unsafe<string>(formFile),
  folder_id: Type.Optional(fields.folder_id),
  alt: Type.Optional(fields.alt),
  private: Type.Optional(flag),
  url: Type.Optional(
    Type.String({ description: 'Address for the file, such as `/media/a.png`; default: by its name.' }),
  ),
});

/** The form that replaces the content of a file. */
export const ReplaceForm = Type.Object({ file: Type.Unsafe<string>(formFile) });

export const SignedUrlCreate = Type.Object({
  ttl: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 604_800,
      description: 'How long it is valid, in seconds; default 3600.',
    }),
  ),
});

export const SignedUrl = Type.Object(
  {
    url: Type.String({ description: 'Address with `exp` and `sig`.' }),
    exp: Type.Integer({ description: 'Until when it is valid, in Unix seconds.' }),
    sig: Type.String({ description: 'The signature; it is valid for all variants.' }),
    expires_at: Type.Integer({ description: 'The same as `exp`.' }),
  },
  { title: 'SignedUrl', description: 'An address that opens a private file for a time.' },
);

/** What the service finds out about an uploaded content. */
const fileContentFields = {
  mime: Type.String(),
  kind: FileKindName,
  size: Type.Integer(),
  width: Pixels('Width'),
  height: Pixels('Height'),
  placeholder: Type.String(),
  content: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  format: oneOf(['', ...rasterFormats], 'Format of an image that can have variants.'),
  animated: Type.Boolean(),
  avif: Type.Boolean(),
  variants: VariantState,
};

/** The fields of a file that go with its bytes. */
export const contentFieldNames = Object.keys(
  fileContentFields,
) as readonly (keyof typeof fileContentFields)[];

/**
 * A new file whose content is stored already. Only uploads and imports make one, so no endpoint takes it.
 */
export const NewFile = Type.Object({
  name: fields.name,
  /** Extension of the address. */
  extension: Type.String({ pattern: '^[a-z0-9]{1,11}$' }),
  alt: fields.alt,
  folder_id: fields.folder_id,
  private: fields.private,
  source_url: Type.String(),
  /** Path of the address, if it must be a certain one. */
  path: Type.Optional(Type.String()),
  ...fileContentFields,
});
export type NewFile = Static<typeof NewFile>;

/** A file as stored. */
export interface StoredFile
  extends Omit<File, 'url' | 'srcset' | 'webp_srcset' | 'avif_srcset'>,
    Pick<NewFile, 'content' | 'format' | 'animated' | 'avif'> {}

/** A change of a file: fields that clients send, or a new content. */
export const FileChange = Type.Partial(Type.Object({ ...fields, ...fileContentFields }));
export type FileChange = Static<typeof FileChange>;

function oneOf<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
  );
}
