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
  /** What the work has read of content, if its result also depends on something else. */
  readonly noted?: Float64Array;
}

/** All content that the work has read; undefined if that was too much to remember. */
export function findContent({ dependencies: read, noted }: ReadSet): Float64Array | undefined {
  return read ?? noted;
}

/** More dependencies than this are not worth remembering: the work counts as dependent on everything. */
const maxDependencies = 5_000;
/** Duplicates among so many notes cost less than finding them. */
const fewNotes = 200;

/**
 * Records what the current work reads. A worker has one, because it does one piece of work at a time. A list and
 * no set: noting takes a few nanoseconds, and what is noted twice is dropped at the end of a long list.
 */
export class DependencyRecorder {
  /** Number of the current work. */
  task = 0;
  readonly #noted = new Float64Array(2 * maxDependencies);
  #count = 0;
  readonly #groups: Float64Array[] = [];
  #lasting = true;
  #isComplete = true;
  #isQueryRead = false;

  /** Forgets what the work before has read. */
  start(): void {
    this.task += 1;
    this.#count = 0;
    this.#groups.length = 0;
    this.#lasting = true;
    this.#isComplete = true;
    this.#isQueryRead = false;
    this.note(dependencies.everything);
  }

  note(dependency: Dependency): void {
    if (this.#count === this.#noted.length) this.#dropDuplicates();
    this.#noted[this.#count++] = dependency;
  }

  /** Notes dependencies that differ from each other. The list must stay as it is. */
  noteAll(group: Float64Array): void {
    this.#groups.push(group);
  }

  /** The work depends on something that no change of content tells of. */
  markUncacheable(): void {
    this.#lasting = false;
  }

  /** The work depends on the query of the address. */
  noteQuery(): void {
    this.#isQueryRead = true;
  }

  /** Whether the work since `start` depends on the query of the address. */
  get isQueryRead(): boolean {
    return this.#isQueryRead;
  }

  /** What has been read since `start`. @param seq version of the content that was read */
  taken(seq: number): ReadSet {
    if (this.#count > fewNotes) this.#dropDuplicates();
    let length = this.#count;
    for (const group of this.#groups) length += group.length;
    if (!this.#isComplete || length > maxDependencies) return { seq, dependencies: undefined };
    const all = new Float64Array(length);
    all.set(this.#noted.subarray(0, this.#count));
    let at = this.#count;
    for (const group of this.#groups) {
      all.set(group, at);
      at += group.length;
    }
    return this.#lasting ? { seq, dependencies: all } : { seq, dependencies: undefined, noted: all };
  }

  /** Afterwards at least half of the list is free, so that dropping takes little time for each note. */
  #dropDuplicates(): void {
    const noted = this.#noted.subarray(0, this.#count).sort();
    let kept = 0;
    for (const dependency of noted) {
      if (kept === 0 || dependency !== noted[kept - 1]) noted[kept++] = dependency;
    }
    if (kept > maxDependencies) {
      this.#isComplete = false;
      kept = 0;
    }
    this.#count = kept;
  }
}
