import type { Moment } from './moment.ts';
import { spanUnits } from './units.ts';

const minute = 60_000;
const chunks = [7 * 24 * 60 * minute, 24 * 60 * minute, 60 * minute, minute] as const;
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The time between two moments in its two largest units, `2 weeks, 3 days`, with no-break spaces. Seconds do
 * not count. If `to` is before `from`, the result is `0 minutes`. Months and years are those of the calendar.
 */
export function timeBetween(from: Moment, to: Moment, lang: string): string {
  const units = spanUnits(lang);
  const name = (count: number, unit: number) => units[unit]?.(count) ?? '';
  if (to.wall - from.wall < minute) return name(0, units.length - 1);
  const counts = countUnits(from.wall, to.wall);
  const first = counts.findIndex((count) => count !== 0);
  const largest = name(counts[first] ?? 0, first);
  const next = counts[first + 1] ?? 0;
  return next === 0 ? largest : `${largest}, ${name(next, first + 1)}`;
}

/** Years, months, weeks, days, hours and minutes. */
function countUnits(from: number, to: number): number[] {
  const start = new Date(from);
  const end = new Date(to);
  let months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  if (isLaterInMonth(start, end)) months -= 1;
  const counts = [Math.floor(months / 12), months % 12];
  let rest = to - (months > 0 ? addMonths(start, months) : from);
  for (const chunk of chunks) {
    const count = Math.floor(rest / chunk);
    counts.push(count);
    rest -= count * chunk;
  }
  return counts;
}

function isLaterInMonth(left: Date, right: Date): boolean {
  if (left.getUTCDate() !== right.getUTCDate()) return left.getUTCDate() > right.getUTCDate();
  return left.getTime() % (24 * 60 * minute) > right.getTime() % (24 * 60 * minute);
}

/** The same day and second in a later month, or its last day (the 28th in February). */
function addMonths(start: Date, months: number): number {
  const month = start.getUTCMonth() + months;
  const lastDay = daysOfMonths[month % 12] ?? 31;
  const shifted = new Date(start.getTime());
  shifted.setUTCFullYear(
    start.getUTCFullYear() + Math.floor(month / 12),
    month % 12,
    Math.min(lastDay, start.getUTCDate()),
  );
  return shifted.setUTCMilliseconds(0);
}
