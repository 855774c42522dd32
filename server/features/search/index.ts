import Type from 'typebox';
import { defineRoute } from '../../api/route.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { searchEntries } from '../collections/data/service.ts';
import { searchFiles } from '../media/service.ts';
import { SearchHit, SearchQuery } from './model.ts';

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
        summary: 'Find entries and files by a text, drafts too',
        query: SearchQuery,
        response: Type.Array(SearchHit),
        errors: ['common.busy'],
        handle: ({ query: { q, limit = 20 } }) =>
          answers.json(`/search?${limit} ${q}`, async (): Promise<SearchHit[]> => {
            const entries = await searchEntries(parts, q, limit);
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
