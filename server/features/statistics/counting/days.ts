/**
 * Days of the calendar as numbers, 0 for 1970-01-01. Which day it is depends on the time zone of the server; how
 * long it was (23 to 25 hours where the clocks change) does not matter.
 */

const dayMs = 86_400_000;

/** The day in server time. @param ms Unix milliseconds */
export function computeDay(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
}

/** A day, and the time that belongs to it: from `from` until before `to`, Unix milliseconds. */
export interface DaySpan {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

/** The day in server time that `ms` belongs to. */
export function computeDaySpan(ms: number): DaySpan {
  const date = new Date(ms);
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return {
    day: computeDay(ms),
    from: new Date(year, month, dayOfMonth).getTime(),
    to: new Date(year, month, dayOfMonth + 1).getTime(),
  };
}

/** `YYYY-MM-DD` */
export function textOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The day of `YYYY-MM-DD`; undefined if there is no such day. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs;
  return Number.isInteger(day) && textOfDay(day) === text ? day : undefined;
}

/** Lengths of the spans that have sums of their own, in days. */
export const spanLengths = [1, 4, 16, 64] as const;

/** Spans of one length, from the one that begins at `first` to the one that begins at `last`. */
export interface Spans {
  readonly length: number;
  readonly first: number;
  readonly last: number;
}

/** The fewest spans that make up the days from `from` to `to`, both included. */
export function computeSpans(from: number, to: number): Spans[] {
  return from > to ? [] : spansBetween(from, to + 1, 0);
}

/** @param level index of a length of which `from` and `end` are multiples */
function spansBetween(from: number, end: number, level: number): Spans[] {
  const length = spanLengths[level] ?? 1;
  const next = spanLengths[level + 1];
  if (from >= end) return [];
  if (next === undefined) return [{ length, first: from, last: end - length }];
  const innerFrom = Math.ceil(from / next) * next;
  const innerEnd = Math.floor(end / next) * next;
  if (innerFrom >= innerEnd) return [{ length, first: from, last: end - length }];
  return [
    ...(from < innerFrom ? [{ length, first: from, last: innerFrom - length }] : []),
    ...spansBetween(innerFrom, innerEnd, level + 1),
    ...(innerEnd < end ? [{ length, first: innerEnd, last: end - length }] : []),
  ];
}

/** First day of the span of this length that the day belongs to. */
export function spanStart(day: number, length: number): number {
  return Math.floor(day / length) * length;
}
