import { stringify } from 'csv-stringify/sync';

export type CsvCell = string | number;

/**
 * Rows as CSV with a byte order mark and semicolons, as spreadsheets expect it.
 *
 * A cell that a spreadsheet would run as a formula gets a leading `'` (open points 11, "CSV exports"): what it holds
 * may come from anonymous visitors. {@link unescapeCell} takes it off again.
 */
export function formatCsv(rows: readonly (readonly CsvCell[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  return stringify(escaped, { bom: true, delimiter: ';' });
}

/** The cell that {@link formatCsv} was given. */
export function unescapeCell(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}

/** A leading `'` is doubled where it could be taken for an added one, so that reading restores every cell exactly. */
function escapeCell(cell: string): string {
  return /^(?:[=+\-@\t\r]|'[=+\-@\t\r'])/.test(cell) ? `'${cell}` : cell;
}
