import { setTimeout as wait } from 'node:timers/promises';
import { Reply } from '../../api/reply.ts';
import { EventStream, eventText } from '../../http/body/events.ts';
import type { Statistics } from './service.ts';

/** How often figures are sent, in milliseconds. */
const everyMs = 5000;

/** A stream of what is being read. @param siteId undefined for all websites */
export function liveEvents(statistics: Pick<Statistics, 'live'>, siteId: number | undefined): Reply {
  return Reply.events(
    new EventStream(async function* (signal) {
      while (!signal.aborted) {
        yield eventText({ event: 'live', data: await statistics.live(siteId) });
        await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }),
  );
}
