/**
 * Streams changes by other users while the window is visible. When it becomes visible again, the missed changes arrive
 * first. Each change makes the queries of its kind read again.
 */
import { api, requireData } from './client.ts';
import { tellFailedPages } from './failed-pages.ts';
import { ApiFailure } from './failure.ts';
import { findQueryKeys } from './feeds.ts';
import type { ChangeFeed } from './generated/schema.ts';
import { notePresence, type PresenceEvent } from './presence.ts';
import { queryClient } from './query-client.ts';

/** Wait before a stream that was refused is asked for again, in milliseconds. */
const againMs = 5000;
/** Changes in so short a time are one, in milliseconds. */
const gatherMs = 100;

/** Starts listening. Returns how to stop. */
export function startLiveUpdates(): () => void {
  const updates = new LiveUpdates();
  const follow = () => (document.visibilityState === 'hidden' ? updates.pause() : updates.start());
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    updates.pause();
  };
}

/** The stream of changes. A hidden window has none, because a browser opens few connections to one server. */
class LiveUpdates {
  /** Version to go on from. */
  #since = 'now';
  #stream: EventSource | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #kinds = new Set<string>();
  #gather: ReturnType<typeof setTimeout> | undefined;

  start(): void {
    if (this.#stream !== undefined) return;
    clearTimeout(this.#again);
    const stream = new EventSource(`/api/v1/changes?since=${this.#since}`);
    this.#stream = stream;
    stream.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
      this.#since = lastEventId;
      // Type boundary: the server sends one commit in this form.
      this.#note((JSON.parse(data) as Pick<ChangeFeed, 'changes'>).changes);
    });
    stream.addEventListener('presence', ({ data }: MessageEvent<string>) => {
      // Type boundary: the server sends one person and one object in this form.
      notePresence(JSON.parse(data) as PresenceEvent);
    });
    stream.addEventListener('error', () => {
      // A lost connection comes back by itself; a refused one does not.
      if (stream.readyState === EventSource.CLOSED) void this.#refused();
    });
  }

  pause(): void {
    clearTimeout(this.#again);
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Asks once without a stream, which tells why: an ended session is renewed, a version may be too old. */
  async #refused(): Promise<void> {
    this.pause();
    try {
      const { version, changes } = await changesAfter(this.#since);
      this.#since = String(version);
      this.#note(changes);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'changes.gone') {
        this.#since = 'now';
        this.#tellAll();
      }
    }
    if (document.visibilityState !== 'hidden') this.#again = setTimeout(() => this.start(), againMs);
  }

  #note(changes: ChangeFeed['changes']): void {
    tellFailedPages(changes);
    for (const { kind } of changes) this.#kinds.add(kind);
    if (this.#kinds.size > 0) this.#gather ??= setTimeout(() => this.#tell(), gatherMs);
  }

  #tell(): void {
    this.#gather = undefined;
    if (this.#kinds.has('bundle')) {
      // The content as a whole has become another one.
      this.#tellAll();
      return;
    }
    const keys = new Set([...this.#kinds].flatMap((kind) => [...findQueryKeys(kind)]));
    this.#kinds.clear();
    for (const key of [...keys, 'changes']) void queryClient.invalidateQueries({ queryKey: [key] });
  }

  #tellAll(): void {
    this.#kinds.clear();
    void queryClient.invalidateQueries();
  }
}

/**
 * What came after a version, or after `now`.
 *
 * @throws ApiFailure `changes.gone` when the log no longer has the version
 */
async function changesAfter(since: string): Promise<ChangeFeed> {
  const answer = await requireData(api.GET('/changes', { params: { query: { since, limit: 1000 } } }));
  // Type boundary: only a request that accepts an event stream is answered with one.
  return answer as ChangeFeed;
}
