/**
 * What this node knows of the others, and the changes that wait until all of them have applied a version. What holds:
 *
 *  1. A node is waited for as long as it may serve. Its lease is counted here, on the monotonic clock, from the moment
 *     when the row was first seen with its present end. So the clock of PostgreSQL may jump, as when a standby with
 *     another clock takes over.
 *  2. A change waits `longestWaitMs` at most, whether PostgreSQL answers or not. By then every node has applied it or
 *     has no lease.
 *  3. After PostgreSQL was restored to an older state, what others have reported says nothing, and leases may run that
 *     are in no row. So no change is acknowledged before the length of a lease has passed.
 */
import { OutcomeUnknown } from '../changes/commit-coordinator.ts';
import type { PgRow } from './connection.ts';

export interface OtherNodesOptions {
  /** ID of this node. */
  readonly id: string;
  readonly leaseMs: number;
  readonly longestWaitMs: number;
  /** Runs `nodesSql`. */
  read(): Promise<readonly PgRow[]>;
  /** A clock that nobody sets, in milliseconds. */
  now?(): number;
}

/** The statement that tells which nodes have a lease or had one. */
export const leasesSql = `SELECT id, applied, lease_until::text AS lease_until, lease_ms FROM incipit.nodes
  WHERE lease_until > '-infinity'`;
/** The same for a change: prolongations that are under way are waited for. */
export const nodesSql = `${leasesSql} FOR SHARE`;

/** How often nodes that are waited for are looked at, in milliseconds, besides what they report. */
const lookMs = 200;

interface OtherNode {
  leaseUntil: string;
  /** When the row was first seen with this end of its lease. */
  seenAt: number;
  leaseMs: number;
  /** The newest version that it has reported. */
  applied: number;
}

interface Waiter {
  readonly version: number;
  readonly since: number;
  /** Whether the nodes were read since the version was committed. */
  isInformed: boolean;
  resolve(): void;
  reject(error: Error): void;
}

export class OtherNodes {
  readonly #options: OtherNodesOptions;
  readonly #now: () => number;
  readonly #nodes = new Map<string, OtherNode>();
  readonly #waiters = new Set<Waiter>();
  #acknowledgesFrom = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: OtherNodesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Resolves when all other nodes with a lease have applied a version.
   *
   * @param rows of `nodesSql`, read after the version was committed; undefined: they are read now
   * @throws OutcomeUnknown when PostgreSQL was restored to a state before the version
   */
  async waitFor(version: number, rows?: readonly PgRow[]): Promise<void> {
    if (rows !== undefined) {
      this.note(rows);
      if (this.#isApplied(version)) return;
    }
    return new Promise((resolve, reject) => {
      const isInformed = rows !== undefined;
      this.#waiters.add({ version, since: this.#now(), isInformed, resolve, reject });
      if (!isInformed) void this.#look();
      else this.#lookLater();
    });
  }

  /** Takes over what rows of `leasesSql` say. A node without a row has left. */
  note(rows: readonly PgRow[]): void {
    const ids = new Set<string>();
    for (const row of rows) {
      const id = String(row['id']);
      if (id === this.#options.id) continue;
      ids.add(id);
      const [leaseUntil, leaseMs] = [String(row['lease_until']), Number(row['lease_ms'])];
      const applied = Number(row['applied']);
      const known = this.#nodes.get(id);
      if (known?.leaseUntil === leaseUntil) known.applied = Math.max(known.applied, applied);
      else
        this.#nodes.set(id, {
          ...{ leaseUntil, leaseMs, seenAt: this.#now() },
          applied: Math.max(known?.applied ?? -1, applied),
        });
    }
    for (const id of this.#nodes.keys()) if (!ids.has(id)) this.#nodes.delete(id);
  }

  /** A node has reported that it has applied a version. */
  reported(id: string, version: number): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    node.applied = Math.max(node.applied, version);
    this.#settle();
  }

  /** To be called when PostgreSQL was found in another history than the replica. */
  forget(): void {
    this.#nodes.clear();
    this.#acknowledgesFrom = this.#now() + this.#options.leaseMs;
    for (const { reject } of this.#waiters)
      reject(new OutcomeUnknown('the database was restored to an older state'));
    this.#waiters.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #isApplied(version: number): boolean {
    const now = this.#now();
    if (now < this.#acknowledgesFrom) return false;
    for (const { seenAt, leaseMs, applied } of this.#nodes.values())
      if (applied < version && now - seenAt < leaseMs) return false;
    return true;
  }

  #settle(): void {
    const now = this.#now();
    for (const waiter of this.#waiters) {
      const { version, since, isInformed, resolve } = waiter;
      const isOver = now - since >= this.#options.longestWaitMs;
      if (!isOver && !(isInformed && this.#isApplied(version))) continue;
      this.#waiters.delete(waiter);
      resolve();
    }
  }

  /** Finds nodes whose leases have run out, and those whose report was lost. */
  async #look(): Promise<void> {
    const asked = [...this.#waiters];
    try {
      this.note(await this.#options.read());
      for (const waiter of asked) waiter.isInformed = true;
    } catch {
      // Without PostgreSQL nobody knows; the next look may.
    }
    this.#settle();
    this.#timer = undefined;
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#isClosed || this.#waiters.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#look(), lookMs);
  }
}
