import type { Feature, Parts } from '../feature.ts';
import { defineRoute } from '../http/route.ts';
import { ChangeFeed, ChangesQuery } from './model.ts';
import { readChanges } from './service.ts';

/** The feed of changes, from which a client never misses one. */
export function feedFeature({ reader }: Pick<Parts, 'reader'>): Feature {
  return {
    about: { changes: 'What has changed, in order.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/changes',
        access: 'read',
        summary: 'What has changed since a version of the content',
        query: ChangesQuery,
        response: ChangeFeed,
        errors: ['changes.gone'],
        handle: ({ query }) => readChanges(reader, query),
      }),
    ],
  };
}
