/**
 * Changes that are not committed, laid over the content. They lie in an SQLite file of their own, which a reader
 * attaches; views with the names of the tables then show the content as it would be.
 *
 * The file has two sorts of tables: `<table>` with the rows as they would be, absent if there are none, and
 * `<table>.<column>` with the values by which rows of the content are hidden.
 */
import type Database from 'better-sqlite3';

/** Name of the table of an overlay that hides rows of `table` by the values of one column. */
export function nameHiddenRows(table: string, column: string): string {
  return `${table}.${column}`;
}

/**
 * Shows the content with an overlay on this connection.
 *
 * @param file written by the server, complete
 * @returns the tables of which something differs
 */
export function attachOverlay(db: Database.Database, file: string): ReadonlySet<string> {
  db.prepare('ATTACH ? AS overlay').run(file);
  const names = db
    .prepare<[], [string]>(`SELECT name FROM overlay.sqlite_schema WHERE type = 'table'`)
    .raw()
    .all()
    .map(([name]) => name);
  const hidden = names.flatMap((name) => {
    const [table = '', column] = name.split('.');
    return column === undefined ? [] : [{ table, column }];
  });
  const columnsByTable = Map.groupBy(hidden, ({ table }) => table);
  for (const [table, columns] of columnsByTable)
    db.exec(
      viewSql(
        table,
        columns.map(({ column }) => column),
        names.includes(table),
      ),
    );
  return new Set(columnsByTable.keys());
}

function viewSql(table: string, columns: readonly string[], hasRows: boolean): string {
  const shown = columns.map(
    (column) => `${column} NOT IN (SELECT value FROM overlay."${nameHiddenRows(table, column)}")`,
  );
  const changed = hasRows ? ` UNION ALL SELECT * FROM overlay.${table}` : '';
  return `CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE ${shown.join(' AND ')}${changed}`;
}
