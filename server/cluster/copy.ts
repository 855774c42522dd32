/** Moving an instance: from a data directory to a shared database, and back (`-copy-to`). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../base/startup-error.ts';
import type { Config } from '../config/config.ts';
import { Connection } from '../db/connection.ts';
import { lockDataDir } from '../db/lock.ts';
import { ensureDirectory, openDatabases } from '../db/open.ts';
import { databaseOf, laneNames, type ReplicationLogName } from '../db/replica/lanes.ts';
import { type RowFacts, readRowFacts } from '../db/replica/row-facts.ts';
import { openScratch } from '../db/replica/scratch.ts';
import { literal, PgConnection } from './connection.ts';
import { copyAllRows } from './copy-all-rows.ts';
import { makeInstance, refuseBesideNodes, upload } from './instance.ts';

/** How long PostgreSQL may take to commit all rows, in milliseconds. */
const commitMs = 600_000;

/** What was copied, after both sides were compared. */
export interface CopyReport {
  readonly rows: number;
  readonly tables: number;
  /** Of all rows, the same on both sides. */
  readonly hash: string;
}

function isDatabaseUrl(target: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(target);
}

/**
 * Copies all rows of an instance that does not run: from its data directory to a database, or from its database to a
 * data directory. The copy is read again and compared.
 *
 * @throws StartupError if the instance runs, the target has content, or the copy differs
 */
export async function copyInstance(
  config: Pick<Config, 'dataDir' | 'database'>,
  target: string,
): Promise<CopyReport> {
  const url = isDatabaseUrl(target) ? target : config.database;
  if (url === undefined || (config.database !== undefined && isDatabaseUrl(target)))
    throw new StartupError('-copy-to goes from a data directory to a database, or back');
  const connections: PgConnection[] = [];
  const connect = async (purpose: string) => {
    const connection = await PgConnection.open({ url, purpose, onLost: () => {} });
    connections.push(connection);
    return connection;
  };
  try {
    const [writing, reading] = [await connect('copy'), await connect('copy reader')];
    return isDatabaseUrl(target)
      ? await toDatabase(config.dataDir, writing, reading)
      : await toDirectory(target, writing, reading);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`cannot copy: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

async function toDatabase(
  dataDir: string,
  connection: PgConnection,
  source: PgConnection,
): Promise<CopyReport> {
  if (!existsSync(join(dataDir, 'content.db')))
    throw new StartupError(`there is no database in the data directory ${dataDir}`);
  const lock = lockDataDir(dataDir);
  const databases = openDatabases(dataDir, 5000);
  try {
    await makeInstance(connection);
    const reports: CopyReport[] = [];
    for (const lane of laneNames) {
      const [found = []] = await connection.query(
        `SELECT 1 FROM incipit.lanes WHERE name = ${literal(lane)}`,
      );
      if (found.length > 0) throw new StartupError('the database has content already');
    }
    for (const lane of laneNames) {
      const db = new Connection<object>(databases[databaseOf[lane]].file, { readonly: true });
      try {
        await connection.query('BEGIN');
        await upload(connection, lane, db);
        await connection.query('COMMIT', commitMs);
        reports.push(compared(lane, readRowFacts(db, lane), await factsOfDatabase(source, lane)));
      } finally {
        db.close();
      }
    }
    return sumOf(reports);
  } finally {
    databases.close();
    lock.release();
  }
}

async function toDirectory(
  dataDir: string,
  connection: PgConnection,
  source: PgConnection,
): Promise<CopyReport> {
  if (existsSync(join(dataDir, 'content.db')) || existsSync(join(dataDir, 'replica')))
    throw new StartupError(`the data directory ${dataDir} has content already`);
  await refuseBesideNodes(
    connection,
    'a node of the database runs: stop all nodes before their content is copied',
  );
  ensureDirectory(dataDir);
  const reports: CopyReport[] = [];
  for (const lane of laneNames) {
    const database = databaseOf[lane];
    const scratch = openScratch(join(dataDir, `${database}.db`), database);
    try {
      await scratch.fill(lane, (db, tables) => copyAllRows(source, lane, db, tables));
      reports.push(compared(lane, readRowFacts(scratch.db, lane), await factsOfDatabase(source, lane)));
    } finally {
      scratch.db.close();
    }
  }
  return sumOf(reports);
}

/** Reads a lane as a node does that fills its replica. */
async function factsOfDatabase(source: PgConnection, lane: ReplicationLogName): Promise<RowFacts> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-copy-'));
  try {
    const { db, fill } = openScratch(join(folder, 'scratch.db'), databaseOf[lane]);
    try {
      await fill(lane, (target, tables) => copyAllRows(source, lane, target, tables));
      return readRowFacts(db, lane);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(lane: ReplicationLogName, from: RowFacts, to: RowFacts): CopyReport {
  for (const [table, count] of from.counts)
    if (to.counts.get(table) !== count)
      throw new StartupError(
        `the copy differs: ${lane}.${table} has ${to.counts.get(table) ?? 0} rows in place of ${count}`,
      );
  if (from.hash !== to.hash) throw new StartupError(`the copy differs: rows of ${lane} are not the same`);
  const rows = [...from.counts.values()].reduce((sum, count) => sum + count, 0);
  return { rows, tables: from.counts.size, hash: from.hash };
}

function sumOf(reports: readonly CopyReport[]): CopyReport {
  return {
    rows: reports.reduce((sum, { rows }) => sum + rows, 0),
    tables: reports.reduce((sum, { tables }) => sum + tables, 0),
    hash: reports.map(({ hash }) => hash).join(' '),
  };
}
