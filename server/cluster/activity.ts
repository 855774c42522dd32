import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import { OutcomeUnknown } from '../changes/commit-coordinator.ts';
import { beginWriting } from '../db/replica/begin.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import { openReplica, type Replica, setReplicaPosition } from '../db/replica/open.ts';
import type { ActivityDb, ActivityTables } from '../db/tables.ts';
import { ReplicationLog, type TellFollowers } from './replication-log.ts';
import { toWriteLockError, type WriteLock } from './write-lock.ts';

interface PendingWrite {
  run(db: ActivityDb): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface FinishedWrite {
  readonly write: PendingWrite;
  readonly value: unknown;
}

export interface ActivityOptions {
  readonly lane: Exclude<ReplicationLogName, 'content'>;
  readonly url: string;
  /** Folder of the replica. */
  readonly folder: string;
  readonly instance: string;
  readonly busyTimeoutMs: number;
  readonly log: Log;
}

/** How old what other nodes have written may be here, in milliseconds. */
const followMs = 1_000;

/**
 * Data of visits that all nodes share, such as the 404 log, in a lane of its own. Writes run as changes of content do:
 * in the order of all nodes, those that wait together in one commit. But nobody waits until other nodes have them.
 */
export class SharedActivity {
  readonly #lane: ReplicationLog<ActivityTables>;
  readonly #replica: Replica<ActivityTables>;
  readonly #log: Log;
  readonly #mutex = new Mutex();
  #tell: TellFollowers = () => undefined;
  #queue: PendingWrite[] = [];
  #running: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ lane, url, folder, instance, busyTimeoutMs, log }: ActivityOptions) {
    this.#log = log;
    this.#replica = openReplica({ folder, name: lane, instance, busyTimeoutMs });
    this.#lane = new ReplicationLog({ name: lane, url, replica: this.#replica, log });
  }

  get reader(): ActivityDb {
    return this.#replica.reader;
  }

  /** Path of the replica. */
  get file(): string {
    return this.#replica.file;
  }

  /** Brings the replica to the newest version. */
  async open(): Promise<void> {
    await this.#lane.catchUp();
  }

  /** @param tell called when other nodes have written */
  start(tell: TellFollowers): void {
    this.#tell = tell;
    this.#timer = setInterval(() => this.follow(), 5 * followMs).unref();
  }

  /** Runs a write in the common order. @throws the error of `work`, with nothing written; WriteLockUnavailable */
  write<T>(work: (db: ActivityDb) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Type boundary: `value` is the result of `work`.
      this.#queue.push({ run: work, resolve: (value) => resolve(value as T), reject });
      this.#running ??= this.#run();
    });
  }

  /** Takes over what other nodes have written, soon. */
  follow(): void {
    if (this.#isClosed) return;
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
  }

  /** Takes over what other nodes have written until now. @throws LostConnection */
  refresh(): Promise<void> {
    return this.#mutex.run(() => this.#catchUp());
  }

  /** Gives the connections up, because nothing arrives from PostgreSQL. */
  drop(): void {
    this.#lane.drop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#mutex.acquire();
    await this.#lane.close();
    this.#replica.close();
  }

  async #follow(): Promise<void> {
    await pause(followMs, undefined, { ref: false });
    if (this.#isClosed) return;
    try {
      await this.refresh();
    } catch (error) {
      this.#log.debug({ err: error }, 'activity of other nodes could not be taken over');
    }
  }

  async #run(): Promise<void> {
    // Writes of the same turn of the event loop share a commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#queue = [];
      await this.#mutex.run(() => this.#runGroup(group));
    }
    // In the same step as the look at the queue, so that no write comes in between and is never run.
    this.#running = undefined;
  }

  async #runGroup(group: readonly PendingWrite[]): Promise<void> {
    const { writer, capture } = this.#replica;
    let lock: WriteLock | undefined;
    try {
      lock = await this.#lane.lock();
      if (this.#lane.lacks(lock.newest)) await this.#catchUp();
      await beginWriting(writer);
      capture.begin();
      const finished: FinishedWrite[] = [];
      for (const write of group) {
        const value = await this.#runOne(write);
        if (value !== undefined) finished.push({ write, ...value });
      }
      await this.#commit(lock);
      for (const { write, value } of finished) write.resolve(value);
    } catch (error) {
      if (writer.inTransaction) writer.execute('ROLLBACK');
      for (const { reject } of group) reject(toWriteLockError(error));
    } finally {
      await lock?.release().catch(() => {});
    }
  }

  /** Undefined if the write has failed, which leaves the others alone. */
  async #runOne(write: PendingWrite): Promise<{ readonly value: unknown } | undefined> {
    const { writer } = this.#replica;
    writer.execute('SAVEPOINT activity');
    try {
      const value = await write.run(writer);
      writer.execute('RELEASE activity');
      return { value };
    } catch (error) {
      writer.execute('ROLLBACK TO activity; RELEASE activity');
      write.reject(error);
      return undefined;
    }
  }

  /**
   * Brings the replica to the newest version. Followers may write or wait for a write, so nobody waits for them here;
   * what they could not read they are told again the next time.
   */
  async #catchUp(): Promise<void> {
    await this.#lane.catchUp();
    this.#lane
      .tellOwed(this.#tell)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'activity of other nodes could not be read'));
  }

  async #commit(lock: WriteLock): Promise<void> {
    const { writer, capture } = this.#replica;
    if (capture.changedTables().size === 0) {
      writer.execute('COMMIT');
      return;
    }
    const { position } = await lock.commit(() => capture.parts());
    try {
      capture.clear();
      setReplicaPosition(writer, position);
      writer.execute('COMMIT');
    } catch (error) {
      // PostgreSQL has the version, so this replica takes it over like one of another node.
      if (writer.inTransaction) writer.execute('ROLLBACK');
      this.#log.warn({ err: error }, 'a version that was committed could not be stored here');
      await this.#catchUp().catch((cause: unknown) => {
        throw new OutcomeUnknown('a version was committed but could not be stored here', { cause });
      });
    }
  }
}
