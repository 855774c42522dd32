import { setPriority } from 'node:os';
import Database from 'better-sqlite3';
import type { TaskContext } from './context.ts';
import type { IndexTask } from './messages.ts';

/** How long a statement waits for changes of content, in milliseconds. */
const busyTimeoutMs = 10_000;

/** Runs the statements, each in a transaction of its own; below normal priority, in a process that renders nothing. */
export async function indexTask(
  { databaseFile }: TaskContext,
  { statements }: IndexTask,
): Promise<undefined> {
  setPriority(10);
  const db = new Database(databaseFile, { timeout: busyTimeoutMs });
  try {
    for (const statement of statements) db.exec(statement);
  } finally {
    db.close();
  }
}
