/**
 * What must go out: the one way from a commit to other hosts, and to what may call them.
 *
 *  1. An event is a row of the table `outbox`. The change that it tells of stores it in the same transaction, or a
 *     reader of the commit log stores it together with its position (`log_positions`). So a process that dies at any
 *     moment leaves either both or none.
 *  2. One node sends: the leader. On one machine that is the process. If it dies, the next leader or the next start
 *     finds the rows.
 *  3. An event is sent when all nodes that serve have applied what it tells of.
 *  4. A row is deleted when its outlet is done with it, within `gatherMs`. Until then a crash leads to a second sending,
 *     which can be recognised by `seq` and `at`.
 */
import type { Log } from '../base/log.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Changes } from './changes.ts';
import type { Follower } from './followers.ts';
import { deleteOutboxEvent, listOutboxEvents } from './outbox-store.ts';
import type { Outlet } from './outlets.ts';

export interface EventOutboxOptions {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly log: Log;
  /** Whether this node sends now; undefined for a process that is alone. */
  readonly isLeader?: (() => boolean) | undefined;
}

/** Rows that are done within this time are deleted together, in milliseconds. */
const gatherMs = 250;
/** How often a node asks whether it is the leader, and tries again what has failed, in milliseconds. */
const pollMs = 500;
/** When the deletion of rows is tried again after it has failed, in milliseconds. */
const deleteAgainMs = 5_000;
const readAtOnce = 50;
const nobody = { kind: 'none' } as const;

export class EventOutbox {
  readonly #options: EventOutboxOptions;
  readonly #queues = new Map<string, OutletQueue>();
  readonly #beginnings: (() => Promise<void> | void)[] = [];
  /** Rows that are to be deleted. */
  #done: number[] = [];
  #deleting: Promise<void> = Promise.resolve();
  #gathering: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #isSending = false;

  constructor(options: EventOutboxOptions) {
    this.#options = options;
  }

  /** Whether this node sends, and reads the log of commits for events. */
  isSending(): boolean {
    return this.#isSending && this.#options.isLeader?.() !== false;
  }

  /**
   * Runs a task whenever this node begins to send: there may be commits that no reader has seen. A start of the server
   * waits for it.
   */
  onBeginning(task: () => Promise<void> | void): void {
    this.#beginnings.push(task);
  }

  /** New rows are sent as soon as they are committed. */
  follower(): Follower {
    return { of: ['outbox'], refresh: () => this.#wake() };
  }

  /** To be called once all outlets are known and this node may write. */
  async start(): Promise<void> {
    for (const outlet of this.#options.changes.outlets.list())
      this.#queues.set(outlet.name, new OutletQueue(outlet, this.#options, this));
    await this.#poll();
  }

  /** Resolves when an outlet has been given all its events that are committed now. */
  async drain(outlet: string): Promise<void> {
    await this.#queues.get(outlet)?.wake();
  }

  /** To be called by an outlet's queue when a row must not be sent again. */
  done(seq: number): void {
    this.#done.push(seq);
    this.#gathering ??= setTimeout(() => void this.#deleteDone(), gatherMs);
  }

  /** Sends nothing more, and deletes what is done. */
  async close(): Promise<void> {
    this.#isSending = false;
    clearTimeout(this.#polling);
    for (const queue of this.#queues.values()) queue.close();
    await this.#deleteDone();
  }

  async #poll(): Promise<void> {
    const { isLeader } = this.#options;
    const wasSending = this.#isSending;
    this.#isSending = isLeader?.() !== false;
    if (isLeader !== undefined) this.#polling = setTimeout(() => void this.#poll(), pollMs);
    if (!this.#isSending || wasSending) return;
    await Promise.all(this.#beginnings.map((task) => task()));
    this.#wake();
  }

  #wake(): void {
    for (const queue of this.#queues.values()) void queue.wake();
  }

  #deleteDone(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#deleting = this.#deleting.then(() => this.#delete(this.#done.splice(0)));
    return this.#deleting;
  }

  async #delete(seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    const { changes, log } = this.#options;
    try {
      await changes.changeUnversioned(nobody, async ({ tx }) => {
        for (const seq of seqs) await deleteOutboxEvent(tx, seq);
      });
    } catch (error) {
      log.warn({ err: error }, 'events that were sent could not be deleted, they may be sent again');
      this.#done.push(...seqs);
      if (this.#isSending) this.#gathering ??= setTimeout(() => void this.#deleteDone(), deleteAgainMs);
    }
  }
}

/** Hands the events of one outlet to it, in order. */
class OutletQueue {
  readonly #outlet: Outlet;
  readonly #options: EventOutboxOptions;
  readonly #outbox: EventOutbox;
  /** Newest event that the outlet has been given. */
  #given = 0;
  #isDirty = false;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(outlet: Outlet, options: EventOutboxOptions, outbox: EventOutbox) {
    this.#outlet = outlet;
    this.#options = options;
    this.#outbox = outbox;
  }

  /** Resolves when the outlet has been given everything, or this node does not send. */
  wake(): Promise<void> {
    this.#isDirty = true;
    clearTimeout(this.#retry);
    this.#running ??= Promise.resolve().then(() => this.#run());
    return this.#running;
  }

  close(): void {
    clearTimeout(this.#retry);
  }

  async #run(): Promise<void> {
    const { name } = this.#outlet;
    try {
      while (this.#isDirty && this.#outbox.isSending()) {
        this.#isDirty = false;
        const events = await listOutboxEvents(this.#options.reader, name, this.#given, readAtOnce);
        if (events.length === 0) continue;
        await this.#options.changes.whenAppliedEverywhere();
        for (const event of events) {
          if (!this.#outbox.isSending()) return;
          await this.#outlet.send(event, () => this.#outbox.done(event.seq));
          this.#given = event.seq;
        }
        this.#isDirty = true;
      }
    } catch (error) {
      this.#options.log.warn({ err: error, outlet: name }, 'events could not be sent, they are tried again');
      if (this.#outbox.isSending()) this.#retry = setTimeout(() => void this.wake(), pollMs);
    } finally {
      this.#running = undefined;
    }
  }
}
