import { baseLanguage } from '../filters/shared/language.ts';

/** What dates and spans of time are called in a language. Languages without an entry read English. */
export interface DateNames {
  readonly months: readonly string[];
  /** Three letters, with a capital only where the language writes months so. */
  readonly shortMonths: readonly string[];
  /** Abbreviated as newspapers do. */
  readonly pressMonths: readonly string[];
  /** From Sunday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly am: string;
  readonly pm: string;
  readonly upperAm: string;
  readonly upperPm: string;
  readonly midnight: string;
  readonly noon: string;
  /** Format of the name, such as DATE_FORMAT. */
  readonly formats: ReadonlyMap<string, string>;
  /** Year, month, week, day, hour, minute: one and many. */
  readonly units: readonly (readonly [one: string, many: string])[];
}

/** The names for a language tag such as `de` or `de-AT`. */
export function dateNames(lang: string): DateNames {
  return baseLanguage(lang) === 'de' ? GERMAN : ENGLISH;
}

export const ENGLISH: DateNames = {
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  shortMonths: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  pressMonths: [
    'Jan.',
    'Feb.',
    'March',
    'April',
    'May',
    'June',
    'July',
    'Aug.',
    'Sept.',
    'Oct.',
    'Nov.',
    'Dec.',
  ],
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  shortDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  am: 'a.m.',
  pm: 'p.m.',
  upperAm: 'AM',
  upperPm: 'PM',
  midnight: 'midnight',
  noon: 'noon',
  formats: new Map([
    ['DATE_FORMAT', 'N j, Y'],
    ['TIME_FORMAT', 'P'],
    ['DATETIME_FORMAT', 'N j, Y, P'],
    ['YEAR_MONTH_FORMAT', 'F Y'],
    ['MONTH_DAY_FORMAT', 'F j'],
    ['SHORT_DATE_FORMAT', 'm/d/Y'],
    ['SHORT_DATETIME_FORMAT', 'm/d/Y P'],
  ]),
  units: [
    ['year', 'years'],
    ['month', 'months'],
    ['week', 'weeks'],
    ['day', 'days'],
    ['hour', 'hours'],
    ['minute', 'minutes'],
  ],
};

const GERMAN: DateNames = {
  months: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  shortMonths: ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'],
  pressMonths: [
    'Jan.',
    'Feb.',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'Aug.',
    'Sept.',
    'Okt.',
    'Nov.',
    'Dez.',
  ],
  days: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
  shortDays: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'],
  am: 'vorm.',
  pm: 'nachm.',
  upperAm: 'VM',
  upperPm: 'NM',
  midnight: 'Mitternacht',
  noon: 'Mittag',
  formats: new Map([
    ['DATE_FORMAT', 'j. F Y'],
    ['TIME_FORMAT', 'H:i'],
    ['DATETIME_FORMAT', 'j. F Y H:i'],
    ['YEAR_MONTH_FORMAT', 'F Y'],
    ['MONTH_DAY_FORMAT', 'j. F'],
    ['SHORT_DATE_FORMAT', 'd.m.Y'],
    ['SHORT_DATETIME_FORMAT', 'd.m.Y H:i'],
  ]),
  units: [
    ['Jahr', 'Jahre'],
    ['Monat', 'Monate'],
    ['Woche', 'Wochen'],
    ['Tag', 'Tage'],
    ['Stunde', 'Stunden'],
    ['Minute', 'Minuten'],
  ],
};
