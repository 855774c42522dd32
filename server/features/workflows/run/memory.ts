import type { Message } from '../message/message.ts';

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
  #longest: number = limits.message;

  constructor(all: MessageMemory) {
    this.#all = all;
  }

  /** @throws Error if it is too much */
  hold(message: Message): void {
    if (message.holders === 0 && message.json.length > this.#longest)
      throw new Error(tooLarge(this.#longest));
    this.#hold(message);
  }

  /**
   * The same for the message that a run begins with. Its length was bounded where it came from: that of an HTTP input
   * has its body twice, and a body may have 10 MB (Data, Automation and Operations, "Limits"). Those that follow may be
   * longer by as much.
   */
  holdFirst(message: Message): void {
    this.#longest = limits.message + message.json.length;
    this.#hold(message);
  }

  #hold(message: Message): void {
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

function tooLarge(longest: number): string {
  return `the message is larger than ${Math.floor(longest / 2 ** 20)} MB`;
}
