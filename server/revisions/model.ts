import Type, { type Static } from 'typebox';

/** Kinds of objects whose versions are kept (Core, "Version (revision)"). */
export const RevisionKind = Type.Union([
  Type.Literal('page'),
  Type.Literal('snippet'),
  Type.Literal('asset'),
  Type.Literal('workflow'),
  Type.Literal('flownode'),
  Type.Literal('globalblock'),
]);
export type RevisionKind = Static<typeof RevisionKind>;

export const RevisionListQuery = Type.Object({ kind: RevisionKind, id: Type.Integer() });
export type RevisionListQuery = Static<typeof RevisionListQuery>;

export const RevisionListEntry = Type.Object({
  id: Type.Integer(),
  kind: RevisionKind,
  object_id: Type.Integer(),
  author: Type.String(),
  created_at: Type.Integer(),
  /** Bytes of the stored object. */
  size: Type.Integer(),
});
export type RevisionListEntry = Static<typeof RevisionListEntry>;

/** A saved object as it was stored, in the format of its GET. */
export type ObjectState = Readonly<Record<string, unknown>>;

export const Revision = Type.Object({
  ...RevisionListEntry.properties,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export interface Revision extends RevisionListEntry {
  readonly data: ObjectState;
}
