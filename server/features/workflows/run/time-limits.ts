import type { Clock } from '../../../base/clock.ts';
import { SlotSet } from '../../../base/slot-set.ts';
import type { StartTimer } from '../../../base/timers.ts';

/** What may take a limited time. */
export interface Limited {
  /** @param ms the time that it had */
  isOver(ms: number): void;
}

/**
 * Ends what takes too long. All with the same limit share a timer, which is set for one of them, because nearly all
 * end long before.
 */
export class TimeLimits {
  readonly #later: StartTimer;
  readonly #monotonic: Clock;
  readonly #groups = new Map<number, Group>();

  constructor(later: StartTimer, monotonic: Clock) {
    this.#later = later;
    this.#monotonic = monotonic;
  }

  /** @param ms one of few different times */
  begin(ms: number, limited: Limited): TimeLimit {
    let group = this.#groups.get(ms);
    if (group === undefined) {
      group = new Group(ms, this.#later, this.#monotonic);
      this.#groups.set(ms, group);
    }
    return new TimeLimit(group, limited, this.#monotonic() + ms);
  }
}

/** The time that something has. */
export class TimeLimit {
  readonly limited: Limited;
  /** In monotonic milliseconds. */
  readonly dueAt: number;
  readonly #group: Group;
  readonly #slot: number;

  constructor(group: Group, limited: Limited, dueAt: number) {
    this.limited = limited;
    this.dueAt = dueAt;
    this.#group = group;
    this.#slot = group.add(this);
  }

  /** To be called when it is no longer limited; more than once does no harm. */
  end(): void {
    this.#group.remove(this.#slot, this);
  }
}

/** All with the same limit. */
class Group {
  readonly #ms: number;
  readonly #later: StartTimer;
  readonly #monotonic: Clock;
  readonly #open = new SlotSet<TimeLimit>();
  #cancelTimer: (() => void) | undefined;

  constructor(ms: number, later: StartTimer, monotonic: Clock) {
    this.#ms = ms;
    this.#later = later;
    this.#monotonic = monotonic;
  }

  add(limit: TimeLimit): number {
    if (this.#cancelTimer === undefined) this.#plan(limit, this.#ms);
    return this.#open.add(limit);
  }

  remove(slot: number, limit: TimeLimit): void {
    this.#open.remove(slot, limit);
    if (this.#open.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #plan(limit: TimeLimit, ms: number): void {
    this.#cancelTimer = this.#later(ms, () => this.#look(limit));
  }

  /** @param planned for which the timer was set; it is due, whatever the clock says, which other timers may follow */
  #look(planned: TimeLimit): void {
    this.#cancelTimer = undefined;
    const now = this.#monotonic();
    let next: TimeLimit | undefined;
    for (const limit of [...this.#open]) {
      if (limit === planned || limit.dueAt <= now) {
        limit.end();
        limit.limited.isOver(this.#ms);
      } else if (next === undefined || limit.dueAt < next.dueAt) next = limit;
    }
    if (next !== undefined && this.#cancelTimer === undefined) this.#plan(next, next.dueAt - now);
  }
}
