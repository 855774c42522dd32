import Type from 'typebox';
import { serverFields } from '../../content/common-fields.ts';

/** @param kinds names of the kinds that others can refer to */
export function usageQuery(kinds: readonly string[]) {
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

export const Usage = Type.Object(
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
