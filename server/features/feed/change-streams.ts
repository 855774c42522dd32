import type { StartTimer } from '../../base/timers.ts';
import { commitsSince, type LoggedCommit, oldestVersion } from '../../changes/commit-log.ts';
import type { Follower } from '../../changes/followers.ts';
import { toChangeNotice } from '../../changes/record.ts';
import type { SharedServices } from '../../feature.ts';
import { comment, EventStream, eventText } from '../../http/body/events.ts';
import type { RecordFilter } from './service.ts';

/** How long a stream goes on, in milliseconds. The client connects again then, where it was, perhaps to another node. */
const maxStreamMs = 600_000;
/** How long a stream is silent at most, in milliseconds. */
const heartbeatMs = 15_000;
/** Commits that are read from the log at once. */
const readAtOnce = 50;

/** What one stream goes on with. */
interface StreamState {
  readonly since: number;
  readonly filter: RecordFilter;
  readonly unsent: Map<string, PresenceNotice>;
}

type FeedServices = Pick<SharedServices, 'reader' | 'changes'>;

/** Who opens and leaves an object. A newer event replaces one of the same object and name that was not sent yet. */
interface PresenceNotice {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

export interface PresenceSource {
  /** Calls `tell` with each change from now on. @returns what ends that */
  listen(tell: (notice: PresenceNotice) => void): () => void;
}

/** The commits as server-sent events, each as soon as every node that serves has applied it. */
export class ChangeStreams implements Follower {
  readonly of = ['commits'] as const;
  readonly #services: FeedServices;
  readonly #presence: PresenceSource;
  readonly #later: StartTimer;
  readonly #waiting = new Set<(hasNews: boolean) => void>();
  #wakeups = 0;

  constructor(services: FeedServices, presence: PresenceSource, later: StartTimer) {
    this.#services = services;
    this.#presence = presence;
    this.#later = later;
  }

  /** Wakes the streams after a commit. */
  refresh(): void {
    this.#wakeups += 1;
    for (const tell of [...this.#waiting]) tell(true);
  }

  /** A stream of the commits after a version. @param filter leaves what the caller may see */
  open(since: number, filter: RecordFilter): EventStream {
    const run = (signal: AbortSignal) => this.#run(since, filter, signal);
    return new EventStream(run);
  }

  async *#run(since: number, filter: RecordFilter, signal: AbortSignal): AsyncGenerator<string> {
    const over = new AbortController();
    const cancel = this.#later(maxStreamMs, () => over.abort());
    const unsent = new Map<string, PresenceNotice>();
    const endListening = this.#presence.listen((notice) => {
      unsent.set(`${notice.kind} ${notice.id} ${notice.name}`, notice);
      this.refresh();
    });
    try {
      yield* this.#events({ since, filter, unsent }, AbortSignal.any([signal, over.signal]));
    } finally {
      endListening();
      cancel();
    }
  }

  /**
   * Between the commits a comment shows that the connection works. Ends when the signal says so, or when the log no
   * longer has what comes next: the client connects again then and gets 410.
   */
  async *#events({ since, filter, unsent }: StreamState, signal: AbortSignal): AsyncGenerator<string> {
    // A client that is cut off before the first event can go on from here.
    yield eventText({ id: since });
    const { reader, changes } = this.#services;
    for (let version = since; !signal.aborted; ) {
      const seen = this.#wakeups;
      const commits = await commitsSince(reader, version, readAtOnce);
      if ((await oldestVersion(reader)) > version) return;
      if (commits.length > 0) await changes.whenAppliedEverywhere();
      for (const commit of commits) {
        version = commit.version;
        const records = await filter(commit.records);
        if (records.length === 0 && commit.records.length > 0) continue;
        yield eventText({ id: version, event: 'change', data: toEvent({ ...commit, records }) });
      }
      const notices = [...unsent.values()];
      unsent.clear();
      // Without an ID: a client that is cut off goes on after the last commit.
      const shown = await filter(notices.map((notice) => ({ ...notice, action: 'updated' as const })));
      for (const data of notices.filter(({ kind, id }) =>
        shown.some((one) => one.kind === kind && one.id === id),
      ))
        yield eventText({ event: 'presence', data });
      if (commits.length === 0 && !(await this.#next(seen, signal)) && !signal.aborted) yield comment;
    }
  }

  /**
   * Resolves with true when there has been news after `seen` was read, with false when the time for a sign of life has
   * come or the signal is aborted.
   */
  #next(seen: number, signal: AbortSignal): Promise<boolean> {
    if (this.#wakeups !== seen) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const tell = (hasNews: boolean): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#waiting.delete(tell);
        resolve(hasNews);
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
