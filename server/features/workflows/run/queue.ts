import type { GraphNode } from '../flow/graph.ts';
import type { Message } from '../message/message.ts';
import { type MessageMemory, RunMemory } from './memory.ts';

/** A message on its way to a node. */
export class QueuedMessage {
  readonly node: GraphNode;
  readonly message: Message;
  next: QueuedMessage | undefined;

  constructor(node: GraphNode, message: Message) {
    this.node = node;
    this.message = message;
  }
}

/** Most messages that wait in one run. */
const maxWaiting = 10_000;

/** The messages of a run that wait for their nodes, in the order in which they were sent, and their memory. */
export class RunQueue {
  readonly #memory: RunMemory;
  #first: QueuedMessage | undefined;
  #last: QueuedMessage | undefined;
  #length = 0;

  constructor(memory: MessageMemory) {
    this.#memory = new RunMemory(memory);
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The message that the run begins with. @throws Error if the messages of all runs take too much */
  begin(node: GraphNode, message: Message): void {
    this.#memory.holdFirst(message);
    this.#append(new QueuedMessage(node, message));
  }

  /** @throws Error if too many messages wait, or too large ones */
  add(node: GraphNode, messages: readonly Message[]): void {
    for (const message of messages) {
      this.#memory.hold(message);
      this.#append(new QueuedMessage(node, message));
    }
    if (this.#length > maxWaiting) throw new Error(`more than ${maxWaiting} messages are waiting`);
  }

  /** The next message, which counts until it is released; undefined if none waits. */
  take(): QueuedMessage | undefined {
    const waiting = this.#first;
    if (waiting === undefined) return undefined;
    this.#first = waiting.next;
    if (this.#first === undefined) this.#last = undefined;
    this.#length -= 1;
    return waiting;
  }

  /** To be called when a node has done with a message. */
  release(message: Message): void {
    this.#memory.release(message);
  }

  /** Drops all messages. To be called once, at the end of the run. */
  close(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#length = 0;
    this.#memory.releaseAll();
  }

  #append(waiting: QueuedMessage): void {
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    this.#length += 1;
  }
}
