/**
 * Runs what is due. What holds:
 *
 *  1. There is one timer, however many schedules there are, and equal schedules are computed once.
 *  2. A planned time comes at most once. A clock that is set back by a few hours does not repeat what has run; one
 *     that is set back further begins anew.
 *  3. What was due while the server did not run, or slept, is left out.
 *  4. A step of the clock is noticed within `longestWaitMs`.
 *
 * With several nodes each one does so, and `shared-starts.ts` decides which of them runs.
 */
import type { Clock } from '../../base/clock.ts';
import type { StartTimer } from '../../base/timers.ts';
import { parseCron, type Schedule } from './message/cron.ts';

export interface ScheduledStart {
  readonly workflowId: number;
  /** Index of the start node. */
  readonly node: number;
  /** Its ID, which stays when other nodes come and go. */
  readonly nodeId: string;
  readonly pattern: string;
}

interface SchedulesDeps {
  readonly clock: Clock;
  readonly later: StartTimer;
  /** @param plannedAt Unix milliseconds; the same on all nodes, whatever their clocks say */
  run(start: ScheduledStart, plannedAt: number): void;
}

interface Planned {
  readonly schedule: Schedule;
  /** Unix milliseconds; undefined if it is never due again. */
  due: number | undefined;
  starts: ScheduledStart[];
}

const longestWaitMs = 60_000;
/** How late a start may be, in milliseconds. */
export const graceMs = 90_000;
/** A clock that goes back further than this begins anew, in milliseconds. */
const farBackMs = 3 * 3_600_000;

export class Schedules {
  readonly #deps: SchedulesDeps;
  /** By pattern. */
  #planned = new Map<string, Planned>();
  #byWorkflow = new Map<number, Planned[]>();
  #cancel: () => void = () => {};
  #lastNow: number;

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
    this.#lastNow = deps.clock();
  }

  /** Replaces all schedules. Those that were there before keep their next time. */
  set(starts: readonly ScheduledStart[]): void {
    const now = this.#deps.clock();
    const known = this.#planned;
    this.#planned = new Map();
    this.#byWorkflow = new Map();
    for (const start of starts) {
      const planned = this.#planned.get(start.pattern) ?? plannedFor(start.pattern, known, now);
      this.#planned.set(start.pattern, planned);
      planned.starts.push(start);
      this.#byWorkflow.set(start.workflowId, [...(this.#byWorkflow.get(start.workflowId) ?? []), planned]);
    }
    this.#wait(now);
  }

  /** When a workflow is due next, in Unix seconds; 0 = never. */
  nextOf(workflowId: number): number {
    const dues = (this.#byWorkflow.get(workflowId) ?? []).flatMap(({ due }) => due ?? []);
    return dues.length === 0 ? 0 : Math.floor(Math.min(...dues) / 1000);
  }

  close(): void {
    this.#cancel();
    this.#planned.clear();
    this.#byWorkflow.clear();
  }

  #tick(): void {
    const now = this.#deps.clock();
    const isFarBack = now < this.#lastNow - farBackMs;
    this.#lastNow = now;
    for (const planned of this.#planned.values()) {
      const { due, schedule, starts } = planned;
      if (isFarBack) planned.due = schedule.next(now);
      if (isFarBack || due === undefined || due > now) continue;
      planned.due = schedule.next(now);
      if (now - due <= graceMs) for (const start of starts) this.#deps.run(start, due);
    }
    this.#wait(now);
  }

  #wait(now: number): void {
    this.#cancel();
    if (this.#planned.size === 0) return;
    const dues = [...this.#planned.values()].flatMap(({ due }) => due ?? []);
    const ms = dues.reduce((least, due) => Math.min(least, due - now), longestWaitMs);
    this.#cancel = this.#deps.later(Math.max(ms, 0), () => this.#tick());
  }
}

function plannedFor(pattern: string, known: ReadonlyMap<string, Planned>, now: number): Planned {
  const before = known.get(pattern);
  const schedule = before?.schedule ?? parseCron(pattern);
  return { schedule, due: before === undefined ? schedule.next(now) : before.due, starts: [] };
}
