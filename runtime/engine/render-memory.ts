/** What a render remembers of its tags and templates: cycles, `ifchanged`, instances. */
import { renderLimits } from './budgets.ts';
import { Instance } from './instance.ts';

/** Last values seen by each `{% ifchanged %}` of a loop. */
export type LoopMemory = Map<object, readonly unknown[]>;

/** State of a render that has run for a while, calls a function, or uses `cycle` or `ifchanged`. */
export class RenderMemory {
  roundsSpent = 0;
  linked = 0;
  readonly deadlineMs: number;
  readonly memory: LoopMemory = new Map();
  /** The instance of the template that the render began with. */
  readonly instances = new Instance(undefined, {});
  /** The instance of a template whose call has just begun. */
  entered: Instance | undefined;
  /** Instances by the templates that run in them. */
  readonly running = new Map<object, Instance | undefined>();
  instanceKeys = 0;
  /** Positions of cycles that no variable of generated code holds. */
  readonly cycles = new Map<object, number>();

  constructor(startedMs: number) {
    this.deadlineMs = startedMs + renderLimits.timeMs;
  }

  /** See `RenderState.cycle`. */
  cycle(key: object, count: number): number {
    const position = this.cycles.get(key) ?? 0;
    this.cycles.set(key, (position + 1) % count);
    return position;
  }

  /** See `RenderState.suspend`. */
  suspend(keys: readonly object[]): Suspended {
    return keys.map((key) => {
      const before = { position: this.cycles.get(key), values: this.memory.get(key) };
      this.cycles.delete(key);
      this.memory.delete(key);
      return before;
    });
  }

  resume(keys: readonly object[], suspended: Suspended): void {
    keys.forEach((key, index) => {
      putBack(this.cycles, key, suspended[index]?.position);
      putBack(this.memory, key, suspended[index]?.values);
    });
  }
}

/** Positions of cycles and remembered values, in the order of their keys. Empty if there was nothing. */
export type Suspended = readonly {
  readonly position: number | undefined;
  readonly values: readonly unknown[] | undefined;
}[];

function putBack<Value>(map: Map<object, Value>, key: object, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
