import Type, { type Static } from 'typebox';
import { defineSettings } from '../../../db/settings.ts';
import type { ContentDb } from '../../../db/tables.ts';

/** How long it is told that the trash was full, in seconds. */
const toldSeconds = 30 * 86_400;

const TrashSettings = Type.Object({
  /** How long deleted objects are kept; 0: not at all. */
  days: Type.Integer(),
  /** When it is full, the oldest objects go. */
  max_mb: Type.Integer(),
  /** What went because the trash was full: how many objects, how many bytes, and when the last of them. */
  dropped: Type.Object({ count: Type.Integer(), bytes: Type.Integer(), at: Type.Integer() }),
});
export type TrashSettings = Static<typeof TrashSettings>;
export type DroppedObjects = TrashSettings['dropped'];

export const trashSettings = defineSettings({
  name: 'trash',
  schema: TrashSettings,
  defaults: { days: 30, max_mb: 2_048, dropped: { count: 0, bytes: 0, at: 0 } },
});

/** What went before its time, because the trash was full; undefined if that is long ago. */
export async function readDropped(db: ContentDb, now: number): Promise<DroppedObjects | undefined> {
  const { dropped } = await trashSettings.read(db);
  return dropped.count > 0 && dropped.at > now - toldSeconds ? dropped : undefined;
}
