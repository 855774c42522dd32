import { baseLanguage, knownLocale, perLanguage, unitWriter } from '../../values/language.ts';

/** Words and number separators of the filters in one language. */
export interface FilterWords {
  /** English if no words are known. */
  readonly yesno: string;
  /** A number of bytes with the word, and a no-break space between them. */
  readonly bytes: (count: number) => string;
  readonly decimalSeparator: string;
  readonly groupSeparator: string;
}

/** The words for a language tag such as `de` or `de-AT`. English if Intl does not know the language. */
export const filterWords: (lang: string) => FilterWords = perLanguage((lang) => {
  const language = baseLanguage(lang);
  if (language === 'en') return english;
  if (language === 'de') return german;
  const locale = knownLocale(lang);
  if (locale === undefined) return english;
  return { yesno: english.yesno, bytes: unitWriter(locale, 'byte'), ...separators(locale) };
});

const english: FilterWords = {
  yesno: 'yes,no,maybe',
  bytes: (count) => `${count}\u00a0${count === 1 ? 'byte' : 'bytes'}`,
  decimalSeparator: '.',
  groupSeparator: ',',
};

const german: FilterWords = {
  yesno: 'Ja,Nein,Vielleicht',
  bytes: (count) => `${count}\u00a0${count === 1 ? 'Byte' : 'Bytes'}`,
  decimalSeparator: ',',
  groupSeparator: '.',
};

function separators(locale: string): Pick<FilterWords, 'decimalSeparator' | 'groupSeparator'> {
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' });
  const parts = format.formatToParts(1234567.5);
  const textOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value;
  return { decimalSeparator: textOf('decimal') ?? '.', groupSeparator: textOf('group') ?? '' };
}
