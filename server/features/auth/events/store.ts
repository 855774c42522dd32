import type { Generated } from 'kysely';
import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    auth_events: { id: Generated<number> } & NewAuthEvent;
  }
}

export interface NewAuthEvent {
  /** Unix seconds. */
  readonly at: number;
  /** Version of the content at that time, which orders events among changes. */
  readonly version: number;
  readonly event: string;
  readonly user: string;
  readonly address: string;
  readonly agent: string;
  readonly detail: string;
}

export interface StoredAuthEvent extends NewAuthEvent {
  readonly id: number;
}

const events = activityTable('auth_events');

export const insertEvent = events.insert('at', 'version', 'event', 'user', 'address', 'agent', 'detail');

/** The events of some versions, newest first. @param from the first of them @param before the first after them */
export function listEvents(db: ActivityDb, from: number, before: number): Promise<StoredAuthEvent[]> {
  return selectBetween.all(db, { from, before });
}

/** Deletes the oldest events of a name beyond `kept`, and the oldest of all beyond `keptOfAll`. */
export async function pruneEvents(
  db: ActivityDb,
  { event, kept, keptOfAll }: { readonly event: string; readonly kept: number; readonly keptOfAll: number },
): Promise<void> {
  await removeOldest.run(db, { event, kept });
  await removeOldestOfAll.run(db, { keptOfAll });
}

const selectBetween = activityQuery((db, p: { from: number; before: number }) =>
  db
    .selectFrom('auth_events')
    .selectAll()
    .where('version', '>=', p.from)
    .where('version', '<', p.before)
    .orderBy('version', 'desc')
    .orderBy('id', 'desc'),
);

const removeOldest = activityQuery((db, p: { event: string; kept: number }) =>
  db
    .deleteFrom('auth_events')
    .where('event', '=', p.event)
    .where('id', '<=', (row) =>
      row
        .selectFrom('auth_events')
        .select('id')
        .where('event', '=', p.event)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(p.kept),
    ),
);

const removeOldestOfAll = activityQuery((db, p: { keptOfAll: number }) =>
  db
    .deleteFrom('auth_events')
    .where('id', '<=', (row) =>
      row.selectFrom('auth_events').select('id').orderBy('id', 'desc').limit(1).offset(p.keptOfAll),
    ),
);
