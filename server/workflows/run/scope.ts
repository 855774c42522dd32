import type { WorkflowActor } from '../../actor.ts';
import type { FlowScope } from './message.ts';

/** What all nodes of a run share. */
export class Scope implements FlowScope {
  readonly actor: WorkflowActor;
  readonly respond: FlowScope['respond'];
  readonly wait: FlowScope['wait'];
  aborted = false;
  hasEnded = false;
  reason: unknown;
  /** Most runs ask for none. */
  #controller: AbortController | undefined;

  constructor(actor: WorkflowActor, respond: FlowScope['respond'], wait: FlowScope['wait']) {
    this.actor = actor;
    this.respond = respond;
    this.wait = wait;
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
