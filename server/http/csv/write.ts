import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { BodyBuilder, type BodyParts } from '../body/parts.ts';

export type CsvCell = string | number;
export type CsvDelimiter = ',' | ';';

/** CSV with a byte order mark, as spreadsheets expect. Slice by slice; between two of them others get their turn. */
export async function slicedCsv(
  slices: AsyncIterable<readonly (readonly CsvCell[])[]>,
  delimiter: CsvDelimiter = ';',
): Promise<BodyParts> {
  const body = new BodyBuilder();
  body.add('\ufeff');
  for await (const rows of slices) {
    body.add(formatRows(rows, delimiter));
    await nextTurn();
  }
  return body.finish();
}

/**
 * Formats rows as CSV.
 *
 * A cell that a spreadsheet would run as a formula gets a leading `'`, because its text may come from
 * anonymous visitors. {@link unescapeCell} removes the `'`.
 */
export function formatRows(rows: readonly (readonly CsvCell[])[], delimiter: CsvDelimiter = ';'): string {
  const escaped = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  // Cells that contain another delimiter are quoted too. Otherwise a program that splits at it could find a
  // formula after one.
  return stringify(escaped, { delimiter, quoted_match: /[,;\t\r]/ });
}

/** Removes the `'` that {@link formatRows} has added. */
export function unescapeCell(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}

/** Adds a `'` also to a cell that looks like an escaped cell, so that reading restores every cell exactly. */
function escapeCell(cell: string): string {
  return /^(?:[=+\-@\t\r]|'[=+\-@\t\r'])/.test(cell) ? `'${cell}` : cell;
}
