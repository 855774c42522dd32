/** `forloop` as a whole, for templates that include others inside a loop, and what a loop remembers. */
import { equal } from './operators.ts';
import type { LoopMemory, RenderState } from './state.ts';

export class LoopObject {
  readonly counter: number;
  readonly counter0: number;
  readonly revcounter: number;
  readonly revcounter0: number;
  readonly first: boolean;
  readonly last: boolean;
  readonly length: number;
  readonly parentloop: unknown;
  readonly #memory: LoopMemory;

  constructor(index: number, length: number, parent: unknown, memory: LoopMemory) {
    this.counter = index + 1;
    this.counter0 = index;
    this.revcounter = length - index;
    this.revcounter0 = length - index - 1;
    this.first = index === 0;
    this.last = index === length - 1;
    this.length = length;
    this.parentloop = parent ?? null;
    this.#memory = memory;
  }

  static memoryOf(loop: LoopObject): LoopMemory {
    return loop.#memory;
  }
}

/** The memory of a loop that was passed in from another template; of the render if it is no loop. */
export function loopMemory(forloop: unknown, state: RenderState): LoopMemory {
  return forloop instanceof LoopObject ? LoopObject.memoryOf(forloop) : state.memory;
}

/** Whether the values differ from those of the last time, which they replace. The first time counts as changed. */
export function hasChanged(memory: LoopMemory, key: object, values: readonly unknown[]): boolean {
  const last = memory.get(key);
  memory.set(key, values);
  return last === undefined || !values.every((value, index) => equal(value, last[index]));
}
