import Type, { type Static } from 'typebox';

/** @param kinds names of the kinds that have revisions */
export function revisionListQuery(kinds: readonly string[]) {
  return Type.Object({ kind: Type.Union(kinds.map((kind) => Type.Literal(kind))), id: Type.Integer() });
}

export const RevisionListEntry = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  object_id: Type.Integer(),
  author: Type.String(),
  created_at: Type.Integer(),
  /** Bytes of the stored object. */
  size: Type.Integer(),
});
export type RevisionListEntry = Static<typeof RevisionListEntry>;

export const RevisionAnswer = Type.Object({
  ...RevisionListEntry.properties,
  data: Type.Record(Type.String(), Type.Unknown()),
});
