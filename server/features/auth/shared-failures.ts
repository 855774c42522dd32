import type { Clock } from '../../base/clock.ts';
import type { ActivityStore } from '../../db/activity.ts';
import * as store from './failure-store.ts';
import { lockMs, type SharedFailures } from './lockout.ts';

/**
 * Failed logins as all nodes count them together. Each question is asked in the common order of writes, so that it
 * knows the failures of all nodes up to now.
 */
export function sharedFailures(activity: Pick<ActivityStore, 'write'>, clock: Clock): SharedFailures {
  return {
    async read(client) {
      const row = await activity.write((db) => store.findFailures(db, client));
      return row === undefined ? undefined : { failures: row.failures, ageMs: clock() - row.last_failed_at };
    },
    add: (client) =>
      activity.write(async (db) => {
        const now = clock();
        await store.removeOlder(db, now - lockMs);
        await store.addFailure(db, client, now);
      }),
    clear: (client) => activity.write((db) => store.removeFailures(db, client)),
  };
}
