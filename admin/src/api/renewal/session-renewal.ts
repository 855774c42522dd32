/**
 * The moment between an ended session and a new login: requests wait here, and the frame shows the login over
 * the page. After the login the waiting requests are sent again, so that nothing is lost.
 */
import { SharedValue } from '../../base/shared-value.ts';

let waiting: (() => void)[] = [];

export const sessionRenewal = {
  /** Whether requests wait for a login. */
  isNeeded: new SharedValue(false),
  /** Resolves after the next login. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = [...waiting, resolve];
    sessionRenewal.isNeeded.set(true);
    return promise;
  },
  /** Called after a login: lets the waiting requests go on. */
  done(): void {
    const ready = waiting;
    waiting = [];
    sessionRenewal.isNeeded.set(false);
    for (const resolve of ready) resolve();
  },
};
