/**
 * This node among the others: its lease, what it has applied, and which node does what only one node may do.
 *
 * A node with a lease serves; a change is acknowledged when all nodes with a lease have applied it. What holds:
 *
 *  1. A lease is granted to a node that has the newest version, while the log is locked against writers. So whoever
 *     commits a version later finds the lease, and whoever has committed one before is not waited for any more.
 *  2. A lease is prolonged only while it runs, by the clock of PostgreSQL, and only for a node whose position is in the
 *     history that PostgreSQL has.
 *  3. The node counts its lease from the moment before it asked, on two clocks, and ends it `marginMs` early. So it
 *     stops serving before others stop waiting for it, even if the process was stopped meanwhile.
 *  4. Whoever looks which leases run locks the rows, so that no prolongation is on its way unseen; a prolongation reads
 *     the clock after it has the lock.
 *  5. The lease of a node is prolonged for `stallMs` at most after the oldest version that it has not applied became
 *     known to it.
 *  6. A node that stood still, on any of the clocks, serves nothing before it has renewed its lease.
 *  7. Threads of the front know the same end of the lease, also if it is withdrawn.
 *
 * The states are drawn in `README.md`.
 */
import type { Log } from '../base/log.ts';
import type { HistoryPosition } from '../db/replica/open.ts';
import { LostConnection, literal, type PgRow } from './connection.ts';
import { Deadline, type Moment, readClocks, TurnWatch } from './deadline.ts';
import { leasesSql, nodesSql, OtherNodes } from './other-nodes.ts';
import { Session } from './session.ts';
import { appliedChannel, committedChannel, toPosition } from './sql.ts';

export interface MembershipOptions {
  readonly url: string;
  readonly log: Log;
  /** ID of this run of the node. */
  readonly id: string;
  /** What people call the node. */
  readonly name: string;
  /** Version of the program. */
  readonly program: string;
  /** Length of a lease, in milliseconds. */
  readonly leaseMs: number;
  /** Called when this node may serve for so many milliseconds from now; 0: not any more. */
  onLease(ms: number): void;
  /** Called when there may be a new version of a lane. */
  onCommitted(lane: string): void;
  /** Called when PostgreSQL does not answer: other connections to it may hang as well. */
  onSilence(): void;
  /** Called when the lease is not there; resolves when it was granted or is not to be had now. */
  regain(): Promise<void>;
}

const marginMs = 300;
const renewMs = 500;
const stallMs = 10_000;
/** How long PostgreSQL may be silent about a lease. */
const silenceMs = 2_000;
/** How long a duty stays with a node that says nothing. */
const dutyMs = 5_000;

/** Another node that has a lease. */
export interface ServingNode {
  readonly id: string;
  /** What people call it, and the version of its program. */
  readonly label: string;
  /** End of its lease. It changes with every renewal. */
  readonly leaseUntil: string;
}

interface UnappliedVersion {
  readonly version: number;
  /** On the monotonic clock. */
  readonly knownSince: number;
}

export class Membership {
  readonly id: string;
  readonly #options: MembershipOptions;
  readonly #control: Session;
  readonly #others: OtherNodes;
  readonly #lease = new Deadline();
  readonly #duty = new Deadline();
  readonly #turns: TurnWatch;
  #applied: HistoryPosition = { version: -1, commitId: '' };
  #reported = -1;
  #reporting: Promise<void> | undefined;
  /** Versions that are known and not applied, in order. */
  #unapplied: UnappliedVersion[] = [];
  #renewTimer: NodeJS.Timeout | undefined;
  #isTicking = false;
  /** When the lease was asked for that holds, and since when it must have been; on the monotonic clock. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #mustAskSince = Number.NEGATIVE_INFINITY;
  /** Resolves when a node that stood still knows whether its lease runs. */
  #renewal: PromiseWithResolvers<void> | undefined;
  #isClosed = false;

  constructor(options: MembershipOptions) {
    const { url, id, leaseMs } = options;
    this.id = id;
    this.#options = options;
    this.#control = new Session({
      url,
      purpose: 'lease',
      // What a node has applied need not survive; leases are prolonged with `synchronous_commit`.
      setup: `SET synchronous_commit = off; LISTEN ${committedChannel}; LISTEN ${appliedChannel};`,
      onNotification: (channel, payload) => this.#notified(channel, payload),
    });
    this.#others = new OtherNodes({
      ...{ id, leaseMs, longestWaitMs: longestWaitMs(leaseMs) },
      read: () => this.#readNodes(),
    });
    this.#turns = new TurnWatch((lateMs) => this.#stoodStill(lateMs));
  }

  /** Whether this node may serve now. */
  holds(): boolean {
    return this.#askedAt >= this.#mustAskSince && this.#lease.isAhead();
  }

  /** The same, as soon as a node that stood still knows whether its lease still runs. */
  async willHold(): Promise<boolean> {
    if (!this.holds() && this.#lease.isAhead()) await this.#renewal?.promise;
    return this.holds();
  }

  /** Whether this node does now what only one node may do. */
  leads(): boolean {
    return this.#duty.isAhead();
  }

  /** How many versions are known that are not applied here. */
  get lag(): number {
    return (this.#unapplied.at(-1)?.version ?? this.#applied.version) - this.#applied.version;
  }

  /** Announces the node and begins to keep its lease. @throws LostConnection */
  async start(): Promise<void> {
    await this.#control.query(registerSql(this.#options));
    this.#others.note(await this.#readNodes());
    this.#turns.start();
    await this.#tick();
  }

  /**
   * To be called when the replica, and all that is held of it in memory, has a state: with it in mind the lease is
   * prolonged, and others are told.
   */
  applied(position: HistoryPosition): void {
    this.#applied = position;
    this.#unapplied = this.#unapplied.filter(({ version }) => version > position.version);
    void this.#report();
  }

  /** A version that others have committed. */
  knows(version: number): void {
    const newest = this.#unapplied.at(-1)?.version ?? this.#applied.version;
    if (version > newest) this.#unapplied.push({ version, knownSince: performance.now() });
  }

  /** To be called when PostgreSQL was found in another history than the replica, before `applied`. */
  forget(): void {
    this.withdraw();
    this.#others.forget();
    this.#unapplied = [];
    this.#reported = -1;
  }

  /**
   * The statement that grants the lease, for a transaction in which the lane is locked and this node has its newest
   * version.
   */
  grantSql(version: number): string {
    return `${registerSql(this.#options)};
      UPDATE incipit.nodes SET ${this.#leaseSql()}, applied = ${version} WHERE id = ${literal(this.id)}`;
  }

  /** @param askedAt when the statement of `grantSql` was sent */
  granted(askedAt: Moment): void {
    this.#leased(askedAt);
    this.#options.log.info({ version: this.#applied.version }, 'this node serves');
  }

  /** Serves nothing any more, until the lease is granted again. Others wait for its end. */
  withdraw(): void {
    this.#lease.clear();
    this.#options.onLease(0);
    this.#settleRenewal();
  }

  /** Gives the lease up, so that nobody waits for this node. */
  async resign(): Promise<void> {
    this.withdraw();
    await this.#control
      .query(`UPDATE incipit.nodes SET lease_until = '-infinity' WHERE id = ${literal(this.id)}`)
      .catch(() => {});
  }

  /** The other nodes that have a lease. @throws LostConnection */
  async readOthers(): Promise<readonly ServingNode[]> {
    const [rows = []] = await this.#control.query(
      `SELECT id, name, program, lease_until::text AS until FROM incipit.nodes
       WHERE lease_until > clock_timestamp() AND id <> ${literal(this.id)}`,
    );
    return rows.map(({ id, name, program, until }) => ({
      id: String(id),
      label: `${name}, version ${program}`,
      leaseUntil: String(until),
    }));
  }

  /** Resolves when all other nodes with a lease have applied a version; see `OtherNodes.waitFor`. */
  waitFor(version: number, nodes?: readonly PgRow[]): Promise<void> {
    return this.#others.waitFor(version, nodes);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#renewTimer);
    this.#turns.stop();
    this.#others.close();
    this.withdraw();
    this.#duty.clear();
    const id = literal(this.id);
    await this.#control
      .query(`DELETE FROM incipit.duties WHERE node = ${id}; DELETE FROM incipit.nodes WHERE id = ${id}`)
      .catch(() => {});
    await this.#control.close();
  }

  #notified(channel: string, payload: string): void {
    const [first = '', second = ''] = payload.split(' ');
    if (channel === committedChannel) {
      if (first === 'content') this.knows(Number(second));
      this.#options.onCommitted(first);
    } else {
      this.#others.reported(first, Number(second));
    }
  }

  /** Reports what this node has applied; reports that come meanwhile are sent together. */
  #report(): Promise<void> {
    this.#reporting ??= this.#sendReports().finally(() => {
      this.#reporting = undefined;
    });
    return this.#reporting;
  }

  async #sendReports(): Promise<void> {
    while (this.#reported < this.#applied.version && !this.#isClosed) {
      const position = this.#applied;
      try {
        await this.#control.query(
          `WITH told AS (
             UPDATE incipit.nodes SET applied = ${position.version}
             WHERE id = ${literal(this.id)} AND ${isInHistorySql(position)} RETURNING id
           ) SELECT pg_notify('${appliedChannel}', id || ' ${position.version}') FROM told`,
        );
        this.#reported = position.version;
      } catch {
        // The next prolongation tells it, or the lease runs out.
        return;
      }
    }
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    let pauseMs = renewMs;
    try {
      if (this.#lease.isAhead() && !this.#isStalled()) await this.#renew();
      if (!this.#lease.isAhead()) await this.#options.regain();
      if (this.holds()) await this.#keepDuty();
      // It stood still meanwhile.
      else if (this.#lease.isAhead() && !this.#isStalled()) pauseMs = 0;
    } catch (error) {
      if (error instanceof LostConnection) this.#options.onSilence();
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ reason }, 'the lease of this node could not be prolonged');
    } finally {
      this.#isTicking = false;
      if (this.holds() || !this.#lease.isAhead()) this.#settleRenewal();
      if (!this.#isClosed) this.#renewTimer = setTimeout(() => void this.#tick(), pauseMs);
    }
  }

  #stoodStill(lateMs: number): void {
    if (!this.#lease.isAhead()) return;
    this.#options.log.warn(
      { ms: Math.round(lateMs) },
      'this node stood still, and renews its lease before it serves',
    );
    this.#mustAskSince = performance.now();
    this.#renewal ??= Promise.withResolvers();
    this.#options.onLease(0);
    if (this.#isTicking || this.#isClosed) return;
    clearTimeout(this.#renewTimer);
    void this.#tick();
  }

  #settleRenewal(): void {
    this.#renewal?.resolve();
    this.#renewal = undefined;
  }

  #isStalled(): boolean {
    const [oldest] = this.#unapplied;
    return oldest !== undefined && performance.now() - oldest.knownSince > stallMs;
  }

  async #renew(): Promise<void> {
    const askedAt = readClocks();
    const id = literal(this.id);
    const [, , , held = [], , newest, nodes = []] = await this.#control.query(
      `BEGIN; SET LOCAL synchronous_commit = on;
       SELECT 1 FROM incipit.nodes WHERE id = ${id} FOR UPDATE;
       UPDATE incipit.nodes SET ${this.#leaseSql()}, applied = ${this.#applied.version}
       WHERE id = ${id} AND lease_until > clock_timestamp() AND ${isInHistorySql(this.#applied)} RETURNING id;
       COMMIT;
       SELECT version, commit_id FROM incipit.lanes WHERE name = 'content';
       ${leasesSql}`,
      silenceMs,
    );
    this.#others.note(nodes);
    if (held.length === 0) {
      this.withdraw();
      this.#options.log.warn({}, 'the lease of this node has run out');
      return;
    }
    if (this.#lease.isSet) this.#leased(askedAt);
    const { version } = toPosition(newest?.[0]);
    this.knows(version);
    if (version > this.#applied.version) this.#options.onCommitted('content');
  }

  #leased(askedAt: Moment): void {
    this.#lease.set(askedAt, this.#options.leaseMs - marginMs);
    this.#askedAt = askedAt.monotonic;
    this.#options.onLease(this.holds() ? this.#lease.remainingMs() : 0);
  }

  #leaseSql(): string {
    const { leaseMs } = this.#options;
    return `lease_until = clock_timestamp() + interval '${leaseMs} ms', lease_ms = ${leaseMs}`;
  }

  async #keepDuty(): Promise<void> {
    const askedAt = readClocks();
    const [held = []] = await this.#control.query(
      `INSERT INTO incipit.duties (name, node, lease_until)
       VALUES ('leader', ${literal(this.id)}, clock_timestamp() + interval '${dutyMs} ms')
       ON CONFLICT (name) DO UPDATE SET node = EXCLUDED.node, lease_until = EXCLUDED.lease_until
       WHERE incipit.duties.node = EXCLUDED.node OR incipit.duties.lease_until < clock_timestamp()
       RETURNING node`,
      silenceMs,
    );
    if (held.length === 0) {
      this.#duty.clear();
      return;
    }
    if (!this.leads())
      this.#options.log.info({}, 'this node runs schedules and other work that only one may do');
    this.#duty.set(askedAt, dutyMs - marginMs);
  }

  async #readNodes(): Promise<readonly PgRow[]> {
    const [rows = []] = await this.#control.query(nodesSql);
    return rows;
  }
}

/**
 * By then every node has applied a version or has no lease, whether PostgreSQL answers here or not: a node learns of
 * a version when it asks for more time, and gets `stallMs` from then on.
 */
function longestWaitMs(leaseMs: number): number {
  return stallMs + 2 * leaseMs + renewMs;
}

/** Whether PostgreSQL has a position, or had it: a condition. */
function isInHistorySql({ version, commitId }: HistoryPosition): string {
  const same = `version = ${version} AND commit_id = ${literal(commitId)}`;
  return `(EXISTS (SELECT 1 FROM incipit.lanes WHERE name = 'content' AND ${same})
    OR EXISTS (SELECT 1 FROM incipit.log WHERE lane = 'content' AND part <= 0 AND ${same}))`;
}

/** Rows of nodes that have gone are deleted when even a clock of PostgreSQL that has jumped says nothing else. */
function registerSql({ id, name, program, leaseMs }: MembershipOptions): string {
  return `DELETE FROM incipit.nodes
      WHERE lease_until < clock_timestamp() - interval '1 minute' AND lease_until > '-infinity' AND lease_ms < 60000;
    INSERT INTO incipit.nodes (id, name, program, lease_ms)
      VALUES (${literal(id)}, ${literal(name)}, ${literal(program)}, ${leaseMs}) ON CONFLICT (id) DO NOTHING`;
}
