import { type Dependency, dependencies } from './dependencies.ts';
import { type Entry, maxEntries, noTask } from './dependency-cache.ts';
import type { DependencyRecorder } from './dependency-recorder.ts';

/**
 * Notes that tasks depend on snippets by their names, each once per task. The dependency of a name never changes, so
 * nothing is dropped here when content changes.
 *
 * - Limit: at most `maxEntries` names; then all are dropped. Sets of names are kept as long as they exist elsewhere.
 */
export class SnippetNotes {
  readonly #reads: DependencyRecorder;
  readonly #ofNames = new WeakMap<ReadonlySet<string>, Entry<Float64Array>>();
  readonly #ofName = new Map<string, Entry<Dependency>>();

  constructor(reads: DependencyRecorder) {
    this.#reads = reads;
  }

  note(name: string): void {
    let known = this.#ofName.get(name);
    if (known === undefined) {
      if (this.#ofName.size >= maxEntries) this.#ofName.clear();
      known = { value: dependencies.snippet(name), task: noTask };
      this.#ofName.set(name, known);
    }
    if (known.task === this.#reads.task) return;
    known.task = this.#reads.task;
    this.#reads.note(known.value);
  }

  noteAll(names: ReadonlySet<string>): void {
    let known = this.#ofNames.get(names);
    if (known === undefined) {
      known = { value: Float64Array.from(names, dependencies.snippet), task: noTask };
      this.#ofNames.set(names, known);
    }
    if (known.task === this.#reads.task) return;
    known.task = this.#reads.task;
    this.#reads.noteAll(known.value);
  }
}
