import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import type {
  Delivery,
  SavedWebhook,
  Webhook,
  WebhookCreate,
  WebhookUpdate,
} from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';

export type { Delivery, SavedWebhook, Webhook };

/** What a webhook can be told of. */
export const webhookEvents = ['content.changed', 'schema.changed', 'batch.applied'] as const;

const listQuery = queryOptions({ queryKey: ['webhooks'], queryFn: () => ok(api.GET('/webhooks')) });

export function useWebhooks() {
  return useQuery(listQuery);
}

/** The last deliveries, newest first. */
export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: () => ok(api.GET('/webhooks/{id}/deliveries', { params: { path: { id } } })),
  });
}

export async function createWebhook(body: WebhookCreate): Promise<SavedWebhook> {
  const webhook = await ok(api.POST('/webhooks', { body }));
  await webhooksChanged();
  return webhook;
}

export async function updateWebhook(id: string, body: WebhookUpdate): Promise<SavedWebhook> {
  const webhook = await ok(api.PUT('/webhooks/{id}', { params: { path: { id } }, body }));
  await webhooksChanged();
  return webhook;
}

export async function deleteWebhook(id: string): Promise<void> {
  await ok(api.DELETE('/webhooks/{id}', { params: { path: { id } } }));
  await webhooksChanged();
}

/** Sends a ping, and resolves with what came of it. */
export async function testWebhook(id: string): Promise<Delivery> {
  const delivery = await ok(api.POST('/webhooks/{id}/test', { params: { path: { id } } }));
  await webhooksChanged();
  return delivery;
}

function webhooksChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}
