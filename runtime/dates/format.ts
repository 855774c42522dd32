import { FilterError } from '../values/limits.ts';
import type { Moment } from './moment.ts';
import { type DateNames, dateNames, english } from './names.ts';
import { formatOffset, isDaylightSaving, isUnclear, toInstant, zoneName, zoneOffset } from './zone.ts';

/** Time zone and language in which a moment is written. */
export interface DateStyle {
  readonly timeZone: string;
  readonly lang: string;
}

/**
 * The moment in a format of Django's letters, e.g. `j. F Y` or `SHORT_DATE_FORMAT`. A backslash makes the
 * next letter literal.
 *
 * @throws FilterError if the format has more than `maxFormat` characters
 */
export function formatMoment(moment: Moment, format: string, style: DateStyle): string {
  const names = dateNames(style.lang);
  const parts = parseFormat(names.formats.get(format) ?? format);
  const context: Context = { moment, names, timeZone: style.timeZone, date: new Date(moment.wall) };
  let out = '';
  for (const part of parts) out += typeof part === 'string' ? part : part(context);
  return out;
}

/** Whether the format has letters for the time of day, and whether it has letters for the date. */
export function letterKinds(format: string, style: DateStyle): { time: boolean; date: boolean } {
  const kinds = { time: false, date: false };
  for (const part of parseFormat(dateNames(style.lang).formats.get(format) ?? format)) {
    if (typeof part !== 'string') kinds[timeWriters.has(part) ? 'time' : 'date'] = true;
  }
  return kinds;
}

/** Whether a format shows the time of day, so that its text does not stay the same all day. */
export function showsTime(format: string, style: DateStyle): boolean {
  const parts = parseFormat(dateNames(style.lang).formats.get(format) ?? format);
  return parts.some((part) => typeof part !== 'string' && momentWriters.has(part));
}

// --- formats ---------------------------------------------------------------------------------------------

interface Context {
  readonly moment: Moment;
  readonly names: DateNames;
  readonly timeZone: string;
  /** Its UTC fields are those of the wall time. */
  readonly date: Date;
}

type Writer = (context: Context) => string;
type FormatPart = string | Writer;

const parsedFormats = new Map<string, readonly FormatPart[]>();

/** Most formats that are remembered, and most characters of a remembered format. */
const maxRemembered = 500;

/**
 * Most characters of a format. One that a template has joined to millions of characters would become as many parts
 * before the first of them is written.
 */
const maxFormat = 10_000;

/** @throws FilterError if the format is too long */
function parseFormat(format: string): readonly FormatPart[] {
  if (format.length > maxFormat)
    throw new FilterError(`the format of a date has ${format.length} characters, more than ${maxFormat}`);
  const known = parsedFormats.get(format);
  if (known !== undefined) return known;
  const parts = splitFormat(format).map(({ letter, text }) => formatLetters.get(letter) ?? text);
  if (format.length <= maxRemembered) {
    if (parsedFormats.size >= maxRemembered) parsedFormats.clear();
    parsedFormats.set(format, parts);
  }
  return parts;
}

/** A letter of a format, or the text between letters. One of the two is ''. */
export interface FormatPiece {
  readonly letter: string;
  readonly text: string;
}

/** Letters and texts of a format in order, without the backslashes that make letters literal. */
export function splitFormat(format: string): readonly FormatPiece[] {
  const pieces: FormatPiece[] = [];
  let literal = '';
  let previous = '';
  for (const char of format) {
    const isLetter = previous !== '\\' && formatLetters.has(char);
    if (!isLetter) literal += char;
    else {
      if (literal !== '') pieces.push({ letter: '', text: literal.replace(/\\(.)/g, '$1') });
      pieces.push({ letter: char, text: '' });
      literal = '';
    }
    previous = char;
  }
  if (literal !== '') pieces.push({ letter: '', text: literal.replace(/\\(.)/g, '$1') });
  return pieces;
}

// --- letters ---------------------------------------------------------------------------------------------

const formatLetters: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['a', ({ date, names }) => (date.getUTCHours() > 11 ? names.pm : names.am)],
  ['A', ({ date, names }) => (date.getUTCHours() > 11 ? names.upperPm : names.upperAm)],
  ['b', ({ date, names }) => names.shortMonths[date.getUTCMonth()] ?? ''],
  ['c', isoFormat],
  ['d', ({ date }) => pad(date.getUTCDate(), 2)],
  ['D', ({ date, names }) => names.shortDays[date.getUTCDay()] ?? ''],
  ['e', ({ moment, timeZone }) => (moment.instant === undefined ? '' : zoneName(timeZone, moment.instant))],
  ['E', ({ date, names }) => names.altMonths[date.getUTCMonth()] ?? ''],
  ['f', ({ date }) => shortTime(date)],
  ['F', ({ date, names }) => names.months[date.getUTCMonth()] ?? ''],
  ['g', ({ date }) => String(twelveHours(date))],
  ['G', ({ date }) => String(date.getUTCHours())],
  ['h', ({ date }) => pad(twelveHours(date), 2)],
  ['H', ({ date }) => pad(date.getUTCHours(), 2)],
  ['i', ({ date }) => pad(date.getUTCMinutes(), 2)],
  ['I', ifClear((context) => (isDaylightSaving(context.timeZone, instantIn(context)) ? '1' : '0'))],
  ['j', ({ date }) => String(date.getUTCDate())],
  ['l', ({ date, names }) => names.days[date.getUTCDay()] ?? ''],
  ['L', ({ date }) => (daysInMonth(date.getUTCFullYear(), 1) === 29 ? 'True' : 'False')],
  ['m', ({ date }) => pad(date.getUTCMonth() + 1, 2)],
  ['M', ({ date, names }) => capitalize(names.shortMonths[date.getUTCMonth()] ?? '')],
  ['n', ({ date }) => String(date.getUTCMonth() + 1)],
  ['N', ({ date, names }) => names.pressMonths[date.getUTCMonth()] ?? ''],
  ['o', ({ date }) => String(isoWeek(date).year)],
  ['O', ifClear((context) => formatOffset(offsetIn(context)))],
  ['P', pressTime],
  ['r', mailFormat],
  ['s', ({ date }) => pad(date.getUTCSeconds(), 2)],
  ['S', ({ date }) => ordinalSuffix(date.getUTCDate())],
  ['t', ({ date }) => pad(daysInMonth(date.getUTCFullYear(), date.getUTCMonth()), 2)],
  ['T', ifClear((context) => zoneName(context.timeZone, instantIn(context)))],
  ['u', ({ moment }) => pad(moment.micros, 6)],
  ['U', (context) => String(Math.floor(instantIn(context) / 1000))],
  ['w', ({ date }) => String(date.getUTCDay())],
  ['W', ({ date }) => String(isoWeek(date).week)],
  ['y', ({ date }) => pad(date.getUTCFullYear() % 100, 2)],
  ['Y', ({ date }) => pad(date.getUTCFullYear(), 4)],
  ['z', ({ date }) => String(dayOfYear(date))],
  ['Z', ifClear((context) => String(offsetIn(context)))],
]);

/** Django writes nothing about the zone for a wall time that clocks show twice or skip. */
function ifClear(write: Writer): Writer {
  return (context) => (isUnclear(context.timeZone, context.moment.wall) ? '' : write(context));
}

/** The letters that need only a time of day. */
const timeWriters: ReadonlySet<Writer | undefined> = new Set(
  Array.from('aAefgGhHiOPsTuZ', (letter) => formatLetters.get(letter)),
);

/** The letters whose text changes within a day. */
const momentWriters: ReadonlySet<Writer | undefined> = new Set([
  ...timeWriters,
  ...Array.from('cIrU', (letter) => formatLetters.get(letter)),
]);

/** A wall time without a zone belongs to the zone in which it is shown. */
function instantIn({ moment, timeZone }: Context): number {
  return moment.instant ?? toInstant(timeZone, moment.wall);
}

function offsetIn(context: Context): number {
  return zoneOffset(context.timeZone, instantIn(context));
}

function isoFormat(context: Context): string {
  const { date, moment } = context;
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
  if (moment.dateOnly) return day;
  const fraction = moment.micros === 0 ? '' : `.${pad(moment.micros, 6)}`;
  const zone = moment.instant === undefined ? '' : formatOffset(offsetIn(context)).replace(/..$/, ':$&');
  return `${day}T${clock(date)}${fraction}${zone}`;
}

/** RFC 5322, which is English everywhere. */
function mailFormat(context: Context): string {
  const { date } = context;
  const day = english.shortDays[date.getUTCDay()] ?? '';
  const month = capitalize(english.shortMonths[date.getUTCMonth()] ?? '');
  const year = pad(date.getUTCFullYear(), 4);
  return `${day}, ${pad(date.getUTCDate(), 2)} ${month} ${year} ${clock(date)} ${formatOffset(offsetIn(context))}`;
}

function clock(date: Date): string {
  return `${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}`;
}

function pressTime({ date, names }: Context): string {
  const hour = date.getUTCHours();
  const word = hour === 0 ? names.midnight : hour === 12 ? names.noon : undefined;
  if (word !== undefined && date.getUTCMinutes() === 0) return word;
  return `${shortTime(date)} ${hour > 11 ? names.pm : names.am}`;
}

function shortTime(date: Date): string {
  const minutes = date.getUTCMinutes();
  return minutes === 0 ? String(twelveHours(date)) : `${twelveHours(date)}:${pad(minutes, 2)}`;
}

function twelveHours(date: Date): number {
  return date.getUTCHours() % 12 || 12;
}

/** English, as in Django, in every language. */
export function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function daysInMonth(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month + 1, 0);
  return last.getUTCDate();
}

const dayMs = 24 * 60 * 60 * 1000;

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / dayMs) + 1;
}

/** ISO 8601: the week belongs to the year of its Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const weekday = date.getUTCDay() || 7;
  const thursday = new Date(date.getTime() + (4 - weekday) * dayMs);
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}

function pad(value: number, width: number): string {
  if (width === 2) return twoDigits[value] ?? String(value);
  return value >= 1000 && width === 4 ? String(value) : String(value).padStart(width, '0');
}

const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
