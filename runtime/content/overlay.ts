/**
 * Changes that are not committed, laid over the content. They lie in an SQLite file of their own, which a reader
 * attaches; views with the names of the tables then show the content as it would be.
 *
 * The file has two sorts of tables: `<table>` with the rows as they would be, absent if there are none, and
 * `<table>.<column>` with the values by which rows of the content are hidden.
 */
import type Database from 'better-sqlite3';

/** SELECTs in place of tables, by their names. `$pages` in them stands for all rows of the table `pages`. */
export type RowViews = Readonly<Record<string, string>>;

/**
 * Shows only some rows on this connection.
 *
 * @param overlaid tables of which an overlay shows other rows
 */
export function attachViews(db: Database.Database, views: RowViews, overlaid: ReadonlySet<string>): void {
  const hasView = (table: string) => Object.hasOwn(views, table) && overlaid.has(table);
  const sourceOf = (table: string) => {
    if (!overlaid.has(table)) return `main.${table}`;
    return `temp.${hasView(table) ? wholeTable(table) : table}`;
  };
  for (const [table, select] of Object.entries(views)) {
    // A view cannot be renamed, and its place is needed.
    if (hasView(table)) {
      const overlay = db
        .prepare<[string], [string]>('SELECT sql FROM temp.sqlite_schema WHERE name = ?')
        .raw()
        .get(table);
      db.exec(`DROP VIEW temp.${table}`);
      db.exec(`CREATE TEMP VIEW ${wholeTable(table)} AS ${overlay?.[0].replace(/^.*? AS /s, '')}`);
    }
    const sql = select.replace(/\$([a-z_]+)/g, (_match, name: string) => sourceOf(name));
    db.exec(`CREATE TEMP VIEW ${table} AS ${sql}`);
  }
}

function wholeTable(table: string): string {
  return `whole_${table}`;
}

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
