import { parse } from 'csv-parse/browser/esm/sync';

/** Rows of texts. */
export type Cells = readonly (readonly string[])[];

/** A cell with a line break, a tab or a quote stands in quotes, as in CSV. */
export function cellsOfText(text: string): Cells {
  const options = { delimiter: '\t', relax_column_count: true, skip_empty_lines: false } as const;
  try {
    return parse(text, { ...options, relax_quotes: true });
  } catch {
    // A quote that never ends is only a character.
    return parse(text, { ...options, quote: null });
  }
}
