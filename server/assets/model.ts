import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits } from '../model.ts';
import { Warning } from '../warnings.ts';

const AssetKind = Type.Union([Type.Literal('css'), Type.Literal('js')]);

const name = Type.String({ maxLength: fieldLimits.name });
const content = Type.String({ maxLength: fieldLimits.template });

export const Asset = Type.Object({
  id: Type.Integer(),
  name,
  kind: AssetKind,
  content,
  folder: name,
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
});
export type Asset = Static<typeof Asset>;

export const SavedAsset = Type.Object({ ...Asset.properties, warnings: Type.Array(Warning) });

/** Lists leave out the content and say where an asset is assigned. */
export const AssetListEntry = Type.Object({
  ...Type.Omit(Asset, ['content']).properties,
  page_ids: Type.Array(Type.Integer()),
  snippet_ids: Type.Array(Type.Integer()),
});
export type AssetListEntry = Static<typeof AssetListEntry>;

export const AssetListQuery = Type.Object({ kind: Type.Optional(AssetKind) });
export type AssetListQuery = Static<typeof AssetListQuery>;

export const AssetCreate = Type.Object({
  name,
  kind: AssetKind,
  content: Type.Optional(content),
  folder: Type.Optional(name),
});
export type AssetCreate = Static<typeof AssetCreate>;

export const AssetUpdate = Type.Object({
  ...baseUpdatedAt,
  name: Type.Optional(name),
  content: Type.Optional(content),
  folder: Type.Optional(name),
});
export type AssetUpdate = Static<typeof AssetUpdate>;
