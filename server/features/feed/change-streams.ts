import type { StartTimer } from '../../base/timers.ts';
import { commitsSince, type LoggedCommit, oldestVersion } from '../../changes/commit-log.ts';
import type { Follower } from '../../changes/followers.ts';
import { toChangeNotice } from '../../changes/record.ts';
import type { SharedServices } from '../../feature.ts';
import { comment, EventStream, eventText } from '../../http/body/events.ts';

/** How long a stream goes on, in milliseconds. The client connects again then, where it was, perhaps to another node. */
const maxStreamMs = 600_000;
/** How long a stream is silent at most, in milliseconds. */
const heartbeatMs = 15_000;
/** Commits that are read from the log at once. */
const readAtOnce = 50;

type FeedServices = Pick<SharedServices, 'reader' | 'changes'>;

/** The commits as server-sent events, each as soon as every node that serves has applied it. */
export class ChangeStreams implements Follower {
  readonly of = ['commits'] as const;
  readonly #services: FeedServices;
  readonly #later: StartTimer;
  readonly #waiting = new Set<(hasCommit: boolean) => void>();
  #commits = 0;

  constructor(services: FeedServices, later: StartTimer) {
    this.#services = services;
    this.#later = later;
  }

  /** Wakes the streams after a commit. */
  refresh(): void {
    this.#commits += 1;
    for (const tell of [...this.#waiting]) tell(true);
  }

  /** A stream of the commits after a version. */
  open(since: number): EventStream {
    const run = (signal: AbortSignal) => this.#run(since, signal);
    return new EventStream(run);
  }

  async *#run(since: number, signal: AbortSignal): AsyncGenerator<string> {
    const over = new AbortController();
    const cancel = this.#later(maxStreamMs, () => over.abort());
    try {
      yield* this.#events(since, AbortSignal.any([signal, over.signal]));
    } finally {
      cancel();
    }
  }

  /**
   * Between the commits a comment shows that the connection works. Ends when the signal says so, or when the log no
   * longer has what comes next: the client connects again then and gets 410.
   */
  async *#events(since: number, signal: AbortSignal): AsyncGenerator<string> {
    // A client that is cut off before the first event can go on from here.
    yield eventText({ id: since });
    const { reader, changes } = this.#services;
    for (let version = since; !signal.aborted; ) {
      const seen = this.#commits;
      const commits = await commitsSince(reader, version, readAtOnce);
      if ((await oldestVersion(reader)) > version) return;
      if (commits.length > 0) await changes.whenAppliedEverywhere();
      for (const commit of commits) {
        version = commit.version;
        yield eventText({ id: version, event: 'change', data: toEvent(commit) });
      }
      if (commits.length === 0 && !(await this.#next(seen, signal)) && !signal.aborted) yield comment;
    }
  }

  /**
   * Resolves with true when there has been a commit after `seen` was read, with false when the time for a sign of life
   * has come or the signal is aborted.
   */
  #next(seen: number, signal: AbortSignal): Promise<boolean> {
    if (this.#commits !== seen) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const tell = (hasCommit: boolean): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#waiting.delete(tell);
        resolve(hasCommit);
      };
      const end = (): void => tell(false);
      const cancel = this.#later(heartbeatMs, end);
      signal.addEventListener('abort', end);
      this.#waiting.add(tell);
    });
  }
}

function toEvent({ version, at, actor, records }: LoggedCommit): object {
  return { version, at, actor, changes: records.map(toChangeNotice) };
}
