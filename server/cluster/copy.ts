/** Moving an instance: from a data directory to a shared database, and back (`-copy-to`). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { StartupError } from '../base/startup-error.ts';
import type { Config } from '../config/config.ts';
import { Connection } from '../db/connection.ts';
import { lockDataDir } from '../db/lock.ts';
import { ensureDirectory, openDatabases } from '../db/open.ts';
import { databaseOf, laneNames, type ReplicationLogName } from '../db/replica/lanes.ts';
import { type RowFacts, readRowFacts } from '../db/replica/row-facts.ts';
import { openScratch } from '../db/replica/scratch.ts';
import { copyAllRows } from './copy-all-rows.ts';
import { makeInstance, refuseBesideNodes, upload } from './instance.ts';
import { literal, Session } from './session.ts';

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
  log: Log,
): Promise<CopyReport> {
  const url = isDatabaseUrl(target) ? target : config.database;
  if (url === undefined || (config.database !== undefined && isDatabaseUrl(target)))
    throw new StartupError('-copy-to goes from a data directory to a database, or back');
  const session = new Session({ url, log, purpose: 'copy' });
  const source = new Session({ url, log, purpose: 'copy reader' });
  try {
    return isDatabaseUrl(target)
      ? await toDatabase(config.dataDir, session, source)
      : await toDirectory(target, session, source);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`cannot copy: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await Promise.all([session.close(), source.close()]);
  }
}

async function toDatabase(dataDir: string, session: Session, source: Session): Promise<CopyReport> {
  if (!existsSync(join(dataDir, 'content.db')))
    throw new StartupError(`there is no database in the data directory ${dataDir}`);
  const lock = lockDataDir(dataDir);
  const databases = openDatabases(dataDir, 5000);
  try {
    await makeInstance(session);
    const reports: CopyReport[] = [];
    for (const lane of laneNames) {
      const [found = []] = await session.query(`SELECT 1 FROM incipit.lanes WHERE name = ${literal(lane)}`);
      if (found.length > 0) throw new StartupError('the database has content already');
    }
    for (const lane of laneNames) {
      const db = new Connection<object>(databases[databaseOf[lane]].file, { readonly: true });
      try {
        await upload(session, lane, db);
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

async function toDirectory(dataDir: string, session: Session, source: Session): Promise<CopyReport> {
  if (existsSync(join(dataDir, 'content.db')) || existsSync(join(dataDir, 'replica')))
    throw new StartupError(`the data directory ${dataDir} has content already`);
  await refuseBesideNodes(
    session,
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
async function factsOfDatabase(source: Session, lane: ReplicationLogName): Promise<RowFacts> {
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
