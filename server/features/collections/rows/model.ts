import Type, { type Static } from 'typebox';
import { Warning } from '../../../base/warnings.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../../content/common-fields.ts';

const data = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Values by the name of the field. Of an `image` or `file` it is the ID of a file: GET /files/{id} has its `url`, `srcset` and size.',
});
const published = Type.Boolean({ description: 'False for a draft, which visitors do not see.' });

export const Entry = Type.Object(
  {
    id: serverFields.id,
    collection_id: Type.Integer({ description: 'ID of its collection.' }),
    data,
    sort: Type.Integer({ description: 'Place in the manual order.' }),
    published,
    translation_group: Type.String({ description: 'Shared by language versions; empty = none.' }),
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
  },
  {
    title: 'Entry',
    description: 'An entry of a collection.',
    examples: [
      {
        id: 7,
        collection_id: 3,
        data: { title: 'Spring' },
        sort: 1,
        published: true,
        translation_group: '',
        created_at: 1767225600,
        updated_at: 1767225600,
      },
    ],
  },
);
export type Entry = Static<typeof Entry>;

/** An entry as the services handle it, with the slug of its collection. */
export interface ItemState extends Entry {
  readonly collection: string;
}

/** Most entries of one request (Data, Automation and Operations, "Limits"). */
const maxBatch = 1000;

export const EntryInput = Type.Object(
  { data, published: Type.Optional(published) },
  {
    title: 'EntryInput',
    description: 'A new entry.',
    examples: [{ data: { title: 'Spring' }, published: false }],
  },
);
export type EntryInput = Static<typeof EntryInput>;

/** One entry, or several that are created together. */
export const EntriesInput = Type.Union(
  [EntryInput, Type.Array(EntryInput, { minItems: 1, maxItems: maxBatch })],
  { title: 'EntriesInput', description: 'A new entry, or a list of 1 to 1,000.' },
);
export type EntriesInput = Static<typeof EntriesInput>;

export const SavedEntry = Type.Object(
  {
    ...Entry.properties,
    warnings: Type.Optional(
      Type.Array(Warning, {
        description:
          'Names that are no fields (refused with `strict=1`), and addresses that lead nowhere; absent if there are none.',
      }),
    ),
  },
  { title: 'SavedEntry', description: 'An entry that was saved.' },
);

export const SavedEntries = Type.Union([SavedEntry, Type.Array(SavedEntry)], {
  title: 'SavedEntries',
  description: 'The created entry, or the list of them.',
});

/** Body that creates an entry of a kind, with its collection. */
export const EntryCreate = Type.Object(
  {
    collection: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: fieldLimits.name })], {
      description: 'ID or slug of the collection.',
    }),
    ...EntryInput.properties,
  },
  { title: 'EntryCreate', description: 'A new entry of a collection.' },
);
export type EntryCreate = Static<typeof EntryCreate>;

export const EntryUpdate = Type.Object(
  { ...baseUpdatedAt, data: Type.Optional(data), published: Type.Optional(published) },
  {
    title: 'EntryUpdate',
    description: 'What changes of an entry. `data` may have some of the fields.',
    examples: [{ data: { title: 'Summer' }, base_updated_at: 1767225600 }],
  },
);
export type EntryUpdate = Static<typeof EntryUpdate>;

export const EntryMove = Type.Object(
  {
    index: Type.Integer({
      description: 'Place in the manual order from 0; below 0 or too large: at the end.',
    }),
  },
  { title: 'EntryMove', description: 'The new place of an entry.', examples: [{ index: 0 }] },
);
export type EntryMove = Static<typeof EntryMove>;

export const EntryOrder = Type.Array(Type.Integer({ minimum: 1 }), {
  maxItems: 100_000,
  title: 'EntryOrder',
  description: 'IDs of entries in their new order. Others keep their place.',
  examples: [[9, 7, 8]],
});

/** `/collections/{ref}/items/{id}` */
export const EntryParams = Type.Object({
  ref: Type.String({ maxLength: fieldLimits.name, description: 'ID or slug of the collection.' }),
  id: Type.Integer({ minimum: 1, description: 'ID of the entry.' }),
});

export const EntryList = Type.Union([Type.Array(Entry), Entry, Type.Null()], {
  title: 'EntryList',
  description: 'The entries in manual order; of a singleton the entry or null.',
});

/** One of the other language versions of an entry. */
export const EntryTranslation = Type.Object(
  {
    collection: Type.String({ description: 'Slug of its collection.' }),
    item_id: Type.Integer({ description: 'ID of the entry.' }),
    lang: Type.String({ description: 'Language of its collection.' }),
    title: Type.String({ description: 'The first text of the entry.' }),
    url: Type.String({ description: 'The path.' }),
    path: Type.String({ description: 'Path below the detail page of its collection; empty without one.' }),
    published: Type.Boolean({ description: 'False for a draft.' }),
  },
  { title: 'EntryTranslation', description: 'Another language version of an entry.' },
);
export type EntryTranslation = Static<typeof EntryTranslation>;

export const EntryLink = Type.Object(
  {
    collection: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: fieldLimits.name })], {
        description: 'ID or slug of the collection of the other entry; default: the same.',
      }),
    ),
    item_id: Type.Integer({ minimum: 1, description: 'The entry to link.' }),
    move: Type.Optional(
      Type.Boolean({ description: 'Takes that entry from its present language versions.' }),
    ),
  },
  {
    title: 'EntryLink',
    description: 'An entry to link as language version.',
    examples: [{ collection: 'news-de', item_id: 7 }],
  },
);
export type EntryLink = Static<typeof EntryLink>;
