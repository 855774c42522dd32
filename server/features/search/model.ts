import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../content/common-fields.ts';

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: fieldLimits.name,
    description: 'Text that a value of the entry, or name or alt text of the file, contains.',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Most entries and most files; default 20.' }),
  ),
});

export const SearchHit = Type.Object(
  {
    kind: Type.Enum(['item', 'file'], { description: 'What was found.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    title: Type.String({ description: 'First text of the entry, or name of the file.' }),
    collection: Type.String({ description: 'Slug of the collection of an entry; empty for a file.' }),
  },
  {
    title: 'SearchHit',
    description: 'An entry or a file that was found.',
    examples: [{ kind: 'item', id: 7, title: 'Tide gauge', collection: 'objects' }],
  },
);
export type SearchHit = Static<typeof SearchHit>;
