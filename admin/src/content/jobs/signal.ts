import { SharedValue, useShared } from '../../base/shared-value.ts';

/** Tells the frame that there is something at the edge of the screen to show, so that it loads what shows it only then. */
export class Signal {
  readonly #key: string | undefined;
  readonly state: SharedValue<boolean>;

  /** @param key under which it is kept in this browser: it is up after the admin was loaded again, too */
  constructor(key?: string) {
    this.#key = key;
    this.state = new SharedValue(key !== undefined && localStorage.getItem(key) !== null);
  }

  raise(): void {
    if (this.#key !== undefined) localStorage.setItem(this.#key, '1');
    this.state.set(true);
  }

  lower(): void {
    if (this.#key !== undefined) localStorage.removeItem(this.#key);
    this.state.set(false);
  }
}

/** Something was uploaded in this window. */
export const uploadSignal = new Signal();

/** Work that takes a while was begun in this browser. */
export const jobSignal = new Signal('ic-jobs');

export function useSignal(signal: Signal): boolean {
  return useShared(signal.state);
}
