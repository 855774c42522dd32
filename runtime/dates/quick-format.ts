/** The usual formats, read once: dates in lists and feeds are written by the thousand. */
import { escapeHtml } from '../values/escape.ts';
import { findDay, found, weekday } from './calendar.ts';
import { splitFormat } from './format.ts';
import { noZone, read, readIsoText } from './iso-text.ts';
import { isInCalendar } from './moment.ts';
import { type DateNames, dateNames } from './names.ts';
import { type Field, fields, firstYear, isOfDate, padded, shownBy, unpadded } from './quick-letters.ts';
import { formatOffset, zoneOffset } from './zone.ts';

export interface QuickFormat {
  readonly names: DateNames;
  readonly parts: readonly Part[];
  /** The text after the last letter. */
  readonly end: string;
  /** Whether a part shows the day. */
  readonly hasDate: boolean;
  /** Whether a part shows the time of day. */
  readonly hasTime: boolean;
  /** Whether a part shows parts of a second and the zone. */
  readonly isExact: boolean;
  /** Whether a result may hold characters that are escaped in HTML. */
  readonly isMarkup: boolean;
}

/** A letter, and the text before it. */
interface Part {
  readonly before: string;
  readonly letter: string;
  readonly field: Field;
  /** The texts of the letter by the value of the field. */
  readonly texts: readonly string[];
}

/** Undefined if the format has other letters. */
export function quickFormat(format: string, lang: string): QuickFormat | undefined {
  const names = dateNames(lang);
  const parts: Part[] = [];
  let literal = '';
  for (const { letter, text } of splitFormat(names.formats.get(format) ?? format)) {
    if (letter === '') literal = text;
    else {
      const shown = shownBy(letter, names);
      if (shown === undefined) return undefined;
      parts.push({ before: literal, letter, field: shown.field, texts: shown.texts });
      literal = '';
    }
  }
  const words = [names.am, names.pm, names.midnight ?? '', names.noon ?? ''];
  const texts = [literal, words, parts.map(({ before, texts: own }) => [before, ...own])].flat(2);
  const isExact = parts.some(({ letter }) => letter === 'c');
  return {
    names,
    parts,
    end: literal,
    hasDate: isExact || parts.some(({ field }) => isOfDate(field)),
    hasTime: parts.some(({ field }) => !isOfDate(field)),
    isExact,
    isMarkup: texts.some((text) => escapeHtml(text) !== text),
  };
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

/** The values of the fields of the moment that was asked for last. */
const values: number[] = Object.values(fields).map(() => 0);

/** @param offset seconds that the zone is ahead of UTC, or `noZone` */
function write(
  format: QuickFormat,
  days: number,
  seconds: number,
  offset: number,
  dateOnly: boolean,
): string {
  const { parts, hasDate, hasTime } = format;
  if (hasDate) setDate(days);
  if (hasTime) setTime(seconds);
  let out = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    const { before, field, texts } = part;
    if (before !== '') out += before;
    if (field === fields.time) out += timeText(part.letter, format.names, offset, dateOnly);
    else if (field === fields.year) out += yearText(texts);
    else out += texts[values[field] ?? 0];
  }
  return out + format.end;
}

function setDate(days: number): void {
  findDay(days);
  values[fields.day] = found.day;
  values[fields.month] = found.month;
  values[fields.weekday] = weekday(days);
  values[fields.year] = found.year - firstYear;
  values[fields.yearOfCentury] = found.year % 100;
}

function setTime(seconds: number): void {
  const minutes = (seconds / 60) | 0;
  const hour = (minutes / 60) | 0;
  values[fields.half] = hour > 11 ? 1 : 0;
  values[fields.hour] = hour;
  values[fields.hourOfHalf] = hour % 12 || 12;
  values[fields.minute] = minutes % 60;
  values[fields.second] = seconds % 60;
}

/** @param texts of the usual years */
function yearText(texts: readonly string[]): string {
  const index = found.year - firstYear;
  return (
    (index >= 0 && index < texts.length ? texts[index] : undefined) ?? String(found.year).padStart(4, '0')
  );
}

// --- times that are written as a whole -------------------------------------------------------------------

function timeText(letter: string, names: DateNames, offset: number, dateOnly: boolean): string {
  if (letter === 'c') return dateOnly ? isoDay() : `${isoDay()}T${isoTime()}${isoOffset(offset)}`;
  return letter === 'f' ? shortTime() : pressTime(names);
}

function isoDay(): string {
  return `${String(found.year).padStart(4, '0')}-${padded[found.month + 1]}-${padded[found.day]}`;
}

function isoTime(): string {
  const { hour, minute, second } = fields;
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`;
}

function twoDigits(field: Field): string {
  return padded[values[field] ?? 0] ?? '';
}

function isoOffset(offset: number): string {
  if (offset === noZone) return '';
  return offset === 0 ? '+00:00' : formatOffset(offset).replace(/..$/, ':$&');
}

function shortTime(): string {
  const hour = unpadded[values[fields.hourOfHalf] ?? 0] ?? '';
  const minute = values[fields.minute] ?? 0;
  return minute === 0 ? hour : `${hour}:${padded[minute]}`;
}

function pressTime(names: DateNames): string {
  const hour = values[fields.hour];
  const word = hour === 0 ? names.midnight : hour === 12 ? names.noon : undefined;
  if (word !== undefined && values[fields.minute] === 0) return word;
  return `${shortTime()} ${values[fields.half] === 1 ? names.pm : names.am}`;
}
