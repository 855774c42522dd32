import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';
import { Connection } from './connection.ts';
import { isBusy } from './sqlite-errors.ts';

export interface DataDirLock {
  release(): void;
}

/**
 * Locks the data directory for this server process.
 *
 * The lock is an open exclusive transaction on a separate empty database. SQLite's file locks belong to the
 * process, so the operating system releases them however the process ends, `kill -9` included. No stale lock
 * can remain.
 *
 * @throws StartupError when another server holds the lock, or the directory cannot be written
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = join(dataDir, 'server.lock');
  let connection: Connection<object> | undefined;
  try {
    connection = new Connection<object>(file, { busyTimeoutMs: 0 });
    connection.pragma('journal_mode = MEMORY');
    connection.execute('BEGIN EXCLUSIVE');
    const held = connection;
    return { release: () => held.close() };
  } catch (error) {
    connection?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      isBusy(error)
        ? `another server is running on the data directory ${dataDir}`
        : `cannot write to the data directory ${dataDir}: ${reason}`,
    );
  }
}
