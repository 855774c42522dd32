/**
 * Planned starts on several nodes. What holds:
 *
 *  1. A planned time comes once at most, whatever the clocks say and however long a node was stopped: a node claims
 *     it before it runs it.
 *  2. Every node keeps what is due for `graceMs`. So a node that becomes the leader runs what the one before has not
 *     claimed, late.
 *  3. Of several times of a schedule that wait, only the last one comes.
 *  4. A node that dies after its claim and before the run has begun, some milliseconds, takes the run with it.
 */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { StartTimer } from '../../base/timers.ts';
import { graceMs, type ScheduledStart } from './schedules.ts';

interface SharedStartsDeps {
  readonly clock: Clock;
  readonly later: StartTimer;
  readonly log: Log;
  /** Whether this node runs schedules now. */
  isLeader(): boolean;
  /** False if another node has claimed it. Rejects if nobody knows; then it is asked again. */
  claim(name: string): Promise<boolean>;
  run(start: ScheduledStart): void;
}

interface WaitingStart {
  readonly start: ScheduledStart;
  /** Unix milliseconds. */
  readonly plannedAt: number;
}

/** How often waiting starts are tried again, in milliseconds. */
const retryMs = 1_000;

export class SharedStarts {
  readonly #deps: SharedStartsDeps;
  /** By schedule. */
  readonly #waiting = new Map<string, WaitingStart>();
  #trying: Promise<void> | undefined;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(deps: SharedStartsDeps) {
    this.#deps = deps;
  }

  /** Takes a start that is due on this node. */
  add(start: ScheduledStart, plannedAt: number): void {
    if (this.#isClosed) return;
    this.#waiting.set(scheduleOf(start), { start, plannedAt });
    this.#try();
  }

  /** Drops what waits for schedules that are no longer there. */
  keepOnly(starts: readonly ScheduledStart[]): void {
    const present = new Map(starts.map((start) => [scheduleOf(start), start]));
    for (const [schedule, { plannedAt }] of this.#waiting) {
      const start = present.get(schedule);
      if (start === undefined) this.#waiting.delete(schedule);
      else this.#waiting.set(schedule, { start, plannedAt });
    }
  }

  /** Resolves when nothing is claimed any more that does not run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#trying;
    this.#waiting.clear();
  }

  #try(): void {
    this.#trying ??= this.#tryAll().finally(() => {
      this.#trying = undefined;
      this.#cancel();
      if (this.#waiting.size > 0 && !this.#isClosed)
        this.#cancel = this.#deps.later(retryMs, () => this.#try());
    });
  }

  async #tryAll(): Promise<void> {
    const { clock, isLeader, log } = this.#deps;
    for (const [schedule, { plannedAt }] of [...this.#waiting]) {
      if (clock() - plannedAt > graceMs) this.#waiting.delete(schedule);
      else if (isLeader() && !this.#isClosed)
        await this.#claim(schedule, plannedAt).catch((error: unknown) =>
          log.warn({ err: error, schedule }, 'a planned start could not be claimed, it is tried again'),
        );
    }
  }

  async #claim(schedule: string, plannedAt: number): Promise<void> {
    const { claim, run } = this.#deps;
    const isOwn = await claim(`schedule ${schedule} ${plannedAt}`);
    const waiting = this.#waiting.get(schedule);
    // The schedule may be gone, or its next time be due.
    if (waiting?.plannedAt !== plannedAt) return;
    this.#waiting.delete(schedule);
    if (isOwn) run(waiting.start);
  }
}

function scheduleOf({ workflowId, nodeId, pattern }: ScheduledStart): string {
  return JSON.stringify([workflowId, nodeId, pattern]);
}
