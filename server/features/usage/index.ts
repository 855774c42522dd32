import { defineRoute } from '../../api/route.ts';
import { findUsage } from '../../content/kinds/usage.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { Usage, usageQuery } from './model.ts';

/** What refers to an object, asked before it is deleted; DELETE with `if_unused` refuses for the same reasons. */
export function usageFeature({
  snapshots,
  registry,
  backlog,
}: Pick<SharedServices, 'snapshots' | 'registry' | 'backlog'>): Feature {
  const kinds = registry.byName;
  const names = [...kinds.values()].filter(({ usage }) => usage !== undefined).map(({ name }) => name);
  return {
    about: { usage: 'What refers to an object.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/usage',
        access: 'read',
        summary: 'List what refers to an object, and what is inside of it',
        query: usageQuery(names),
        response: Usage,
        errors: ['common.notFound'],
        handle: async ({ query: { kind, id } }) => {
          await backlog.done();
          return snapshots.read((db) => findUsage(db, { kind, id }, kinds));
        },
      }),
    ],
  };
}
