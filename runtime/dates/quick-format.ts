/** The usual formats, read once: dates in lists and feeds are written by the thousand. */
import { escapeHtml } from '../values/escape.ts';
import { isInCalendar } from './moment.ts';
import { type DateNames, dateNames } from './names.ts';
import { zoneOffset } from './zone.ts';

/** The letters that need no more than the wall time, by number: V8 jumps to the case of a number at once. */
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
  G: 14,
  H: 15,
  i: 16,
  s: 17,
} as const;

/** Letters from this one on show the time of day. */
const firstOfTime = letters.G;

interface Part {
  /** One of `letters`; 0 for literal text. */
  readonly letter: number;
  readonly text: string;
}

const letterOf: ReadonlyMap<string, number> = new Map(Object.entries(letters));

export interface QuickFormat {
  readonly lang: string;
  readonly names: DateNames;
  readonly parts: readonly Part[];
  /** Whether a part shows the day. */
  readonly hasDate: boolean;
  /** Whether a result may hold characters that are escaped in HTML. */
  readonly isMarkup: boolean;
}

/** Undefined if the format has other letters. */
export function quickFormat(format: string, lang: string): QuickFormat | undefined {
  const names = dateNames(lang);
  const parts: Part[] = [];
  const source = names.formats.get(format) ?? format;
  for (let index = 0; index < source.length; index += 1) {
    const char = source.charAt(index);
    if (char === '\\') return undefined;
    const letter = letterOf.get(char);
    if (letter !== undefined) parts.push({ letter, text: '' });
    else if (/[a-z]/i.test(char)) return undefined;
    else parts.push({ letter: 0, text: char });
  }
  const texts = [
    source,
    ...[
      names.days,
      names.shortDays,
      names.months,
      names.shortMonths,
      names.pressMonths,
      names.altMonths,
    ].flat(),
  ];
  const hasDate = parts.some(({ letter }) => letter > 0 && letter < firstOfTime);
  return { lang, names, parts, hasDate, isMarkup: texts.some((text) => escapeHtml(text) !== text) };
}

const dayMs = 86_400_000;

/** The instant (milliseconds since 1970) as clocks in the zone show it; undefined outside the calendar. */
export function writeQuickly(
  instant: number,
  { names, parts, hasDate }: QuickFormat,
  timeZone: string,
): string | undefined {
  const wall = instant + zoneOffset(timeZone, instant) * 1000;
  if (!isInCalendar(wall)) return undefined;
  const days = Math.floor(wall / dayMs);
  const seconds = Math.floor((wall - days * dayMs) / 1000);
  if (hasDate) findDay(days);
  const { year, month, day } = found;
  let out = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    switch (part.letter) {
      case 0:
        out += part.text;
        break;
      case letters.d:
        out += twoDigits[day];
        break;
      case letters.j:
        out += day;
        break;
      case letters.D:
        out += names.shortDays[weekday(days)];
        break;
      case letters.l:
        out += names.days[weekday(days)];
        break;
      case letters.m:
        out += twoDigits[month + 1];
        break;
      case letters.n:
        out += month + 1;
        break;
      case letters.M:
        out += capitalized(names.shortMonths[month]);
        break;
      case letters.F:
        out += names.months[month];
        break;
      case letters.N:
        out += names.pressMonths[month];
        break;
      case letters.E:
        out += names.altMonths[month];
        break;
      case letters.b:
        out += names.shortMonths[month];
        break;
      case letters.y:
        out += twoDigits[year % 100];
        break;
      case letters.Y:
        out += year < 1000 ? String(year).padStart(4, '0') : year;
        break;
      case letters.G:
        out += Math.floor(seconds / 3600);
        break;
      case letters.H:
        out += twoDigits[Math.floor(seconds / 3600)];
        break;
      case letters.i:
        out += twoDigits[Math.floor(seconds / 60) % 60];
        break;
      case letters.s:
        out += twoDigits[seconds % 60];
        break;
    }
  }
  return out;
}

const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** 0 is Sunday. 1970 began on a Thursday. */
function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

function capitalized(text = ''): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The day that was asked for last. Neighbours in a list often have the same. */
const found = { days: 0, year: 1970, month: 0, day: 1 };

/**
 * Finds year, month (from 0) and day of a number of days since 1970. The years are counted from March on, so
 * that the leap day is the last of its year; 400 of them have 146,097 days.
 */
function findDay(days: number): void {
  if (days === found.days) return;
  const sinceEra = days + 719_468;
  const era = Math.floor(sinceEra / 146_097);
  const dayOfEra = sinceEra - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const sinceMarch = Math.floor((5 * dayOfYear + 2) / 153);
  found.days = days;
  found.day = dayOfYear - Math.floor((153 * sinceMarch + 2) / 5) + 1;
  found.month = (sinceMarch + 2) % 12;
  found.year = yearOfEra + era * 400 + (found.month < 2 ? 1 : 0);
}
