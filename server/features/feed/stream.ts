import { commitsSince, type LoggedCommit, oldestVersion } from '../../changes/commit-log.ts';
import { toChangeNotice } from '../../changes/record.ts';
import type { ContentDb } from '../../db/tables.ts';
import { comment, eventText } from '../../http/body/events.ts';
import type { CommitWaiter } from './waiter.ts';

/** Commits that are read from the log at once. */
const readAtOnce = 50;

/**
 * The commits after a version as events, each as soon as it is on disk. Between them a comment shows that the
 * connection works. Ends when the signal says so, or when the log no longer has what comes next: the client connects
 * again then and gets 410.
 */
export async function* changeEvents(
  db: ContentDb,
  waiter: CommitWaiter,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // Whoever is cut off before the first event can go on from here.
  yield eventText({ id: since });
  for (let version = since; !signal.aborted; ) {
    const seen = waiter.commits;
    const commits = await commitsSince(db, version, readAtOnce);
    if ((await oldestVersion(db)) > version) return;
    for (const commit of commits) {
      version = commit.version;
      yield eventText({ id: version, event: 'change', data: toEvent(commit) });
    }
    if (commits.length === 0 && !(await waiter.next(seen, signal)) && !signal.aborted) yield comment;
  }
}

function toEvent({ version, at, actor, records }: LoggedCommit): object {
  return { version, at, actor, changes: records.map(toChangeNotice) };
}
