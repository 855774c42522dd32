/**
 * One run of a flow. Invariants:
 *
 *  1. Executions begin in the order in which their messages were sent. At most `maxParallel` of them work at the
 *     same time; those that wait (`delay`) do not count.
 *  2. The thread is given back in time (`run-scheduler.ts`), so that an endless flow holds up nobody.
 *  3. The first error ends the run: nothing begins any more, and what works is told by the signal. So do the time
 *     limit, and `cancel()`.
 *  4. The first response is the answer. It is told at once; the run goes on.
 *  5. A run ends once. Whatever comes from its nodes afterwards is ignored.
 */
import type { WorkflowActor } from '../../../base/actor.ts';
import type { Clock } from '../../../base/clock.ts';
import type { StartTimer } from '../../../base/timers.ts';
import type { Graph, GraphNode } from '../flow/graph.ts';
import type { FlowResponse, Message } from '../message/message.ts';
import { formatValue } from '../message/placeholders.ts';
import type { NodeOutput } from '../nodes/node-type.ts';
import type { WorkflowSecrets } from '../parts.ts';
import { Execution, type ExecutionOwner } from './execution.ts';
import type { MessageMemory } from './memory.ts';
import { type QueuedMessage, RunQueue } from './queue.ts';
import { RunRecord } from './record.ts';
import type { RunScheduler } from './run-scheduler.ts';
import { Scope, type ScopeOwner } from './scope.ts';
import type { TimeLimit, TimeLimits } from './time-limits.ts';

export interface RunTools {
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly later: StartTimer;
  readonly limits: TimeLimits;
  readonly secrets: WorkflowSecrets;
  readonly memory: MessageMemory;
  readonly scheduler: RunScheduler;
}

export interface RunStart {
  readonly graph: Graph;
  /** Index of the start node. */
  readonly start: number;
  readonly message: Message;
  readonly actor: WorkflowActor;
  /** Until the answer if the run has one, else until its end, in milliseconds. */
  readonly timeLimitMs: number;
}

export interface RunOutcome {
  readonly status: 'ok' | 'error';
  /** Names workflow and node; empty if all went well. */
  readonly error: string;
  /** The payload at the response, else that of the node that ended last. */
  readonly payload: unknown;
  readonly response: FlowResponse | undefined;
  readonly record: RunRecord;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}

const maxExecutions = 10_000;
const maxParallel = 16;
/** Longest time of a run after its answer, in milliseconds (Data, Automation and Operations, "Limits"). */
export const maxRunMs = 300_000;

/** What is told of a run. */
export interface RunListener {
  responded(response: FlowResponse): void;
  ended(outcome: RunOutcome): void;
}

export class FlowRun implements ScopeOwner, ExecutionOwner {
  readonly #tools: RunTools;
  readonly #start: RunStart;
  readonly #record: RunRecord;
  readonly #queue: RunQueue;
  readonly #scope: Scope;
  readonly #startNode: GraphNode;
  readonly #startedAt: number;
  readonly #beganAt: number;
  #timers: Set<() => void> | undefined;
  readonly #listener: RunListener;
  #executions = 0;
  #working = 0;
  #resting = 0;
  #isPlanned = false;
  #hasEnded = false;
  #answer: FlowResponse | undefined;
  #last: Message | undefined;
  /** Undefined from the answer until the run turns out to go on after it. */
  #limit: TimeLimit | undefined;

  constructor(start: RunStart, tools: RunTools, listener: RunListener) {
    const node = start.graph[start.start];
    if (node === undefined) throw new Error('the flow has no such start node');
    this.#start = start;
    this.#startNode = node;
    this.#tools = tools;
    this.#listener = listener;
    this.#startedAt = tools.clock();
    this.#beganAt = tools.monotonic();
    this.#record = new RunRecord(tools.secrets, tools.clock);
    this.#queue = new RunQueue(tools.memory);
    this.#scope = new Scope(start.actor, this);
  }

  /** To be called once. The run may end meanwhile. */
  begin(): void {
    const { message, timeLimitMs } = this.#start;
    this.#limit = this.#tools.limits.begin(timeLimitMs, this);
    const node = this.#startNode;
    if (message.isLongValue)
      message.write().then(
        () => this.#startAt(node),
        (error) => this.#fail(node, error),
      );
    else this.#startAt(node);
  }

  #startAt(node: GraphNode): void {
    if (this.#hasEnded) return;
    try {
      this.#queue.begin(node, this.#start.message);
      this.#pump();
    } catch (error) {
      this.#fail(node, error);
    }
  }

  /** Ends the run with an error. */
  cancel(reason: string): void {
    this.#fail(undefined, new Error(reason));
  }

  #pump(): void {
    this.#isPlanned = false;
    this.#executeNext();
    if (!this.#hasEnded) this.#limit ??= this.#tools.limits.begin(maxRunMs, this);
  }

  #executeNext(): void {
    let at = this.#tools.monotonic();
    while (!this.#hasEnded && !this.#queue.isEmpty) {
      if (this.#working - this.#resting >= maxParallel) return;
      if (this.#tools.scheduler.isDue(at)) {
        this.#plan();
        return;
      }
      const waiting = this.#queue.take();
      if (waiting !== undefined) at = this.#execute(waiting, at);
    }
    if (!this.#hasEnded && this.#working === 0) this.#finish('ok', '');
  }

  #plan(): void {
    if (this.#isPlanned || this.#hasEnded) return;
    this.#isPlanned = true;
    this.#tools.scheduler.plan(() => this.#pump());
  }

  /** @param at now, in monotonic milliseconds @returns the same afterwards */
  #execute({ node, message }: QueuedMessage, at: number): number {
    this.#executions += 1;
    if (this.#executions > maxExecutions) {
      this.#fail(node, new Error(`the run has more than ${maxExecutions} executions of nodes`));
      return at;
    }
    const execution = new Execution(this.#scope, this, this.#record, node, message);
    execution.begin(at);
    try {
      const sent = execution.execute();
      if (sent === undefined) this.#working += 1;
      else if (sent instanceof Promise) this.#await(execution, sent);
      else return this.#done(execution, sent);
    } catch (error) {
      this.#fail(node, error, execution);
    }
    return this.#tools.monotonic();
  }

  #await(execution: Execution, sent: Promise<NodeOutput>): void {
    this.#working += 1;
    sent.then(
      (result) => this.finished(execution, result),
      (error) => this.failed(execution, error),
    );
  }

  /** What a node has sent that took its time. */
  finished(execution: Execution, sent: NodeOutput): void {
    this.#working -= 1;
    if (this.#hasEnded) return;
    try {
      this.#done(execution, sent);
      if (!this.#isPlanned) this.#pump();
    } catch (error) {
      this.#fail(execution.node, error, execution);
    }
  }

  failed(execution: Execution, error: unknown): void {
    this.#working -= 1;
    this.#fail(execution.node, error, execution);
  }

  /** @returns now, in monotonic milliseconds */
  #done(execution: Execution, sent: NodeOutput): number {
    const { node, message } = execution;
    let last = message;
    for (let output = 0; output < sent.length; output += 1) {
      const messages = sent[output] ?? [];
      for (const target of node.targets[output] ?? []) {
        const next = this.#start.graph[target];
        if (next !== undefined) this.#queue.add(next, messages);
      }
      last = messages.at(-1) ?? last;
    }
    const at = this.#tools.monotonic();
    execution.end(at, sent);
    this.#last = last;
    this.#queue.release(message);
    return at;
  }

  respond(answer: FlowResponse): void {
    if (this.#answer !== undefined || this.#hasEnded) return;
    this.#answer = answer;
    // The limit was for the answer; what the run does now nobody waits for. Most runs end with the answer.
    this.#limit?.end();
    this.#limit = undefined;
    this.#listener.responded(answer);
  }

  /** Its time is over. */
  isOver(ms: number): void {
    this.cancel(`it took longer than ${ms / 1000} seconds`);
  }

  wait(ms: number): Promise<void> {
    this.#resting += 1;
    this.#plan();
    this.#timers ??= new Set();
    const timers = this.#timers;
    return new Promise((resolve) => {
      const cancel = this.#tools.later(ms, () => {
        timers.delete(cancel);
        this.#resting -= 1;
        resolve();
      });
      timers.add(cancel);
    });
  }

  #fail(node: GraphNode | undefined, error: unknown, execution?: Execution): void {
    if (this.#hasEnded) return;
    const reason = this.#record.text(
      error instanceof Error ? error.message : formatValue(error),
      maxErrorText,
    );
    const { name } = this.#start.actor;
    const place = node === undefined ? '' : `, node "${node.label}"`;
    execution?.end(this.#tools.monotonic());
    this.#record.log('error', node ?? { id: '', label: '' }, reason);
    this.#finish('error', `workflow "${name}"${place}: ${reason}`);
  }

  #finish(status: RunOutcome['status'], error: string): void {
    this.#hasEnded = true;
    this.#limit?.end();
    for (const cancel of this.#timers ?? []) cancel();
    this.#timers = undefined;
    this.#queue.close();
    this.#scope.end(status);
    const durationMs = Math.round(this.#tools.monotonic() - this.#beganAt);
    const tell = (payload: unknown): void =>
      this.#listener.ended({
        status,
        error,
        payload,
        response: this.#answer,
        record: this.#record,
        startedAt: this.#startedAt,
        durationMs,
      });
    const last = this.#last;
    if (this.#answer !== undefined) tell(this.#answer.payload);
    else if (last?.isLongText !== true) tell(last?.payload);
    else
      last.load().then(
        () => tell(last.payload),
        () => tell(undefined),
      );
  }
}

const maxErrorText = 2000;
