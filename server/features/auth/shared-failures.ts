import type { Clock } from '../../base/clock.ts';
import type { ActivityStore } from '../../db/activity.ts';
import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import { lockMs, type SharedFailures } from './lockout.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    login_failures: FailureRow;
  }
}

const loginFailures = activityTable('login_failures');

/**
 * Failed logins as all nodes count them together. Each question is asked in the common order of writes, so that it
 * knows the failures of all nodes up to now.
 */
export function sharedFailures(activity: Pick<ActivityStore, 'write'>, clock: Clock): SharedFailures {
  return {
    async read(client) {
      const row = await activity.write((db) => findFailures(db, client));
      return row === undefined ? undefined : { failures: row.failures, ageMs: clock() - row.last_failed_at };
    },
    add: (client) =>
      activity.write(async (db) => {
        const now = clock();
        await removeOld.run(db, { before: now - lockMs });
        await upsert.run(db, { client, now });
      }),
    async clear(client) {
      await activity.write((db) => removeFailures(db, client));
    },
  };
}

interface FailureRow {
  client: string;
  failures: number;
  /** Unix milliseconds. */
  last_failed_at: number;
}

const findFailures = loginFailures.findBy(['client']);

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

const removeFailures = loginFailures.removeBy('client');

/** Forgets clients whose last failure was before a time. */
const removeOld = activityQuery((db, p: { before: number }) =>
  db.deleteFrom('login_failures').where('last_failed_at', '<', p.before),
);
