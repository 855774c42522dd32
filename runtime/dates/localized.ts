import { type DayWords, dayWords } from './day-words.ts';

/** Names of months, days and parts of the day in one language. */
export interface LocalizedNames extends DayWords {
  /** As they stand alone. */
  readonly months: readonly string[];
  /** As they stand beside a day; a genitive in many languages. */
  readonly altMonths: readonly string[];
  /** Without a point, with a capital only if the language writes months with a capital. */
  readonly shortMonths: readonly string[];
  /** Abbreviated as in newspapers. */
  readonly pressMonths: readonly string[];
  /** From Sunday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
}

/** The names in a locale that Intl knows. */
export function localizedNames(locale: string): LocalizedNames {
  const months = monthsAlone(locale);
  const shortMonths = monthDates.map(writer(locale, { month: 'short' }));
  return {
    months,
    altMonths: monthsBesideDay(locale, 'long', months),
    shortMonths: shortMonths.map(withoutPoint).map((name, month) => nameOr(name, months[month])),
    pressMonths: monthsBesideDay(locale, 'short', shortMonths).map((name, month) =>
      nameOr(name, months[month]),
    ),
    days: dayDates.map(writer(locale, { weekday: 'long' })),
    shortDays: dayDates.map(writer(locale, { weekday: 'short' })).map(withoutPoint),
    ...(dayWords(locale) ?? wordsOfIntl(locale)),
  };
}

const monthDates = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));

/** From a Sunday. */
const dayDates = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 8, 1 + day)));

/** Some locales have another calendar, other digits and other zones of their own; all names are for UTC. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
    ...options,
  });
}

/** Writes a date as one text. In East Asian languages the parts of that text are no names: `5` of `5月`. */
function writer(locale: string, options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = formatter(locale, options);
  return (date) => format.format(date);
}

/** Writes one part of a date, '' if there is none. */
function partWriter(
  locale: string,
  type: Intl.DateTimeFormatPartTypes,
  options: Intl.DateTimeFormatOptions,
): (date: Date) => string {
  const format = formatter(locale, options);
  return (date) => format.formatToParts(date).find((part) => part.type === type)?.value ?? '';
}

/** Intl has the Greek nominative only beside a year; for a month without anything it gives the genitive. */
function monthsAlone(locale: string): string[] {
  return new Intl.Locale(locale).language === 'el'
    ? monthDates.map(partWriter(locale, 'month', { month: 'long', year: 'numeric' }))
    : monthDates.map(writer(locale, { month: 'long' }));
}

/** The form of a month in `5 May`, which many languages inflect; the month alone if it is a number there. */
function monthsBesideDay(locale: string, month: 'long' | 'short', alone: readonly string[]): string[] {
  const names = monthDates.map(partWriter(locale, 'month', { day: 'numeric', month }));
  return names.map((name, index) => nameOr(name, alone[index]));
}

/** The name, or `other` if the name has no letters. */
function nameOr(name: string, other: string | undefined): string {
  return /\p{L}/u.test(name) ? name : (other ?? name);
}

function withoutPoint(name: string): string {
  return name.replace(/\.$/, '');
}

/** Intl has no separate lower and upper case words, and does not have midnight and noon in all languages. */
function wordsOfIntl(locale: string): DayWords {
  const write = partWriter(locale, 'dayPeriod', { hour: 'numeric', hourCycle: 'h12' });
  const upperAm = write(new Date(Date.UTC(2024, 0, 1, 3)));
  const upperPm = write(new Date(Date.UTC(2024, 0, 1, 15)));
  const isLatin = upperAm === 'AM' && upperPm === 'PM';
  return {
    am: isLatin ? 'a.m.' : upperAm,
    pm: isLatin ? 'p.m.' : upperPm,
    upperAm,
    upperPm,
    midnight: undefined,
    noon: undefined,
  };
}
