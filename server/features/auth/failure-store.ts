import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import type { ActivityDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    login_failures: FailureRow;
  }
}

const loginFailures = activityTable('login_failures');

interface FailureRow {
  client: string;
  failures: number;
  /** Unix milliseconds. */
  last_failed_at: number;
}

export const findFailures = loginFailures.findBy(['client']);

export async function addFailure(db: ActivityDb, client: string, now: number): Promise<void> {
  await upsert.run(db, { client, now });
}

export async function removeFailures(db: ActivityDb, client: string): Promise<void> {
  await removeOne(db, client);
}

/** Forgets clients whose last failure was before a time. */
export async function removeOlder(db: ActivityDb, before: number): Promise<void> {
  await removeOld.run(db, { before });
}

const upsert = activityQuery((db, p: { client: string; now: number }) =>
  db
    .insertInto('login_failures')
    .values({ client: p.client, failures: 1, last_failed_at: p.now })
    .onConflict((conflict) =>
      conflict.column('client').doUpdateSet((row) => ({
        failures: row('login_failures.failures', '+', 1),
        last_failed_at: p.now,
      })),
    ),
);

const removeOne = loginFailures.removeBy('client');

const removeOld = activityQuery((db, p: { before: number }) =>
  db.deleteFrom('login_failures').where('last_failed_at', '<', p.before),
);
