import type { Generated } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

declare module '../db/tables.ts' {
  interface ContentTables {
    outbox: OutboxRow;
    log_positions: LogPositionRow;
  }
}

interface OutboxRow {
  seq: Generated<number>;
  outlet: string;
  event: string;
  at: number;
  payload: string;
}

interface LogPositionRow {
  reader: string;
  version: number;
  state: string;
}

/** An event that is to be stored. */
export interface NewOutboxEvent {
  /** Name of the outlet that sends it. */
  readonly outlet: string;
  readonly event: string;
  /** Only the outlet reads it. Text that JSON can hold. */
  readonly payload: object;
}

/** An event that must go out. */
export interface OutboxEvent {
  /** Never given again. Restoring a backup sets it back, so what identifies an event is `seq` and `at` together. */
  readonly seq: number;
  readonly event: string;
  /** Unix seconds. */
  readonly at: number;
  /** JSON */
  readonly payload: string;
}

/** How far a reader of the commit log has come. */
export interface LogPosition {
  readonly version: number;
  /** What the reader has stored with it; empty at first. */
  readonly state: string;
}

export async function insertOutboxEvent(db: ContentDb, at: number, event: NewOutboxEvent): Promise<void> {
  await insert.run(db, { ...event, at, payload: JSON.stringify(event.payload) });
}

/** The events of an outlet after `seq`, oldest first, at most `limit`. */
export async function listOutboxEvents(
  db: ContentDb,
  outlet: string,
  seq: number,
  limit: number,
): Promise<OutboxEvent[]> {
  return selectAfter.all(db, { outlet, seq, limit });
}

export async function deleteOutboxEvent(db: ContentDb, seq: number): Promise<void> {
  await remove.run(db, { seq });
}

/** How far a reader has come, with what it has stored. */
export async function readLogPosition(db: ContentDb, reader: string): Promise<LogPosition> {
  return (await selectPosition.first(db, { reader })) ?? { version: 0, state: '' };
}

/** How far a reader has come. */
export async function readLogVersion(db: ContentDb, reader: string): Promise<number> {
  return (await selectVersion.first(db, { reader }))?.version ?? 0;
}

export async function saveLogPosition(db: ContentDb, reader: string, position: LogPosition): Promise<void> {
  await upsertPosition.run(db, { reader, ...position });
}

const insert = contentQuery((db, p: Omit<OutboxRow, 'seq'>) =>
  db.insertInto('outbox').values({ outlet: p.outlet, event: p.event, at: p.at, payload: p.payload }),
);

const selectAfter = contentQuery((db, p: { outlet: string; seq: number; limit: number }) =>
  db
    .selectFrom('outbox')
    .select(['seq', 'event', 'at', 'payload'])
    .where('seq', '>', p.seq)
    .where('outlet', '=', p.outlet)
    .orderBy('seq')
    .limit(p.limit),
);

const remove = contentQuery((db, p: { seq: number }) => db.deleteFrom('outbox').where('seq', '=', p.seq));

const selectPosition = contentQuery((db, p: { reader: string }) =>
  db.selectFrom('log_positions').select(['version', 'state']).where('reader', '=', p.reader),
);

const selectVersion = contentQuery((db, p: { reader: string }) =>
  db.selectFrom('log_positions').select('version').where('reader', '=', p.reader),
);

const upsertPosition = contentQuery((db, p: LogPositionRow) =>
  db
    .insertInto('log_positions')
    .values({ reader: p.reader, version: p.version, state: p.state })
    .onConflict((conflict) => conflict.column('reader').doUpdateSet({ version: p.version, state: p.state })),
);
