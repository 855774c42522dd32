import type { GraphNode } from '../flow/graph.ts';
import type { LogLevel, Message, NodeRun } from '../message/message.ts';
import type { NodeOutput } from '../nodes/node-type.ts';
import type { RunRecord, TraceEntry } from './record.ts';
import type { Scope } from './scope.ts';

/** The run, to which nodes tell later what they have sent. */
export interface ExecutionOwner {
  finished(execution: Execution, sent: NodeOutput): void;
  failed(execution: Execution, error: unknown): void;
}

/** A node at work on a message, and what it sees of its run. */
export class Execution implements NodeRun {
  readonly flow: Scope;
  readonly node: GraphNode;
  readonly message: Message;
  readonly #owner: ExecutionOwner;
  readonly #record: RunRecord;
  #entry: TraceEntry | undefined;
  #beganAt = 0;

  constructor(flow: Scope, owner: ExecutionOwner, record: RunRecord, node: GraphNode, message: Message) {
    this.flow = flow;
    this.#owner = owner;
    this.node = node;
    this.message = message;
    this.#record = record;
  }

  /** @param at monotonic milliseconds */
  begin(at: number): void {
    this.#beganAt = at;
    this.#entry = this.#record.begin(this.node, this.message);
  }

  /** What the node sends, or undefined if it tells that later; of which nothing holds the thread for long when it is counted. */
  execute(): NodeOutput | Promise<NodeOutput> | undefined {
    const { node, message, flow } = this;
    // Code takes and sends texts.
    if (node.takesText) return node.execute(message, this);
    if (message.isLongText) return message.load().then(() => (flow.hasEnded ? [] : this.#sent()));
    return this.#sent();
  }

  #sent(): NodeOutput | Promise<NodeOutput> {
    const sent = this.node.execute(this.message, this) ?? [];
    return sent instanceof Promise ? sent.then(written) : written(sent);
  }

  finished(sent: NodeOutput): void {
    this.#owner.finished(this, sent);
  }

  failed(error: unknown): void {
    this.#owner.failed(this, error);
  }

  log(level: LogLevel, text: string): void {
    if (!this.flow.hasEnded) this.#record.log(level, this.node, text);
  }

  /** @param at monotonic milliseconds @param sent absent after an error */
  end(at: number, sent?: NodeOutput): void {
    if (this.#entry === undefined) return;
    this.#entry.ms = Math.round(at - this.#beganAt);
    if (sent !== undefined) this.#entry.out = sent.map((messages) => this.#record.sent(messages));
  }
}

function written(sent: NodeOutput): NodeOutput | Promise<NodeOutput> {
  for (const messages of sent)
    for (const message of messages)
      if (message.isLongValue) return Promise.all(sent.flat().map((long) => long.write())).then(() => sent);
  return sent;
}
