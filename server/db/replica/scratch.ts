import { Connection } from '../connection.ts';
import { applyMigrations, type DatabaseName, loadMigrations, type Migration } from '../migrate.ts';
import type { ReplicationLogName } from './lanes.ts';
import { type SharedTable, sharedTables } from './tables.ts';

/** A database that is complete in itself, with its rules as triggers, made to be filled or to be copied. */
export interface Scratch {
  readonly db: Connection<object>;
  /** Replaces all rows of a lane; no trigger runs. */
  fill(
    lane: ReplicationLogName,
    work: (db: Connection<object>, tables: ReadonlyMap<string, SharedTable>) => Promise<unknown>,
  ): Promise<void>;
  migrate(migrations: readonly Migration[]): void;
}

/** @param schema version of its tables; undefined: the newest one */
export function openScratch(file: string, name: DatabaseName, schema?: number): Scratch {
  const db = new Connection<object>(file);
  db.pragma('journal_mode = WAL');
  const wanted = loadMigrations(name).filter(({ version }) => schema === undefined || version <= schema);
  applyMigrations(db, wanted);
  return {
    db,
    migrate: (migrations) => applyMigrations(db, migrations),
    async fill(lane, work) {
      db.pragma('foreign_keys = OFF');
      db.execute('BEGIN IMMEDIATE');
      const triggers = db
        .statement("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
        .all([]);
      for (const trigger of triggers) db.execute(`DROP TRIGGER "${trigger['name']}"`);
      await work(db, sharedTables(db, lane));
      for (const trigger of triggers) db.execute(String(trigger['sql']));
      db.execute('COMMIT');
      db.pragma('foreign_keys = ON');
    },
  };
}
