/** The usual formats, read once: dates in lists and feeds are written by the thousand. */
import { escapeHtml } from '../values/escape.ts';
import { findDay, found, weekday } from './calendar.ts';
import { ordinalSuffix, splitFormat } from './format.ts';
import { noZone, read, readIsoText } from './iso-text.ts';
import { isInCalendar } from './moment.ts';
import { type DateNames, dateNames } from './names.ts';
import { formatOffset, zoneOffset } from './zone.ts';

/** The letters that are written here, by number: V8 jumps to the case of a number at once. */
const letters = {
  d: 1,
  j: 2,
  D: 3,
  l: 4,
  m: 5,
  n: 6,
  M: 7,
  F: 8,
  N: 9,
  E: 10,
  b: 11,
  y: 12,
  Y: 13,
  S: 14,
  w: 15,
  c: 16,
  G: 17,
  H: 18,
  i: 19,
  s: 20,
  a: 21,
  A: 22,
  f: 23,
  g: 24,
  h: 25,
  P: 26,
} as const;

/** Letters from this one on show the time of day and nothing of the date. */
const firstOfTime = letters.G;

interface Part {
  /** One of `letters`; 0 for literal text. */
  readonly letter: number;
  readonly text: string;
}

const letterOf: ReadonlyMap<string, number> = new Map(Object.entries(letters));

export interface QuickFormat {
  readonly names: DateNames;
  readonly parts: readonly Part[];
  /** Whether a part shows the day. */
  readonly hasDate: boolean;
  /** Whether a part shows parts of a second and the zone. */
  readonly isExact: boolean;
  /** Whether a result may hold characters that are escaped in HTML. */
  readonly isMarkup: boolean;
}

/** Undefined if the format has other letters. */
export function quickFormat(format: string, lang: string): QuickFormat | undefined {
  const names = dateNames(lang);
  const pieces = splitFormat(names.formats.get(format) ?? format);
  if (pieces.some(({ letter }) => letter !== '' && !letterOf.has(letter))) return undefined;
  const parts = pieces.map(({ letter, text }) => ({ letter: letterOf.get(letter) ?? 0, text }));
  const texts = [pieces.map(({ text }) => text), textsOf(names)].flat();
  return {
    names,
    parts,
    hasDate: parts.some(({ letter }) => letter > 0 && letter < firstOfTime),
    isExact: parts.some(({ letter }) => letter === letters.c),
    isMarkup: texts.some((text) => escapeHtml(text) !== text),
  };
}

function textsOf(names: DateNames): readonly string[] {
  const { months, shortMonths, pressMonths, altMonths, days, shortDays } = names;
  const words = [names.am, names.pm, names.upperAm, names.upperPm, names.midnight ?? '', names.noon ?? ''];
  return [months, shortMonths, pressMonths, altMonths, days, shortDays, words].flat();
}

const dayMs = 86_400_000;

/**
 * The instant (milliseconds since 1970) as clocks in the zone show it. '' outside the calendar; undefined if the
 * format shows more of it than is written here.
 */
export function writeInstant(instant: number, format: QuickFormat, timeZone: string): string | undefined {
  if (format.isExact && instant % 1000 !== 0) return undefined;
  const offset = zoneOffset(timeZone, instant);
  const wall = instant + offset * 1000;
  if (!isInCalendar(wall)) return '';
  // Small integers from here on, which V8 handles faster than other numbers.
  const days = Math.floor(wall / dayMs) | 0;
  return write(format, days, ((wall - days * dayMs) / 1000) | 0, offset, false);
}

/** The same for the usual ISO texts; undefined for all other texts. */
export function writeText(text: string, format: QuickFormat, timeZone: string): string | undefined {
  if (!readIsoText(text) || (format.isExact && read.hasFraction)) return undefined;
  if (read.offset === noZone) return write(format, read.days, read.seconds, noZone, read.dateOnly);
  return writeInstant((read.days * 86_400 + read.seconds - read.offset * 60) * 1000, format, timeZone);
}

/** @param offset seconds that the zone is ahead of UTC, or `noZone` */
function write(
  { names, parts, hasDate }: QuickFormat,
  days: number,
  seconds: number,
  offset: number,
  dateOnly: boolean,
): string {
  if (hasDate) findDay(days);
  let out = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    const { letter } = part;
    if (letter === 0) out += part.text;
    else if (letter === letters.c)
      out += dateOnly ? isoDay() : `${isoDay()}T${clock(seconds)}${isoOffset(offset)}`;
    else out += letter < firstOfTime ? dateText(letter, days, names) : timeText(letter, seconds, names);
  }
  return out;
}

// --- dates -----------------------------------------------------------------------------------------------

/** A letter for the found day, whose number since 1970 is `days`. */
function dateText(letter: number, days: number, names: DateNames): string {
  switch (letter) {
    case letters.d:
      return twoDigits(found.day);
    case letters.j:
      return small(found.day);
    case letters.D:
      return names.shortDays[weekday(days)] ?? '';
    case letters.l:
      return names.days[weekday(days)] ?? '';
    case letters.m:
      return twoDigits(found.month + 1);
    case letters.n:
      return small(found.month + 1);
    case letters.M:
      return capitalized(names.shortMonths[found.month]);
    case letters.F:
      return names.months[found.month] ?? '';
    case letters.N:
      return names.pressMonths[found.month] ?? '';
    case letters.E:
      return names.altMonths[found.month] ?? '';
    case letters.b:
      return names.shortMonths[found.month] ?? '';
    case letters.y:
      return twoDigits(found.year % 100);
    case letters.Y:
      return yearText(found.year);
    case letters.S:
      return ordinalSuffix(found.day);
    default:
      return small(weekday(days));
  }
}

function isoDay(): string {
  return `${yearText(found.year)}-${twoDigits(found.month + 1)}-${twoDigits(found.day)}`;
}

function yearText(year: number): string {
  return year >= 1900 && year < 2100 ? (usualYears[year - 1900] ?? '') : String(year).padStart(4, '0');
}

const usualYears = Array.from({ length: 200 }, (_, index) => String(1900 + index));

function capitalized(text = ''): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// --- times -----------------------------------------------------------------------------------------------

/** A letter for the second of a day. */
function timeText(letter: number, seconds: number, names: DateNames): string {
  const hour = Math.floor(seconds / 3600);
  switch (letter) {
    case letters.G:
      return small(hour);
    case letters.H:
      return twoDigits(hour);
    case letters.i:
      return twoDigits(minuteOf(seconds));
    case letters.s:
      return twoDigits(seconds % 60);
    case letters.a:
      return hour > 11 ? names.pm : names.am;
    case letters.A:
      return hour > 11 ? names.upperPm : names.upperAm;
    case letters.f:
      return shortTime(seconds);
    case letters.g:
      return small(hour % 12 || 12);
    case letters.h:
      return twoDigits(hour % 12 || 12);
    default:
      return pressTime(seconds, names);
  }
}

function minuteOf(seconds: number): number {
  return Math.floor(seconds / 60) % 60;
}

function shortTime(seconds: number): string {
  const hour = small(Math.floor(seconds / 3600) % 12 || 12);
  const minute = minuteOf(seconds);
  return minute === 0 ? hour : `${hour}:${twoDigits(minute)}`;
}

function pressTime(seconds: number, names: DateNames): string {
  const hour = Math.floor(seconds / 3600);
  const word = hour === 0 ? names.midnight : hour === 12 ? names.noon : undefined;
  if (word !== undefined && minuteOf(seconds) === 0) return word;
  return `${shortTime(seconds)} ${hour > 11 ? names.pm : names.am}`;
}

function clock(seconds: number): string {
  const hour = Math.floor(seconds / 3600);
  return `${twoDigits(hour)}:${twoDigits(minuteOf(seconds))}:${twoDigits(seconds % 60)}`;
}

function isoOffset(offset: number): string {
  if (offset === noZone) return '';
  return offset === 0 ? '+00:00' : formatOffset(offset).replace(/..$/, ':$&');
}

// --- numbers ---------------------------------------------------------------------------------------------

function twoDigits(value: number): string {
  return padded[value] ?? '';
}

/** A number below 100. */
function small(value: number): string {
  return unpadded[value] ?? '';
}

const unpadded = Array.from({ length: 100 }, (_, value) => String(value));
const padded = unpadded.map((text) => text.padStart(2, '0'));
