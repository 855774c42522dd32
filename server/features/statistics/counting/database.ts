import type { Log } from '../../../base/log.ts';
import { Mutex } from '../../../base/mutex.ts';
import type { TellFollowers } from '../../../cluster/replication-log.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import { Connection } from '../../../db/connection.ts';
import type { ActivityTables } from '../../../db/tables.ts';
import type { ThreadSettings } from './messages.ts';
import { DailySalt, type DaySalt } from './salt.ts';

/** The tables of the thread that counts. */
export interface StatisticsDatabase extends ActivityStore {
  /** @param onTaken called when other nodes have written */
  start(onTaken: TellFollowers): void;
  /** Takes over what other nodes have written until now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** How long a write waits for the main thread, which writes to the same database, in milliseconds. */
const busyTimeoutMs = 5000;

/** Opens the tables, and what visitors of a day are known by. */
export async function openStatistics(
  { databaseFile, saltFile, shared }: ThreadSettings,
  log: Log,
): Promise<{ readonly database: StatisticsDatabase; readonly salt: DaySalt }> {
  if (shared === undefined) {
    const db = new Connection<ActivityTables>(databaseFile, { busyTimeoutMs });
    db.pragma('synchronous = NORMAL');
    return { database: new OwnStatistics(db), salt: new DailySalt(saltFile) };
  }
  // Loaded here, because an instance on one machine needs no client of PostgreSQL.
  const { openSharedStatistics, SharedSalt } = await import('../../../cluster/statistics.ts');
  const database = await openSharedStatistics(shared, busyTimeoutMs, log);
  return { database, salt: new SharedSalt(shared) };
}

/** Those of an instance on one machine. Each write is a transaction of its own. */
export class OwnStatistics implements StatisticsDatabase {
  readonly reader: Connection<ActivityTables>;
  readonly #mutex = new Mutex();

  /** @param db closed with this object */
  constructor(db: Connection<ActivityTables>) {
    this.reader = db;
  }

  start(): void {}

  write<T>(work: (db: Connection<ActivityTables>) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      const db = this.reader;
      db.execute('BEGIN IMMEDIATE');
      try {
        const result = await work(db);
        db.execute('COMMIT');
        return result;
      } catch (error) {
        if (db.inTransaction) db.execute('ROLLBACK');
        throw error;
      }
    });
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    this.reader.close();
  }
}
