import type { PageCheckRequest } from '../base/actor.ts';
import type { Overlay } from './overlay.ts';

/** Looks at changes before they are committed. */
export interface CommitCheck {
  /** Longest time in milliseconds that a change waits for its check. */
  readonly maxWaitMs: number;
  /**
   * @param deadlineMs time of `performance.now()` after which nothing more is looked at
   * @returns whether all was looked at
   * @throws ApiError that refuses the change
   */
  check(overlay: Overlay, deadlineMs: number): Promise<boolean>;
}

/** What a check has said about a change. */
export interface Verdict {
  /** The newest row of the change log before the change. The verdict is about this state; undefined: about any. */
  readonly since: number | undefined;
  readonly isComplete: boolean;
}

/** Undoes a change, which then waits for its check and runs again. */
export class UncheckedChange extends Error {
  readonly since: number;
  /** Undefined if what the change would write cannot be shown. */
  readonly overlay: Overlay | undefined;

  constructor(since: number, overlay: Overlay | undefined) {
    super('the change is not checked yet');
    this.since = since;
    this.overlay = overlay;
  }
}

/** How often a change is checked, if other changes come between. */
const maxRounds = 5;

/** The check of one change, which may need several rounds, because other changes come between. */
export class ChangeCheck {
  readonly #check: CommitCheck | undefined;
  readonly #deadlineMs: number;
  #verdict: Verdict | undefined;
  #rounds = 0;

  constructor(check: CommitCheck | undefined) {
    this.#check = check;
    this.#deadlineMs = performance.now() + (check?.maxWaitMs ?? 0);
  }

  /** Whether the change may be committed as it is. */
  isSettled(since: number): boolean {
    return this.#verdict !== undefined && (this.#verdict.since ?? since) === since;
  }

  /** @throws ApiError that refuses the change */
  async run({ since, overlay }: UncheckedChange): Promise<void> {
    this.#rounds += 1;
    const isLate = this.#rounds > maxRounds || performance.now() >= this.#deadlineMs;
    if (this.#check === undefined || overlay === undefined || isLate)
      this.#verdict = { since: undefined, isComplete: false };
    else this.#verdict = { since, isComplete: await this.#check.check(overlay, this.#deadlineMs) };
  }

  /** Says in the request how the check has ended. A change that has written nothing needed none. */
  report(request: PageCheckRequest): void {
    if (this.#verdict?.isComplete === false) request.isComplete = false;
  }
}
