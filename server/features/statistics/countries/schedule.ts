/** When a list is asked for (Data, Automation and Operations, "Statistics and country data"). */
import type { ListState } from '../country-lists/store.ts';

const hourMs = 3_600_000;
/** The nightly job runs from this hour on, in server time. */
const nightHour = 3;
/** A week, less the time that a night may begin earlier because the clocks have changed or the last one took longer. */
const weekMs = (7 * 24 - 6) * hourMs;

/**
 * Whether a list is due: without any data at once and then hourly, after an error in the following night, else once a
 * week at night. A night that was missed is made up for.
 *
 * @param hasData whether there is data of any registry
 * @param now Unix milliseconds
 */
export function isDue(
  state: Pick<ListState, 'checked_at' | 'error'> | undefined,
  hasData: boolean,
  now: number,
): boolean {
  const checkedAt = (state?.checked_at ?? 0) * 1000;
  // A clock that was set back must not stop the schedule.
  const last = checkedAt > now ? 0 : checkedAt;
  if (!hasData) return now >= last + hourMs;
  const isComplete = last > 0 && state?.error === '';
  return now >= nightAfter(isComplete ? last + weekMs : last);
}

/** The next beginning of a night after a time. */
function nightAfter(time: number): number {
  const date = new Date(time);
  const night = (days: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, nightHour).getTime();
  return night(0) > time ? night(0) : night(1);
}
