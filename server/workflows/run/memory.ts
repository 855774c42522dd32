import type { Message } from './message.ts';

/**
 * Most characters of JSON of one message, of all messages of a run, and of all runs together. The message of an HTTP
 * input has its body twice, and a body may have 10 MB (Data, Automation and Operations, "Limits").
 */
const limits = { message: 32 * 2 ** 20, run: 64 * 2 ** 20, all: 256 * 2 ** 20 } as const;

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
    if (message.holders === 0 && message.json.length > limits.message) throw new Error(tooLarge);
    this.holdFirst(message);
  }

  /** The same for the message that a run begins with: its length was bounded where it came from. */
  holdFirst(message: Message): void {
    message.holders += 1;
    if (message.holders > 1) return;
    const { length } = message.json;
    this.#held += length;
    this.#all.held += length;
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

const tooLarge = `the message is larger than ${limits.message / 2 ** 20} MB`;
