import { baseLanguage, knownLocale, perLanguage, unitWriter } from '../values/language.ts';

/** Writes a count of one unit, such as `2\u00a0hours`. */
export type UnitWriter = (count: number) => string;

/**
 * Writers for years, months, weeks, days, hours and minutes, in that order, for a language tag such as `de` or
 * `de-AT`. English if Intl does not know the language.
 */
export const spanUnits: (lang: string) => readonly UnitWriter[] = perLanguage((lang) => {
  const isEnglish = baseLanguage(lang) === 'en';
  const locale = isEnglish ? undefined : knownLocale(lang);
  return units.map((unit) => (locale === undefined ? englishWriter(unit) : unitWriter(locale, unit)));
});

const units = ['year', 'month', 'week', 'day', 'hour', 'minute'] as const;

/** Does without Intl, whose first call takes 10 ms. */
function englishWriter(unit: string): UnitWriter {
  return (count) => `${count}\u00a0${unit}${count === 1 ? '' : 's'}`;
}
