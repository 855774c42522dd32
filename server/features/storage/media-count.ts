import type { Clock } from '../../base/clock.ts';
import type { ObjectStore } from '../../storage/storage.ts';

export interface MediaCount {
  readonly files: number;
  readonly bytes: number;
  /** The time was up, or the storage failed midway. */
  readonly partial: boolean;
}

/** How long a count is used, in milliseconds. */
const keptMs = 60_000;
/** How long counting may take, in milliseconds. */
const limitMs = 20_000;

/** Counts what is stored, once a minute at most; whoever asks meanwhile waits for the same count. */
export class MediaCounter {
  readonly #monotonic: Clock;
  #last:
    | { readonly source: ObjectStore; readonly at: number; readonly count: Promise<MediaCount> }
    | undefined;

  /** @param monotonic milliseconds that never go back */
  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  /** @param source the storage in use; another one is counted anew */
  count(source: ObjectStore): Promise<MediaCount> {
    const now = this.#monotonic();
    if (this.#last === undefined || this.#last.source !== source || now - this.#last.at >= keptMs)
      this.#last = { source, at: now, count: countNow(source, this.#monotonic) };
    return this.#last.count;
  }
}

async function countNow(source: ObjectStore, monotonic: Clock): Promise<MediaCount> {
  const endsAt = monotonic() + limitMs;
  let files = 0;
  let bytes = 0;
  try {
    for await (const { size } of source.list()) {
      files++;
      bytes += size;
      if (monotonic() >= endsAt) return { files, bytes, partial: true };
    }
    return { files, bytes, partial: false };
  } catch {
    return { files, bytes, partial: true };
  }
}
