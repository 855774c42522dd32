import type { Dependency } from './dependencies.ts';
import type { DependencyRecorder } from './dependency-recorder.ts';

/** Most values of a kind that are kept, unless it says otherwise. */
export const maxEntries = 10_000;

export interface Entry<Value> {
  readonly value: Value;
  /** The last task that has noted the dependency: most values are read several times by a task. */
  task: number;
}

/** The number of no task. */
export const noTask = -1;

/** Values of one kind that are kept until a change touches their dependency. */
export class DependencyCache<Value> {
  readonly #values = new Map<Dependency, Entry<Value>>();
  readonly #max: number;

  /** @param max with one more, all of this kind are dropped first */
  constructor(max = maxEntries) {
    this.#max = max;
  }

  get(dependency: Dependency, read: () => Value): Entry<Value> {
    const known = this.#values.get(dependency);
    if (known !== undefined) return known;
    const entry = { value: read(), task: noTask };
    if (this.#values.size >= this.#max) this.#values.clear();
    this.#values.set(dependency, entry);
    return entry;
  }

  /** The value of a dependency, which is noted as read once for each task. */
  take(reads: DependencyRecorder, dependency: Dependency, read: () => Value): Value {
    const entry = this.get(dependency, read);
    if (entry.task !== reads.task) {
      entry.task = reads.task;
      reads.note(dependency);
    }
    return entry.value;
  }

  drop(dependency: Dependency): void {
    this.#values.delete(dependency);
  }

  clear(): void {
    this.#values.clear();
  }
}
