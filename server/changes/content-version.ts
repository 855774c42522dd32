import type { LoggedChange } from '../../runtime/content/change-log.ts';
import { ChangedDependencies } from '../../runtime/content/changed-dependencies.ts';
import { findContent, type ReadSet } from '../../runtime/content/dependency-recorder.ts';

/** The version of the content as the main thread knows it: the number of the newest change. */
export class ContentVersion {
  readonly #touched: ChangedDependencies;
  #current: number;

  /** @param seq version of the content at the start */
  constructor(seq = 0) {
    this.#current = seq;
    this.#touched = new ChangedDependencies(seq);
  }

  current(): number {
    return this.#current;
  }

  /** Whether work that has read this would have the same result now. */
  isUpToDate(reads: ReadSet): boolean {
    return reads.seq >= this.#current || this.#touched.isUnaffected(reads);
  }

  /** The same for what work has read of content, whatever else its result depends on, such as the time of day. */
  isContentUpToDate(reads: ReadSet): boolean {
    return this.isUpToDate({ seq: reads.seq, dependencies: findContent(reads) });
  }

  /** Follows committed changes. */
  move(changes: readonly LoggedChange[]): void {
    const newest = changes.at(-1);
    if (newest === undefined) return;
    this.#touched.applyChanges(changes);
    this.#current = newest.seq;
  }
}
