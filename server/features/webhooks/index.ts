import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { NewOutboxEvent, OutboxEvent } from '../../changes/outbox-store.ts';
import type { Outlet } from '../../changes/outlets.ts';
import { type Commit, changeEvents } from '../../changes/record.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { SchemaFeature } from '../schema/index.ts';
import type { SchemaEvent } from '../schema/service.ts';
import { Bundler } from './bundler.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryLog } from './delivery-log.ts';
import { parseWebhookEvent, toWebhookEvent } from './events.ts';
import { type Delivery, firstHop, type WebhookEvent, webhooksName } from './model.ts';
import { webhookRoutes } from './routes.ts';
import { listWebhooks, type StoredWebhook } from './store.ts';

type WebhookParts = Pick<
  SharedServices,
  | 'reader'
  | 'changes'
  | 'outbox'
  | 'activity'
  | 'outgoing'
  | 'ownRequests'
  | 'secrets'
  | 'clock'
  | 'log'
  | 'nodeState'
>;

/** Webhooks: addresses that are told of changes (Data, Automation and Operations, "Webhooks"). */
export async function webhooksFeature(
  parts: WebhookParts,
  schema: SchemaFeature['schema'],
  later: StartTimer = startTimer,
): Promise<Feature> {
  const sender = new WebhookSender(parts, await listWebhooks(parts.reader), later);
  schema.onChange((event) => sender.toSchemaEvents(event));
  return {
    about: { webhooks: 'Addresses that are told of changes.' },
    routes: webhookRoutes(parts, sender),
    followers: [
      { of: ['webhooks'], refresh: async () => sender.use(await listWebhooks(parts.reader)) },
      { of: ['commits'], refresh: () => sender.noteCommit() },
    ],
    outlets: [sender],
    close: () => sender.close(),
  };
}

/** Deliveries in a row, with the one that tells of a change of this actor. */
function hopOf(actor: Actor): number {
  return actor.kind === 'workflow' ? firstHop + actor.hop : firstHop;
}

/** Sends each event to the webhooks that ask for it. */
class WebhookSender implements Outlet {
  readonly name = webhooksName;
  readonly of = changeEvents;
  readonly #bundler: Bundler;
  readonly #parts: WebhookParts;
  /** All webhooks by ID; at most 20, so that a commit need not ask the database. */
  readonly #webhooks: Map<string, StoredWebhook>;
  readonly #deliveries: Deliveries;
  /** Undefined on one machine. */
  readonly #log: DeliveryLog | undefined;

  constructor(parts: WebhookParts, webhooks: readonly StoredWebhook[], later: StartTimer) {
    this.#parts = parts;
    this.#webhooks = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    this.#bundler = new Bundler({ ...parts, later, isWanted: () => this.#isWanted('content.changed') });
    this.#log = parts.nodeState === undefined ? undefined : new DeliveryLog(parts);
    this.#deliveries = new Deliveries({
      ...parts,
      later,
      webhookOf: (id) => this.#webhooks.get(id),
      onChange: (webhookId, logged) => {
        if (this.#webhooks.has(webhookId)) this.#log?.tell(webhookId, logged);
      },
    });
  }

  /** Changes of content are read from the log of commits. */
  noteCommit(): void {
    if (this.#isWanted('content.changed')) this.#bundler.wake();
  }

  collect({ actor, announcements }: Commit): NewOutboxEvent[] {
    return announcements
      .filter(({ event }) => this.#isWanted(event))
      .map(({ event, fields, changes, hop }) =>
        toWebhookEvent(event, fields, changes, hop === undefined ? hopOf(actor) : firstHop + hop),
      );
  }

  toSchemaEvents({ version, changes }: SchemaEvent): NewOutboxEvent[] {
    if (!this.#isWanted('schema.changed')) return [];
    const fields = { schema_version: version, changes };
    return [toWebhookEvent('schema.changed', fields, changes.length, firstHop)];
  }

  /** Deliveries have queues of their own, so the next event need not wait. */
  send(stored: OutboxEvent, done: () => void): void {
    const { ownRequests } = this.#parts;
    const event = parseWebhookEvent(stored);
    const attempts = this.#wanting(event.event).map((webhook) =>
      this.#deliveries.send(
        webhook,
        event,
        ownRequests.computeId(event.at, `delivery ${stored.seq} ${webhook.id}`),
      ),
    );
    void Promise.all(attempts).then(done);
  }

  async list(id: string): Promise<Delivery[]> {
    const own = this.#deliveries.list(id);
    return this.#log === undefined ? own.map(({ delivery }) => delivery) : this.#log.list(id, own);
  }

  /** Takes over a new list of webhooks. */
  use(webhooks: readonly StoredWebhook[]): void {
    const ids = new Set(webhooks.map(({ id }) => id));
    for (const id of [...this.#webhooks.keys()]) if (!ids.has(id)) this.#forget(id);
    for (const webhook of webhooks) {
      this.#webhooks.set(webhook.id, webhook);
      if (!webhook.enabled) this.#deliveries.drop(webhook.id, { forget: false });
    }
  }

  ping(webhook: StoredWebhook) {
    const at = unixSeconds(this.#parts.clock);
    const body = JSON.stringify({ event: 'ping', at, webhook: webhook.id });
    return this.#deliveries.ping(webhook, { event: 'ping', at, body, changes: 0, hop: firstHop });
  }

  async close(): Promise<void> {
    await this.#bundler.close();
    await this.#parts.outbox.drain(webhooksName);
    await this.#deliveries.close();
  }

  #forget(id: string): void {
    this.#webhooks.delete(id);
    this.#deliveries.drop(id, { forget: true });
    this.#log?.forget(id);
  }

  #isWanted(event: WebhookEvent): boolean {
    return this.#wanting(event).length > 0;
  }

  #wanting(event: string): StoredWebhook[] {
    return [...this.#webhooks.values()].filter(
      ({ enabled, events }) => enabled && events.some((wanted) => wanted === event),
    );
  }
}
