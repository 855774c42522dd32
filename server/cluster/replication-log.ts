/**
 * The order of versions of one database, in PostgreSQL.
 *
 * A version is what one group of changes has done. It is written by the node that holds the lock on the row of the
 * lane, and exists when that transaction is committed: the rows in the tables, the steps in the log, the number in
 * the row of the lane. What holds:
 *
 *  1. A replica at version v has exactly the rows that the tables had at v. Its number is in the replica, written by
 *     the transaction that brought the rows.
 *  2. Versions have no gaps. Whoever finds that the log does not begin with the next version fills the replica anew.
 *  3. If the connection is cut while a version is committed, the log says whether it was (`commit_id`).
 *
 * All methods but `lock`, `commit` and `rollback` use a connection of their own, so that others can read while a
 * writer waits for the lock.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import { WriteLockUnavailable } from '../changes/commit-coordinator.ts';
import { applySteps } from '../db/replica/apply.ts';
import { beginWriting } from '../db/replica/begin.ts';
import type { StepsPart } from '../db/replica/changed-rows.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import { emptyVersion, type Replica, replicaVersion, setReplicaVersion } from '../db/replica/open.ts';
import { copyAllRows } from './copy-all-rows.ts';
import { isLockTimeout, LostConnection, literal, type PgRow, Session } from './session.ts';
import { committedChannel, partSql } from './sql.ts';

export interface LaneOptions<Tables> {
  readonly name: ReplicationLogName;
  readonly url: string;
  readonly replica: Replica<Tables>;
  readonly log: Log;
  /** Statements that are run after a version is committed, for their rows. */
  readonly afterCommit?: string;
}

/** What a replica has taken over. */
export interface CatchUpResult {
  readonly version: number;
  /** Names of the tables of which rows have changed; undefined after a refill: all. */
  readonly tables: ReadonlySet<string> | undefined;
}

/** How long a writer waits for the lock, in milliseconds. */
const lockMs = 4_000;
/** How long PostgreSQL keeps the lock for a writer that says nothing, in milliseconds: its process may be stopped. */
const silenceMs = 3_000;
/** How long PostgreSQL may be silent while it stores or sends a large part. */
const partMs = 10_000;
/** How long the outcome of a commit is looked for. */
const outcomeMs = 10_000;
/** Versions that the log keeps, and how often older ones are deleted. */
const keptVersions = 2_000;
const pruneEvery = 200;
/** Parts that are read at a time. */
const partsPerRead = 16;

export class ReplicationLog<Tables> {
  readonly #options: LaneOptions<Tables>;
  readonly #order: Session;
  readonly #source: Session;
  /** Number of the newest version, while this node holds the lock. */
  #locked: number | undefined;
  #sign: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions<Tables>) {
    const { name, url, log } = options;
    this.#options = options;
    const setup = `SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${silenceMs};`;
    this.#order = new Session({ url, log, purpose: `${name} writer`, setup });
    this.#source = new Session({ url, log, purpose: `${name} reader` });
  }

  /** The version of the replica. */
  get version(): number {
    return replicaVersion(this.#options.replica.applier);
  }

  /**
   * Waits for the lock of the lane.
   *
   * @param strength `SHARE` keeps writers away without being one
   * @returns the newest version
   * @throws LostConnection; the error of PostgreSQL after `lockMs`
   */
  async lock(strength: 'UPDATE' | 'SHARE' = 'UPDATE'): Promise<number> {
    if (this.#locked !== undefined) throw new Error('the lane is locked already');
    const lane = literal(this.#options.name);
    try {
      const [, rows] = await this.#order.query(
        `BEGIN; SELECT version FROM incipit.lanes WHERE name = ${lane} FOR ${strength}`,
        lockMs + 2_000,
      );
      this.#locked = Number(rows?.[0]?.['version']);
    } catch (error) {
      this.#order.drop();
      throw error;
    }
    this.#sign = setInterval(() => void this.#order.query('SELECT 1').catch(() => {}), silenceMs / 3);
    return this.#locked;
  }

  #unlocked(): void {
    clearInterval(this.#sign);
    this.#locked = undefined;
  }

  /** Gives the lock back without a new version. */
  async unlock(): Promise<void> {
    await this.#end('ROLLBACK');
  }

  /**
   * Runs statements in the transaction of the lock and commits it; no new version.
   *
   * @throws LostConnection
   */
  async unlockWith(sql: string): Promise<void> {
    await this.#end(`${sql}; COMMIT`);
  }

  async #end(sql: string): Promise<void> {
    if (this.#locked === undefined) return;
    this.#unlocked();
    try {
      await this.#order.query(sql);
    } catch (error) {
      this.#order.drop();
      throw error;
    }
  }

  /**
   * Commits a version and gives the lock back.
   *
   * @returns its number, and the rows of `afterCommit`
   * @throws LostConnection when nobody can say now whether it was committed; any other error: it was not
   */
  async commit(parts: Iterable<StepsPart>): Promise<{ version: number; after: readonly PgRow[] }> {
    const { name, replica, afterCommit = 'SELECT 1' } = this.#options;
    if (this.#locked === undefined) throw new Error('the lane is not locked');
    const version = this.#locked + 1;
    const commitId = randomUUID();
    let number = 0;
    let waiting: string | undefined;
    try {
      for (const part of parts) {
        if (waiting !== undefined) await this.#order.query(waiting, partMs);
        waiting = partSql({ lane: name, version, part: number, commitId }, part, replica.tables);
        number += 1;
      }
    } catch (error) {
      this.#unlocked();
      this.#order.drop();
      throw error;
    }
    const end = `UPDATE incipit.lanes SET version = ${version} WHERE name = ${literal(name)};
      NOTIFY ${committedChannel}, '${name} ${version}'; COMMIT; ${afterCommit}`;
    this.#unlocked();
    try {
      const results = await this.#order.query(`${waiting ?? ''} ${end}`, partMs);
      this.#prune(version);
      return { version, after: results.at(-1) ?? [] };
    } catch (error) {
      this.#order.drop();
      if (!(error instanceof LostConnection)) throw error;
      if (!(await this.#wasCommitted(version, commitId))) throw error;
      const [after = []] = await this.#source.query(afterCommit);
      return { version, after };
    }
  }

  /**
   * Brings the replica to the newest version, or fills it anew if the log does not reach back.
   *
   * @returns undefined if there was nothing new
   */
  async catchUp(): Promise<CatchUpResult | undefined> {
    const { name, replica } = this.#options;
    const lane = literal(name);
    const before = this.version;
    if (before === emptyVersion) return this.resync();
    const tables = new Set<string>();
    let place = { version: before, part: Number.MAX_SAFE_INTEGER };
    const applying = new Applying(replica);
    try {
      for (;;) {
        const [rows = [], newest] = await this.#source.query(
          `SELECT version, part, body FROM incipit.log
           WHERE lane = ${lane} AND (version, part) > (${place.version}, ${place.part})
           ORDER BY version, part LIMIT ${partsPerRead};
           SELECT version FROM incipit.lanes WHERE name = ${lane}`,
          partMs,
        );
        for (const row of rows) {
          const [version, part] = [Number(row['version']), Number(row['part'])];
          if (version > place.version + 1 || (version > place.version && part !== 0)) {
            applying.rollback();
            return await this.resync();
          }
          for (const table of await applying.apply(version, String(row['body']))) tables.add(table);
          place = { version, part };
        }
        if (rows.length === partsPerRead) continue;
        applying.commit();
        if (place.version < Number(newest?.[0]?.['version'])) return await this.resync();
        return place.version === before ? undefined : { version: place.version, tables };
      }
    } finally {
      applying.rollback();
    }
  }

  /** Fills the replica from the tables of PostgreSQL. */
  async resync(): Promise<CatchUpResult> {
    const { name, replica, log } = this.#options;
    const { applier, tables } = replica;
    const start = performance.now();
    await beginWriting(applier);
    let version: number;
    try {
      version = await copyAllRows(this.#source, name, applier, tables);
      setReplicaVersion(applier, version);
      applier.execute('COMMIT');
    } finally {
      if (applier.inTransaction) applier.execute('ROLLBACK');
    }
    log.info(
      { database: name, version, ms: Math.round(performance.now() - start) },
      'the replica was filled',
    );
    return { version, tables: undefined };
  }

  /** Gives the connections up, because nothing arrives from PostgreSQL. */
  drop(): void {
    this.#order.drop();
    this.#source.drop();
  }

  async close(): Promise<void> {
    await Promise.all([this.#order.close(), this.#source.close()]);
  }

  /** Whether a commit whose answer was lost has happened. @throws LostConnection if that cannot be found out */
  async #wasCommitted(version: number, commitId: string): Promise<boolean> {
    const lane = literal(this.#options.name);
    const end = performance.now() + outcomeMs;
    for (;;) {
      try {
        // The lock waits for the end of a transaction that PostgreSQL has not given up yet.
        const [, , found] = await this.#order.query(
          `BEGIN; SELECT version FROM incipit.lanes WHERE name = ${lane} FOR UPDATE;
           SELECT 1 FROM incipit.log WHERE lane = ${lane} AND version = ${version} AND part = 0
             AND commit_id = ${literal(commitId)};
           ROLLBACK`,
        );
        return (found ?? []).length > 0;
      } catch (error) {
        this.#order.drop();
        if (performance.now() >= end)
          throw new LostConnection('the outcome of a commit is unknown', { cause: error });
        await pause(100);
      }
    }
  }

  #prune(version: number): void {
    const { name, log } = this.#options;
    if (version % pruneEvery !== 0) return;
    const sql = `DELETE FROM incipit.log WHERE lane = ${literal(name)} AND version <= ${version - keptVersions}`;
    this.#order
      .query(sql, partMs)
      .catch((error) => log.warn({ err: error }, 'the log of versions was not shortened'));
  }
}

/** Applies parts of versions, each version in one transaction of the replica. */
class Applying<Tables> {
  readonly #replica: Replica<Tables>;
  #version: number | undefined;

  constructor(replica: Replica<Tables>) {
    this.#replica = replica;
  }

  /** @returns names of the tables that were touched */
  async apply(version: number, body: string): Promise<ReadonlySet<string>> {
    const { applier, tables } = this.#replica;
    if (this.#version !== version) {
      this.commit();
      await beginWriting(applier);
      this.#version = version;
    }
    return applySteps(applier, tables, body);
  }

  commit(): void {
    if (this.#version === undefined) return;
    const { applier } = this.#replica;
    setReplicaVersion(applier, this.#version);
    applier.execute('COMMIT');
    this.#version = undefined;
  }

  rollback(): void {
    if (this.#replica.applier.inTransaction) this.#replica.applier.execute('ROLLBACK');
    this.#version = undefined;
  }
}

/** What a change is told when PostgreSQL does not answer or its lock is not to be had. */
export function toWriteLockError(error: unknown): unknown {
  return error instanceof LostConnection || isLockTimeout(error)
    ? new WriteLockUnavailable('the database does not answer', { cause: error })
    : error;
}
