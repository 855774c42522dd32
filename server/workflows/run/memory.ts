import type { Message } from './message.ts';

/** Most characters of JSON of one message, of all messages of a run, and of all runs together. */
const limits = { message: 10 * 2 ** 20, run: 64 * 2 ** 20, all: 256 * 2 ** 20 } as const;

/** The messages that wait in all runs. */
export class MessageMemory {
  held = 0;
}

/** The messages that wait in one run. A message that waits for several nodes counts once. */
export class RunMemory {
  readonly #all: MessageMemory;
  #held = 0;

  constructor(all: MessageMemory) {
    this.#all = all;
  }

  /** @throws Error if it is too much */
  hold(message: Message): void {
    message.holders += 1;
    if (message.holders > 1) return;
    const { length } = message.json;
    this.#held += length;
    this.#all.held += length;
    if (length > limits.message) throw new Error('the message is larger than 10 MB');
    if (this.#held > limits.run) throw new Error('the messages of the run take more than 64 MB');
    if (this.#all.held > limits.all) throw new Error('the messages of all runs take more than 256 MB');
  }

  release(message: Message): void {
    message.holders -= 1;
    if (message.holders === 0) this.#count(-message.json.length);
  }

  /** To be called once, at the end of the run. */
  releaseAll(): void {
    this.#count(-this.#held);
  }

  #count(change: number): void {
    this.#held += change;
    this.#all.held += change;
  }
}
