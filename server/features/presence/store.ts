import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { Presence } from './model.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    presence: PresenceRow;
  }
}

export interface PresenceRow {
  name: string;
  kind: string;
  object_id: number;
  state: Presence['state'];
  /** Unix milliseconds. */
  heard_at: number;
}

const presence = activityTable('presence');

/** All, those that are over too. */
export const listRows = presence.listBy([], ['kind', 'object_id', 'name']);

export const saveRow = presence.upsert(['name', 'kind', 'object_id'], ['state', 'heard_at']);

export const removeRow = presence.removeBy('name', 'kind', 'object_id');

/** Deletes what was reported at a time or earlier. */
export async function removeUntil(db: ActivityDb, time: number): Promise<void> {
  await deleteUntil.run(db, { time });
}

/** Deletes the oldest reports of a name beyond a number. */
export async function removeBeyond(db: ActivityDb, name: string, count: number): Promise<void> {
  const rows = await listOfName(db, name);
  for (const { kind, object_id } of rows.slice(count)) await removeRow(db, name, kind, object_id);
}

const listOfName = presence.listBy(['name'], ['-heard_at'], ['kind', 'object_id']);

const deleteUntil = activityQuery((db, p: { time: number }) =>
  db.deleteFrom('presence').where('heard_at', '<=', p.time),
);
