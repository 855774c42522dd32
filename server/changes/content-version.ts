import type { LoggedChange } from '../../runtime/content/change-log.ts';
import {
  type Dependency,
  dependencies,
  findAffectedDependencies,
} from '../../runtime/content/dependencies.ts';
import { findContent, type ReadSet } from '../../runtime/content/dependency-recorder.ts';

/**
 * The version of the content as the main thread knows it: the number of the newest change. It also knows what changes
 * have touched lately, and so whether anything that some work has read has changed since.
 *
 * - State: the newest change of each touched dependency, and `#floor`. A dependency not in the map last changed at or
 *   before `#floor`.
 * - Limit: `maxTouched` dependencies; then all are dropped and the floor rises, so that older work counts as
 *   touched.
 */
export class ContentVersion {
  #current: number;
  #floor: number;
  #lastChange = new Map<Dependency, number>();

  /** @param seq version of the content at the start */
  constructor(seq = 0) {
    this.#current = seq;
    this.#floor = seq;
  }

  current(): number {
    return this.#current;
  }

  /** Whether work that has read this would have the same result now. */
  isUpToDate({ seq, dependencies: read }: ReadSet): boolean {
    if (seq >= this.#current) return true;
    if (read === undefined || seq < this.#floor) return false;
    for (const dependency of read) {
      const last = this.#lastChange.get(dependency);
      if (last !== undefined && last > seq) return false;
    }
    return true;
  }

  /** The same for what work has read of content, whatever else its result depends on, such as the time of day. */
  isContentUpToDate(reads: ReadSet): boolean {
    return this.isUpToDate({ seq: reads.seq, dependencies: findContent(reads) });
  }

  /** Follows committed changes. */
  move(changes: readonly LoggedChange[]): void {
    for (const change of changes) {
      for (const dependency of findAffectedDependencies(change)) this.#touch(dependency, change.seq);
    }
    this.#current = changes.at(-1)?.seq ?? this.#current;
  }

  #touch(dependency: Dependency, seq: number): void {
    if (dependency === dependencies.everything || this.#lastChange.size >= maxTouched) {
      this.#floor = seq;
      this.#lastChange = new Map();
    }
    this.#lastChange.set(dependency, seq);
  }
}

const maxTouched = 200_000;
