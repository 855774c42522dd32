import { forAllOrigins } from '../../../api/cross-origin.ts';
import { Reply } from '../../../api/reply.ts';
import type { Actor } from '../../../base/actor.ts';
import { ApiError, apiError } from '../../../base/errors.ts';
import type { ApiRequest } from '../../../http/api-exchange.ts';
import type { ActiveInput } from '../active.ts';
import type { Engine } from '../engine.ts';
import type { InputMatch } from '../input-router.ts';
import type { FlowResponse, Message } from '../message/message.ts';
import type { RunListener, RunOutcome } from '../run/runner.ts';
import { type Headers, replyTo } from './answer.ts';
import { readMessage, receiveBody } from './request.ts';

/** Until the answer, in milliseconds (Data, Automation and Operations, "Limits"). */
const timeLimitMs = 30_000;
const noHeaders: Headers = [];

/** A request at an input, and who waits for its answer. */
export interface AskedInput {
  readonly request: ApiRequest;
  readonly actor: Actor;
  readonly done: (reply: Reply) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A request at an HTTP input, from its body to its answer. Each step calls the next one, without promises as long as
 * nothing is long: they would cost more than the run.
 */
export class InputCall implements RunListener {
  readonly #engine: Engine;
  readonly #asked: AskedInput;
  /** Below `/flows`. */
  readonly #path: string;
  readonly #isPublic: boolean;
  #hasAnswered = false;

  constructor(engine: Engine, asked: AskedInput, path: string, isPublic: boolean) {
    this.#engine = engine;
    this.#asked = asked;
    this.#path = path;
    this.#isPublic = isPublic;
  }

  begin(match: InputMatch<ActiveInput>, hop: number): void {
    receiveBody(
      this.#asked.request,
      (bytes) => this.#attempt(() => this.#received(bytes, match, hop)),
      (error) => this.refuse(error),
    );
  }

  #received(bytes: Uint8Array, match: InputMatch<ActiveInput>, hop: number): void {
    const message = readMessage(this.#asked.request, bytes, this.#path, match.params);
    if (message instanceof Promise)
      message.then(
        (made) => this.#attempt(() => this.#run(made, match, hop)),
        (error) => this.refuse(error),
      );
    else this.#run(message, match, hop);
  }

  #run(message: Message, { input: { workflow, node } }: InputMatch<ActiveInput>, hop: number): void {
    this.#engine.launch({ workflow, node, message, trigger: 'http', timeLimitMs, hop }, this);
  }

  responded(response: FlowResponse): void {
    this.#hasAnswered = true;
    let reply: Reply | Promise<Reply>;
    try {
      reply = replyTo(response, this.#cors);
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.#answer(reply);
  }

  ended({ status, error }: RunOutcome): void {
    if (this.#hasAnswered) return;
    const { actor } = this.#asked;
    if (status === 'ok') this.#answer(Reply.empty({ headers: this.#cors }));
    else if (actor.kind === 'none') this.refuse(apiError('workflow.failed', {}));
    else this.#answer(Reply.json({ error }, { status: 500, headers: this.#cors }));
  }

  /** Every origin may read the refusal of a public input too. */
  refuse(error: unknown): void {
    const { done, failed } = this.#asked;
    if (!(error instanceof ApiError) || !this.#isPublic) failed(error);
    else
      done(Reply.json(error.toBody(), { status: error.status, headers: [...error.headers, ...this.#cors] }));
  }

  get #cors(): Headers {
    return this.#isPublic ? forAllOrigins : noHeaders;
  }

  #answer(reply: Reply | Promise<Reply>): void {
    if (reply instanceof Promise) reply.then(this.#asked.done, (error) => this.refuse(error));
    else this.#asked.done(reply);
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.refuse(error);
    }
  }
}
