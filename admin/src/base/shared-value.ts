import { useSyncExternalStore } from 'react';

/** A value that several parts of the admin see, wherever they stand on the screen. */
export class SharedValue<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(first: Value) {
    this.#value = first;
  }

  readonly get = (): Value => this.#value;

  readonly set = (next: Value): void => {
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    for (const listener of this.#listeners) listener();
  };

  /** Calls `listener` after each change. Returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** The value for a component, which is drawn again when it changes. */
export function useShared<Value>({ subscribe, get }: SharedValue<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}
