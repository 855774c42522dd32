import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../base/startup-error.ts';
import { Connection } from './connection.ts';
import { type DatabaseName, migrate } from './migrate.ts';
import { isReplacementPending } from './replacement.ts';
import type { ActivityDb, ActivityTables, ContentDb, ContentTables } from './tables.ts';
import { installUndoLog } from './undo/record.ts';

/** A database and the two connections that the main thread has to it. */
export interface Database<Db> {
  readonly file: string;
  /** The only connection of the process that writes. */
  readonly writer: Db;
  /** Sees committed data only, even while the writer is inside a transaction. */
  readonly reader: Db;
}

export interface Databases {
  /** Data of editors and API clients. `synchronous=FULL`: an acknowledged write survives power loss. */
  readonly content: Database<ContentDb>;
  /** Data of visits. `synchronous=NORMAL`: the last writes may be lost. */
  readonly activity: Database<ActivityDb>;
  close(): void;
}

/**
 * Opens content.db and activity.db in `dataDir`. Creates and migrates them if necessary.
 *
 * @param busyTimeoutMs how long a write waits for another process. A server keeps it short, because waiting
 *   blocks its only thread; `change()` tries again by itself.
 * @throws StartupError when the directory cannot be written, a file is no database, or is from a newer
 *   version
 */
export function openDatabases(dataDir: string, busyTimeoutMs: number): Databases {
  ensureDirectory(dataDir);
  if (isReplacementPending(dataDir))
    throw new StartupError(
      `a restore into the data directory ${dataDir} was interrupted: start the server, which finishes it`,
    );
  const content = open<ContentTables>(dataDir, 'content', 'FULL', busyTimeoutMs);
  const activity = open<ActivityTables>(dataDir, 'activity', 'NORMAL', busyTimeoutMs);
  return {
    content,
    activity,
    close() {
      for (const database of [content, activity]) {
        database.reader.close();
        database.writer.close();
      }
    },
  };
}

/** @throws StartupError when the directory cannot be made, or new files cannot be written to it */
export function ensureDirectory(dataDir: string): void {
  try {
    // Nobody but the user of the server may read hashes and drafts.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartupError(`cannot create the data directory ${dataDir}: ${messageOf(error)}`);
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    throw new StartupError(`cannot write to the data directory ${dataDir}: no permission`);
  }
}

function open<Tables>(
  dataDir: string,
  name: DatabaseName,
  synchronous: 'FULL' | 'NORMAL',
  busyTimeoutMs: number,
): Database<Connection<Tables>> {
  const file = join(dataDir, `${name}.db`);
  try {
    const writer = new Connection<Tables>(file, { busyTimeoutMs: startTimeoutMs });
    writer.pragma('journal_mode = WAL');
    writer.pragma(`synchronous = ${synchronous}`);
    writer.pragma('foreign_keys = ON');
    writer.pragma(`journal_size_limit = ${64 * 2 ** 20}`);
    migrate(writer, name, dataDir);
    if (name === 'content') installUndoLog(writer);
    writer.pragma(`busy_timeout = ${busyTimeoutMs}`);
    const reader = new Connection<Tables>(file, { readonly: true, busyTimeoutMs, showsOverlay: true });
    return { file, writer, reader };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`cannot open ${file}: ${messageOf(error)}`);
  }
}

/** Longer than while serving: during the start no request waits for the thread. */
const startTimeoutMs = 5000;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
