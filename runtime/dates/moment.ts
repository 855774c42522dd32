import { SafeString } from '../values/safe.ts';
import { zoneOffset } from './zone.ts';

/**
 * A date or time as the date filters use it. `wall` is the time that clocks show, in milliseconds since 1970
 * as if the clocks showed UTC, so that the UTC methods of Date give its parts.
 */
export interface Moment {
  readonly wall: number;
  /** The instant in milliseconds since 1970; absent for wall times that belong to no zone. */
  readonly instant?: number;
  /** Microseconds within the second. */
  readonly micros: number;
  /** Whether it is a calendar date without a time. */
  readonly dateOnly: boolean;
}

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads a Date, `YYYY-MM-DD`, an ISO date-time, or Unix seconds; undefined for every other value. Instants
 * (Dates, seconds, and texts with an offset) are shown in `timeZone`. A text without an offset is a wall time
 * and is not converted.
 */
export function parseMoment(value: unknown, timeZone: string): Moment | undefined {
  if (value instanceof Date) return momentAt(value.getTime(), timeZone);
  if (typeof value === 'number') return isUnixTime(value) ? momentAt(value * 1000, timeZone) : undefined;
  const text = value instanceof SafeString ? value.value : value;
  const match = typeof text === 'string' && text.length <= 40 ? isoDate.exec(text.trim()) : null;
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = 0, fraction = '', offset] = match;
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  const wall = wallTime(
    [Number(year), Number(month), Number(day)],
    [Number(hour ?? 0), Number(minute ?? 0), Number(second)],
  );
  if (wall === undefined) return undefined;
  const millis = wall + Math.floor(micros / 1000);
  if (offset === undefined) return { wall: millis, micros, dateOnly: hour === undefined };
  const moment = momentAt(millis - offsetMillis(offset), timeZone);
  return moment && { ...moment, micros };
}

/** Whole seconds that a Date can hold. */
export function isUnixTime(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 8.64e12;
}

/** The moment of an instant; undefined if invalid, or outside the years 1 to 9999 of Python's calendar. */
export function momentAt(instant: number, timeZone: string): Moment | undefined {
  if (Number.isNaN(instant)) return undefined;
  const wall = instant + zoneOffset(timeZone, instant) * 1000;
  if (!isInCalendar(wall)) return undefined;
  return { wall, instant, micros: (((instant % 1000) + 1000) % 1000) * 1000, dateOnly: false };
}

/** Whether a wall time is in the years 1 to 9999. */
export function isInCalendar(wall: number): boolean {
  return wall >= firstWall && wall < endWall;
}

const firstWall = Date.parse('0001-01-01T00:00:00Z');
const endWall = Date.parse('+010000-01-01T00:00:00Z');

type Triple = readonly [number, number, number];

/** Undefined if there is no such day or time. */
function wallTime([year, month, day]: Triple, [hour, minute, second]: Triple): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year === 0) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return date.setUTCHours(hour, minute, second);
}

function offsetMillis(offset: string): number {
  if (/z/i.test(offset)) return 0;
  const digits = offset.replace(':', '').slice(1);
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
