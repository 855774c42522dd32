import Type, { type Static } from 'typebox';
import { type FieldDefinition, fieldTypeNames } from '../../../runtime/fields/definition.ts';
import { Warning } from '../../base/warnings.ts';
import { fieldLimits, serverFields } from '../../content/common-fields.ts';
import { groupInputs, groupParts } from '../../content/fields/groups.ts';
import { fieldSettings, settingInputs } from '../../content/fields/model.ts';

const text = (description: string, maxLength: number = fieldLimits.name) =>
  Type.String({ maxLength, description });

const fieldOptions = Type.Array(Type.String({ maxLength: fieldLimits.title }), {
  maxItems: 1000,
  description: 'Allowed values of a `select` or `multiselect`; empty = any.',
});
const linkedCollection = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description: 'ID of the linked collection of a `reference` or `references`.',
});
const linkedInput = Type.Union(
  [Type.Integer({ minimum: 1 }), Type.String({ maxLength: fieldLimits.name }), Type.Null()],
  { description: 'ID or slug of the linked collection of a `reference` or `references`.' },
);
const fieldName = text('Name in templates and in `data`: a letter or `_`, then letters, digits and `_`.');
const fieldType = Type.Enum(fieldTypeNames, { description: 'Type of the values.' });
const required = Type.Boolean({ description: 'Whether every entry must have a value.' });

const Field = Type.Object(
  {
    name: fieldName,
    label: text('Name for people.'),
    type: fieldType,
    required,
    options: fieldOptions,
    collection: linkedCollection,
    ...groupParts,
    ...fieldSettings,
  },
  { title: 'CollectionField', description: 'A field of the entries of a collection.' },
);

const FieldInput = Type.Object(
  {
    name: fieldName,
    label: Type.Optional(text('Name for people; default: the name.')),
    type: fieldType,
    required: Type.Optional(required),
    options: Type.Optional(fieldOptions),
    collection: Type.Optional(linkedInput),
    ...groupInputs,
    ...settingInputs,
  },
  { title: 'CollectionFieldInput', description: 'A field of the entries of a collection.' },
);
export type FieldInput = Static<typeof FieldInput>;

const fields = {
  slug: text('Unique among collections and sources: a-z, 0-9, `_`, `-`, beginning with a letter.'),
  name: text('Name for people; default: the slug.'),
  folder: text('Folder in the list of the admin.'),
  public_api: Type.Boolean({ description: 'Whether everyone may read published entries.' }),
  live: Type.Boolean({
    description: 'Whether entries come into being on the live server, where imports of bundles keep them.',
  }),
  singleton: Type.Boolean({ description: 'Whether it has exactly one entry.' }),
  detail_page_id: Type.Integer({
    minimum: 0,
    description: 'Catch-all page below which each entry has its page; 0 = none.',
  }),
  detail_field: text('Field with the last part of the address of an entry; default `slug`.'),
  lang: text('BCP 47 language of all entries; empty = none.'),
};
const fieldList = { maxItems: 500, description: 'Fields of the entries.' };

/** A collection as it is stored. */
const StoredCollection = Type.Object({
  id: serverFields.id,
  ...fields,
  fields: Type.Array(Field, fieldList),
  created_at: serverFields.created_at,
  updated_at: serverFields.updated_at,
});
export type StoredCollection = Omit<Static<typeof StoredCollection>, 'fields'> & {
  readonly fields: readonly FieldDefinition[];
};

export const Collection = Type.Object(
  {
    ...StoredCollection.properties,
    item_count: Type.Optional(
      Type.Integer({ description: 'Number of entries, drafts too; not shown to everyone.' }),
    ),
  },
  {
    title: 'Collection',
    description: 'A list of entries with the same fields.',
    examples: [
      {
        id: 3,
        slug: 'news',
        name: 'News',
        folder: '',
        public_api: true,
        live: false,
        singleton: false,
        detail_page_id: 0,
        detail_field: 'slug',
        lang: 'en',
        fields: [
          { name: 'title', label: 'Title', type: 'text', required: true, options: [], collection: null },
        ],
        item_count: 12,
        created_at: 1767225600,
        updated_at: 1767225600,
      },
    ],
  },
);
export type Collection = Static<typeof Collection>;

export const SavedCollection = Type.Object(
  {
    ...Collection.properties,
    warnings: Type.Optional(
      Type.Array(Warning, {
        description:
          'What still names the slug that the collection had, and entries that break new rules; absent if nothing.',
      }),
    ),
  },
  { title: 'SavedCollection', description: 'A collection that was saved.' },
);

const optional = {
  name: Type.Optional(fields.name),
  folder: Type.Optional(fields.folder),
  public_api: Type.Optional(fields.public_api),
  live: Type.Optional(fields.live),
  singleton: Type.Optional(fields.singleton),
  detail_page_id: Type.Optional(fields.detail_page_id),
  detail_field: Type.Optional(fields.detail_field),
  lang: Type.Optional(fields.lang),
  fields: Type.Optional(Type.Array(FieldInput, fieldList)),
};

export const CollectionCreate = Type.Object(
  { slug: fields.slug, ...optional },
  {
    title: 'CollectionCreate',
    description: 'A new collection.',
    examples: [{ slug: 'news', name: 'News', fields: [{ name: 'title', type: 'text', required: true }] }],
  },
);
export type CollectionCreate = Static<typeof CollectionCreate>;

export const CollectionUpdate = Type.Object(
  { slug: Type.Optional(fields.slug), ...optional },
  {
    title: 'CollectionUpdate',
    description: 'The fields of a collection that change. `fields` replaces the whole list.',
    examples: [{ public_api: true }],
  },
);
export type CollectionUpdate = Static<typeof CollectionUpdate>;
