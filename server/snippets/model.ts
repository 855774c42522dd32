import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits } from '../model.ts';
import { Warning } from '../warnings.ts';

/** Longest label and description of a page layout, in characters (Core, "Snippet"). */
export const pageLayoutLimits = { label: 200, description: 2000 } as const;

export const PageLayout = Type.Object({
  label: Type.String(),
  description: Type.String(),
  default: Type.Boolean(),
});
export type PageLayout = Static<typeof PageLayout>;

export const PageLayoutInput = Type.Partial(PageLayout);
export type PageLayoutInput = Static<typeof PageLayoutInput>;

/** Stored as it is sent; `schema.ts` checks it. */
const SentSchema = Type.Record(Type.String(), Type.Unknown());

/** Entry of GET /page-layouts. */
export const PageLayoutEntry = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  label: Type.String(),
  description: Type.String(),
  default: Type.Boolean(),
  has_blocks: Type.Boolean(),
  /** `html` of a new page with this layout. */
  html: Type.String(),
});
export type PageLayoutEntry = Static<typeof PageLayoutEntry>;

/** Entry of GET /blocks/types: a schema with default values for all optional fields. */
export const BlockType = Type.Object({
  name: Type.String(),
  label: Type.String(),
  description: Type.String(),
  icon: Type.String(),
  category: Type.String(),
  params: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      type: Type.String(),
      required: Type.Boolean(),
      options: Type.Array(Type.String()),
      collection: Type.Union([Type.Integer(), Type.Null()]),
      default: Type.Unknown(),
      design: Type.Boolean(),
    }),
  ),
  slots: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      allow: Type.Array(Type.String()),
      max: Type.Integer(),
    }),
  ),
});
export type BlockType = Static<typeof BlockType>;

export const SnippetAsset = Type.Object({
  asset_id: Type.Integer(),
  name: Type.String(),
  kind: Type.Union([Type.Literal('css'), Type.Literal('js')]),
});
export type SnippetAsset = Static<typeof SnippetAsset>;

export const Snippet = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  content: Type.String(),
  folder: Type.String(),
  assets: Type.Array(SnippetAsset),
  schema: Type.Union([SentSchema, Type.Null()]),
  page_layout: Type.Union([PageLayout, Type.Null()]),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
});
export type Snippet = Static<typeof Snippet>;
export type StoredSnippet = Omit<Snippet, 'assets'>;

export const SavedSnippet = Type.Object({ ...Snippet.properties, warnings: Type.Array(Warning) });
export type SavedSnippet = Static<typeof SavedSnippet>;

const name = Type.String({ maxLength: fieldLimits.name });
const optional = {
  description: Type.Optional(Type.String({ maxLength: fieldLimits.text })),
  content: Type.Optional(Type.String({ maxLength: fieldLimits.template })),
  folder: Type.Optional(name),
  assets: Type.Optional(Type.Array(Type.Object({ asset_id: Type.Integer() }), { maxItems: 1000 })),
  schema: Type.Optional(Type.Union([SentSchema, Type.Null()])),
  page_layout: Type.Optional(Type.Union([PageLayoutInput, Type.Null()])),
};

export const SnippetCreate = Type.Object({ name, ...optional });
export type SnippetCreate = Static<typeof SnippetCreate>;

export const SnippetUpdate = Type.Object({ ...baseUpdatedAt, name: Type.Optional(name), ...optional });
export type SnippetUpdate = Static<typeof SnippetUpdate>;
