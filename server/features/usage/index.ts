import Type from 'typebox';
import { defineRoute } from '../../api/route.ts';
import { serverFields } from '../../content/common-fields.ts';
import { findUsage } from '../../content/kinds/usage.ts';
import type { Feature, SharedServices } from '../../feature.ts';

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
        needs: 'objects',
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

/** @param kinds names of the kinds that others can refer to */
function usageQuery(kinds: readonly string[]) {
  return Type.Object({
    kind: Type.Union(
      kinds.map((kind) => Type.Literal(kind)),
      { description: 'Kind of the object.' },
    ),
    id: Type.Integer({ description: 'ID of the object.' }),
  });
}

const UsageEntry = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the object.' }),
    id: serverFields.id,
    title: Type.String({ description: 'Name or title of the object.' }),
  },
  { title: 'UsageEntry', description: 'An object that refers to another one.' },
);

const Usage = Type.Object(
  {
    usage: Type.Array(UsageEntry, {
      description: 'Objects that refer to the object or to objects inside of it; at most 100.',
    }),
    contents: Type.Array(UsageEntry, {
      description: 'Objects inside of the object, which are deleted with it; at most 100.',
    }),
    complete: Type.Boolean({ description: 'False if there are more objects than the lists hold.' }),
  },
  {
    title: 'Usage',
    description: 'What would be affected if an object were deleted.',
    examples: [
      {
        usage: [{ kind: 'snippet', id: 3, title: 'layout' }],
        contents: [{ kind: 'page', id: 4, title: 'Hours' }],
        complete: true,
      },
    ],
  },
);
