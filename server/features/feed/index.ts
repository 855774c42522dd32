import { Reply } from '../../api/reply.ts';
import { defineRoute } from '../../api/route.ts';
import { busy } from '../../base/errors.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { EventStream } from '../../http/body/events.ts';
import { ChangeFeed, ChangesQuery } from './model.ts';
import { readChanges, requireVersion } from './service.ts';
import { changeEvents } from './stream.ts';
import { CommitWaiter } from './waiter.ts';

/** The feed of changes, from which a client never misses one. */
export function feedFeature(
  { reader }: Pick<SharedServices, 'reader'>,
  later: StartTimer = startTimer,
): Feature {
  const waiter = new CommitWaiter(later);
  let streams = 0;

  async function stream(asked: string | undefined): Promise<Reply> {
    const { since } = await requireVersion(reader, asked);
    if (streams >= maxStreams) throw busy(10);
    return Reply.events(
      new EventStream(async function* (signal) {
        const over = new AbortController();
        const cancel = later(maxStreamMs, () => over.abort());
        streams += 1;
        try {
          yield* changeEvents(reader, waiter, since, AbortSignal.any([signal, over.signal]));
        } finally {
          streams -= 1;
          cancel();
        }
      }),
    );
  }

  return {
    followers: [{ of: ['commits'], refresh: () => waiter.wake() }],
    about: { changes: 'What has changed, in order.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/changes',
        access: 'read',
        summary: 'What has changed since a version of the content',
        query: ChangesQuery,
        response: ChangeFeed,
        events:
          'Each commit as an event `change`: its `id` is the version, its data `version`, `at`, `actor` and `changes`. A comment at least every 15 s. Ends after ten minutes; connect again with `Last-Event-ID`.',
        errors: ['changes.gone', 'common.busy'],
        handle: ({ query, events }) =>
          events === undefined ? readChanges(reader, query) : stream(versionOf(events.lastId) ?? query.since),
      }),
    ],
  };
}

/** Event streams at the same time; each holds a connection. */
const maxStreams = 500;
/**
 * How long a stream goes on, in milliseconds. The client connects again then, where it was, and its credential is
 * checked again: it may have been taken back meanwhile.
 */
const maxStreamMs = 600_000;

/** Where a stream that is connected again goes on; a text that is no version comes from another server. */
function versionOf(lastId: string): string | undefined {
  return /^(?:0|[1-9]\d{0,14})$/.test(lastId) ? lastId : undefined;
}
