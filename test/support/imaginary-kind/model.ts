import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits } from '../../../server/content/common-fields.ts';

const title = Type.String({ maxLength: fieldLimits.title });
const tags = Type.Union([Type.Array(Type.String()), Type.Null()]);

export const Note = Type.Object({
  id: Type.Integer(),
  title,
  pinned: Type.Boolean(),
  tags,
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
});
export type Note = Static<typeof Note>;

export const NoteCreate = Type.Object({
  title,
  pinned: Type.Optional(Type.Boolean()),
  tags: Type.Optional(tags),
});

export const NoteUpdate = Type.Object({ ...baseUpdatedAt, ...Type.Partial(NoteCreate).properties });
