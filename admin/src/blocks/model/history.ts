/** Undo and redo of a block tree: one history for everything that changes it. */
import type { BlockTree } from './tree.ts';

/** What is chosen: blocks, and perhaps a parameter of the last one. */
export interface Selection {
  /** IDs of blocks; the last one is shown in the panel. */
  readonly ids: readonly string[];
  /** A block inside of the global block that `ids` names. */
  readonly inner?: string | undefined;
  /** Name of a parameter. */
  readonly field?: string | undefined;
}

export const nothing: Selection = { ids: [] };

interface State {
  readonly tree: BlockTree;
  readonly selection: Selection;
}

interface Step {
  readonly before: State;
  readonly after: State;
  /** Changes of the same thing shortly after one another are one step. */
  readonly merge: string | undefined;
  readonly at: number;
}

/** Typing is one step until it pauses for so long, in milliseconds. */
const pauseMs = 800;
const maxSteps = 200;

export class TreeHistory {
  #steps: readonly Step[] = [];
  /** Number of steps that are done; those after it can be done again. */
  #done = 0;
  readonly #now: () => number;

  /** @param now clock in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get canUndo(): boolean {
    return this.#done > 0;
  }

  get canRedo(): boolean {
    return this.#done < this.#steps.length;
  }

  /** Notes a change. @param merge what is changed, for changes that come in small parts such as typing */
  add(before: State, after: State, merge?: string): void {
    const done = this.#steps.slice(0, this.#done);
    const last = done.at(-1);
    const at = this.#now();
    const isSame = merge !== undefined && last?.merge === merge && at - last.at < pauseMs;
    const step = { before: isSame ? last.before : before, after, merge, at };
    this.#steps = [...(isSame ? done.slice(0, -1) : done), step].slice(-maxSteps);
    this.#done = this.#steps.length;
  }

  /** The state before the last step; undefined if there is none. */
  undo(): State | undefined {
    const step = this.#steps[this.#done - 1];
    if (step !== undefined) this.#done -= 1;
    return step?.before;
  }

  redo(): State | undefined {
    const step = this.#steps[this.#done];
    if (step !== undefined) this.#done += 1;
    return step?.after;
  }
}
