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
import { newestSchema } from '../db/replica/open.ts';
import { openScratch } from '../db/replica/scratch.ts';
import { type SharedTable, sharedTables } from '../db/replica/tables.ts';
import { copyAllRows } from './copy-all-rows.ts';
import { literal, type Session } from './session.ts';
import { controlTables, formatVersion, rowsSql, tablesSql } from './sql.ts';

/** Any number that no other program is likely to use. */
const setupLock = 7_401_115_023;
/** Setting up waits for another node that does it. */
const setupMs = 600_000;
const rowsPerStatement = 1_000;

/**
 * Makes what the instance needs in PostgreSQL, or brings it to this version of the program. Nodes that start together
 * do it one after the other.
 *
 * @param source a second connection, for reading
 * @returns ID of the instance
 * @throws StartupError when the database belongs to a newer version, or to an older one that runs
 */
export async function prepareInstance(session: Session, source: Session): Promise<string> {
  await session.query(`SELECT pg_advisory_lock(${setupLock})`, setupMs);
  try {
    const id = await makeInstance(session);
    for (const lane of laneNames) {
      const [rows = []] = await session.query(
        `SELECT schema_version FROM incipit.lanes WHERE name = ${literal(lane)}`,
      );
      await prepareLane(
        { session, source, lane },
        rows[0] === undefined ? undefined : Number(rows[0]['schema_version']),
      );
    }
    return id;
  } finally {
    await session.query(`SELECT pg_advisory_unlock(${setupLock})`).catch(() => {});
  }
}

/** ID of the instance in a database; made if there is none. */
export async function makeInstance(session: Session): Promise<string> {
  await session.query(controlTables);
  const [rows = []] = await session.query('SELECT id, format FROM incipit.instance');
  const [found] = rows;
  if (found !== undefined) {
    if (Number(found['format']) !== formatVersion)
      throw new StartupError(
        'the database was made by another version of Incipit that shares rows otherwise',
      );
    return String(found['id']);
  }
  const id = randomUUID();
  await session.query(`INSERT INTO incipit.instance (id, format) VALUES (${literal(id)}, ${formatVersion})`);
  return id;
}

async function prepareLane(
  { session, source, lane }: { session: Session; source: Session; lane: ReplicationLogName },
  schema: number | undefined,
): Promise<void> {
  const newest = newestSchema(lane);
  if (schema === newest) return;
  if (schema !== undefined && schema > newest)
    throw new StartupError(
      `the database was written by a newer version of Incipit (schema ${schema}, this version knows ${newest}): install that version`,
    );
  // Nodes of another version know other tables, so they must have ended.
  if (schema !== undefined)
    await refuseBesideNodes(
      session,
      'nodes of an older version of Incipit run: stop all of them before the first one of this version starts',
    );
  const folder = mkdtempSync(join(tmpdir(), 'incipit-upgrade-'));
  try {
    const scratch = openScratch(join(folder, 'scratch.db'), databaseOf[lane], schema);
    try {
      if (schema !== undefined) {
        await scratch.fill(lane, (db, tables) => copyAllRows(source, lane, db, tables));
        scratch.migrate(loadMigrations(databaseOf[lane]));
      }
      await upload(session, lane, scratch.db);
    } finally {
      scratch.db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws StartupError with the text, and the name of the node, if a node has a lease */
export async function refuseBesideNodes(session: Session, text: string): Promise<void> {
  const [found = []] = await session.query("SELECT to_regclass('incipit.nodes') IS NOT NULL AS there");
  if (found[0]?.['there'] !== true) throw new StartupError('the database has no content');
  const [rows = []] = await session.query(
    'SELECT name, program FROM incipit.nodes WHERE lease_until > clock_timestamp()',
  );
  const [other] = rows;
  if (other !== undefined) throw new StartupError(`${text} (${other['name']}, version ${other['program']})`);
}

/**
 * Replaces all rows of a lane in PostgreSQL by those of a database, in one transaction. Replicas fill themselves anew.
 *
 * @returns number of rows by table
 */
export async function upload(
  session: Session,
  lane: ReplicationLogName,
  db: Connection<object>,
): Promise<ReadonlyMap<string, number>> {
  const tables = sharedTables(db, lane);
  const counts = new Map<string, number>();
  const name = literal(lane);
  await session.query(
    `BEGIN;
     INSERT INTO incipit.lanes (name, version, schema_version) VALUES (${name}, 0, 0) ON CONFLICT DO NOTHING;
     SELECT version FROM incipit.lanes WHERE name = ${name} FOR UPDATE;
     ${tablesSql(lane, tables.values())}`,
  );
  try {
    for (const table of tables.values()) counts.set(table.name, await uploadTable(session, lane, db, table));
    await session.query(
      `DELETE FROM incipit.log WHERE lane = ${name};
       UPDATE incipit.lanes SET version = version + 1, schema_version = ${newestSchema(lane)} WHERE name = ${name};
       COMMIT`,
    );
  } catch (error) {
    session.drop();
    throw error;
  }
  return counts;
}

async function uploadTable(
  session: Session,
  lane: ReplicationLogName,
  db: Connection<object>,
  table: SharedTable,
): Promise<number> {
  let count = 0;
  for (const rows of tableRows(db, table, rowsPerStatement)) {
    await session.query(rowsSql(lane, table, rowsToJson(rows)), setupMs);
    count += rows.length;
  }
  return count;
}
