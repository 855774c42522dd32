import type { ContentDb } from '../../server/db/tables.ts';

/** Names of the tables of content.db. */
export function listTables(db: ContentDb): string[] {
  return db
    .statement(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all([])
    .map(({ name }) => String(name));
}
