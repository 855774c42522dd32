import Type, { type Static } from 'typebox';

const kind = Type.String({ description: 'Kind of the object, as in the feed of changes.' });
const title = Type.String({ description: 'Title or name of the object.' });

export const TrashEntry = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the entry in the trash.' }),
    kind,
    object_id: Type.Integer({ description: 'ID of the object, which it keeps when it is restored.' }),
    title,
    path: Type.String({ description: 'Path of a page or redirect; empty for all other kinds.' }),
    deleted_by: Type.String({ description: 'Who has deleted it.' }),
    deleted_at: Type.Integer({ description: 'When it was deleted, in Unix seconds.' }),
    expires_at: Type.Integer({ description: 'When it is gone for good, in Unix seconds.' }),
    contains: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of objects that were deleted with it, by kind.',
    }),
    bytes: Type.Integer({ description: 'Size of what is kept of it, in bytes.' }),
  },
  { title: 'TrashEntry', description: 'A deleted object.' },
);
export type TrashEntry = Static<typeof TrashEntry>;

export const TrashQuery = Type.Object({
  kind: Type.Optional(Type.String({ description: 'Only objects of this kind.' })),
  q: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Only objects with this text in title or path.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Objects to leave out at the start.' })),
});
export type TrashQuery = Static<typeof TrashQuery>;

export const RestoreRequest = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'Says what would happen and changes nothing.' })),
    rename: Type.Optional(
      Type.Boolean({
        description: 'Takes the next free name where one is taken. Keys and domains stay as they are.',
      }),
    ),
    with_parent: Type.Optional(
      Type.Boolean({ description: 'Also restores what the object was in, if that is in the trash.' }),
    ),
  },
  { title: 'RestoreRequest', description: 'How an object is restored.', examples: [{ rename: true }] },
);

const objectId = Type.Integer({ description: 'ID of the object.' });

export const RestoreResult = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was changed.' }),
    restored: Type.Array(Type.Object({ kind, id: objectId, title }), {
      description: 'Objects that are back, parents first; what was in them is back, too.',
    }),
    renamed: Type.Array(
      Type.Object({
        kind,
        id: objectId,
        what: Type.String({ description: 'What had another value: `name`, `path` or `address`.' }),
        from: Type.String({ description: 'The name that is taken.' }),
        to: Type.String({ description: 'The name that the object has now.' }),
      }),
      { description: 'Objects that have another name.' },
    ),
    renumbered: Type.Array(
      Type.Object({
        kind,
        from: Type.Integer({ description: 'ID before the deletion.' }),
        to: Type.Integer({ description: 'ID now.' }),
      }),
      { description: 'Objects whose ID was taken by an import.' },
    ),
  },
  { title: 'RestoreResult', description: 'What is back.' },
);
export type RestoreResult = Static<typeof RestoreResult>;
