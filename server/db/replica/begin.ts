import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { isBusy } from '../sqlite-errors.ts';

const busyRetryMs = 25;

/** Begins a transaction; waits for others that write to the file, such as a process that makes indexes. */
export async function beginWriting<Tables>(db: Connection<Tables>): Promise<void> {
  for (;;) {
    try {
      db.execute('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(busyRetryMs);
    }
  }
}
