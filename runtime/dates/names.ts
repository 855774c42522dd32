import { baseLanguage, knownLocale, perLanguage } from '../values/language.ts';
import { type LocalizedNames, localizedNames } from './localized.ts';

/** Names and formats for dates in one language. */
export interface DateNames extends LocalizedNames {
  /** Formats by name, such as DATE_FORMAT. */
  readonly formats: ReadonlyMap<string, string>;
}

/** The names for a language tag such as `de` or `de-AT`. English if Intl does not know the language. */
export const dateNames: (lang: string) => DateNames = perLanguage((lang) => {
  const language = baseLanguage(lang);
  if (language === 'en') return english;
  if (language === 'de') return german;
  const locale = knownLocale(lang);
  return locale === undefined ? english : { ...english, ...localizedNames(locale) };
});

const englishMonths = [
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
];

const germanMonths = [
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
];

export const english: DateNames = {
  months: englishMonths,
  altMonths: englishMonths,
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
};

const german: DateNames = {
  months: germanMonths,
  altMonths: germanMonths,
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
  upperAm: 'vorm.',
  upperPm: 'nachm.',
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
};
