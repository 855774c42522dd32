import Type, { type Static } from 'typebox';
import { defineSettings } from '../../../db/settings.ts';

const TrashSettings = Type.Object({
  /** How long deleted objects are kept; 0: not at all. */
  days: Type.Integer(),
  /** When it is full, the oldest objects go. */
  max_mb: Type.Integer(),
  /** What went because the trash was full: how many objects, how many bytes, and when the last of them. */
  dropped: Type.Object({ count: Type.Integer(), bytes: Type.Integer(), at: Type.Integer() }),
});
export type TrashSettings = Static<typeof TrashSettings>;

export const trashSettings = defineSettings({
  name: 'trash',
  schema: TrashSettings,
  defaults: { days: 30, max_mb: 2_048, dropped: { count: 0, bytes: 0, at: 0 } },
});
