import { useSyncExternalStore } from 'react';

type Listener = () => void;

/** Tells the frame that there is something at the edge of the screen to show, so that it loads what shows it only then. */
export class Signal {
  readonly #listeners = new Set<Listener>();
  readonly #key: string | undefined;
  #isUp: boolean;

  /** @param key under which it is kept in this browser: it is up after the admin was loaded again, too */
  constructor(key?: string) {
    this.#key = key;
    this.#isUp = key !== undefined && localStorage.getItem(key) !== null;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  raise(): void {
    if (this.#key !== undefined) localStorage.setItem(this.#key, '1');
    this.#set(true);
  }

  lower(): void {
    if (this.#key !== undefined) localStorage.removeItem(this.#key);
    this.#set(false);
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    for (const listener of this.#listeners) listener();
  }
}

/** Something was uploaded in this window. */
export const uploadSignal = new Signal();

/** Work that takes a while was begun in this browser. */
export const jobSignal = new Signal('ic-jobs');

export function useSignal(signal: Signal): boolean {
  return useSyncExternalStore(signal.subscribe, () => signal.isUp);
}
