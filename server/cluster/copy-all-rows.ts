import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from '../db/connection.ts';
import { clearTable, clearTables, insertRows } from '../db/replica/apply.ts';
import { withoutEscapes } from '../db/replica/changed-rows.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import type { HistoryPosition } from '../db/replica/open.ts';
import { type Cell, columnList, quoted, type SharedTable } from '../db/replica/tables.ts';
import { literal, type PgConnection, type PgRow } from './connection.ts';
import { toPosition, toSchemaName } from './sql.ts';

const rowsPerFetch = 200;
const fetchMs = 60_000;

/**
 * Replaces all shared rows of a database by those of PostgreSQL, as they were at one moment.
 *
 * @param db in a transaction, without triggers and without checks of references
 * @returns position of the rows
 */
export async function copyAllRows<Tables>(
  connection: PgConnection,
  lane: ReplicationLogName,
  db: Connection<Tables>,
  tables: ReadonlyMap<string, SharedTable>,
): Promise<HistoryPosition> {
  try {
    const [, rows = []] = await connection.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       SELECT version, commit_id FROM incipit.lanes WHERE name = ${literal(lane)}`,
    );
    clearTables(db, tables);
    for (const table of tables.values()) await fillTable(connection, lane, db, table);
    await connection.query('COMMIT');
    return toPosition(rows[0]);
  } catch (error) {
    // Ends the transaction, so that the next attempt begins without it.
    connection.drop();
    throw error;
  }
}

async function fillTable<Tables>(
  connection: PgConnection,
  lane: ReplicationLogName,
  db: Connection<Tables>,
  table: SharedTable,
): Promise<void> {
  await connection.query(
    `DECLARE filling NO SCROLL CURSOR FOR
     SELECT json_build_array(${columnList(table.columns)})::text AS cells
     FROM ${toSchemaName(lane)}.${quoted(table.name)}`,
    fetchMs,
  );
  clearTable(db, table);
  for (;;) {
    const [rows = []] = await connection.query(`FETCH ${rowsPerFetch} FROM filling`, fetchMs);
    insertRows(db, table, rows.map(cellsOf));
    if (rows.length < rowsPerFetch) break;
    await nextTurn();
  }
  await connection.query('CLOSE filling');
}

/** Type boundary: `json_build_array` of columns of the types that shared tables have. */
function cellsOf(row: PgRow): readonly Cell[] {
  const cells = JSON.parse(String(row['cells'])) as Cell[];
  return cells.map((cell) => (typeof cell === 'string' ? withoutEscapes(cell) : cell));
}
