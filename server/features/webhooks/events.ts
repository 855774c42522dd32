import type { NewOutboxEvent, OutboxEvent } from '../../changes/outbox-store.ts';
import type { OutgoingEvent } from './deliveries.ts';
import { type WebhookEvent, webhooksName } from './model.ts';

/** An event as it is stored until it has gone out. */
interface WebhookPayload {
  /** Fields of the body besides `event` and `at`. */
  readonly fields: object;
  /** Number of changes in it. */
  readonly changes: number;
  readonly hop: number;
}

/** An event for all webhooks that ask for it. */
export function toWebhookEvent(
  event: WebhookEvent,
  fields: object,
  changes: number,
  hop: number,
): NewOutboxEvent {
  const payload: WebhookPayload = { fields, changes, hop };
  return { outlet: webhooksName, event, payload };
}

/** A stored event as it is sent, the same whenever that is. */
export function parseWebhookEvent({ event, at, payload }: OutboxEvent): OutgoingEvent {
  // Type boundary: only `toWebhookEvent` makes this JSON.
  const { fields, changes, hop } = JSON.parse(payload) as WebhookPayload;
  return { event, at, body: JSON.stringify({ event, at, ...fields }), changes, hop };
}
