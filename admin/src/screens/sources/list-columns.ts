/** The entries of a list as a table. Free of the browser, so that it is tested alone. */

/** Columns of a table, so that it stays readable. */
const maxColumns = 30;
/** Characters of one cell. */
const maxText = 300;

/** Names of the fields of all entries in the order in which they appear; '' for entries that are no objects. */
export function listFieldNames(rows: readonly unknown[]): readonly string[] {
  const names = new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [''])));
  return [...names].slice(0, maxColumns);
}

/** A field of an entry as text; '' if it has none. @param column '' for the entry itself */
export function textOfCell(row: unknown, column: string): string {
  const value = isRecord(row) ? (Object.hasOwn(row, column) ? row[column] : undefined) : row;
  if (value === undefined || value === null || (!isRecord(row) && column !== '')) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, maxText);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
