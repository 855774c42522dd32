/** Tasks that keep the database itself in order: below normal priority, in a process that renders nothing. */
import Database from 'better-sqlite3';
import type { TaskContext } from './context.ts';
import { lowerPriority } from './low-priority.ts';
import type { IndexTask } from './messages/data.ts';

/** How long a statement waits for changes of content, in milliseconds. */
const busyTimeoutMs = 10_000;

/** Runs the statements, each in a transaction of its own. */
export async function indexTask(context: TaskContext, { statements }: IndexTask): Promise<undefined> {
  withDatabase(context, (db) => {
    for (const statement of statements) db.exec(statement);
  });
}

export async function checkpointTask(context: TaskContext): Promise<undefined> {
  withDatabase(context, (db) => db.pragma('wal_checkpoint(PASSIVE)', { simple: true }));
}

function withDatabase({ databaseFile }: TaskContext, work: (db: Database.Database) => void): void {
  lowerPriority();
  const db = new Database(databaseFile, { timeout: busyTimeoutMs });
  try {
    work(db);
  } finally {
    db.close();
  }
}
