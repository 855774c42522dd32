import Type, { type Static } from 'typebox';
import { serverFields } from '../../content/common-fields.ts';

/** @param kinds names of the kinds that have revisions */
export function revisionListQuery(kinds: readonly string[]) {
  return Type.Object({
    kind: Type.Union(
      kinds.map((kind) => Type.Literal(kind)),
      { description: 'Kind of the object.' },
    ),
    id: Type.Integer({ description: 'ID of the object.' }),
  });
}

export const RevisionListEntry = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the version.' }),
    kind: Type.String({ description: 'Kind of the object.' }),
    object_id: Type.Integer({ description: 'ID of the object.' }),
    author: Type.String({ description: 'Who made the save that stored this version.' }),
    created_at: Type.Integer({ description: 'When it was stored, in Unix seconds.' }),
    size: Type.Integer({ description: 'Bytes of the stored object.' }),
    state_author: Type.Union([Type.String(), Type.Null()], {
      description:
        'Who made the state that the version holds; null in versions stored before this was noted.',
    }),
    state_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When that state was made, in Unix seconds; null like `state_author`.',
    }),
  },
  { title: 'RevisionListEntry', description: 'An earlier state of an object, without the state itself.' },
);
export type RevisionListEntry = Static<typeof RevisionListEntry>;

export const RevisionAnswer = Type.Object(
  {
    ...RevisionListEntry.properties,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The object as it was, in the form of its GET.',
    }),
  },
  { title: 'Revision', description: 'An earlier state of an object.' },
);

export const RestoredObject = Type.Object(
  { id: serverFields.id },
  {
    title: 'RestoredObject',
    description: 'The restored object, in the form of the answer to its PUT.',
    additionalProperties: true,
  },
);
