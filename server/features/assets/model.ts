import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';

const AssetKind = Type.Union([Type.Literal('css'), Type.Literal('js')], {
  description: 'Cannot be changed later.',
});

const fields = {
  name: Type.String({ maxLength: fieldLimits.name, description: 'Name for people; not unique.' }),
  content: Type.String({ maxLength: fieldLimits.template, description: 'The CSS or JS itself.' }),
  folder: Type.String({ maxLength: fieldLimits.name, description: 'Folder in the list of the admin.' }),
};

const { id, created_at, updated_at } = serverFields;
export const Asset = Type.Object(
  {
    id,
    name: fields.name,
    kind: AssetKind,
    content: fields.content,
    folder: fields.folder,
    created_at,
    updated_at,
  },
  {
    title: 'Asset',
    description: 'A CSS or JS file, served at `/_assets/{kind}/{id}.{kind}?v={updated_at}`.',
    examples: [
      {
        id: 3,
        name: 'base',
        kind: 'css',
        content: 'body { margin: 0 }',
        folder: '',
        created_at: 1767225600,
        updated_at: 1767225600,
      },
    ],
  },
);
export type Asset = Static<typeof Asset>;

export const SavedAsset = Type.Object(
  {
    ...Asset.properties,
    warnings: Type.Array(Warning, { description: 'Findings about the content.' }),
  },
  { title: 'SavedAsset', description: 'An asset after a save, with the findings about its content.' },
);

/** Lists leave out the content and say where an asset is assigned. */
export const AssetListEntry = Type.Object(
  {
    ...Type.Omit(Asset, ['content']).properties,
    page_ids: Type.Array(Type.Integer(), { description: 'IDs of the pages it is assigned to.' }),
    snippet_ids: Type.Array(Type.Integer(), { description: 'IDs of the snippets it is assigned to.' }),
  },
  { title: 'AssetListEntry', description: 'An asset without its content, with the places that use it.' },
);
export type AssetListEntry = Static<typeof AssetListEntry>;

export const AssetListQuery = Type.Object({
  kind: Type.Optional(
    Type.Union([Type.Literal('css'), Type.Literal('js')], { description: 'Only assets of this kind.' }),
  ),
});
export type AssetListQuery = Static<typeof AssetListQuery>;

export const AssetCreate = Type.Object(
  {
    name: fields.name,
    kind: AssetKind,
    content: Type.Optional(fields.content),
    folder: Type.Optional(fields.folder),
  },
  {
    title: 'AssetCreate',
    description: 'A new asset.',
    examples: [{ name: 'base', kind: 'css', content: 'body { margin: 0 }' }],
  },
);
export type AssetCreate = Static<typeof AssetCreate>;

export const AssetUpdate = Type.Object(
  { ...baseUpdatedAt, ...Type.Partial(Type.Object(fields)).properties },
  {
    title: 'AssetUpdate',
    description: 'The fields of an asset that change.',
    examples: [{ content: 'body { margin: 0 auto }', base_updated_at: 1767225600 }],
  },
);
export type AssetUpdate = Static<typeof AssetUpdate>;
