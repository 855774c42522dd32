import { formatMoment, letterKinds } from '../dates/format.ts';
import { isUnixTime, type Moment, momentAt, parseMoment } from '../dates/moment.ts';
import { type QuickFormat, quickFormat, writeInstant, writeText } from '../dates/quick-format.ts';
import { timeBetween } from '../dates/since.ts';
import { escapeHtml } from '../values/escape.ts';
import { toText } from '../values/text.ts';
import { type FilterDefinition, type FilterEnv, type QuickPrint, valueFilter } from './filter.ts';

/**
 * Filters for dates: Dates, `YYYY-MM-DD`, ISO date-times, and Unix seconds, the form of times in pages and
 * files. Every other value prints nothing, as in Django. A calendar date without a time shows as midnight in
 * `date`, where Django fails.
 */
export const dateFilters: readonly FilterDefinition[] = [
  {
    ...valueFilter('date', [0, 1], (value, env, format) =>
      formatDate(value, textOr(format, 'DATE_FORMAT'), env),
    ),
    quick: ([format], escaping) => quickDate(textOr(format, 'DATE_FORMAT'), escaping),
    quickText: true,
  },
  {
    ...valueFilter('time', [0, 1], (value, env, format) =>
      formatTime(value, textOr(format, 'TIME_FORMAT'), env),
    ),
    quick: ([format], escaping) => quickTime(textOr(format, 'TIME_FORMAT'), escaping),
    quickText: true,
  },
  valueFilter('timesince', [0, 1], (value, env, until) => timeSince(value, env, until)),
  valueFilter('timeuntil', [0, 1], (value, env, from) => timeUntil(value, env, from)),
];

/** Most characters of a format that is compiled. */
const maxCompiled = 40;

/** Formats that were read, by language and text: a site writes its dates in a few forms, in many templates. */
const formats = new Map<string, QuickFormat | undefined>();
const maxFormats = 200;

function formatOf(format: string, lang: string): QuickFormat | undefined {
  const key = `${lang} ${format}`;
  const known = formats.get(key);
  if (known !== undefined || formats.has(key)) return known;
  if (formats.size >= maxFormats) formats.clear();
  const made = quickFormat(format, lang);
  formats.set(key, made);
  return made;
}

function quickDate(format: string, escaping: boolean): QuickPrint | undefined {
  if (format.length > maxCompiled) return undefined;
  let compiled: QuickFormat | undefined;
  let triedLang: string | undefined;
  return (value, { lang, timeZone }) => {
    if (lang !== triedLang) {
      compiled = formatOf(format, lang);
      triedLang = lang;
    }
    if (compiled === undefined) return undefined;
    const text = writeMoment(value, compiled, timeZone);
    return escaping && compiled.isMarkup && text !== undefined ? escapeHtml(text) : text;
  };
}

/** As `quickDate`, for formats without a date and values that have a time. */
function quickTime(format: string, escaping: boolean): QuickPrint | undefined {
  if (format.length > maxCompiled || formatOf(format, 'en')?.hasDate !== false) return undefined;
  const print = quickDate(format, escaping);
  return (value, env) => {
    const hasTime = typeof value !== 'string' || value.length > dateLength;
    return hasTime ? print?.(value, env) : undefined;
  };
}

/** Characters of `2026-05-01`. */
const dateLength = 10;

function writeMoment(value: unknown, format: QuickFormat, timeZone: string): string | undefined {
  if (typeof value === 'string') return writeText(value, format, timeZone);
  const instant = instantIn(value);
  if (instant === undefined) return undefined;
  return Number.isNaN(instant) ? '' : writeInstant(instant, format, timeZone);
}

/** Milliseconds since 1970 of a Date or of Unix seconds. */
function instantIn(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' && isUnixTime(value) ? value * 1000 : undefined;
}

function formatDate(value: unknown, format: string, env: FilterEnv): string {
  const moment = parseMoment(value, env.timeZone);
  return moment === undefined ? '' : formatMoment(moment, format, env);
}

function formatTime(value: unknown, format: string, env: FilterEnv): string {
  const moment = parseMoment(value, env.timeZone);
  if (moment === undefined) return '';
  const kinds = letterKinds(format, env);
  return kinds.date || (kinds.time && moment.dateOnly) ? '' : formatMoment(moment, format, env);
}

/** The text of an argument, or `standard` if there is none. */
function textOr(argument: unknown, standard: string): string {
  return argument === undefined || argument === null ? standard : toText(argument) || standard;
}

function timeSince(value: unknown, env: FilterEnv, until: unknown): string {
  const pair = comparable(value, until, env);
  return pair === undefined ? '' : timeBetween(pair[0], pair[1], env.lang);
}

function timeUntil(value: unknown, env: FilterEnv, from: unknown): string {
  const pair = comparable(value, from, env);
  return pair === undefined ? '' : timeBetween(pair[1], pair[0], env.lang);
}

/**
 * The moment of `value` and the moment to compare it with, by default now. Undefined if one is not a date, or
 * if only one belongs to a zone. Instants are compared in UTC, where all days have 24 hours.
 */
function comparable(value: unknown, other: unknown, env: FilterEnv): readonly [Moment, Moment] | undefined {
  const moment = parseMoment(value, 'UTC');
  if (moment === undefined) return undefined;
  const hasOther = other !== undefined && other !== null && toText(other) !== '';
  if (!hasOther) {
    const now = momentAt(env.now().getTime(), moment.instant === undefined ? env.timeZone : 'UTC');
    return now && [moment, now];
  }
  const reference = parseMoment(other, 'UTC');
  if (reference === undefined) return undefined;
  return (moment.instant === undefined) === (reference.instant === undefined)
    ? [moment, reference]
    : undefined;
}
