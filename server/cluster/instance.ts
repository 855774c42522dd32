/** The database of an instance as a whole: making it, bringing it to a newer version, copying all rows to it. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../base/startup-error.ts';
import type { Connection } from '../db/connection.ts';
import { loadMigrations } from '../db/migrate.ts';
import { tableRows } from '../db/replica/apply.ts';
import { rowsToJson } from '../db/replica/changed-rows.ts';
import { databaseOf, laneNames, type ReplicationLogName } from '../db/replica/lanes.ts';
import { newestSchema, writableFrom } from '../db/replica/open.ts';
import { openScratch, type Scratch } from '../db/replica/scratch.ts';
import { readColumns, type SharedTable, sharedTables } from '../db/replica/tables.ts';
import { LostConnection, literal, type PgConnection } from './connection.ts';
import { copyAllRows } from './copy-all-rows.ts';
import {
  addColumnsSql,
  controlTables,
  formatVersion,
  markFilledSql,
  rowsSql,
  tableSql,
  tablesSql,
  upgradeFormatSql,
} from './sql.ts';

/** Any number that no other program is likely to use. */
const setupLock = 7_401_115_023;
/** Setting up waits for another node that does it. */
const setupMs = 600_000;
const rowsPerStatement = 1_000;

/**
 * Makes what the instance needs in PostgreSQL, or brings it to this version of the program. Nodes that start together
 * do it one after the other.
 *
 * @param connection all of it happens on this one, because the lock of the setup ends with it
 * @param source a second connection, for reading
 * @returns ID of the instance
 * @throws StartupError when the database belongs to a newer version, or to an older one that runs
 */
export async function prepareInstance(connection: PgConnection, source: PgConnection): Promise<string> {
  await connection.query(`SELECT pg_advisory_lock(${setupLock})`, setupMs);
  try {
    const id = await makeInstance(connection);
    for (const lane of laneNames) await prepareLane({ connection, source, lane });
    return id;
  } finally {
    await connection.query(`SELECT pg_advisory_unlock(${setupLock})`).catch(() => {});
  }
}

/** ID of the instance in a database; made if there is none. */
export async function makeInstance(connection: PgConnection): Promise<string> {
  const [there = []] = await connection.query("SELECT to_regclass('incipit.instance') IS NOT NULL AS there");
  if (there[0]?.['there'] === true) await upgradeFormat(connection);
  await connection.query(controlTables);
  const [rows = []] = await connection.query('SELECT id FROM incipit.instance');
  if (rows[0] !== undefined) return String(rows[0]['id']);
  const id = randomUUID();
  await connection.query(
    `INSERT INTO incipit.instance (id, format) VALUES (${literal(id)}, ${formatVersion})`,
  );
  return id;
}

/** Brings the tables that control the nodes to this version. @throws StartupError */
async function upgradeFormat(connection: PgConnection): Promise<void> {
  const [rows = []] = await connection.query('SELECT format FROM incipit.instance');
  const format = Number(rows[0]?.['format'] ?? formatVersion);
  if (format > formatVersion)
    throw new StartupError(
      'the database was made by a newer version of Incipit that shares rows otherwise: install that version',
    );
  if (format === formatVersion) return;
  await refuseBesideNodes(connection, olderNodesRun);
  await connection.query(upgradeFormatSql(randomUUID()));
}

const olderNodesRun =
  'nodes of an older version of Incipit run: stop all of them before the first one of this version starts';

interface LaneSetup {
  readonly connection: PgConnection;
  readonly source: PgConnection;
  readonly lane: ReplicationLogName;
}

/** Makes the tables of a log, or brings them to this schema while the log is locked, so that nobody writes meanwhile. */
async function prepareLane(setup: LaneSetup): Promise<void> {
  const { connection, lane } = setup;
  try {
    const found = await lockLane(connection, lane);
    if (found === undefined) await createLane(setup);
    else if (found.schema > newestSchema(lane)) refuseOlderProgram(lane, found);
    else if (found.schema < newestSchema(lane)) await upgradeLane(setup, found.schema);
    await connection.query('COMMIT', setupMs);
  } catch (error) {
    if (error instanceof LostConnection) throw error;
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

interface LaneSchema {
  readonly schema: number;
  readonly writableFrom: number;
}

/** Begins a transaction, and locks a log in it; undefined if there is none. */
async function lockLane(connection: PgConnection, lane: ReplicationLogName): Promise<LaneSchema | undefined> {
  const [, rows = []] = await connection.query(
    `BEGIN; SELECT schema_version, writable_from FROM incipit.lanes WHERE name = ${literal(lane)} FOR UPDATE`,
    setupMs,
  );
  const [row] = rows;
  return row === undefined
    ? undefined
    : { schema: Number(row['schema_version']), writableFrom: Number(row['writable_from']) };
}

/** A program may run beside newer ones that have only added to the tables. */
function refuseOlderProgram(lane: ReplicationLogName, found: LaneSchema): void {
  const newest = newestSchema(lane);
  if (found.writableFrom > newest)
    throw new StartupError(
      `the database was written by a newer version of Incipit (schema ${found.schema}, this version knows ${newest}): install that version`,
    );
}

async function createLane({ connection, lane }: LaneSetup): Promise<void> {
  await withScratch(lane, undefined, async ({ db }) => {
    await upload(connection, lane, db);
  });
}

async function upgradeLane({ connection, source, lane }: LaneSetup, schema: number): Promise<void> {
  const migrations = loadMigrations(databaseOf[lane]);
  const isAdditive = writableFrom(lane) <= schema;
  // Nodes of another version know other tables, so they must have ended.
  if (!isAdditive) await refuseBesideNodes(connection, olderNodesRun);
  await withScratch(lane, schema, async (scratch) => {
    if (isAdditive) {
      const before = sharedTables(scratch.db, lane);
      scratch.migrate(migrations);
      await addTables(connection, lane, scratch.db, before);
    } else {
      await scratch.fill(lane, (db, tables) => copyAllRows(source, lane, db, tables));
      scratch.migrate(migrations);
      await upload(connection, lane, scratch.db);
    }
  });
}

async function withScratch(
  lane: ReplicationLogName,
  schema: number | undefined,
  work: (scratch: Scratch) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-upgrade-'));
  try {
    const scratch = openScratch(join(folder, 'scratch.db'), databaseOf[lane], schema);
    try {
      await work(scratch);
    } finally {
      scratch.db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds the tables and columns that additive migrations have made. The rows that are there stay, and so do positions. */
async function addTables(
  connection: PgConnection,
  lane: ReplicationLogName,
  db: Connection<object>,
  before: ReadonlyMap<string, SharedTable>,
): Promise<void> {
  for (const table of sharedTables(db, lane).values()) {
    const old = before.get(table.name);
    if (old === undefined) {
      await connection.query(tableSql(lane, table));
      await uploadTable(connection, lane, db, table);
      continue;
    }
    if (table.columns.length === old.columns.length) continue;
    const names = new Set(old.columns.map(({ name }) => name));
    const added = readColumns(db, table.name).filter(({ name }) => !names.has(name));
    await connection.query(addColumnsSql(lane, table.name, added));
  }
  await connection.query(
    `UPDATE incipit.lanes SET schema_version = ${newestSchema(lane)} WHERE name = ${literal(lane)}`,
  );
}

/** @throws StartupError with the text, and the name of the node, if a node has a lease */
export async function refuseBesideNodes(connection: PgConnection, text: string): Promise<void> {
  const [found = []] = await connection.query("SELECT to_regclass('incipit.nodes') IS NOT NULL AS there");
  if (found[0]?.['there'] !== true) throw new StartupError('the database has no content');
  const [rows = []] = await connection.query(
    'SELECT name, program FROM incipit.nodes WHERE lease_until > clock_timestamp()',
  );
  const [other] = rows;
  if (other !== undefined) throw new StartupError(`${text} (${other['name']}, version ${other['program']})`);
}

/**
 * Replaces all rows of a log in PostgreSQL by those of a database, in the transaction that is open. Replicas fill
 * themselves again.
 *
 * @returns number of rows by table
 */
export async function upload(
  connection: PgConnection,
  lane: ReplicationLogName,
  db: Connection<object>,
): Promise<ReadonlyMap<string, number>> {
  const tables = sharedTables(db, lane);
  const counts = new Map<string, number>();
  const name = literal(lane);
  await connection.query(tablesSql(lane, tables.values()));
  for (const table of tables.values()) counts.set(table.name, await uploadTable(connection, lane, db, table));
  // The log keeps its newest version, because nodes that have not more than that are known by it.
  await connection.query(
    `DELETE FROM incipit.log WHERE lane = ${name}
       AND version < (SELECT version FROM incipit.lanes WHERE name = ${name});
     INSERT INTO incipit.lanes (name, version, commit_id, schema_version, writable_from)
       VALUES (${name}, 1, ${literal(randomUUID())}, ${newestSchema(lane)}, ${writableFrom(lane)})
       ON CONFLICT (name) DO UPDATE SET version = lanes.version + 1, commit_id = EXCLUDED.commit_id,
         schema_version = EXCLUDED.schema_version, writable_from = EXCLUDED.writable_from;
     ${markFilledSql(lane)}`,
  );
  return counts;
}

async function uploadTable(
  connection: PgConnection,
  lane: ReplicationLogName,
  db: Connection<object>,
  table: SharedTable,
): Promise<number> {
  let count = 0;
  for (const rows of tableRows(db, table, rowsPerStatement)) {
    await connection.query(rowsSql(lane, table, rowsToJson(rows)), setupMs);
    count += rows.length;
  }
  return count;
}
