import type { Column, Row } from './queries.ts';

/** A value of a row as text; empty for none. @param indent spaces for each level of JSON */
export function cellText(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, undefined, indent) : String(value);
}

/** What tells a row from the others: its primary key. */
export function keyText(columns: readonly Column[], row: Row): string {
  return columns
    .filter(({ primary_key }) => primary_key)
    .map(({ name }) => cellText(row[name]))
    .join(', ');
}
