/**
 * Several nodes, one content (`-database`). PostgreSQL holds the rows and the order of changes; each node has a
 * replica in SQLite that executes changes and from which it renders. `README.md` says how, and why so.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createFullInvalidation } from '../../runtime/content/change-log.ts';
import type { Log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import { StartupError } from '../base/startup-error.ts';
import { changesSince, newestChange } from '../changes/change-log.ts';
import {
  type CommitCoordinator,
  type NodeState,
  OutcomeUnknown,
  WriteLockUnavailable,
} from '../changes/commit-coordinator.ts';
import type { ContentVersion } from '../changes/content-version.ts';
import type { Followers } from '../changes/followers.ts';
import type { Config } from '../config/config.ts';
import type { SharedStatisticsSettings } from '../db/activity.ts';
import {
  ensureReplica,
  type HistoryPosition,
  openReplica,
  type Replica,
  setReplicaPosition,
} from '../db/replica/open.ts';
import type { ContentTables } from '../db/tables.ts';
import type { TableNames } from '../db/written-tables.ts';
import { SharedActivity } from './activity.ts';
import { AppliedTimes } from './applied-times.ts';
import { Claims } from './claims.ts';
import { PgConnection } from './connection.ts';
import { readClocks } from './deadline.ts';
import { prepareInstance } from './instance.ts';
import { Membership } from './membership.ts';
import { type FindOneNodeRule, OneNodeGuard } from './one-node-guard.ts';
import { nodesSql } from './other-nodes.ts';
import { ReplicationLog } from './replication-log.ts';
import { type LockStrength, OutdatedNode, toWriteLockError, type WriteLock } from './write-lock.ts';

/** What is told when other nodes have changed something. */
export interface NodeFollowers {
  readonly version: ContentVersion;
  readonly followers: Followers;
  readonly findOneNodeRule: FindOneNodeRule;
  /** Called when this node may serve for so many milliseconds from now; 0: not any more. */
  onLease(ms: number): void;
  /** Called when a newer version of the program has made this one unable to write: the process must end. */
  onOutdated(error: Error): void;
}

interface NodeOptions {
  readonly url: string;
  readonly program: string;
  readonly instance: string;
  readonly encryptionKey: string;
  readonly leaseMs: number;
  readonly log: Log;
}

export class Cluster implements CommitCoordinator {
  readonly content: Replica<ContentTables>;
  readonly activity: SharedActivity;
  /** The replica of visitor statistics, which the thread that counts fills and writes. */
  readonly statistics: { readonly file: string; readonly shared: SharedStatisticsSettings };
  readonly appliedTimes = new AppliedTimes();
  readonly claims: Claims;
  readonly #log: Log;
  readonly #lane: ReplicationLog<ContentTables>;
  readonly #membership: Membership;
  readonly #mutex = new Mutex();
  #releaseMutex: (() => void) | undefined;
  #lock: WriteLock | undefined;
  #told: NodeFollowers | undefined;
  /** Undefined before the start, when changes of commands need no lease. */
  #oneNode: OneNodeGuard | undefined;
  /** The newest version that is waited for, and the promise that all nodes with a lease have applied it. */
  #applied: { readonly version: number; readonly everywhere: Promise<void> } | undefined;
  #isFollowing = false;
  #isDirty = false;
  #isClosed = false;

  private constructor(
    { url, program, instance, encryptionKey, leaseMs, log }: NodeOptions,
    folder: string,
    busyTimeoutMs: number,
  ) {
    this.#log = log;
    this.content = openReplica({ folder, name: 'content', instance, busyTimeoutMs });
    this.#lane = new ReplicationLog({
      name: 'content',
      url,
      replica: this.content,
      log,
      afterCommit: nodesSql,
      onOtherHistory: () => this.#membership.forget(),
    });
    this.activity = new SharedActivity({ lane: 'activity', url, folder, instance, busyTimeoutMs, log });
    this.statistics = {
      file: ensureReplica({ folder, name: 'statistics', instance }),
      shared: { url, folder, instance, encryptionKey },
    };
    const id = randomUUID();
    this.claims = new Claims({ url, node: id });
    this.#membership = new Membership({
      url,
      log,
      program,
      leaseMs,
      id,
      name: `${hostname()}:${process.pid}`,
      onLease: (ms) => this.#told?.onLease(ms),
      onCommitted: (lane) => this.#committed(lane),
      onSilence: () => {
        this.#lane.drop();
        this.activity.drop();
      },
      regain: () => this.#regain(),
    });
  }

  /**
   * Connects to the database, prepares it if nobody has, and brings the replica to its state.
   *
   * @param busyTimeoutMs how long a write waits inside SQLite
   * @throws StartupError when the database cannot be used
   */
  static async open(
    { dataDir, leaseSeconds }: Pick<Config, 'dataDir' | 'leaseSeconds'>,
    { url, encryptionKey }: { readonly url: string; readonly encryptionKey: string },
    { program, log, busyTimeoutMs }: { program: string; log: Log; busyTimeoutMs: number },
  ): Promise<Cluster> {
    try {
      const instance = await prepare(url);
      const folder = join(dataDir, replicaFolder);
      const cluster = new Cluster(
        { url, program, instance, encryptionKey, log, leaseMs: leaseSeconds * 1000 },
        folder,
        busyTimeoutMs,
      );
      await Promise.all([cluster.#lane.catchUp(), cluster.activity.open()]);
      return cluster;
    } catch (error) {
      if (error instanceof StartupError) throw error;
      throw new StartupError(
        `cannot use the database: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /**
   * Begins to follow the other nodes; resolves when this node may serve, or knows that it may not yet.
   *
   * @throws StartupError when another node serves, and the content lets only one
   */
  async start(told: NodeFollowers): Promise<void> {
    const { followers } = told;
    this.#told = told;
    this.activity.start((tables) => followers.refresh({ changes: [], tables, isOwn: false }));
    // What was read before this call may be older than the replica is now.
    await this.#mutex.run(async () => {
      await this.#tell('all');
      this.#membership.applied(this.#lane.position);
    });
    this.#oneNode = new OneNodeGuard({
      reader: this.content.reader,
      log: this.#log,
      findRule: told.findOneNodeRule,
      readOthers: () => this.#membership.readOthers(),
    });
    await this.#oneNode.waitForDeadNodes();
    await this.#membership.start();
    await this.#oneNode.finishStart();
  }

  /** What people call another node that serves now. @throws LostConnection */
  async findOtherNode(): Promise<string | undefined> {
    const [other] = await this.#membership.readOthers();
    return other?.label;
  }

  /** Whether this node may answer requests now. */
  serves(): boolean {
    return this.#membership.holds();
  }

  /** The same, as soon as a node that stood still knows it. */
  willServe(): Promise<boolean> {
    return this.#membership.willHold();
  }

  /** Whether this node does what only one node may do. */
  leads(): boolean {
    return this.#membership.leads();
  }

  state(): NodeState {
    const { lag } = this.#membership;
    return { lease: this.serves(), lag, version: this.#lane.position.version, leader: this.leads() };
  }

  async begin(): Promise<void> {
    this.#releaseMutex = await this.#mutex.acquire();
    try {
      this.#lock = await this.#lockLane();
      if (this.#lane.lacks(this.#lock.newest)) await this.#takeOver();
      // A node that was stopped for longer than its lease may find another one in its place.
      if (!this.serves() && (await this.#isRefused()))
        throw new WriteLockUnavailable('another node serves, and the content lets only one');
      this.content.capture.begin();
    } catch (error) {
      this.end();
      throw toWriteLockError(error);
    }
  }

  async commit(): Promise<readonly [applied: Promise<void>]> {
    const { writer, capture } = this.content;
    const lock = this.#lock;
    if (lock === undefined) throw new Error('the lane is not locked');
    if (capture.changedTables().size === 0) {
      writer.execute('COMMIT');
      await lock.release().catch(() => {});
      return [this.#membership.waitFor(this.#lane.position.version).catch(() => {})];
    }
    try {
      const { position, after } = await lock.commit(() => capture.parts());
      await this.#store(position);
      const everywhere = this.appliedTimes.measure(this.#membership.waitFor(position.version, after));
      this.#applied = { version: position.version, everywhere };
      return [everywhere];
    } catch (error) {
      throw toWriteLockError(error);
    }
  }

  async waitUntilApplied(): Promise<void> {
    const { version } = this.#lane.position;
    if (this.#applied?.version !== version) {
      const waiting = { version, everywhere: this.#membership.waitFor(version) };
      this.#applied = waiting;
      waiting.everywhere.catch(() => {
        if (this.#applied === waiting) this.#applied = undefined;
      });
    }
    try {
      await this.#applied.everywhere;
    } catch (error) {
      throw toWriteLockError(error);
    }
  }

  end(): void {
    const [release, lock] = [this.#releaseMutex, this.#lock];
    this.#releaseMutex = undefined;
    this.#lock = undefined;
    (lock?.release() ?? Promise.resolve())
      .catch((error) => this.#log.warn({ err: error }, 'the lock of the lane could not be given back'))
      .finally(() => release?.());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.activity.close(), this.claims.close()]);
    await this.#membership.close();
    await this.#mutex.acquire();
    await this.#lane.close();
    this.content.close();
  }

  #committed(lane: string): void {
    if (this.#isClosed) return;
    if (lane === 'activity') this.activity.follow();
    // The thread that counts looks for itself.
    if (lane !== 'content') return;
    this.#isDirty = true;
    if (!this.#isFollowing) void this.#follow();
  }

  /** Takes over what other nodes have changed, until nothing is left. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    try {
      while (this.#isDirty && !this.#isClosed) {
        this.#isDirty = false;
        await this.#mutex.run(async () => {
          if (this.#membership.lag > 0) await this.#takeOver();
        });
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'changes of other nodes could not be taken over');
    } finally {
      this.#isFollowing = false;
    }
  }

  /** Commits here what PostgreSQL has committed. From there on nothing may say that the change has failed. */
  async #store(position: HistoryPosition): Promise<void> {
    const { writer, capture } = this.content;
    try {
      capture.clear();
      setReplicaPosition(writer, position);
      writer.execute('COMMIT');
      this.#membership.applied(position);
    } catch (error) {
      this.#log.error({ err: error }, 'a version that was committed could not be stored here');
      if (writer.inTransaction) writer.execute('ROLLBACK');
      this.#membership.knows(position.version);
      await this.#takeOver().catch(async (cause: unknown) => {
        // Nobody waits for this node while it cannot store versions.
        await this.#membership.resign();
        throw new OutcomeUnknown('a version was committed but could not be stored here', { cause });
      });
    }
  }

  /** In the turn of this node: brings the replica, and all that is held of it in memory, to the newest version. */
  async #takeOver(): Promise<void> {
    await this.#lane.catchUp();
    await this.#lane.tellOwed((tables) => this.#tell(tables));
    this.#membership.applied(this.#lane.position);
  }

  async #tell(tables: TableNames): Promise<void> {
    if (this.#told === undefined) return;
    const { version, followers } = this.#told;
    const { reader } = this.content;
    const changes =
      tables === 'all'
        ? [createFullInvalidation(await newestChange(reader))]
        : await changesSince(reader, version.current());
    await followers.refresh({ changes, tables, isOwn: false });
  }

  /**
   * Gets a lease: with the newest version, while nobody can write one. If only one node may serve, nobody else gets a
   * lease meanwhile, and a node that is not the first stays without one.
   */
  async #regain(): Promise<void> {
    await this.#mutex.run(async () => {
      await this.#takeOver();
      const wasAlone = (await this.#oneNode?.applies()) === true;
      const lock = await this.#lockLane(wasAlone ? 'UPDATE' : 'SHARE');
      try {
        if (this.#lane.lacks(lock.newest)) await this.#takeOver();
        if ((await this.#oneNode?.applies()) === true && (!wasAlone || (await this.#isRefused()))) return;
        const askedAt = readClocks();
        await lock.releaseWith(this.#membership.grantSql(lock.newest.version));
        this.#membership.granted(askedAt);
      } finally {
        await lock.release();
      }
    });
  }

  async #isRefused(): Promise<boolean> {
    return (await this.#oneNode?.isRefused()) ?? false;
  }

  async #lockLane(strength?: LockStrength): Promise<WriteLock> {
    try {
      return await this.#lane.lock(strength);
    } catch (error) {
      if (error instanceof OutdatedNode) this.#told?.onOutdated(error);
      throw error;
    }
  }
}

/** @returns ID of the instance @throws StartupError */
async function prepare(url: string): Promise<string> {
  const connections: PgConnection[] = [];
  const connect = async (purpose: string) => {
    const connection = await PgConnection.open({ url, purpose, onLost: () => {} });
    connections.push(connection);
    return connection;
  };
  try {
    return await prepareInstance(await connect('start'), await connect('start reader'));
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

/** Folder in the data directory with the files of the replica. */
export const replicaFolder = 'replica';
