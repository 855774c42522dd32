import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';
import { Connection } from './connection.ts';

export interface DataDirLock {
  release(): void;
}

/**
 * Takes the data directory for this server process.
 *
 * The lock is an open exclusive transaction on an empty database of its own: SQLite's file locks belong to the
 * process, so the system lifts them however it ends, `kill -9` included, and no stale lock file can stay behind.
 *
 * @throws StartupError when another server holds it, or the directory cannot be written
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

/** True for SQLite's answer that another connection holds the lock that is needed. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
