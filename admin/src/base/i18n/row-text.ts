import { useMemo } from 'react';
import { type TextKey, t, useLanguage } from './index.ts';

/** Fills a text with its values. Texts with plural forms have no place in it. */
export type RowText = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Texts for the rows of a long list. Each text is looked up once for the list, because a look-up takes longer in
 * each row than to draw the row. A list hands the function to its rows: it is another one
 * in another language.
 */
export function useRowText(): RowText {
  const language = useLanguage();
  return useMemo(() => {
    const known = new Map<TextKey, readonly string[]>();
    return (key, values = {}) => {
      const parts =
        known.get(key) ?? t(key, { lng: language, skipInterpolation: true }).split(/\{\{(\w+)\}\}/);
      known.set(key, parts);
      // Every second part is the name of a value.
      return parts.map((part, index) => (index % 2 === 0 ? part : String(values[part] ?? ''))).join('');
    };
  }, [language]);
}
