/**
 * What a piece of work deletes, changes and adds, in all tables, so that it can be undone later.
 *
 * Triggers that only the writer connection has record rows into a table in memory. They are there for as long as the
 * connection, because SQLite prepares every statement again when a trigger comes or goes; a row of `undo_state` switches
 * them on. What is rolled back, is forgotten with it.
 */
import type { Connection, Row } from '../connection.ts';
import { quoteName as quoted } from '../schema.ts';
import type { ContentDb } from '../tables.ts';
import { installSideLog } from './side-effects.ts';
import { parseSteps, type StepColumns } from './steps.ts';

/**
 * Tables that no undo concerns: logs, counts and links that triggers write, what is as it is now, and the trash itself. All other
 * tables are recorded, those of later migrations too.
 */
const ignoredTables: ReadonlySet<string> = new Set([
  'batches',
  'bulk_items',
  'changes',
  'commits',
  'failing_pages',
  'item_counts',
  'item_link_sets',
  'item_links',
  'journal_objects',
  'journals',
  'log_positions',
  'outbox',
  'reference_backlog',
  'replica_state',
  'sessions',
  'settings',
  'tokens',
  'trash',
  'trash_contents',
  'trash_rows',
  'users',
]);

interface UndoTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Adds the triggers to a connection that writes. To be called outside of a transaction, after its migrations. */
export function installUndoLog<Tables>(db: Connection<Tables>): void {
  db.execute(`
    DROP TABLE IF EXISTS temp.undo_state;
    DROP TABLE IF EXISTS temp.undo_rows;
    CREATE TEMP TABLE undo_state (is_on INTEGER PRIMARY KEY);
    CREATE TEMP TABLE undo_rows (
      seq INTEGER PRIMARY KEY, op TEXT NOT NULL, tab TEXT NOT NULL, id INTEGER, step TEXT NOT NULL
    );
  `);
  for (const table of listTables(db)) db.execute(undoTriggers(table));
  installSideLog(db);
}

/**
 * Records what `work` does to rows. The steps must be taken before the next recording.
 *
 * @throws the error of `work`; the transaction or savepoint must then be rolled back
 */
export async function recordSteps<T>(db: ContentDb, work: () => Promise<T>): Promise<T> {
  db.statement('DELETE FROM temp.undo_rows').run([]);
  db.statement('INSERT INTO temp.undo_state VALUES (1)').run([]);
  const result = await work();
  db.statement('DELETE FROM temp.undo_state').run([]);
  return result;
}

/** Number of rows that the recorded work has deleted, by table. */
export function countDeleted(db: ContentDb): ReadonlyMap<string, number> {
  const rows = db
    .statement("SELECT tab, count(*) AS count FROM temp.undo_rows WHERE op = 'd' GROUP BY tab")
    .all([]);
  return new Map(rows.map(({ tab, count }) => [String(tab), Number(count)]));
}

/** The rows of a table that the recorded work has deleted, in order. */
export function listDeleted(db: ContentDb, table: string): Row[] {
  const columns = new Map([[table, readColumnNames(db, table)]]);
  const rows = db
    .statement("SELECT step FROM temp.undo_rows WHERE op = 'd' AND tab = ? ORDER BY seq")
    .all([table]);
  return parseSteps(columns, `[${rows.map(({ step }) => step).join(',')}]`).map(({ before = {} }) => before);
}

/** The IDs of the rows of a table that the recorded work has deleted. */
export function listDeletedIds(db: ContentDb, table: string): number[] {
  const rows = db
    .statement("SELECT id FROM temp.undo_rows WHERE op = 'd' AND tab = ? ORDER BY id")
    .all([table]);
  return rows.map(({ id }) => Number(id));
}

/** The columns of all tables in which the recorded work has written rows, for those who read the steps later. */
export function readStepColumns(db: ContentDb): StepColumns {
  const rows = db.statement('SELECT DISTINCT tab FROM temp.undo_rows').all([]);
  return new Map(rows.map(({ tab }) => [String(tab), readColumnNames(db, String(tab))]));
}

/** Parts of the recorded steps as text, in order, each of about `length` characters. */
export function* readStepTexts(db: ContentDb, length: number): Generator<string> {
  const slice = db.statement('SELECT seq, step FROM temp.undo_rows WHERE seq > ? ORDER BY seq LIMIT 200');
  let part: string[] = [];
  let size = 0;
  for (let rows = slice.all([0]); rows.length > 0; rows = slice.all([rows.at(-1)?.['seq']]))
    for (const { step } of rows) {
      part.push(String(step));
      size += String(step).length;
      if (size < length) continue;
      yield `[${part.join(',')}]`;
      part = [];
      size = 0;
    }
  if (part.length > 0) yield `[${part.join(',')}]`;
}

function listTables<Tables>(db: Connection<Tables>): UndoTable[] {
  return db
    .statement(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all([])
    .map(({ name }) => String(name))
    .filter((name) => !ignoredTables.has(name))
    .map((name) => ({ name, columns: readColumnNames(db, name) }));
}

function readColumnNames<Tables>(db: Connection<Tables>, table: string): readonly string[] {
  const rows = db.statement('SELECT name FROM pragma_table_info(?) ORDER BY cid').all([table]);
  return rows.map(({ name }) => String(name));
}

function undoTriggers({ name, columns }: UndoTable): string {
  const cells = (row: 'OLD' | 'NEW') =>
    `json_array(${columns.map((column) => `${row}.${quoted(column)}`).join(', ')})`;
  const trigger = (event: 'DELETE' | 'INSERT' | 'UPDATE', op: string, rows: readonly ('OLD' | 'NEW')[]) => {
    const id = columns[0] === 'id' ? `${rows[0]}.id` : 'NULL';
    const named = quoted(`undo_${op}_${name}`);
    return `DROP TRIGGER IF EXISTS temp.${named};
      CREATE TEMP TRIGGER ${named} AFTER ${event} ON main.${quoted(name)}
      WHEN EXISTS (SELECT 1 FROM undo_state) BEGIN
        INSERT INTO undo_rows (op, tab, id, step)
        VALUES ('${op}', '${name}', ${id}, json_array('${op}', '${name}', ${rows.map(cells).join(', ')}));
      END;`;
  };
  return [
    trigger('DELETE', 'd', ['OLD']),
    trigger('INSERT', 'i', ['NEW']),
    trigger('UPDATE', 'u', ['OLD', 'NEW']),
  ].join('\n');
}
