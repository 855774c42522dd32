import { type Dependency, dependencies } from './dependencies.ts';

/** What one piece of work has read. Plain data, so that it can cross threads. */
export interface ReadSet {
  /** Version of the content that was read. */
  readonly seq: number;
  /**
   * The dependencies of the work. Undefined if its result may not be used again after any change, because it
   * also depends on something else, such as the time of day.
   */
  readonly dependencies: Float64Array | undefined;
}

/** More dependencies than this are not worth remembering: the work counts as dependent on everything. */
const maxDependencies = 5_000;

/** Records what the current work reads. A worker has one, because it does one piece of work at a time. */
export class Reads {
  #numbers = new Set<Dependency>();
  #lasting = true;

  /** Forgets what the work before has read. */
  start(): void {
    this.#numbers = new Set([dependencies.everything]);
    this.#lasting = true;
  }

  note(dependency: Dependency): void {
    this.#numbers.add(dependency);
  }

  /** The work depends on something that no change of content tells of. */
  noteUnknown(): void {
    this.#lasting = false;
  }

  /** What has been read since `start`. @param seq version of the content that was read */
  taken(seq: number): ReadSet {
    const isKnown = this.#lasting && this.#numbers.size <= maxDependencies;
    return { seq, dependencies: isKnown ? Float64Array.from(this.#numbers) : undefined };
  }
}
