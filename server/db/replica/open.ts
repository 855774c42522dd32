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
import { isAdditive, loadMigrations, migrate, newestVersion } from '../migrate.ts';
import { installUndoLog } from '../undo/record.ts';
import { clearTables } from './apply.ts';
import { Capture } from './capture.ts';
import { databaseOf, type ReplicationLogName } from './lanes.ts';
import {
  type Cell,
  derivedTables,
  quoted,
  type SharedColumn,
  type SharedTable,
  sharedTables,
  stateTable,
  toSqliteType,
} from './tables.ts';

export interface Replica<Tables> {
  readonly file: string;
  readonly writer: Connection<Tables>;
  readonly reader: Connection<Tables>;
  readonly applier: Connection<Tables>;
  readonly capture: Capture<Tables>;
  /** The tables as they are now; `addColumns` changes them. */
  readonly tables: ReadonlyMap<string, SharedTable>;
  /** Adds columns that a newer version of the program has, so that their values pass through unchanged. */
  addColumns(columns: readonly AddedColumn[]): void;
  close(): void;
}

/** A column that this program does not know. */
export interface AddedColumn extends SharedColumn {
  readonly table: string;
  /** Value of the rows that were there before the column. */
  readonly initial: Cell;
}

export interface ReplicaOptions {
  /** Folder of the files. */
  readonly folder: string;
  readonly name: ReplicationLogName;
  /** ID of the instance whose rows these are. */
  readonly instance: string;
  readonly busyTimeoutMs: number;
}

/** A place in the history of a replication log: the number of a version, and the ID of the commit that made it. */
export interface HistoryPosition {
  readonly version: number;
  /** Numbers can come again with other rows, when PostgreSQL was restored; IDs do not. */
  readonly commitId: string;
}

export function isSamePosition(left: HistoryPosition, right: HistoryPosition): boolean {
  return left.version === right.version && left.commitId === right.commitId;
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
  const tables = new Map(sharedTables(writer, name));
  writer.pragma('foreign_keys = ON');
  writer.pragma(`journal_size_limit = ${64 * 2 ** 20}`);
  // First of all: SQLite forgets temporary tables and triggers when their place changes.
  writer.pragma('temp_store = MEMORY');
  for (const { sql } of ownTriggers(writer)) writer.execute(sql);
  const capture = new Capture(writer, tables);
  if (name === 'content') installUndoLog(writer);
  const applier = connect();
  applier.pragma('foreign_keys = OFF');
  for (const connection of [writer, applier]) connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const reader = new Connection<Tables>(file, { readonly: true, busyTimeoutMs, showsOverlay: true });
  return {
    ...{ file, writer, reader, applier, capture, tables },
    addColumns(columns) {
      writer.execute(`BEGIN IMMEDIATE; ${columns.map(addColumnSql).join(' ')} COMMIT`);
      for (const [table, shared] of sharedTables(writer, name)) tables.set(table, shared);
      if (name === 'content') installUndoLog(writer);
    },
    close() {
      for (const connection of [reader, applier, writer]) connection.close();
    },
  };
}

function addColumnSql({ table, name, type, initial }: AddedColumn): string {
  const value = typeof initial === 'string' ? `'${initial.replaceAll("'", "''")}'` : String(initial);
  return `ALTER TABLE main.${quoted(table)} ADD COLUMN ${quoted(name)} ${toSqliteType(type)} DEFAULT ${value};`;
}

/** Which state of the shared rows a replica has. */
export function readReplicaPosition<Tables>(db: Connection<Tables>): HistoryPosition {
  const read = (name: string) =>
    db.statement(`SELECT value FROM ${stateTable} WHERE name = ?`).first([name])?.['value'];
  return { version: Number(read('version') ?? emptyVersion), commitId: String(read('commit_id') ?? '') };
}

/** To be called in the transaction that brings the rows to this state. */
export function setReplicaPosition<Tables>(
  db: Connection<Tables>,
  { version, commitId }: HistoryPosition,
): void {
  const write = db.statement(
    `INSERT INTO ${stateTable} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
  );
  write.run(['version', version]);
  write.run(['commit_id', commitId]);
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

/** The oldest version of the tables whose programs may write beside this one. */
export function writableFrom(lane: ReplicationLogName): number {
  const breaking = loadMigrations(databaseOf[lane]).filter((migration) => !isAdditive(migration));
  return breaking.at(-1)?.version ?? 0;
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
