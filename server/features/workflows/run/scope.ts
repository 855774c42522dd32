import type { WorkflowActor } from '../../../base/actor.ts';
import type { FlowResponse, FlowScope } from '../message/message.ts';

/** The run. */
export type ScopeOwner = Pick<FlowScope, 'respond' | 'wait'>;

/** What all nodes of a run share. */
export class Scope implements FlowScope {
  readonly actor: WorkflowActor;
  readonly #owner: ScopeOwner;
  aborted = false;
  hasEnded = false;
  reason: unknown;
  /** Most runs ask for none. */
  #controller: AbortController | undefined;

  constructor(actor: WorkflowActor, owner: ScopeOwner) {
    this.actor = actor;
    this.#owner = owner;
  }

  respond(response: FlowResponse): void {
    this.#owner.respond(response);
  }

  wait(ms: number): Promise<void> {
    return this.#owner.wait(ms);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** To be called at the end of the run; an error tells the nodes that still work. */
  end(status: 'ok' | 'error'): void {
    this.hasEnded = true;
    if (status === 'ok') return;
    this.aborted = true;
    this.reason = new Error('the run has ended');
    this.#controller?.abort(this.reason);
  }
}
