import { type Clock, unixSeconds } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { newestChange } from '../../../changes/change-log.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { AuthEventName } from './names.ts';
import * as store from './store.ts';

export type { StoredAuthEvent } from './store.ts';

export interface AuthEventsDeps {
  readonly reader: ContentDb;
  readonly activity: ActivityStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** What happened, and who did it from where. */
export interface AuthEvent {
  readonly event: AuthEventName;
  /** Name of the user or token; of a failed login the name that was tried. */
  readonly user: string;
  readonly address: string;
  readonly agent: string;
  readonly detail: string;
}

const maxUser = 100;
const maxText = 300;
/** Strangers make failures, and must not push out what people have done. */
const keptFailures = 4_000;
const keptEvents = 10_000;
/** Old events are looked for once per this many new ones. */
const pruneEvery = 200;

/** The record of what happens to the access of people and programs. Neither the feed nor webhooks carry it. */
export class AuthEvents {
  readonly #deps: AuthEventsDeps;
  #sincePruned = 0;

  constructor(deps: AuthEventsDeps) {
    this.#deps = deps;
  }

  /** Never rejects: what was done is done, so a record that cannot be written goes to the log. */
  async record({ event, user, address, agent, detail }: AuthEvent): Promise<void> {
    const { reader, activity, clock, log } = this.#deps;
    try {
      const row = {
        ...{ at: unixSeconds(clock), version: await newestChange(reader), event },
        ...{ user: user.slice(0, maxUser), address },
        ...{ agent: agent.slice(0, maxText), detail: detail.slice(0, maxText) },
      };
      const isPruned = ++this.#sincePruned >= pruneEvery;
      if (isPruned) this.#sincePruned = 0;
      await activity.write(async (db) => {
        await store.insertEvent(db, row);
        if (isPruned)
          await store.pruneEvents(db, { event: 'auth.failure', kept: keptFailures, keptOfAll: keptEvents });
      });
    } catch (error) {
      log.error({ err: error, event }, 'an event of sign-in could not be recorded');
    }
  }

  /** The events of some versions of the content, newest first. */
  list(from: number, before: number): Promise<store.StoredAuthEvent[]> {
    return store.listEvents(this.#deps.activity.reader, from, before);
  }
}
