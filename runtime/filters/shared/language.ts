/** What filters say and how they write numbers, by language. Languages without an entry read English. */
export interface FilterWords {
  readonly yesno: string;
  readonly byte: readonly [one: string, many: string];
  readonly decimalSeparator: string;
  readonly groupSeparator: string;
}

/** The words for a language tag such as `de` or `de-AT`. */
export function filterWords(lang: string): FilterWords {
  return WORDS.get(baseLanguage(lang)) ?? ENGLISH;
}

/** The language of a tag without its region, in lower case. */
export function baseLanguage(lang: string): string {
  return (lang.split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

const ENGLISH: FilterWords = {
  yesno: 'yes,no,maybe',
  byte: ['byte', 'bytes'],
  decimalSeparator: '.',
  groupSeparator: ',',
};

const WORDS: ReadonlyMap<string, FilterWords> = new Map([
  [
    'de',
    {
      yesno: 'Ja,Nein,Vielleicht',
      byte: ['Byte', 'Bytes'],
      decimalSeparator: ',',
      groupSeparator: '.',
    },
  ],
]);
