/**
 * Learns what others change, so that lists are never old for long: asks the feed of changes every few seconds
 * while the window is seen, and at once when it is seen again. What has changed is asked for again by its kind.
 */
import { api, ok } from './client.ts';
import { ApiFailure } from './failure.ts';
import { queryClient } from './query-client.ts';

/** Time between two questions, in milliseconds. */
const everyMs = 5000;

/** A version that no log has: the refusal names the newest one. */
const unknownVersion = Number.MAX_SAFE_INTEGER;

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
  let since = unknownVersion;
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

/** The newest version of the content. */
export async function newestVersion(): Promise<number> {
  try {
    await ok(api.GET('/changes', { params: { query: { since: unknownVersion } } }));
    return 0;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'changes.gone') throw error;
    return Number(error.params['version']);
  }
}

/** Asks for what came after a version, and forgets what is old now. Resolves with the version to go on from. */
async function changesSince(since: number): Promise<number> {
  try {
    const { version, changes } = await ok(api.GET('/changes', { params: { query: { since, limit: 1000 } } }));
    for (const key of new Set(changes.flatMap(({ kind }) => keysOfKind[kind] ?? [])))
      void queryClient.invalidateQueries({ queryKey: [key] });
    if (changes.length > 0) void queryClient.invalidateQueries({ queryKey: ['changes'] });
    return version;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'changes.gone') throw error;
    if (since !== unknownVersion) void queryClient.invalidateQueries();
    return Number(error.params['version']);
  }
}
