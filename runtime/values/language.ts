/** The language of a tag without its region, in lower case. */
export function baseLanguage(lang: string): string {
  return (lang.split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

/** The longest language tag that is handed to Intl, and remembered. */
const maxTagLength = 35;

/** The locale of Intl for a language tag such as `pt-br`, else for its language; undefined if unknown. */
export function knownLocale(lang: string): string | undefined {
  if (lang.length > maxTagLength) return undefined;
  for (const tag of [lang.replaceAll('_', '-'), baseLanguage(lang)]) {
    try {
      const [locale] = Intl.DateTimeFormat.supportedLocalesOf(tag);
      if (locale !== undefined) return locale;
    } catch {
      // Intl throws for a tag that is malformed; its language may still be known.
    }
  }
  return undefined;
}

/** Keys under which a table may have a locale, the most exact one first: `pt-br`, `pt-latn`, `pt`. */
export function tableKeys(locale: string): readonly string[] {
  const { language, region, script } = new Intl.Locale(locale).maximize();
  return [`${language}-${region}`, `${language}-${script}`, language].map((key) => key.toLowerCase());
}

/** Most languages that one cache keeps. Languages come from the settings of pages. */
const maxLanguages = 100;

/** Remembers what `make` gave for each language. */
export function perLanguage<Value>(make: (lang: string) => Value): (lang: string) => Value {
  const made = new Map<string, Value>();
  return (lang) => {
    const known = made.get(lang);
    if (known !== undefined) return known;
    const value = make(lang);
    if (lang.length > maxTagLength) return value;
    if (made.size >= maxLanguages) made.clear();
    made.set(lang, value);
    return value;
  };
}

/**
 * Writes a whole number with its unit in a locale of Intl, with no-break spaces: `2\u00a0heures`. The word has
 * the form that the number asks for, of which some languages have three or more.
 */
export function unitWriter(locale: string, unit: string): (count: number) => string {
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    numberingSystem: 'latn',
    useGrouping: false,
  });
  return (count) => format.format(count).replace(/\s/g, '\u00a0');
}
