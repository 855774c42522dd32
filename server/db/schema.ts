import type { ContentDb } from './tables.ts';

/** Names of the indexes of a table, as SQLite knows them. */
export function listIndexes(db: ContentDb, table: string): string[] {
  const rows = db
    .statement("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?")
    .all([table]);
  return rows.map(({ name }) => String(name));
}
