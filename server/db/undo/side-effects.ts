/**
 * What work does to rows besides the objects that it is about: places among siblings, groups of language versions,
 * automatic redirects. Triggers that only the writer connection has record it while a row of `side_state` is there.
 */
import type { Connection, Row } from '../connection.ts';
import { quoteName as quoted } from '../schema.ts';
import type { ContentDb } from '../tables.ts';
import { parseSteps, type UndoStep } from './steps.ts';

/** A value that was changed. */
export interface ChangedCell {
  readonly table: string;
  readonly id: number;
  readonly column: string;
  /** What the row belonged to afterwards, such as the page above. */
  readonly owner: number | null;
  readonly before: Cell;
  readonly after: Cell;
}

type Cell = string | number | null;

/** What is there after the work and was not before. */
export interface SideEffects {
  readonly cells: readonly ChangedCell[];
  /** Rows of which all columns count. */
  readonly rows: readonly UndoStep[];
}

export const noSideEffects: SideEffects = { cells: [], rows: [] };

/** Columns that work on other objects may change. */
const watchedColumns = [
  {
    table: 'pages',
    owner: 'parent_id',
    columns: ['sort', 'translation_group', 'default_site', 'notfound_page_id', 'local_modified'],
  },
  { table: 'items', owner: 'collection_id', columns: ['sort', 'translation_group'] },
] as const;
/** Tables with rows that come and go along with other objects. */
const watchedTables = ['redirects'] as const;

/** Adds the triggers to a connection that writes. To be called outside of a transaction, after its migrations. */
export function installSideLog<Tables>(db: Connection<Tables>): void {
  db.execute(`
    DROP TABLE IF EXISTS temp.side_state;
    DROP TABLE IF EXISTS temp.side_rows;
    CREATE TEMP TABLE side_state (is_on INTEGER PRIMARY KEY);
    CREATE TEMP TABLE side_rows (
      seq INTEGER PRIMARY KEY, tab TEXT NOT NULL, id INTEGER NOT NULL, owner INTEGER, step TEXT NOT NULL
    );
  `);
  for (const { table, owner, columns } of watchedColumns) db.execute(cellTrigger(table, owner, columns));
  for (const table of watchedTables) db.execute(rowTriggers(table, readColumnNames(db, table)));
}

/** Begins to record. If the work fails, its savepoint must be rolled back. */
export function startSideLog(db: ContentDb): void {
  db.statement('DELETE FROM temp.side_rows').run([]);
  db.statement('INSERT INTO temp.side_state VALUES (1)').run([]);
}

export function endSideLog(db: ContentDb): void {
  db.statement('DELETE FROM temp.side_state').run([]);
}

/** The side effects of the recorded work so far; what it has taken back itself is none. */
export function readSideEffects(db: ContentDb): SideEffects {
  const columns = new Map<string, readonly string[]>(
    watchedTables.map((table) => [table, readColumnNames(db, table)]),
  );
  const cells = new Map<string, ChangedCell>();
  const rows = new Map<string, UndoStep>();
  const steps = db.statement('SELECT tab, id, owner, step FROM temp.side_rows ORDER BY seq').all([]);
  for (const { tab, id, owner, step } of steps) {
    const [table, rowId, text] = [String(tab), Number(id), String(step)];
    if (columns.has(table)) addRow(rows, table, rowId, parseSteps(columns, `[${text}]`)[0]);
    else addCells(cells, { table, id: rowId, owner: owner === null ? null : Number(owner) }, text);
  }
  return {
    cells: listChanged([...cells.values()]),
    rows: [...rows.values()].filter(({ before, after }) => !isEqual(before, after)),
  };
}

/** The place of a row that was moved counts, even if it has the same number among other rows. */
function listChanged(cells: readonly ChangedCell[]): ChangedCell[] {
  const isOwner = ({ table, column }: ChangedCell) =>
    watchedColumns.some((watched) => watched.table === table && watched.owner === column);
  const moved = new Set(
    cells
      .filter((cell) => isOwner(cell) && cell.before !== cell.after)
      .map(({ table, id }) => `${table} ${id}`),
  );
  return cells.filter((cell) => {
    const isPlace = cell.column === 'sort' && moved.has(`${cell.table} ${cell.id}`);
    return !isOwner(cell) && (cell.before !== cell.after || isPlace);
  });
}

/** Those of the effects that nobody has changed since. */
export function findStanding(db: ContentDb, { cells, rows }: SideEffects): SideEffects {
  return {
    cells: cells.filter((cell) => {
      const now = readCell(db, cell);
      return now?.['value'] === cell.after && now['owner'] === cell.owner;
    }),
    rows: rows.filter(({ table, before, after }) =>
      isEqual(readRow(db, table, Number((after ?? before)?.['id'])), after),
    ),
  };
}

/** Gives cells the value that they had before. */
export function restoreCells(db: ContentDb, cells: readonly ChangedCell[]): void {
  for (const { table, id, column, before } of cells) {
    const set = `UPDATE main.${quoted(table)} SET ${quoted(column)} = ? WHERE id = ?`;
    db.statement(`${set} AND ${quoted(column)} IS NOT ?`).run([before, id, before]);
    db.writtenTables.add([`update ${table} ${column}`]);
  }
}

function addCells(
  cells: Map<string, ChangedCell>,
  row: Pick<ChangedCell, 'table' | 'id' | 'owner'>,
  step: string,
): void {
  // Type boundary: only the triggers below write this JSON.
  for (const [column, was, after] of JSON.parse(step) as [string, Cell, Cell][]) {
    const key = `${row.table} ${row.id} ${column}`;
    const before = cells.has(key) ? (cells.get(key)?.before ?? null) : was;
    cells.set(key, { ...row, column, before, after });
  }
}

function addRow(rows: Map<string, UndoStep>, table: string, id: number, step: UndoStep | undefined): void {
  if (step === undefined) return;
  const key = `${table} ${id}`;
  const { before } = rows.get(key) ?? step;
  const { after } = step;
  rows.set(key, {
    table,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function readCell(db: ContentDb, { table, id, column }: ChangedCell): Row | undefined {
  const owner = watchedColumns.find((watched) => watched.table === table)?.owner ?? 'id';
  return db
    .statement(
      `SELECT ${quoted(column)} AS value, ${quoted(owner)} AS owner FROM main.${quoted(table)} WHERE id = ?`,
    )
    .first([id]);
}

function readRow(db: ContentDb, table: string, id: number): Row | undefined {
  return db.statement(`SELECT * FROM main.${quoted(table)} WHERE id = ?`).first([id]);
}

function isEqual(left: Row | undefined, right: Row | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return Object.entries(right).every(([name, value]) => left[name] === value);
}

function readColumnNames<Tables>(db: Connection<Tables>, table: string): readonly string[] {
  const rows = db.statement('SELECT name FROM pragma_table_info(?) ORDER BY cid').all([table]);
  return rows.map(({ name }) => String(name));
}

function cellTrigger(table: string, owner: string, columns: readonly string[]): string {
  const watched = [owner, ...columns];
  const changed = watched.map((column) => `OLD.${quoted(column)} IS NOT NEW.${quoted(column)}`);
  const cells = watched.map(
    (column) => `json_array('${column}', OLD.${quoted(column)}, NEW.${quoted(column)})`,
  );
  return `DROP TRIGGER IF EXISTS temp.side_cells_${table};
    CREATE TEMP TRIGGER side_cells_${table} AFTER UPDATE OF ${watched.map(quoted).join(', ')} ON main.${quoted(table)}
    WHEN EXISTS (SELECT 1 FROM side_state) AND (${changed.join(' OR ')}) BEGIN
      INSERT INTO side_rows (tab, id, owner, step)
      VALUES ('${table}', NEW.id, NEW.${quoted(owner)}, json_array(${cells.join(', ')}));
    END;`;
}

function rowTriggers(table: string, columns: readonly string[]): string {
  const values = (row: 'OLD' | 'NEW') =>
    `json_array(${columns.map((column) => `${row}.${quoted(column)}`).join(', ')})`;
  const trigger = (event: 'DELETE' | 'INSERT' | 'UPDATE', op: string, rows: readonly ('OLD' | 'NEW')[]) =>
    `DROP TRIGGER IF EXISTS temp.side_${op}_${table};
    CREATE TEMP TRIGGER side_${op}_${table} AFTER ${event} ON main.${quoted(table)}
    WHEN EXISTS (SELECT 1 FROM side_state) BEGIN
      INSERT INTO side_rows (tab, id, step)
      VALUES ('${table}', ${rows[0]}.id, json_array('${op}', '${table}', ${rows.map(values).join(', ')}));
    END;`;
  return [
    trigger('DELETE', 'd', ['OLD']),
    trigger('INSERT', 'i', ['NEW']),
    trigger('UPDATE', 'u', ['OLD', 'NEW']),
  ].join('\n');
}
