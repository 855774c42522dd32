import type { Log } from '../../base/log.ts';
import type { StartTimer } from '../../base/timers.ts';
import type { Trash } from './service.ts';

export interface SweeperOptions {
  readonly trash: Pick<Trash, 'isSweepDue' | 'sweep'>;
  readonly later: StartTimer;
  readonly log: Log;
  /** Whether this node does what only one does. */
  readonly isLeader: () => boolean;
}

/** How often the trash is looked at, in milliseconds. */
const intervalMs = 60_000;

/** Forgets what the trash must not have any more: once a minute, and soon after something came in. */
export class TrashSweeper {
  readonly #options: SweeperOptions;
  #cancel: (() => void) | undefined;
  #work: Promise<void> | undefined;
  #isWanted = false;
  #isClosed = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.later(intervalMs, () => {
      this.look();
      this.start();
    });
  }

  /** Looks at the trash now, or again after the sweep that runs. */
  look(): void {
    this.#isWanted = true;
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#work;
  }

  async #run(): Promise<void> {
    const { trash, log, isLeader } = this.#options;
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      try {
        if (isLeader() && (await trash.isSweepDue())) await trash.sweep();
      } catch (error) {
        log.error({ err: error }, 'the trash could not be swept');
      }
    }
  }
}
