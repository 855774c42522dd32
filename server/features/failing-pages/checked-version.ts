import { WriteBuffer } from '../../base/write-buffer.ts';
import type { SharedServices } from '../../feature.ts';
import * as store from './store.ts';

type CheckedParts = Pick<SharedServices, 'activity' | 'version' | 'monotonic' | 'log' | 'nodeState'>;

const rowId = 1;
/** After this time the visits of all nodes are known, in milliseconds; each writes them some seconds late. */
const lateMs = 7_000;

/** A check of what a version of the content has changed. */
export interface BegunCheck {
  readonly seq: number;
  /** On the monotonic clock. */
  readonly atMs: number;
}

/**
 * The version of the content up to which pages are checked, for this node, the next leader and the next start. It is
 * stored some seconds late; then some pages are checked again.
 */
export class CheckedVersion {
  readonly #parts: CheckedParts;
  readonly #buffer: WriteBuffer<number>;
  #seq: number;
  /** A check of the pages that were known then; other nodes may have shown more. */
  #earlier: BegunCheck | undefined;

  constructor(parts: CheckedParts) {
    this.#parts = parts;
    this.#seq = parts.version.current();
    this.#buffer = new WriteBuffer<number>({
      intervalMs: 2_000,
      maxEntries: 2,
      write: ([seq = 0]) => parts.activity.write((db) => store.saveChecks(db, { id: rowId, seq })),
      failed: (error) => parts.log.warn({ err: error }, 'how far pages were checked could not be recorded'),
    });
  }

  /** As this node knows it; the leader knows best. */
  get seq(): number {
    return this.#seq;
  }

  /** @returns what is stored; undefined before the first check of the instance */
  read(): Promise<number | undefined> {
    return store.findChecks(this.#parts.activity.reader, rowId);
  }

  /** Goes on where the leader or the process before has stopped. @returns what is stored */
  async load(): Promise<number | undefined> {
    const stored = await this.read();
    this.#earlier = undefined;
    if (stored !== undefined) this.#seq = Math.min(stored, this.#parts.version.current());
    return stored;
  }

  begin(): BegunCheck {
    const { version, monotonic } = this.#parts;
    return { seq: version.current(), atMs: monotonic() };
  }

  /**
   * Notes that a check has rendered all pages that it knew.
   *
   * @returns after which time another one must look for visits of other nodes, in milliseconds
   */
  finish(check: BegunCheck): number | undefined {
    if (this.#parts.nodeState === undefined) {
      this.#store(check.seq);
      return undefined;
    }
    if (this.#earlier !== undefined && check.atMs - this.#earlier.atMs >= lateMs) {
      this.#store(this.#earlier.seq);
      this.#earlier = undefined;
    }
    if (check.seq === this.#seq) return undefined;
    this.#earlier ??= check;
    return Math.max(lateMs - (this.#parts.monotonic() - this.#earlier.atMs), 0);
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  #store(seq: number): void {
    this.#seq = seq;
    this.#buffer.add('', () => seq);
  }
}
