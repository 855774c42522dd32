import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../base/startup-error.ts';
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
  return lock(dataDir, 'server.lock', `another server is running on the data directory ${dataDir}`, 0);
}

/**
 * Says that the data directory is being read as a whole: until the lock is released, no process deletes a medium.
 *
 * @throws StartupError when another backup holds the lock, or the directory cannot be written
 */
export function lockForBackup(dataDir: string): DataDirLock {
  const taken = `a backup of the data directory ${dataDir} is running`;
  // Whoever asks whether it is held holds a lock for that moment.
  return lock(dataDir, backupLock, taken, 2000);
}

/** Whether the data directory is being read as a whole. Who deletes what a row named must ask after its commit. */
export function isBeingBackedUp(dataDir: string): boolean {
  const file = join(dataDir, backupLock);
  if (!existsSync(file)) return false;
  try {
    const connection = new Connection<object>(file, { readonly: true, busyTimeoutMs: 0 });
    try {
      connection.pragma('schema_version');
    } finally {
      connection.close();
    }
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}

const backupLock = 'backup.lock';

function lock(dataDir: string, name: string, taken: string, busyTimeoutMs: number): DataDirLock {
  let connection: Connection<object> | undefined;
  try {
    connection = new Connection<object>(join(dataDir, name), { busyTimeoutMs });
    connection.pragma('journal_mode = MEMORY');
    connection.execute('BEGIN EXCLUSIVE');
    const held = connection;
    return { release: () => held.close() };
  } catch (error) {
    connection?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      isBusy(error) ? taken : `cannot write to the data directory ${dataDir}: ${reason}`,
    );
  }
}
