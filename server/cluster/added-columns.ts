import type { ReplicationLogName } from '../db/replica/lanes.ts';
import type { AddedColumn } from '../db/replica/open.ts';
import { type Cell, type SharedTable, toColumnType } from '../db/replica/tables.ts';
import { literal, type PgConnection } from './connection.ts';
import { toSchemaName } from './sql.ts';

/** The columns that a newer version of the program has added to tables that this one knows. */
export async function findAddedColumns(
  connection: PgConnection,
  lane: ReplicationLogName,
  tables: ReadonlyMap<string, SharedTable>,
): Promise<readonly AddedColumn[]> {
  const [rows = []] = await connection.query(
    `SELECT table_name, column_name, data_type, column_default FROM information_schema.columns
     WHERE table_schema = ${literal(toSchemaName(lane))} ORDER BY table_name, ordinal_position`,
  );
  const added: AddedColumn[] = [];
  for (const row of rows) {
    const [table, name] = [String(row['table_name']), String(row['column_name'])];
    const known = tables.get(table);
    if (known === undefined || known.columns.some((column) => column.name === name)) continue;
    const type = toColumnType(String(row['data_type']));
    added.push({ table, name, type, initial: await readDefault(connection, row['column_default']) });
  }
  return added;
}

/** @param expression SQL as PostgreSQL writes a default; null for none */
async function readDefault(connection: PgConnection, expression: unknown): Promise<Cell> {
  if (expression === null) return null;
  const [rows = []] = await connection.query(`SELECT ${String(expression)} AS value`);
  const value = rows[0]?.['value'];
  return typeof value === 'number' ? value : String(value);
}
