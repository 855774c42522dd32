import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';
import { BlockUsage } from '../../content/blocks/model.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';
import { groupParts } from '../../content/fields/groups.ts';
import { paramSettings } from '../../content/fields/model.ts';

/** Longest label and description of a page layout, in characters (Core, "Snippet"). */
export const pageLayoutLimits = { label: 200, description: 2000 } as const;

export const PageLayout = Type.Object(
  {
    label: Type.String({ description: 'Name for people; empty = name of the snippet.' }),
    description: Type.String({ description: 'What the layout is for.' }),
    default: Type.Boolean({ description: 'Preselected for new pages.' }),
  },
  { title: 'PageLayout', description: 'How a snippet is offered as layout of new pages.' },
);
export type PageLayout = Static<typeof PageLayout>;

export const PageLayoutInput = Type.Partial(PageLayout, {
  title: 'PageLayoutInput',
  description: 'How a snippet is offered as layout; missing fields are empty.',
});
export type PageLayoutInput = Static<typeof PageLayoutInput>;

/** Stored as it is sent; `schema.ts` checks it. */
const SentSchema = Type.Record(Type.String(), Type.Unknown(), {
  title: 'BlockTypeSchema',
  description:
    'What the snippet is as block type: `block`, `label`, `description`, `icon`, `category`, `params`, `slots`.',
});

/** Entry of GET /page-layouts. */
export const PageLayoutEntry = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the snippet.' }),
    name: Type.String({ description: 'Name of the snippet.' }),
    label: Type.String({ description: 'Name for people, never empty.' }),
    description: Type.String({ description: 'What the layout is for.' }),
    default: Type.Boolean({ description: 'Preselected for new pages.' }),
    has_blocks: Type.Boolean({ description: 'Whether the layout outputs the blocks of a page.' }),
    html: Type.String({ description: '`html` of a new page with this layout.' }),
  },
  { title: 'PageLayoutEntry', description: 'A layout for new pages.' },
);
export type PageLayoutEntry = Static<typeof PageLayoutEntry>;

const BlockParam = Type.Object(
  {
    name: Type.String({ description: 'Name of the variable in the snippet.' }),
    label: Type.String({ description: 'Name for people, never empty.' }),
    type: Type.String({ description: 'Type of a collection field, such as `text` or `image`.' }),
    required: Type.Boolean({ description: 'Whether a block must set it.' }),
    options: Type.Array(Type.String(), { description: 'Values of a `select`.' }),
    collection: Type.Union([Type.Integer(), Type.Null()], { description: 'Collection of a reference.' }),
    default: Type.Unknown({ description: 'Value of a block that does not set it; null = none.' }),
    design: Type.Boolean({ description: 'Shown in a group of its own.' }),
    ...paramSettings,
    ...groupParts,
  },
  { title: 'BlockParam', description: 'A parameter of a block type.' },
);

const BlockSlot = Type.Object(
  {
    name: Type.String({ description: 'Name of the slot; `default` for the nameless one.' }),
    label: Type.String({ description: 'Name for people, never empty.' }),
    allow: Type.Array(Type.String(), { description: 'Block types it takes; empty = all.' }),
    max: Type.Integer({ description: 'Most blocks in it; 0 = unlimited.' }),
  },
  { title: 'BlockSlot', description: 'A slot of a block type.' },
);

/** Entry of GET /blocks/types: a schema with default values for all optional fields. */
export const BlockType = Type.Object(
  {
    name: Type.String({ description: 'Name of the snippet.' }),
    label: Type.String({ description: 'Name for people, never empty.' }),
    description: Type.String({ description: 'What the block is for.' }),
    icon: Type.String({ description: 'Name of an icon.' }),
    category: Type.String({ description: 'Group in the list of block types.' }),
    params: Type.Array(BlockParam, { description: 'Its parameters.' }),
    slots: Type.Array(BlockSlot, { description: 'Its slots.' }),
    usage: Type.Optional(
      Type.Array(BlockUsage, { description: 'With `usage=1`: the objects whose trees have such blocks.' }),
    ),
  },
  { title: 'BlockType', description: 'A snippet that editors can use as block.' },
);
export type BlockType = Static<typeof BlockType>;

export const BlockTypesQuery = Type.Object({
  usage: Type.Optional(Type.Boolean({ description: 'Adds to each type where it is used.' })),
});

const assetId = Type.Integer({ description: 'ID of the CSS or JS asset.' });

export const SnippetAsset = Type.Object(
  {
    asset_id: assetId,
    name: Type.String({ description: 'Name of the asset.' }),
    kind: Type.Union([Type.Literal('css'), Type.Literal('js')], { description: 'Kind of the asset.' }),
  },
  { title: 'SnippetAsset', description: 'An asset of a snippet, loaded on pages that use the snippet.' },
);
export type SnippetAsset = Static<typeof SnippetAsset>;

const text = (description: string, maxLength: number) => Type.String({ maxLength, description });
const fields = {
  name: text('Unique name: letters, digits, `.`, `_`, `-`, `/`.', fieldLimits.name),
  description: text('What the snippet is for.', fieldLimits.text),
  content: text('The template.', fieldLimits.template),
  folder: text(
    'Folder in the list of the admin; default: what stands before `/` in the name.',
    fieldLimits.name,
  ),
};
const schema = Type.Union([SentSchema, Type.Null()], { description: 'Null: not a block type.' });

export const Snippet = Type.Object(
  {
    id: serverFields.id,
    ...fields,
    assets: Type.Array(SnippetAsset, { description: 'Assets in loading order.' }),
    schema,
    page_layout: Type.Union([PageLayout, Type.Null()], { description: 'Null: not offered as layout.' }),
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
  },
  {
    title: 'Snippet',
    description: 'A template that other templates can name.',
    examples: [
      {
        id: 5,
        name: 'layout/base',
        description: '',
        content: '<main>{% block content %}{% endblock %}</main>',
        folder: 'layout',
        assets: [],
        schema: null,
        page_layout: { label: 'Base', description: '', default: true },
        created_at: 1767225600,
        updated_at: 1767225600,
      },
    ],
  },
);
export type Snippet = Static<typeof Snippet>;
export type StoredSnippet = Omit<Snippet, 'assets'>;

export const SavedSnippet = Type.Object(
  {
    ...Snippet.properties,
    warnings: Type.Array(Warning, { description: 'Findings about the template and the schema.' }),
  },
  { title: 'SavedSnippet', description: 'A snippet after a save, with the findings about it.' },
);
export type SavedSnippet = Static<typeof SavedSnippet>;

const SnippetAssetInput = Type.Object(
  { asset_id: assetId },
  { title: 'SnippetAssetInput', description: 'An asset to assign. An unknown ID is skipped.' },
);

const optional = {
  description: Type.Optional(fields.description),
  content: Type.Optional(fields.content),
  folder: Type.Optional(fields.folder),
  assets: Type.Optional(
    Type.Array(SnippetAssetInput, {
      maxItems: 1000,
      description: 'Assets in loading order. Replaces all assignments.',
    }),
  ),
  schema: Type.Optional(schema),
  page_layout: Type.Optional(
    Type.Union([PageLayoutInput, Type.Null()], { description: 'Null: not offered as layout.' }),
  ),
};

export const SnippetCreate = Type.Object(
  { name: fields.name, ...optional },
  {
    title: 'SnippetCreate',
    description: 'A new snippet.',
    examples: [{ name: 'card', content: '<b>{{ title }}</b>' }],
  },
);
export type SnippetCreate = Static<typeof SnippetCreate>;

export const SnippetUpdate = Type.Object(
  { ...baseUpdatedAt, name: Type.Optional(fields.name), ...optional },
  {
    title: 'SnippetUpdate',
    description: 'The fields of a snippet that change.',
    examples: [{ content: '<b>{{ title }}</b>', base_updated_at: 1767225600 }],
  },
);
export type SnippetUpdate = Static<typeof SnippetUpdate>;
