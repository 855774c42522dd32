/**
 * A replica: SQLite files of a node with the rows that all nodes share. They can be deleted at any time; the node
 * fills them again.
 *
 * Three connections belong to each file. The writer runs changes: the triggers of the product are its own (TEMP), and
 * it notes what it changes. The applier takes over what other nodes have changed, so it has no triggers and checks no
 * references. The reader is that of every instance. Only triggers that keep derived tables right remain in the file.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '../connection.ts';
import { migrate, newestVersion } from '../migrate.ts';
import { clearTables } from './apply.ts';
import { Capture } from './capture.ts';
import { databaseOf, type ReplicationLogName } from './lanes.ts';
import { derivedTables, type SharedTable, sharedTables, stateTable } from './tables.ts';

export interface Replica<Tables> {
  readonly file: string;
  readonly writer: Connection<Tables>;
  readonly reader: Connection<Tables>;
  readonly applier: Connection<Tables>;
  readonly capture: Capture<Tables>;
  readonly tables: ReadonlyMap<string, SharedTable>;
  close(): void;
}

export interface ReplicaOptions {
  /** Folder of the files. */
  readonly folder: string;
  readonly name: ReplicationLogName;
  /** ID of the instance whose rows these are. */
  readonly instance: string;
  readonly busyTimeoutMs: number;
}

/** Version of a replica that has no rows yet. */
export const emptyVersion = -1;

/** Longer than while serving: during the start no request waits for the thread. */
const startTimeoutMs = 5000;

/**
 * Makes the file of a replica, without rows, if there is none of this instance and this version of the program.
 *
 * @returns its path
 */
export function ensureReplica(options: Omit<ReplicaOptions, 'busyTimeoutMs'>): string {
  const { folder, name } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}.db`);
  if (!isReplicaOf(file, options)) makeReplica(file, options);
  return file;
}

/** Opens the replica of a lane; one of another instance or of another version of the program is made anew. */
export function openReplica<Tables>(options: ReplicaOptions): Replica<Tables> {
  const { name, busyTimeoutMs } = options;
  const file = ensureReplica(options);
  const connect = () => {
    const connection = new Connection<Tables>(file, { busyTimeoutMs: startTimeoutMs });
    connection.pragma('synchronous = NORMAL');
    return connection;
  };
  const writer = connect();
  const tables = sharedTables(writer, name);
  writer.pragma('foreign_keys = ON');
  writer.pragma(`journal_size_limit = ${64 * 2 ** 20}`);
  // First of all: SQLite forgets temporary tables and triggers when their place changes.
  writer.pragma('temp_store = MEMORY');
  for (const { sql } of ownTriggers(writer)) writer.execute(sql);
  const capture = new Capture(writer, tables);
  const applier = connect();
  applier.pragma('foreign_keys = OFF');
  for (const connection of [writer, applier]) connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const reader = new Connection<Tables>(file, { readonly: true, busyTimeoutMs });
  return {
    ...{ file, writer, reader, applier, capture, tables },
    close() {
      for (const connection of [reader, applier, writer]) connection.close();
    },
  };
}

/** The version of the shared rows that a replica has. */
export function replicaVersion<Tables>(db: Connection<Tables>): number {
  const row = db.statement(`SELECT value FROM ${stateTable} WHERE name = 'version'`).first([]);
  return Number(row?.['value'] ?? emptyVersion);
}

/** To be called in the transaction that brings the rows to this version. */
export function setReplicaVersion<Tables>(db: Connection<Tables>, version: number): void {
  db.statement(`UPDATE ${stateTable} SET value = ? WHERE name = 'version'`).run([version]);
}

/** Whether there is a whole replica of this instance, as this version of the program makes it. */
function isReplicaOf(file: string, { name, instance }: Pick<ReplicaOptions, 'name' | 'instance'>): boolean {
  let db: Connection<object> | undefined;
  try {
    db = new Connection<object>(file, { readonly: true });
    const row = db.statement(`SELECT value FROM ${stateTable} WHERE name = 'instance'`).first([]);
    return row?.['value'] === instance && Number(db.pragma('user_version')) === newestSchema(name);
  } catch {
    // No file, another database, or damaged: it is made anew.
    return false;
  } finally {
    db?.close();
  }
}

/** The version of the tables that this program knows. */
export function newestSchema(lane: ReplicationLogName): number {
  return newestVersion(databaseOf[lane]);
}

function makeReplica(file: string, { folder, name, instance }: Omit<ReplicaOptions, 'busyTimeoutMs'>): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  const db = new Connection<object>(file, { busyTimeoutMs: startTimeoutMs });
  try {
    db.pragma('journal_mode = WAL');
    migrate(db, databaseOf[name], folder);
    db.execute('BEGIN IMMEDIATE');
    db.execute(`
      CREATE TABLE ${stateTable} (name TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
      INSERT INTO ${stateTable} VALUES ('version', ${emptyVersion});
    `);
    db.statement(`INSERT INTO ${stateTable} VALUES ('instance', ?)`).run([instance]);
    takeTriggersOut(db);
    clearTables(db, sharedTables(db, name));
    db.execute('COMMIT');
  } finally {
    db.close();
  }
}

/** Keeps the texts of the triggers as rows, for the writer, and removes those from the file that it has. */
function takeTriggersOut(db: Connection<object>): void {
  const triggers = db
    .statement("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    .all([]);
  const keep = db.statement(`INSERT INTO ${stateTable} VALUES (?, ?)`);
  for (const { name, sql } of triggers) {
    if (keepsDerivedTables(String(sql))) continue;
    db.execute(`DROP TRIGGER "${name}"`);
    keep.run([`${triggerPrefix}${name}`, String(sql).replace(/^CREATE TRIGGER/, 'CREATE TEMP TRIGGER')]);
  }
}

const triggerPrefix = 'trigger ';

function ownTriggers<Tables>(db: Connection<Tables>): { readonly sql: string }[] {
  const rows = db.statement(`SELECT value FROM ${stateTable} WHERE name LIKE '${triggerPrefix}%'`).all([]);
  return rows.map(({ value }) => ({ sql: String(value) }));
}

/** Whether a trigger writes derived tables and nothing else. */
function keepsDerivedTables(sql: string): boolean {
  const body = sql.slice(sql.search(/\bBEGIN\b/));
  const written = [...body.matchAll(/\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+(\w+)/g)].map(
    ([, table = '']) => table,
  );
  return written.length > 0 && written.every((table) => derivedTables.has(table));
}
