/**
 * Learns what others change, so that lists are never old for long: asks the feed of changes every few seconds
 * while the window is seen, and at once when it is seen again. What has changed is asked for again by its kind.
 */
import { api, ok } from './client.ts';
import { ApiFailure } from './failure.ts';
import type { ChangeFeed } from './generated/schema.ts';
import { queryClient } from './query-client.ts';

/** Time between two questions, in milliseconds. */
const everyMs = 5000;

/** First parts of the query keys that depend on a kind of object. */
const keysOfKind: Readonly<Record<string, readonly string[]>> = {
  page: ['pages'],
  snippet: ['snippets', 'page-layouts'],
  asset: ['assets'],
  redirect: ['redirects', 'notfound'],
  file: ['files'],
  folder: ['folders'],
  collection: ['collections'],
  item: ['entries'],
  source: ['sources'],
};

/** Starts asking. Returns how to stop. */
export function startLiveUpdates(): () => void {
  let since = 'now';
  let isAsking = false;
  const ask = async () => {
    if (isAsking || document.visibilityState === 'hidden') return;
    isAsking = true;
    since = await changesSince(since).catch(() => since);
    isAsking = false;
  };
  const timer = setInterval(ask, everyMs);
  document.addEventListener('visibilitychange', ask);
  void ask();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', ask);
  };
}

/** Asks for what came after a version, and forgets what is old now. Resolves with the version to go on from. */
async function changesSince(since: string): Promise<string> {
  try {
    const { version, changes } = await changesAfter(since);
    for (const key of new Set(changes.flatMap(({ kind }) => keysOfKind[kind] ?? [])))
      void queryClient.invalidateQueries({ queryKey: [key] });
    if (changes.length > 0) void queryClient.invalidateQueries({ queryKey: ['changes'] });
    return String(version);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'changes.gone') throw error;
    void queryClient.invalidateQueries();
    return 'now';
  }
}

/** The last changes: of that many versions, or of all that the log still has. */
export async function lastChanges(count: number): Promise<ChangeFeed> {
  const { version } = await changesAfter('now');
  try {
    return await changesAfter(String(Math.max(0, version - count)));
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'changes.gone') throw error;
    return changesAfter(String(error.params['oldest']));
  }
}

/**
 * What came after a version, or after `now`.
 *
 * @throws ApiFailure `changes.gone` when the log no longer has the version
 */
async function changesAfter(since: string): Promise<ChangeFeed> {
  const answer = await ok(api.GET('/changes', { params: { query: { since, limit: 1000 } } }));
  // Type boundary: only a request that accepts an event stream is answered with one.
  return answer as ChangeFeed;
}
