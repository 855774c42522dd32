/**
 * The lock on the row of a replication log, and the commit of a version under it. What holds:
 *
 *  1. A lock belongs to one connection. If the connection is lost, every method throws, and PostgreSQL has taken back
 *     all that was sent. Nothing of a version is ever sent outside the transaction of its lock.
 *  2. If the connection is lost before a version is committed, the version is sent again under a new lock, provided
 *     that no other node has committed meanwhile. So a thread that was blocked for seconds loses nothing.
 *  3. If the connection is cut while a version is committed, the log says whether it was (`commit_id`).
 *  4. When PostgreSQL has the version, no error says that it has not.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import { OutcomeUnknown, WriteLockUnavailable } from '../changes/commit-coordinator.ts';
import type { StepsPart } from '../db/replica/changed-rows.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import { type HistoryPosition, isSamePosition } from '../db/replica/open.ts';
import type { SharedTable } from '../db/replica/tables.ts';
import { isLockTimeout, LostConnection, literal, type PgConnection, type PgRow } from './connection.ts';
import type { Session } from './session.ts';
import { committedChannel, partSql, toPosition } from './sql.ts';

/** How long a writer waits for the lock, in milliseconds. */
const lockMs = 4_000;
/** How long PostgreSQL waits for a writer that says nothing, in milliseconds: its process may be stopped. */
const silenceMs = 3_000;
/** How long PostgreSQL may be silent while it stores a large part, in milliseconds. */
const partMs = 20_000;
/** How long the outcome of a commit is looked for, and a new lock is tried for, in milliseconds. */
const outcomeMs = 10_000;
const retryMs = 100;
/** How often a version is sent at most, if connections are lost before its commit. */
const maxSends = 3;
/** How many versions the log has at least, and how often older ones are deleted. */
const loggedVersions = 2_000;
const pruneEvery = 200;

/** Statements for the connection of a writer. */
export const writerSetup = `SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${silenceMs};`;

/** `SHARE` stops writers without being one. */
export type LockStrength = 'UPDATE' | 'SHARE';

/** This program is older than those that may write: a newer one has changed what rows mean. */
export class OutdatedNode extends Error {
  override readonly name = 'OutdatedNode';
}

export interface WriteLockOptions {
  readonly name: ReplicationLogName;
  /** Version of the tables that this program knows. */
  readonly schema: number;
  readonly session: Session;
  readonly tables: ReadonlyMap<string, SharedTable>;
  /** Statements that are run after a version is committed, for their rows. */
  readonly afterCommit: string;
  readonly log: Log;
}

export interface CommittedVersion {
  readonly position: HistoryPosition;
  /** The rows of `afterCommit`; undefined if the connection was lost first. */
  readonly after: readonly PgRow[] | undefined;
}

export class WriteLock {
  /** The newest version while the lock is held. */
  readonly newest: HistoryPosition;
  readonly #options: WriteLockOptions;
  readonly #connection: PgConnection;
  readonly #sign: NodeJS.Timeout;
  #isHeld = true;

  private constructor(options: WriteLockOptions, connection: PgConnection, newest: HistoryPosition) {
    this.#options = options;
    this.#connection = connection;
    this.newest = newest;
    // PostgreSQL does not count the time of a statement as silence, so nothing is sent behind one.
    this.#sign = setInterval(() => {
      if (connection.isOpen && connection.isIdle) connection.query('SELECT 1').catch(() => {});
    }, silenceMs / 3);
  }

  /** @throws LostConnection; the error of PostgreSQL after `lockMs`; OutdatedNode */
  static async acquire(options: WriteLockOptions, strength: LockStrength): Promise<WriteLock> {
    const connection = await options.session.connect();
    try {
      const [, rows] = await connection.query(
        `BEGIN; SELECT version, commit_id, writable_from FROM incipit.lanes
         WHERE name = ${literal(options.name)} FOR ${strength}`,
        lockMs + 2_000,
      );
      const row = rows?.[0];
      requireCurrentSchema(options.schema, row);
      return new WriteLock(options, connection, toPosition(row));
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  /** Gives the lock back without a new version; does nothing if it is not held any more. @throws LostConnection */
  async release(): Promise<void> {
    await this.#end('ROLLBACK');
  }

  /** Runs statements in the transaction of the lock and commits it; no new version. @throws LostConnection */
  async releaseWith(sql: string): Promise<void> {
    if (!this.#isHeld) throw new LostConnection('the lock is not held');
    await this.#end(`${sql}; COMMIT`);
  }

  /**
   * Commits a version and gives the lock back.
   *
   * @param parts makes what the version consists of, each time it is sent
   * @throws OutcomeUnknown when nobody can say whether it was committed; any other error: it was not
   */
  async commit(parts: () => Iterable<StepsPart>): Promise<CommittedVersion> {
    const commit = { version: this.newest.version + 1, commitId: randomUUID() };
    let lock: WriteLock = this;
    for (let sends = 1; ; sends++) {
      const sending = new Sending(lock.#options, lock.#connection, {
        ...commit,
        previous: this.newest.commitId,
      });
      try {
        const after = await lock.#send(sending, parts());
        lock.#prune(commit.version);
        return { position: commit, after };
      } catch (error) {
        if (!sending.mayBeCommitted && !(error instanceof LostConnection)) throw error;
        const outcome = await this.#findOutcome(commit, sending.mayBeCommitted, error);
        if (outcome === 'committed') return { position: commit, after: undefined };
        if (
          !(
            error instanceof LostConnection &&
            sends < maxSends &&
            isSamePosition(outcome.newest, this.newest)
          )
        ) {
          await outcome.release().catch(() => {});
          throw error;
        }
        lock = outcome;
      }
    }
  }

  async #send(sending: Sending, parts: Iterable<StepsPart>): Promise<readonly PgRow[]> {
    try {
      return await sending.send(parts);
    } catch (error) {
      this.#connection.drop();
      throw error;
    } finally {
      this.#leave();
    }
  }

  /**
   * What has become of a version whose connection is lost. The lock waits for the end of a transaction that PostgreSQL
   * has not given up yet.
   *
   * @returns a new lock if the version was not committed
   */
  async #findOutcome(
    { version, commitId }: HistoryPosition,
    mayBeCommitted: boolean,
    cause: unknown,
  ): Promise<WriteLock | 'committed'> {
    const end = performance.now() + outcomeMs;
    for (;;) {
      try {
        const lock = await WriteLock.acquire(this.#options, 'UPDATE');
        if (mayBeCommitted && lock.newest.version >= version && (await lock.#hasLogged(version, commitId))) {
          await lock.release().catch(() => {});
          return 'committed';
        }
        return lock;
      } catch (error) {
        if (error instanceof OutdatedNode || performance.now() >= end) {
          if (mayBeCommitted) throw new OutcomeUnknown('the outcome of a commit is unknown', { cause });
          throw new WriteLockUnavailable('the database does not answer', { cause });
        }
        await pause(retryMs);
      }
    }
  }

  async #hasLogged(version: number, commitId: string): Promise<boolean> {
    try {
      const [found = []] = await this.#connection.query(
        `SELECT 1 FROM incipit.log WHERE lane = ${literal(this.#options.name)} AND version = ${version}
           AND part = 0 AND commit_id = ${literal(commitId)}`,
      );
      return found.length > 0;
    } catch (error) {
      this.#leave();
      this.#connection.drop();
      throw error;
    }
  }

  async #end(sql: string): Promise<void> {
    if (!this.#isHeld) return;
    this.#leave();
    try {
      await this.#connection.query(sql);
    } catch (error) {
      this.#connection.drop();
      throw error;
    }
  }

  #leave(): void {
    this.#isHeld = false;
    clearInterval(this.#sign);
  }

  #prune(version: number): void {
    const { name, log } = this.#options;
    if (version % pruneEvery !== 0) return;
    const sql = `DELETE FROM incipit.log WHERE lane = ${literal(name)} AND version <= ${version - loggedVersions}`;
    this.#connection
      .query(sql, partMs)
      .catch((error) => log.warn({ err: error }, 'the log of versions was not shortened'));
  }
}

/** Sends one version in the transaction that a connection is in. */
class Sending {
  /** Whether its COMMIT was sent. */
  mayBeCommitted = false;
  readonly #options: WriteLockOptions;
  readonly #connection: PgConnection;
  readonly #commit: HistoryPosition & { readonly previous: string };

  constructor(
    options: WriteLockOptions,
    connection: PgConnection,
    commit: HistoryPosition & { readonly previous: string },
  ) {
    this.#options = options;
    this.#connection = connection;
    this.#commit = commit;
  }

  /** @returns the rows of `afterCommit` */
  async send(parts: Iterable<StepsPart>): Promise<readonly PgRow[]> {
    const { name, tables, afterCommit } = this.#options;
    const { version, commitId } = this.#commit;
    let number = 0;
    let waiting = '';
    for (const part of parts) {
      if (waiting !== '') await this.#connection.query(waiting, partMs);
      waiting = partSql({ lane: name, part: number, ...this.#commit }, part, tables);
      number += 1;
    }
    this.mayBeCommitted = true;
    const results = await this.#connection.query(
      `${waiting}
       UPDATE incipit.lanes SET version = ${version}, commit_id = ${literal(commitId)} WHERE name = ${literal(name)};
       NOTIFY ${committedChannel}, '${name} ${version}'; COMMIT; ${afterCommit}`,
      partMs,
    );
    return results.at(-1) ?? [];
  }
}

/**
 * @param schema version of the tables that this program knows
 * @param row of the log, with `writable_from`
 * @throws OutdatedNode
 */
function requireCurrentSchema(schema: number, row: PgRow | undefined): void {
  const writableFrom = Number(row?.['writable_from']);
  if (schema < writableFrom)
    throw new OutdatedNode(
      `the database was upgraded by a newer version of Incipit (schema ${writableFrom}, this version knows ${schema}): install that version`,
    );
}

/** What a change is told when PostgreSQL does not answer or its lock is not to be had. */
export function toWriteLockError(error: unknown): unknown {
  return error instanceof LostConnection || isLockTimeout(error)
    ? new WriteLockUnavailable('the database does not answer', { cause: error })
    : error;
}
