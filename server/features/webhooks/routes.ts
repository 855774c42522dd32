import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { apiError } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import {
  Delivery,
  type SavedWebhook as SavedAnswer,
  SavedWebhook,
  Webhook,
  WebhookCreate,
  WebhookUpdate,
} from './model.ts';
import * as service from './service.ts';
import { deleteWebhook, listWebhooks, type StoredWebhook } from './store.ts';

const Params = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100, description: 'ID of the webhook.' }),
});

/** What the routes tell the part that delivers. */
export interface DeliveryControl {
  /** The deliveries of a webhook, newest first. */
  list(id: string): Promise<Delivery[]>;
  ping(webhook: StoredWebhook): Promise<Delivery>;
}

const fieldErrors = [
  'webhook.urlInvalid',
  'webhook.eventUnknown',
  'webhook.eventsRequired',
  'webhook.nameTooLong',
  'webhook.secretTooShort',
  'webhook.secretTooLong',
] as const;

export function webhookRoutes(
  { reader, changes, outgoing, secrets }: Pick<SharedServices, 'reader' | 'changes' | 'outgoing' | 'secrets'>,
  control: DeliveryControl,
): Route[] {
  const deps = { outgoing, secrets };
  const present = async (webhook: StoredWebhook) =>
    service.presentWebhook(webhook, (await control.list(webhook.id))[0]);
  const presentSaved = async ({ webhook, secret }: service.Saved): Promise<SavedAnswer> => ({
    ...(await present(webhook)),
    ...(secret === undefined ? {} : { secret }),
  });
  return [
    defineRoute({
      method: 'GET',
      path: '/webhooks',
      access: 'write',
      needs: 'settings',
      summary: 'List webhooks',
      response: Type.Array(Webhook),
      handle: async () => Promise.all((await listWebhooks(reader)).map(present)),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks',
      access: 'write',
      needs: 'settings',
      summary: 'Create a webhook',
      body: WebhookCreate,
      response: SavedWebhook,
      status: 201,
      errors: [...fieldErrors, 'webhook.tooMany'],
      handle: async ({ actor, body }) =>
        presentSaved(
          await changes.changeUnversioned(actor, (change) => service.createWebhook(change, body, deps)),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks/{id}',
      access: 'write',
      needs: 'settings',
      summary: 'Get a webhook',
      params: Params,
      response: Webhook,
      handle: async ({ params: { id } }) => present(await service.requireWebhook(reader, id)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/webhooks/{id}',
      access: 'write',
      needs: 'settings',
      summary: 'Change fields of a webhook',
      params: Params,
      body: WebhookUpdate,
      response: SavedWebhook,
      errors: ['auth.confirm', ...fieldErrors],
      handle: async ({ actor, params: { id }, body }) =>
        presentSaved(
          await changes.changeUnversioned(actor, (change) => service.updateWebhook(change, id, body, deps)),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/webhooks/{id}',
      access: 'write',
      needs: 'settings',
      summary: 'Delete a webhook',
      params: Params,
      handle: ({ actor, params: { id } }) =>
        changes.changeUnversioned(actor, async (change) => {
          if (!(await deleteWebhook(change.tx, id))) throw apiError('common.notFound', {});
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{id}/test',
      access: 'write',
      needs: 'settings',
      summary: 'Send a ping to a webhook, also to a disabled one',
      params: Params,
      response: Delivery,
      handle: async ({ params: { id } }) => control.ping(await service.requireWebhook(reader, id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      access: 'write',
      needs: 'settings',
      summary: 'The last deliveries of a webhook, newest first',
      params: Params,
      response: Type.Array(Delivery),
      async handle({ params: { id } }) {
        await service.requireWebhook(reader, id);
        return control.list(id);
      },
    }),
  ];
}
