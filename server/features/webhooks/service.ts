import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { nextUpdatedAt } from '../../base/clock.ts';
import { apiError } from '../../base/errors.ts';
import { hasSameOrigin } from '../../base/origin.ts';
import { requireConfirmed } from '../../base/refusals/confirmation.ts';
import type { Secrets } from '../../base/secrets.ts';
import { newestChange } from '../../changes/change-log.ts';
import type { Change } from '../../changes/changes.ts';
import { saveLogPosition } from '../../changes/outbox-store.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { secretPurpose } from './deliveries.ts';
import {
  type Delivery,
  defaultEvents,
  type Webhook,
  type WebhookCreate,
  type WebhookEvent,
  type WebhookUpdate,
  webhookEvents,
  webhookLimits,
  webhooksName,
} from './model.ts';
import * as store from './store.ts';

export interface WebhookDeps {
  readonly outgoing: Pick<Outgoing, 'faultOf'>;
  readonly secrets: Pick<Secrets, 'seal'>;
}

/** A stored webhook with its secret, if that is new. */
export interface Saved {
  readonly webhook: store.StoredWebhook;
  readonly secret: string | undefined;
}

/** @throws ApiError `webhook.*` */
export async function createWebhook(change: Change, body: WebhookCreate, deps: WebhookDeps): Promise<Saved> {
  const { tx, now } = change;
  checkFields(body, deps);
  const others = await store.listWebhooks(tx);
  if (others.length >= webhookLimits.webhooks)
    throw apiError('webhook.tooMany', { max: webhookLimits.webhooks });
  const secret = body.secret ?? generateSecret();
  const webhook = {
    id: randomUUID(),
    name: body.name ?? '',
    url: body.url,
    events: eventsOf(body.events) ?? defaultEvents,
    enabled: body.enabled ?? true,
    secret: deps.secrets.seal(secret, secretPurpose),
    created_at: now,
    updated_at: now,
  };
  await store.insertWebhook(tx, webhook);
  await skipUnwanted(tx, webhook, others);
  return { webhook, secret };
}

/** On another origin the secret is cleared, unless it is sent. @throws ApiError `common.notFound`, `webhook.*` */
export async function updateWebhook(
  change: Change,
  id: string,
  body: WebhookUpdate,
  deps: WebhookDeps,
): Promise<Saved> {
  const before = await requireWebhook(change.tx, id);
  checkFields(body, deps);
  const secret = body.secret ?? (body.regenerate_secret === true ? generateSecret() : undefined);
  const url = body.url ?? before.url;
  const isMoved = !hasSameOrigin(url, before.url);
  if (isMoved && before.secret !== '') requireConfirmed(change.actor, change.now);
  const kept = isMoved ? '' : before.secret;
  const webhook: store.StoredWebhook = {
    ...before,
    name: body.name ?? before.name,
    url,
    events: eventsOf(body.events) ?? before.events,
    enabled: body.enabled ?? before.enabled,
    secret: secret === undefined ? kept : deps.secrets.seal(secret, secretPurpose),
  };
  if (isDeepStrictEqual(webhook, before)) return { webhook: before, secret };
  const changed = { ...webhook, updated_at: nextUpdatedAt(change.now, before.updated_at) };
  await skipUnwanted(change.tx, changed, await store.listWebhooks(change.tx));
  await store.updateWebhook(change.tx, changed);
  return { webhook: changed, secret };
}

/** @throws ApiError `common.notFound` */
export async function requireWebhook(db: ContentDb, id: string): Promise<store.StoredWebhook> {
  const webhook = await store.findWebhook(db, id);
  if (webhook === undefined) throw apiError('common.notFound', {});
  return webhook;
}

/** What was changed when no webhook asked for it is told to none. @param stored the webhooks before the change */
async function skipUnwanted(
  tx: ContentDb,
  webhook: store.StoredWebhook,
  stored: readonly store.StoredWebhook[],
): Promise<void> {
  if (!wantsContent(webhook) || stored.some(wantsContent)) return;
  await saveLogPosition(tx, webhooksName, { version: await newestChange(tx), state: '' });
}

function wantsContent({ enabled, events }: store.StoredWebhook): boolean {
  return enabled && events.includes('content.changed');
}

/** The answer to GET. @param newest the newest delivery, if there is one */
export function presentWebhook(webhook: store.StoredWebhook, newest: Delivery | undefined): Webhook {
  const { secret, events, ...fields } = webhook;
  return {
    ...fields,
    events: [...events],
    secret_set: secret !== '',
    last: newest === undefined ? null : lastOf(newest),
  };
}

function lastOf({ id, event, at, state, status, duration_ms, attempts, changes, hop }: Delivery) {
  return { id, event, at, state, status, duration_ms, attempts, changes, hop };
}

function checkFields({ url, name, events, secret }: WebhookUpdate, { outgoing }: WebhookDeps): void {
  const fault = url === undefined ? undefined : outgoing.faultOf(url);
  if (fault !== undefined) throw apiError('webhook.urlInvalid', { reason: fault.reason });
  if (name !== undefined && characterCount(name) > webhookLimits.name)
    throw apiError('webhook.nameTooLong', { max: webhookLimits.name });
  eventsOf(events);
  const { min, max } = webhookLimits.secret;
  if (secret !== undefined && characterCount(secret) < min) throw apiError('webhook.secretTooShort', { min });
  if (secret !== undefined && characterCount(secret) > max) throw apiError('webhook.secretTooLong', { max });
}

/** The events without repetition. @throws ApiError `webhook.eventsRequired`, `webhook.eventUnknown` */
function eventsOf(names: readonly string[] | undefined): WebhookEvent[] | undefined {
  if (names === undefined) return undefined;
  if (names.length === 0) throw apiError('webhook.eventsRequired', {});
  const unknown = names.find((name) => !webhookEvents.some((event) => event === name));
  if (unknown !== undefined) throw apiError('webhook.eventUnknown', { event: unknown });
  return webhookEvents.filter((event) => names.includes(event));
}

function generateSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`;
}
