import Type, { type Static } from 'typebox';
import { defineRoute } from '../../api/route.ts';
import { fieldLimits } from '../../content/common-fields.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { mayReadEntries } from '../collections/by-ref.ts';
import { searchEntries } from '../collections/data/service.ts';
import { searchFiles } from '../media/service.ts';

/** Finds entries and files by a text. Pages, snippets, CSS and JS are few enough for clients to have them all. */
export function searchFeature(parts: Pick<SharedServices, 'snapshots' | 'pool' | 'answers'>): Feature {
  const { snapshots, answers } = parts;
  return {
    about: { search: 'Finding entries and files by a text.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/search',
        access: 'read',
        needs: 'objects',
        summary: 'Find entries and files by a text, drafts too',
        query: SearchQuery,
        response: Type.Array(SearchHit),
        errors: ['common.busy'],
        handle: ({ actor, query: { q, limit = 20 } }) =>
          answers.json(`/search?${limit} ${q}`, async (): Promise<SearchHit[]> => {
            const entries = await searchEntries(parts, q, limit, (collection) =>
              mayReadEntries(actor, collection),
            );
            const files = await snapshots.read((db) => searchFiles(db, q, limit));
            return [
              ...entries.map((entry) => ({ kind: 'item' as const, ...entry })),
              ...files.map(({ id, name }) => ({ kind: 'file' as const, id, title: name, collection: '' })),
            ];
          }),
      }),
    ],
  };
}

const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: fieldLimits.name,
    description: 'Text that a value of the entry, or name or alt text of the file, contains.',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Most entries and most files; default 20.' }),
  ),
});

const SearchHit = Type.Object(
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
