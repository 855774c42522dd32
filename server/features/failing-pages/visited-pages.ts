import { unixSeconds } from '../../base/clock.ts';
import { WriteBuffer } from '../../base/write-buffer.ts';
import type { SharedServices } from '../../feature.ts';
import * as store from './store.ts';

type VisitedParts = Pick<SharedServices, 'activity' | 'clock' | 'log' | 'nodeState'>;

const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;
/** Pages that are read at once, the latest ones. */
const maxRead = 20_000;

/** The addresses without a query that visitors of all nodes have asked for within a week. */
export class VisitedPages {
  readonly #parts: VisitedParts;
  readonly #buffer: WriteBuffer<store.VisitedPageRow>;
  /** When each was written last. */
  readonly #writtenAt = new Map<string, number>();
  #readUntil = 0;

  constructor(parts: VisitedParts) {
    this.#parts = parts;
    this.#buffer = new WriteBuffer<store.VisitedPageRow>({
      intervalMs: 5_000,
      maxEntries: 250,
      write: (rows) =>
        parts.activity.write(async (db) => {
          for (const row of rows) await store.saveVisited(db, row);
        }),
      failed: (error) => parts.log.warn({ err: error }, 'pages that were asked for could not be recorded'),
    });
  }

  /** To be called when a page was rendered for a visitor; written at most once a day. */
  note(rootId: number, path: string, pageId: number): void {
    const now = unixSeconds(this.#parts.clock);
    const key = `${rootId} ${path}`;
    const writtenAt = this.#writtenAt.get(key);
    if (writtenAt !== undefined && now - writtenAt < daySeconds) return;
    if (this.#writtenAt.size >= maxRead) this.#writtenAt.clear();
    this.#writtenAt.set(key, now);
    this.#buffer.add(key, () => ({ root_id: rootId, path, page_id: pageId, asked_at: now }));
  }

  /** What was asked for within a week; after the first call only what other nodes have shown since the last one. */
  async readNew(): Promise<store.VisitedPageRow[]> {
    const { activity, clock, nodeState } = this.#parts;
    const now = unixSeconds(clock);
    const isFirst = this.#readUntil === 0;
    if (!isFirst && nodeState === undefined) return [];
    // Other nodes are some seconds late.
    const since = Math.max(now - weekSeconds, this.#readUntil - 60);
    if (isFirst) await activity.write((db) => store.deleteVisitedBefore(db, now - weekSeconds));
    const rows = await store.listVisited(activity.reader, since, maxRead);
    this.#readUntil = now;
    return rows;
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }
}
