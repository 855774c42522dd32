/**
 * This node among the others: its lease, what others have applied, and which node does what only one may do.
 *
 * A node with a lease serves; a change is answered when all nodes with a lease have applied it. What holds:
 *
 *  1. A lease is granted to a node that has the newest version, while the lane is locked against writers. So whoever
 *     commits a version later finds the lease, and whoever has committed one before is not waited for any more.
 *  2. A lease is prolonged only while it runs. Both by the clock of PostgreSQL.
 *  3. The node counts its lease from the moment before it asked, on a clock that nobody sets, and ends it `marginMs`
 *     early. So it stops serving before others stop waiting for it, even if the process was stopped meanwhile.
 *  4. Whoever looks which leases run locks the rows, so that no prolongation is on its way unseen.
 *  5. A node that cannot apply versions prolongs its lease for `stallMs` at most. So a change waits `longestWaitMs` at
 *     most, and `leaseMs` for a node that is not there any more.
 */
import type { Log } from '../base/log.ts';
import { LostConnection, literal, type PgRow, Session } from './session.ts';
import { appliedChannel, committedChannel } from './sql.ts';

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
  /** Called when this node may serve for so many milliseconds from now. */
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
/** How often nodes that are waited for are looked at, in milliseconds, besides what they tell. */
const lookMs = 200;
/** How long a duty stays with a node that says nothing. */
const dutyMs = 5_000;

/** The statement that tells which nodes are to be waited for. */
export const nodesSql =
  'SELECT id, applied, lease_until > clock_timestamp() AS live FROM incipit.nodes FOR SHARE';

interface Waiter {
  readonly version: number;
  readonly nodes: Set<string>;
  readonly since: number;
  resolve(): void;
}

/**
 * By then every node has applied a version or has no lease, whether PostgreSQL answers here or not: a node learns of
 * a version when it asks for more time, and gets `stallMs` from then on.
 */
function longestWaitMs(leaseMs: number): number {
  return stallMs + 2 * leaseMs + renewMs;
}

export class Membership {
  readonly id: string;
  readonly #options: MembershipOptions;
  readonly #control: Session;
  readonly #waiters = new Set<Waiter>();
  /** The newest version that each node has told of. */
  readonly #heardOf = new Map<string, number>();
  /** On the clock of `performance.now`. */
  #deadline = Number.NEGATIVE_INFINITY;
  #dutyDeadline = Number.NEGATIVE_INFINITY;
  #applied = -1;
  #reported = -1;
  #reporting: Promise<void> | undefined;
  /** Since when a version is known that is not applied; undefined: all are. */
  #behindSince: number | undefined;
  #newest = -1;
  #renewTimer: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: MembershipOptions) {
    const { url, log, id } = options;
    this.id = id;
    this.#options = options;
    this.#control = new Session({
      url,
      log,
      purpose: 'lease',
      // What a node has applied need not survive; leases are prolonged with `synchronous_commit`.
      setup: `SET synchronous_commit = off; LISTEN ${committedChannel}; LISTEN ${appliedChannel};`,
      onNotification: (channel, payload) => this.#notified(channel, payload),
    });
  }

  /** Whether this node may serve now. */
  holds(): boolean {
    return performance.now() < this.#deadline;
  }

  /** Whether this node does now what only one node may do. */
  leads(): boolean {
    return performance.now() < this.#dutyDeadline;
  }

  /** How many versions are known that are not applied here. */
  get lag(): number {
    return Math.max(0, this.#newest - this.#applied);
  }

  /** Announces the node and begins to keep its lease. @throws LostConnection */
  async start(): Promise<void> {
    await this.#control.query(registerSql(this.#options));
    await this.#tick();
  }

  /** To be called when the replica has a version: with it in mind the lease is prolonged, and others are told. */
  applied(version: number): void {
    this.#applied = version;
    this.#newest = Math.max(this.#newest, version);
    this.#behindSince = this.#newest > version ? performance.now() : undefined;
    void this.#report();
  }

  /** A version that others have committed. */
  knows(version: number): void {
    if (version <= this.#newest) return;
    this.#newest = version;
    if (version > this.#applied) this.#behindSince ??= performance.now();
  }

  /**
   * The statement that grants the lease, for a transaction in which the lane is locked and this node has its newest
   * version.
   */
  grantSql(version: number): string {
    return `${registerSql(this.#options)};
      UPDATE incipit.nodes SET lease_until = clock_timestamp() + interval '${this.#options.leaseMs} ms', applied = ${version}
      WHERE id = ${literal(this.id)}`;
  }

  /** @param askedAt when the statement of `grantSql` was sent */
  granted(askedAt: number): void {
    this.#leased(askedAt);
    this.#options.log.info({ version: this.#applied }, 'this node serves');
  }

  /**
   * Resolves when all other nodes with a lease have applied a version.
   *
   * @param nodes rows of `nodesSql`, read after the version was committed; undefined: they are read now
   */
  async waitFor(version: number, nodes?: readonly PgRow[]): Promise<void> {
    const known = nodes ?? (await this.#readNodes());
    const late = this.#late(version, known);
    if (late.length === 0) return;
    return new Promise((resolve) => {
      this.#waiters.add({ version, nodes: new Set(late), since: performance.now(), resolve });
      this.#lookTimer ??= setTimeout(() => void this.#look(), lookMs);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#renewTimer);
    clearTimeout(this.#lookTimer);
    this.#deadline = Number.NEGATIVE_INFINITY;
    this.#dutyDeadline = Number.NEGATIVE_INFINITY;
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
      this.#heard(first, Number(second));
    }
  }

  #heard(node: string, version: number): void {
    this.#heardOf.set(node, version);
    for (const waiter of this.#waiters) {
      if (version < waiter.version || !waiter.nodes.delete(node) || waiter.nodes.size > 0) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  /** Tells what this node has applied; reports that come meanwhile are told together. */
  #report(): Promise<void> {
    this.#reporting ??= this.#sendReports().finally(() => {
      this.#reporting = undefined;
    });
    return this.#reporting;
  }

  async #sendReports(): Promise<void> {
    while (this.#reported < this.#applied && !this.#isClosed) {
      const version = this.#applied;
      try {
        await this.#control.query(
          `UPDATE incipit.nodes SET applied = ${version} WHERE id = ${literal(this.id)};
           NOTIFY ${appliedChannel}, '${this.id} ${version}'`,
        );
        this.#reported = version;
      } catch {
        // The next prolongation tells it, or the lease runs out.
        return;
      }
    }
  }

  async #tick(): Promise<void> {
    try {
      if (this.holds() && !this.#isStalled()) await this.#renew();
      if (!this.holds()) await this.#options.regain();
      if (this.holds()) await this.#keepDuty();
    } catch (error) {
      if (error instanceof LostConnection) this.#options.onSilence();
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ reason }, 'the lease of this node could not be prolonged');
    } finally {
      if (!this.#isClosed) this.#renewTimer = setTimeout(() => void this.#tick(), renewMs);
    }
  }

  #isStalled(): boolean {
    return this.#behindSince !== undefined && performance.now() - this.#behindSince > stallMs;
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    const version = this.#applied;
    const id = literal(this.id);
    const [, , held, , newest] = await this.#control.query(
      `BEGIN; SET LOCAL synchronous_commit = on;
       UPDATE incipit.nodes SET lease_until = clock_timestamp() + interval '${this.#options.leaseMs} ms', applied = ${version}
       WHERE id = ${id} AND lease_until > clock_timestamp() RETURNING id;
       COMMIT;
       SELECT version FROM incipit.lanes WHERE name = 'content'`,
      silenceMs,
    );
    if ((held ?? []).length === 0) {
      this.#deadline = Number.NEGATIVE_INFINITY;
      this.#options.log.warn({}, 'the lease of this node has run out');
      return;
    }
    if (this.#deadline > Number.NEGATIVE_INFINITY) this.#leased(askedAt);
    const known = Number(newest?.[0]?.['version']);
    this.knows(known);
    if (known > this.#applied) this.#options.onCommitted('content');
  }

  #leased(askedAt: number): void {
    this.#deadline = askedAt + this.#options.leaseMs - marginMs;
    this.#options.onLease(this.#deadline - performance.now());
  }

  async #keepDuty(): Promise<void> {
    const askedAt = performance.now();
    const [held = []] = await this.#control.query(
      `INSERT INTO incipit.duties (name, node, lease_until)
       VALUES ('leader', ${literal(this.id)}, clock_timestamp() + interval '${dutyMs} ms')
       ON CONFLICT (name) DO UPDATE SET node = EXCLUDED.node, lease_until = EXCLUDED.lease_until
       WHERE incipit.duties.node = EXCLUDED.node OR incipit.duties.lease_until < clock_timestamp()
       RETURNING node`,
      silenceMs,
    );
    if (held.length === 0) {
      this.#dutyDeadline = Number.NEGATIVE_INFINITY;
      return;
    }
    if (!this.leads())
      this.#options.log.info({}, 'this node runs schedules and other work that only one may do');
    this.#dutyDeadline = askedAt + dutyMs - marginMs;
  }

  async #readNodes(): Promise<readonly PgRow[]> {
    const [rows = []] = await this.#control.query(nodesSql);
    return rows;
  }

  #late(version: number, nodes: readonly PgRow[]): string[] {
    return nodes
      .filter(({ id, live }) => live === true && id !== this.id)
      .filter(({ id, applied }) => Math.max(Number(applied), this.#heardOf.get(String(id)) ?? -1) < version)
      .map(({ id }) => String(id));
  }

  /** Stops waiting for nodes whose leases have run out, and for those whose report was lost. */
  async #look(): Promise<void> {
    // Without PostgreSQL nobody knows; the next look may.
    const nodes = await this.#readNodes().catch(() => undefined);
    const now = performance.now();
    for (const waiter of this.#waiters) {
      const late = new Set(nodes === undefined ? waiter.nodes : this.#late(waiter.version, nodes));
      for (const node of [...waiter.nodes]) if (!late.has(node)) waiter.nodes.delete(node);
      if (waiter.nodes.size > 0 && now - waiter.since < longestWaitMs(this.#options.leaseMs)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
    this.#lookTimer =
      this.#waiters.size > 0 && !this.#isClosed ? setTimeout(() => void this.#look(), lookMs) : undefined;
  }
}

function registerSql({ id, name, program }: MembershipOptions): string {
  return `DELETE FROM incipit.nodes WHERE lease_until < now() - interval '1 hour' AND lease_until > '-infinity';
    INSERT INTO incipit.nodes (id, name, program) VALUES (${literal(id)}, ${literal(name)}, ${literal(program)})
    ON CONFLICT (id) DO NOTHING`;
}
