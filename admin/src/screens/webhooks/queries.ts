import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { Delivery } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';

export type { Delivery };

export const webhooks = new Resource('/webhooks');

/** The last deliveries, newest first. */
export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: [webhooks.name, id, 'deliveries'],
    queryFn: () => requireData(api.GET('/webhooks/{id}/deliveries', { params: { path: { id } } })),
  });
}

/** Sends a ping, and resolves with what came of it. */
export async function testWebhook(id: string): Promise<Delivery> {
  const delivery = await requireData(api.POST('/webhooks/{id}/test', { params: { path: { id } } }));
  await webhooks.changed();
  return delivery;
}
