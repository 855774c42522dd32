import { SharedValue } from '../../base/shared-value.ts';

/** Requests that wait until a person has done something. The frame asks them to, and says when it is done. */
export class WaitingRequests<Outcome> {
  /** Whether requests wait. */
  readonly isNeeded = new SharedValue(false);
  #waiting: ((outcome: Outcome) => void)[] = [];

  /** Resolves when the waiting ends. */
  wait(): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#waiting.push(resolve);
    this.isNeeded.set(true);
    return promise;
  }

  /** Lets the waiting requests go on, or fail. */
  end(outcome: Outcome): void {
    const ready = this.#waiting;
    this.#waiting = [];
    this.isNeeded.set(false);
    for (const resolve of ready) resolve(outcome);
  }
}
