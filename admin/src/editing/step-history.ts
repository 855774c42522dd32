interface Step<State> {
  readonly before: State;
  readonly after: State;
  /** Changes of the same thing shortly after one another are one step. */
  readonly merge: string | undefined;
  readonly at: number;
}

/** Typing is one step until it pauses for so long, in milliseconds. */
const pauseMs = 800;
const maxSteps = 200;

/** Undo and redo of states that never change: one history for everything that changes an object. */
export class StepHistory<State> {
  #steps: readonly Step<State>[] = [];
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

  /** Changes every state that a step leads to: something else has changed what the states have in common. */
  map(change: (state: State) => State): void {
    this.#steps = this.#steps.map((step) => ({
      ...step,
      before: change(step.before),
      after: change(step.after),
    }));
  }

  /** The state before the last step; undefined if there is none. */
  undo(): State | undefined {
    const step = this.#steps[this.#done - 1];
    if (step !== undefined) this.#done -= 1;
    return step?.before;
  }

  /** The state after the step that was taken back last; undefined if there is none. */
  redo(): State | undefined {
    const step = this.#steps[this.#done];
    if (step !== undefined) this.#done += 1;
    return step?.after;
  }
}
