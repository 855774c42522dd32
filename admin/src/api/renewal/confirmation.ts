/**
 * Sensitive requests need a confirmation that is not old. The refused ones wait here while the frame asks for password,
 * code or passkey; then they are sent again.
 */
import { SharedValue } from '../../base/shared-value.ts';

let waiting: ((isConfirmed: boolean) => void)[] = [];

export const confirmation = {
  /** Whether requests wait for a confirmation. */
  isNeeded: new SharedValue(false),
  /** Resolves after the confirmation; false if the user does not want to. */
  wait(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting = [...waiting, resolve];
    confirmation.isNeeded.set(true);
    return promise;
  },
  /** Lets the waiting requests go on, or fail. */
  end(isConfirmed: boolean): void {
    const ready = waiting;
    waiting = [];
    confirmation.isNeeded.set(false);
    for (const resolve of ready) resolve(isConfirmed);
  },
};
