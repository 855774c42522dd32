/**
 * The deliveries of all webhooks that this node makes: off the path of requests. Their events are stored (`event-outbox.ts`)
 * until the first attempt; retries are in memory only.
 *
 *  1. Each webhook has its own queue and at most `maxRunning` requests at the same time, so a dead receiver
 *     delays nobody else. Its newer events do not wait for the retries of older ones.
 *  2. At most `maxWaiting` deliveries of a webhook wait; a further one fails at once.
 *  3. A delivery is `pending` until it is `requireData`, `failed` or `skipped`; then it does not change any more.
 *  4. Disabling or deleting a webhook ends its pending deliveries. A stop of the server sends what waits, for at
 *     most `flushMs`, and ends what waits for a retry.
 */
import { type Clock, unixSeconds } from '../../base/clock.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { StartTimer } from '../../base/timers.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import type { OwnRequests } from '../../http/outgoing/own-requests.ts';
import { attempt, type Failure, type Message } from './attempt.ts';
import { type Delivery, webhookLimits } from './model.ts';
import type { StoredWebhook } from './store.ts';

export interface DeliveriesOptions {
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly ownRequests: Pick<OwnRequests, 'newId'>;
  readonly clock: Clock;
  readonly later: StartTimer;
  /** The webhook as it is now; undefined when it is deleted. */
  readonly webhookOf: (id: string) => StoredWebhook | undefined;
  /** Is told each state of a delivery. */
  readonly onChange?: (webhookId: string, logged: LoggedDelivery) => void;
}

/** A delivery, and when it was made. */
export interface LoggedDelivery {
  /** Unix milliseconds, never the same twice. */
  readonly madeAt: number;
  readonly delivery: Delivery;
}

/** An event as all webhooks get it. */
export interface OutgoingEvent {
  readonly event: string;
  /** Unix seconds. */
  readonly at: number;
  /** JSON of the body. */
  readonly body: string;
  /** Number of changes in it. */
  readonly changes: number;
  readonly hop: number;
}

const retryMs = [2_000, 10_000, 30_000] as const;
const maxHops = 3;
const maxRunning = 4;
const maxWaiting = 100;
const flushMs = 5_000;

/** What secrets of webhooks are encrypted for. */
export const secretPurpose = 'webhook';

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #queues = new Map<string, Queue>();
  readonly #stop = new AbortController();
  #isClosing = false;
  #lastMadeAt = 0;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Queues an event for a webhook.
   *
   * @param id of the delivery
   * @returns a promise that resolves after the first attempt, or when there will be none; never if a stop of the server
   *   prevents it
   */
  send({ id: webhookId }: StoredWebhook, event: OutgoingEvent, id: string): Promise<void> {
    const queue = this.#queueOf(webhookId);
    const job = this.#jobFor(webhookId, event, { id, isTest: false });
    queue.log(job);
    if (event.hop > maxHops) job.end('skipped', nestedTooDeep);
    else if (queue.waiting.length >= maxWaiting) job.end('failed', tooManyWaiting);
    else queue.waiting.push(job);
    this.#next(webhookId, queue);
    return job.attempted;
  }

  /** Sends a ping at once, in one attempt, even if the webhook is disabled. */
  async ping(webhook: StoredWebhook, event: OutgoingEvent): Promise<Delivery> {
    const id = this.#options.ownRequests.newId();
    const job = this.#jobFor(webhook.id, event, { id, isTest: true });
    this.#queueOf(webhook.id).log(job);
    const failure = await this.#attempt(webhook.id, job);
    job.end(failure === undefined ? 'ok' : 'failed', failure);
    return job.logged().delivery;
  }

  /** The deliveries of a webhook, newest first. */
  list(id: string): LoggedDelivery[] {
    return this.#queues.get(id)?.jobs.map((job) => job.logged()) ?? [];
  }

  /** Ends the pending deliveries of a webhook that was disabled or deleted. */
  drop(id: string, { forget }: { readonly forget: boolean }): void {
    const queue = this.#queues.get(id);
    if (queue === undefined) return;
    queue.waiting.length = 0;
    for (const job of queue.jobs) if (!job.isRunning) job.giveUp(disabled);
    if (forget) this.#queues.delete(id);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const queues = [...this.#queues.values()];
    for (const { jobs } of queues) for (const job of jobs) job.endRetries(shutdown);
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.later(flushMs, resolve);
    await Promise.race([Promise.all(queues.map((queue) => queue.idle())), promise]);
    cancel();
    for (const { jobs } of queues) for (const job of jobs) job.giveUp(shutdown);
    this.#stop.abort();
  }

  #jobFor(webhookId: string, event: OutgoingEvent, how: Pick<JobOptions, 'id' | 'isTest'>): Job {
    const { clock, onChange } = this.#options;
    this.#lastMadeAt = Math.max(clock(), this.#lastMadeAt + 1);
    return new Job(event, {
      ...how,
      madeAt: this.#lastMadeAt,
      onChange: (logged) => onChange?.(webhookId, logged),
    });
  }

  #queueOf(id: string): Queue {
    const known = this.#queues.get(id) ?? new Queue();
    this.#queues.set(id, known);
    return known;
  }

  #next(id: string, queue: Queue): void {
    while (queue.running < maxRunning) {
      const job = queue.waiting.shift();
      if (job === undefined) break;
      this.#run(id, queue, job);
    }
    queue.tellIdle();
  }

  async #run(id: string, queue: Queue, job: Job): Promise<void> {
    queue.running += 1;
    job.start();
    const failure = await this.#attempt(id, job);
    queue.running -= 1;
    if (failure === undefined) job.end('ok', undefined);
    else this.#failed(id, queue, job, failure);
    this.#next(id, queue);
  }

  #failed(id: string, queue: Queue, job: Job, failure: Failure): void {
    const delay = failure.isTemporary ? retryMs[job.attempts - 1] : undefined;
    if (delay === undefined) job.end('failed', failure);
    else if (this.#isClosing) job.end('failed', shutdown);
    else {
      const retry = () => {
        if (!job.isPending) return;
        queue.waiting.push(job);
        this.#next(id, queue);
      };
      job.wait(failure, this.#options.later(delay, retry));
    }
  }

  async #attempt(id: string, job: Job): Promise<Failure | undefined> {
    const { outgoing, secrets, clock, webhookOf } = this.#options;
    const webhook = webhookOf(id);
    if (webhook === undefined) {
      job.tried(0, 0, disabled);
      return disabled;
    }
    const started = performance.now();
    const { status, failure } = await attempt(
      outgoing,
      () => ({
        url: webhook.url,
        secret: webhook.secret === '' ? undefined : secrets.open(webhook.secret, secretPurpose),
      }),
      job.message,
      { now: unixSeconds(clock), signal: this.#stop.signal },
    );
    job.tried(status, Math.round(performance.now() - started), failure);
    return failure;
  }
}

class Queue {
  /** Newest first. */
  readonly jobs: Job[] = [];
  readonly waiting: Job[] = [];
  running = 0;
  #whenIdle: (() => void)[] = [];

  log(job: Job): void {
    this.jobs.unshift(job);
    job.tell();
    if (this.jobs.length > webhookLimits.deliveries) this.jobs.pop();
  }

  idle(): Promise<void> {
    if (this.running === 0 && this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  tellIdle(): void {
    if (this.running > 0 || this.waiting.length > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

interface JobOptions {
  readonly id: string;
  readonly madeAt: number;
  readonly isTest: boolean;
  readonly onChange: (logged: LoggedDelivery) => void;
}

/** One delivery. */
class Job {
  readonly message: Message;
  /** Resolves when the first attempt has ended, or there will be none. */
  readonly attempted: Promise<void>;
  readonly #setAttempted: () => void;
  readonly #event: OutgoingEvent;
  readonly #options: JobOptions;
  #state: Delivery['state'] = 'pending';
  #status = 0;
  #durationMs = 0;
  #failure: Failure | undefined;
  #cancelRetry: (() => void) | undefined;
  #isRunning = false;
  attempts = 0;

  constructor(event: OutgoingEvent, options: JobOptions) {
    this.#event = event;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.attempted = promise;
    this.#setAttempted = resolve;
    this.message = { id: options.id, event: event.event, body: event.body, hop: event.hop };
  }

  get isPending(): boolean {
    return this.#state === 'pending';
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** An attempt begins. */
  start(): void {
    this.#isRunning = true;
    this.#cancelRetry = undefined;
  }

  tried(status: number, durationMs: number, failure: Failure | undefined): void {
    this.#isRunning = false;
    if (!this.isPending) return;
    this.attempts += 1;
    this.#status = status;
    this.#durationMs = durationMs;
    this.#failure = failure;
    this.#setAttempted();
  }

  /** @param cancel takes back the retry that is planned */
  wait(failure: Failure, cancel: () => void): void {
    if (!this.isPending) {
      cancel();
      return;
    }
    this.#failure = failure;
    this.#cancelRetry = cancel;
    this.tell();
  }

  end(state: 'ok' | 'failed' | 'skipped', failure: Failure | undefined): void {
    if (!this.isPending) return;
    this.#state = state;
    this.#failure = failure;
    if (failure !== shutdown) this.#setAttempted();
    this.tell();
  }

  /** Ends a delivery that waits for a retry. */
  endRetries(failure: Failure): void {
    if (this.#cancelRetry !== undefined) this.giveUp(failure);
  }

  giveUp(failure: Failure): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.end('failed', failure);
  }

  /** Tells its state. */
  tell(): void {
    this.#options.onChange(this.logged());
  }

  logged(): LoggedDelivery {
    return { madeAt: this.#options.madeAt, delivery: this.#present() };
  }

  #present(): Delivery {
    const { event, at, changes, hop } = this.#event;
    const failure = this.#failure;
    return {
      id: this.message.id,
      event,
      at,
      state: this.#state,
      status: this.#status,
      duration_ms: this.#durationMs,
      attempts: this.attempts,
      error: failure?.text ?? '',
      error_code: failure?.code ?? '',
      error_params: failure?.params ?? {},
      response: '',
      changes,
      hop,
      test: this.#options.isTest,
    };
  }
}

function final(code: Failure['code'], text: string, params: Failure['params'] = {}): Failure {
  return { code, text, params, isTemporary: false };
}

const nestedTooDeep = final(
  'webhook.nestedTooDeep',
  `${maxHops} deliveries in a row have led to this event, it is not sent`,
  { max: maxHops },
);
const tooManyWaiting = final(
  'webhook.requestFailed',
  `${maxWaiting} deliveries are waiting for this receiver already`,
  { error: 'too many waiting' },
);
const disabled = final('webhook.requestFailed', 'the webhook was disabled or deleted', { error: 'disabled' });
const shutdown = final('webhook.shutdown', 'the server was stopped');
