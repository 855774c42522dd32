/** The object `forloop`, for templates that include others inside a loop, and the memory of a loop. */
import type { Instance } from './instance.ts';
import { equal } from './operators.ts';
import type { LoopMemory } from './render-memory.ts';
import type { RenderState } from './state.ts';

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

/**
 * {@link hasChanged} for a tag without a loop around it in its own template. The memory is that of the loop
 * which includes the template, where each instance of the template has its own; without one, of the render.
 */
export function hasChangedOutside(
  state: RenderState,
  forloop: unknown,
  instance: Instance | undefined,
  key: object,
  values: readonly unknown[],
): boolean {
  if (!(forloop instanceof LoopObject)) return hasChanged(state.memory, key, values);
  return hasChanged(LoopObject.memoryOf(forloop), instance?.keyOf(key, state) ?? key, values);
}

/** Stores the values. True if they differ from the values of the last call, or if this is the first call. */
export function hasChanged(memory: LoopMemory, key: object, values: readonly unknown[]): boolean {
  const last = memory.get(key);
  memory.set(key, values);
  return last === undefined || !values.every((value, index) => equal(value, last[index]));
}

/** Whether a value differs from the last one; the first value, which has none before it, does. */
export function isOther(last: unknown, value: unknown): boolean {
  return last === undefined || !equal(value, last);
}
