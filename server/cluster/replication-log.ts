/**
 * The order of versions of one database, in PostgreSQL.
 *
 * A version is what one group of changes has done. It is written by the node that holds the lock on the row of the
 * log (`WriteLock`), and exists when that transaction is committed: the rows in the tables, the steps in the log, the
 * number and the ID of the commit in the row of the log. What holds:
 *
 *  1. A replica at a position has exactly the rows that the tables had there. The position is in the replica, written
 *     by the transaction that brought the rows.
 *  2. Versions have no gaps, and each names the commit before it. Whoever finds that the log does not go on from the
 *     own position fills the replica again: the log may not reach back, or PostgreSQL may have been restored to an
 *     older state, so that the number is known and the rows are others.
 *  3. A version that cannot be applied is no reason to stop: the replica is filled again.
 *  4. Followers learn of every table that was touched. A table is owed to them until they have been told without an
 *     error, whatever happens in between.
 *
 * Reading uses a connection of its own, so that a node can follow while it waits for the lock.
 */
import type { Log } from '../base/log.ts';
import { beginWriting } from '../db/replica/begin.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import {
  emptyVersion,
  type HistoryPosition,
  isSamePosition,
  newestSchema,
  type Replica,
  readReplicaPosition,
  setReplicaPosition,
} from '../db/replica/open.ts';
import { isStorageFull } from '../db/sqlite-errors.ts';
import type { TableNames } from '../db/written-tables.ts';
import { findAddedColumns } from './added-columns.ts';
import {
  Applying,
  type Continuation,
  type LogPart,
  LogPlace,
  toPart,
  UnappliableVersion,
} from './applying.ts';
import { literal } from './connection.ts';
import { copyAllRows } from './copy-all-rows.ts';
import { Session } from './session.ts';
import { toPosition } from './sql.ts';
import { type LockStrength, WriteLock, writerSetup } from './write-lock.ts';

export interface ReplicationLogOptions<Tables> {
  readonly name: ReplicationLogName;
  readonly url: string;
  readonly replica: Replica<Tables>;
  readonly log: Log;
  /** Statements that are run after a version is committed, for their rows. */
  readonly afterCommit?: string;
  /** Called when PostgreSQL has another history than the replica, before the replica is filled from it. */
  onOtherHistory?(): void;
}

/** Tells the followers of tables. @throws if one of them does not know yet; all are told again later */
export type TellFollowers = (tables: TableNames) => Promise<void> | undefined;

/** How long PostgreSQL may be silent while it sends a large part, in milliseconds. */
const readMs = 20_000;
/** Parts that are read at a time. */
const partsPerRead = 16;

export class ReplicationLog<Tables> {
  readonly #options: ReplicationLogOptions<Tables>;
  readonly #schema: number;
  /** The newest schema whose columns the replica has. */
  #knownSchema: number;
  readonly #writing: Session;
  readonly #reading: Session;
  /** Tables that the replica has got new rows of, and followers do not know yet. */
  #owed: Set<string> | 'all' = new Set();

  constructor(options: ReplicationLogOptions<Tables>) {
    const { name, url } = options;
    this.#options = options;
    this.#schema = newestSchema(name);
    this.#knownSchema = this.#schema;
    this.#writing = new Session({ url, purpose: `${name} writer`, setup: writerSetup });
    this.#reading = new Session({ url, purpose: `${name} reader` });
  }

  /** What the replica has. */
  get position(): HistoryPosition {
    return readReplicaPosition(this.#options.replica.applier);
  }

  /** Whether the replica, or what is held of it in memory, lacks something of this state. */
  lacks(newest: HistoryPosition): boolean {
    const owesNothing = this.#owed !== 'all' && this.#owed.size === 0;
    return !(owesNothing && isSamePosition(this.position, newest));
  }

  /**
   * Waits for the lock of the log.
   *
   * @param strength `SHARE` stops writers without being one
   * @throws LostConnection; the error of PostgreSQL when others hold the lock for too long; OutdatedNode
   */
  lock(strength: LockStrength = 'UPDATE'): Promise<WriteLock> {
    const { name, replica, log, afterCommit = 'SELECT 1' } = this.#options;
    return WriteLock.acquire(
      { name, schema: this.#schema, session: this.#writing, tables: replica.tables, afterCommit, log },
      strength,
    );
  }

  /** Brings the replica to the newest version. `tellOwed` comes next. @throws LostConnection */
  async catchUp(): Promise<void> {
    const { log } = this.#options;
    try {
      const found = await this.#applyNew();
      if (found === 'otherHistory') this.#noteOtherHistory();
      if (found !== 'applied') await this.#refill();
    } catch (error) {
      if (!(error instanceof UnappliableVersion) || isStorageFull(error.cause)) throw error;
      log.error({ err: error.cause }, 'a version could not be applied, so the replica is filled again');
      await this.#refill();
    }
  }

  /** Tells the followers what they do not know yet. @throws the error of `tell`, with all owed as before */
  async tellOwed(tell: TellFollowers): Promise<void> {
    const owed = this.#owed;
    if (owed !== 'all' && owed.size === 0) return;
    this.#owed = new Set();
    try {
      await tell(owed);
    } catch (error) {
      this.#owe(owed);
      throw error;
    }
  }

  /** Gives the connections up, because nothing arrives from PostgreSQL. */
  drop(): void {
    this.#writing.drop();
    this.#reading.drop();
  }

  async close(): Promise<void> {
    await Promise.all([this.#writing.close(), this.#reading.close()]);
  }

  /** Applies what the log has after the position of the replica, if it goes on from there. */
  async #applyNew(): Promise<Continuation> {
    const place = new LogPlace(this.position);
    if (place.version === emptyVersion) return 'gap';
    const applying = new Applying(this.#options.replica, (tables) => this.#owe(tables));
    try {
      for (;;) {
        const { newest, schema, parts } = await this.#readParts(place);
        if (schema > this.#knownSchema) {
          applying.commit();
          await this.#addColumns(schema);
        }
        for (const part of parts) {
          const next = place.advance(part);
          if (next !== 'applied') return next;
          await applying.apply(part);
        }
        if (parts.length === partsPerRead) continue;
        applying.commit();
        // The row of the log was read before its parts, so it is not newer than they are.
        if (place.version < newest.version) return 'gap';
        return parts.length > 0 || isSamePosition(place.position, newest) ? 'applied' : 'otherHistory';
      }
    } finally {
      applying.rollback();
    }
  }

  #noteOtherHistory(): void {
    const { name, log, onOtherHistory } = this.#options;
    log.error(
      { database: name, version: this.position.version },
      'PostgreSQL was restored to another state, so the replica is filled from it',
    );
    onOtherHistory?.();
  }

  async #readParts(place: LogPlace): Promise<LogReading> {
    const lane = literal(this.#options.name);
    const [lanes, parts = []] = await this.#reading.query(
      `SELECT version, commit_id, schema_version FROM incipit.lanes WHERE name = ${lane};
       SELECT version, part, commit_id, previous, body FROM incipit.log
       WHERE lane = ${lane} AND (version, part) > (${place.version}, ${place.part})
       ORDER BY version, part LIMIT ${partsPerRead}`,
      readMs,
    );
    const row = lanes?.[0];
    return { newest: toPosition(row), schema: Number(row?.['schema_version']), parts: parts.map(toPart) };
  }

  /** Gives the replica the columns that a newer version of the program has added. */
  async #addColumns(schema: number): Promise<void> {
    const { name, replica } = this.#options;
    const columns = await findAddedColumns(await this.#reading.connect(), name, replica.tables);
    if (columns.length > 0) replica.addColumns(columns);
    this.#knownSchema = schema;
  }

  /** Fills the replica from the tables of PostgreSQL. */
  async #refill(): Promise<void> {
    const { name, replica, log } = this.#options;
    const { applier, tables } = replica;
    const start = performance.now();
    await this.#addColumns(this.#knownSchema);
    await beginWriting(applier);
    let position: HistoryPosition;
    try {
      position = await copyAllRows(await this.#reading.connect(), name, applier, tables);
      setReplicaPosition(applier, position);
      applier.execute('COMMIT');
    } finally {
      if (applier.inTransaction) applier.execute('ROLLBACK');
    }
    this.#owed = 'all';
    const { version } = position;
    log.info(
      { database: name, version, ms: Math.round(performance.now() - start) },
      'the replica was filled',
    );
  }

  #owe(tables: TableNames): void {
    if (tables === 'all' || this.#owed === 'all') this.#owed = 'all';
    else for (const table of tables) this.#owed.add(table);
  }
}

interface LogReading {
  readonly newest: HistoryPosition;
  /** Version of the tables. */
  readonly schema: number;
  readonly parts: readonly LogPart[];
}
