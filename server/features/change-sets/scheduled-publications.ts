/**
 * Publishes what is due, and discards the sets of developers after a day. What holds:
 *
 *  1. A change set is published once on all nodes together: the change itself looks whether it is still scheduled.
 *  2. What was due while no server ran is published at the start, in order.
 *  3. A step of the clock is noticed within a second.
 */

import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { ApiError, apiError } from '../../base/errors.ts';
import { notAllowed } from '../../base/refusals/refusal.ts';
import type { Grants } from '../../base/rights.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Follower } from '../../changes/followers.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { SharedServices } from '../../feature.ts';
import { changeSetLimits } from './model.ts';
import { failDue, publishDue } from './publish.ts';
import { discardOldDevSet, type Scheduler } from './service.ts';
import * as store from './store.ts';

export interface ScheduleDeps
  extends Pick<SharedServices, 'reader' | 'changes' | 'clock' | 'log' | 'isLeader'> {
  readonly kinds: KindsByName;
  readonly later?: StartTimer | undefined;
  /** What a user or token may do now; undefined if there is none any more. */
  findRights(scheduler: Scheduler): Promise<{ readonly grants: Grants | undefined } | undefined>;
}

interface DueSet {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  readonly isDev: boolean;
}

/** Nobody asks for it now; whoever has scheduled it is in its history. */
const nobody = { kind: 'none' } as const;
/** Longest time between two looks at the clock, in milliseconds. */
const longestWaitMs = 1_000;

export class ScheduledPublications implements Follower {
  readonly of = ['change_sets'] as const;
  readonly #deps: ScheduleDeps;
  /** In the order in which they are published. */
  #scheduled: readonly DueSet[] = [];
  #running: Promise<void> | undefined;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  async refresh(): Promise<void> {
    const { reader } = this.#deps;
    const scheduled = await store.listScheduled(reader);
    const due = scheduled.map(({ id, publish_at: at }) => ({ id, at, isDev: false }));
    const ending = (await store.listDevSets(reader)).map(({ id, created_at: at }) => ({
      ...{ id, at: at + changeSetLimits.devSeconds, isDev: true },
    }));
    this.#scheduled = [...due, ...ending].sort((left, right) => left.at - right.at);
    this.#wait();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
  }

  #wait(atLeastMs = 0): void {
    this.#cancel();
    const [first] = this.#scheduled;
    if (first === undefined || this.#isClosed || this.#running !== undefined) return;
    const ms = Math.min(first.at * 1000 - this.#deps.clock(), longestWaitMs);
    this.#cancel = (this.#deps.later ?? startTimer)(Math.max(ms, atLeastMs), () => this.#start());
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // What is still due waits for another node, or failed for a moment.
      this.#wait(longestWaitMs);
    });
  }

  async #run(): Promise<void> {
    const { clock, isLeader, log } = this.#deps;
    if (isLeader?.() === false) return;
    const now = unixSeconds(clock);
    for (const { id, at, isDev } of this.#scheduled) {
      if (at > now || this.#isClosed) return;
      try {
        await (isDev ? this.#discard(id) : this.#publish(id));
      } catch (error) {
        log.warn(
          { err: error, id },
          'a change set that is due could not be published or discarded, it is tried again',
        );
        return;
      }
    }
  }

  async #discard(id: number): Promise<void> {
    await this.#deps.changes.changeUnversioned(nobody, (change) => discardOldDevSet(change, id));
  }

  /** Nobody, with the rights that who has scheduled it has now. @throws ApiError 403 `auth.notAllowed` */
  async #findPublisher(id: number): Promise<Actor> {
    const { reader, findRights } = this.#deps;
    const scheduler = (await store.findSet(reader, id))?.scheduled_by ?? null;
    if (scheduler === null) return nobody;
    // Type boundary: only `updateChangeSet` writes this JSON.
    const rights = await findRights(JSON.parse(scheduler) as Scheduler);
    if (rights === undefined) throw notAllowed({ action: 'publish' });
    return rights.grants === undefined ? nobody : { ...nobody, grants: rights.grants };
  }

  /** @throws the error of a database that is busy for a moment */
  async #publish(id: number): Promise<void> {
    const { changes, kinds, log } = this.#deps;
    try {
      await changes.change(await this.#findPublisher(id), (change) => publishDue(change, kinds, id));
    } catch (error) {
      if (error instanceof ApiError && error.status >= 500) throw error;
      if (!(error instanceof ApiError)) log.error({ err: error, id }, 'a change set could not be published');
      const reason = error instanceof ApiError ? error : apiError('common.internal', { id: String(id) });
      await changes.change(nobody, (change) => failDue(change, id, reason));
    }
  }
}
