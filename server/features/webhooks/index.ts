import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Commit } from '../../changes/record.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { SchemaFeature } from '../schema/index.ts';
import type { SchemaEvent } from '../schema/service.ts';
import { ChangeBundle } from './bundles.ts';
import { Deliveries, type OutgoingEvent } from './deliveries.ts';
import { DeliveryLog } from './delivery-log.ts';
import type { Delivery, WebhookEvent } from './model.ts';
import { webhookRoutes } from './routes.ts';
import { listWebhooks, type StoredWebhook } from './store.ts';

type WebhookParts = Pick<
  SharedServices,
  'reader' | 'changes' | 'activity' | 'outgoing' | 'ownRequests' | 'secrets' | 'clock' | 'log' | 'nodeState'
>;

/** Changes within this time are told together, in milliseconds (Data, Automation and Operations, "Limits"). */
const bundleMs = 2_000;

/** Deliveries in a row, of a change that no delivery has caused. */
const firstHop = 1;

/** Webhooks: addresses that are told of changes (Data, Automation and Operations, "Webhooks"). */
export async function webhooksFeature(
  parts: WebhookParts,
  schema: SchemaFeature['schema'],
  later: StartTimer = startTimer,
): Promise<Feature> {
  const sender = new WebhookSender(parts, await listWebhooks(parts.reader), later);
  schema.onChange((event) => sender.onSchemaChange(event));
  return {
    about: { webhooks: 'Addresses that are told of changes.' },
    routes: webhookRoutes(parts, sender),
    followers: [
      { of: ['webhooks'], refresh: async () => sender.use(await listWebhooks(parts.reader)) },
      { of: 'content', react: (commits) => sender.tellChanges(commits) },
    ],
    close: () => sender.close(),
  };
}

/** Deliveries in a row, with the one that tells of a change of this actor. */
function hopOf(actor: Actor): number {
  return actor.kind === 'workflow' ? firstHop + actor.hop : firstHop;
}

/** Turns commits into events, and hands each event to the webhooks that ask for it. */
class WebhookSender {
  readonly #parts: WebhookParts;
  readonly #later: StartTimer;
  /** All webhooks by ID; at most 20, so that a commit need not ask the database. */
  readonly #webhooks: Map<string, StoredWebhook>;
  readonly #deliveries: Deliveries;
  /** Undefined on one machine. */
  readonly #log: DeliveryLog | undefined;
  /** The open bundle of each hop. */
  readonly #bundles = new Map<number, ChangeBundle>();

  constructor(parts: WebhookParts, webhooks: readonly StoredWebhook[], later: StartTimer) {
    this.#parts = parts;
    this.#later = later;
    this.#webhooks = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
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

  tellChanges(commits: readonly Commit[]): void {
    for (const { actor, records, announcements } of commits) {
      const hop = hopOf(actor);
      if (this.#wants('content.changed').length > 0) this.#bundle(hop, records);
      for (const { event, fields, changes } of announcements) this.#tell(event, fields, changes, hop);
    }
  }

  onSchemaChange({ version, changes }: SchemaEvent): void {
    this.#tell('schema.changed', { schema_version: version, changes }, changes.length, firstHop);
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
    return this.#deliveries.ping(webhook, this.#eventOf('ping', { webhook: webhook.id }, 0, firstHop));
  }

  async close(): Promise<void> {
    for (const [hop, bundle] of this.#bundles) this.#sendBundle(hop, bundle);
    await this.#deliveries.close();
  }

  #forget(id: string): void {
    this.#webhooks.delete(id);
    this.#deliveries.drop(id, { forget: true });
    this.#log?.forget(id);
  }

  #bundle(hop: number, records: Commit['records']): void {
    const open = this.#bundles.get(hop);
    const bundle = open ?? new ChangeBundle();
    bundle.add(records);
    if (open !== undefined || bundle.isEmpty) return;
    this.#bundles.set(hop, bundle);
    this.#later(bundleMs, () => this.#sendBundle(hop, bundle));
  }

  #sendBundle(hop: number, bundle: ChangeBundle): void {
    if (this.#bundles.get(hop) !== bundle) return;
    this.#bundles.delete(hop);
    this.#send('content.changed', bundle.event(unixSeconds(this.#parts.clock), hop));
  }

  #tell(name: WebhookEvent, fields: object, changes: number, hop: number): void {
    if (this.#wants(name).length > 0) this.#send(name, this.#eventOf(name, fields, changes, hop));
  }

  #send(name: WebhookEvent, event: OutgoingEvent): void {
    for (const webhook of this.#wants(name)) this.#deliveries.send(webhook, event);
  }

  #eventOf(event: string, fields: object, changes: number, hop: number): OutgoingEvent {
    const at = unixSeconds(this.#parts.clock);
    return { event, at, body: JSON.stringify({ event, at, ...fields }), changes, hop };
  }

  #wants(event: WebhookEvent): StoredWebhook[] {
    return [...this.#webhooks.values()].filter(({ enabled, events }) => enabled && events.includes(event));
  }
}
