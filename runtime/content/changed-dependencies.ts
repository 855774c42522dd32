import type { LoggedChange } from './change-log.ts';
import { type Dependency, dependencies, findAffectedDependencies } from './dependencies.ts';
import type { ReadSet } from './dependency-recorder.ts';

/**
 * What changes have touched lately: answers whether anything that some work has read has changed since.
 *
 * - State: the newest change of each touched dependency, and `#floor`. A dependency not in the map last changed at or
 *   before `#floor`.
 * - Limit: `maxTouched` dependencies; then all are dropped and the floor rises, so that older work counts as
 *   touched.
 */
export class ChangedDependencies {
  #floor: number;
  #lastChange = new Map<Dependency, number>();

  /** @param seq version of the content from which on changes are followed */
  constructor(seq = 0) {
    this.#floor = seq;
  }

  applyChanges(changes: readonly LoggedChange[]): void {
    for (const change of changes) {
      for (const dependency of findAffectedDependencies(change)) this.#touch(dependency, change.seq);
    }
  }

  /** True if nothing in the read set has changed since; the cached result is still correct. */
  isUnaffected({ seq, dependencies: read }: ReadSet): boolean {
    if (read === undefined || seq < this.#floor) return false;
    for (const dependency of read) {
      const last = this.#lastChange.get(dependency);
      if (last !== undefined && last > seq) return false;
    }
    return true;
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
