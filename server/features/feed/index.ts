import { Reply } from '../../api/reply.ts';
import { defineRoute } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { ChangeStreams, type PresenceSource } from './change-streams.ts';
import { ChangeFeed, ChangesQuery } from './model.ts';
import { filterFor, readChanges, requireVersion } from './service.ts';

/** The feed of changes, from which a client never misses one. */
export function feedFeature(
  { reader, changes }: Pick<SharedServices, 'reader' | 'changes'>,
  presence: PresenceSource,
  later: StartTimer = startTimer,
): Feature {
  const streams = new ChangeStreams({ reader, changes }, presence, later);

  async function openStream(actor: Actor, asked: string | undefined): Promise<Reply> {
    const { since } = await requireVersion(reader, asked);
    await changes.whenAppliedEverywhere();
    return Reply.events(streams.open(since, filterFor(reader, actor)));
  }

  /** Nobody learns of a change before every node shows it, because the next request may reach another node. */
  async function read(actor: Actor, query: ChangesQuery): Promise<ChangeFeed> {
    const feed = await readChanges(reader, query, filterFor(reader, actor));
    await changes.whenAppliedEverywhere();
    return feed;
  }

  return {
    followers: [streams],
    about: { changes: 'What has changed, in order.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/changes',
        access: 'read',
        needs: 'objects',
        summary: 'What has changed since a version of the content',
        query: ChangesQuery,
        response: ChangeFeed,
        events: {
          about:
            'Each commit as an event `change`: its `id` is the version, its data `version`, `at`, `actor` and `changes`. An event `presence` without `id` when somebody opens or leaves an object: `kind`, `id`, `name`, `state` (`viewing`, `editing` or `left`), `at`. A comment at least every 15 s. Ends after ten minutes and with the credential; connect again with `Last-Event-ID`.',
          most: 500,
        },
        errors: ['changes.gone', 'common.busy'],
        handle: ({ actor, query, events }) =>
          events === undefined
            ? read(actor, query)
            : openStream(actor, versionOf(events.lastId) ?? query.since),
      }),
    ],
  };
}

/** Where a stream that is connected again goes on; a text that is no version comes from another server. */
function versionOf(lastId: string): string | undefined {
  return /^(?:0|[1-9]\d{0,14})$/.test(lastId) ? lastId : undefined;
}
