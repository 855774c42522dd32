import { setTimeout as wait } from 'node:timers/promises';
import { Reply } from '../../api/reply.ts';
import { busy } from '../../base/errors.ts';
import { EventStream, eventText } from '../../http/body/events.ts';
import type { Statistics } from './service.ts';

/** How often figures are sent, in milliseconds. */
const everyMs = 5000;
/** Streams at the same time; each holds a connection. */
const maxStreams = 200;

/** Makes streams of what is being read; of one website, or of all. @throws ApiError `common.busy` */
export function liveEvents(statistics: Pick<Statistics, 'live'>): (siteId: number | undefined) => Reply {
  let streams = 0;
  return (siteId) => {
    if (streams >= maxStreams) throw busy(10);
    return Reply.events(
      new EventStream(async function* (signal) {
        streams += 1;
        try {
          while (!signal.aborted) {
            yield eventText({ event: 'live', data: await statistics.live(siteId) });
            await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
          }
        } finally {
          streams -= 1;
        }
      }),
    );
  };
}
