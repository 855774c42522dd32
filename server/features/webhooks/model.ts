import Type, { type Static } from 'typebox';

/** Data, Automation and Operations, "Limits". Times in milliseconds. */
export const webhookLimits = {
  webhooks: 20,
  name: 200,
  secret: { min: 16, max: 200 },
  deliveries: 50,
  changes: 1000,
} as const;

/** What the outbox and the log of commits know webhooks by. */
export const webhooksName = 'webhooks';

/** Deliveries in a row, of a change that no delivery has caused. */
export const firstHop = 1;

/** The events that webhooks can ask for (Data, Automation and Operations, "Webhook events"). */
export const webhookEvents = [
  ...(['content.changed', 'schema.changed', 'batch.applied', 'page.failed'] as const),
  ...(['change_set.published', 'change_set.failed'] as const),
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Those of a webhook that names none. */
export const defaultEvents: readonly WebhookEvent[] = ['content.changed', 'schema.changed', 'batch.applied'];

export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'Header `X-IC-Delivery`, the same for all attempts.' }),
    event: Type.String({ description: 'The event that is told.' }),
    at: Type.Integer({ description: 'When the event happened, in Unix seconds.' }),
    state: Type.Enum(['pending', 'ok', 'failed', 'skipped'], { description: 'How far the delivery is.' }),
    status: Type.Integer({ description: 'Status of the last answer; 0 without an answer.' }),
    duration_ms: Type.Integer({ description: 'How long the last attempt took.' }),
    attempts: Type.Integer({ description: 'Number of attempts so far.' }),
    error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
    error_code: Type.String({ description: 'Code of the error; empty if there is none.' }),
    error_params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Variable parts of the error.',
    }),
    response: Type.String({ description: 'Always empty: answers of receivers are not kept.' }),
    changes: Type.Integer({ description: 'Number of changes in the event.' }),
    hop: Type.Integer({ description: 'How many deliveries in a row led to this one, itself included.' }),
    test: Type.Boolean({ description: 'Whether it is a ping for a test.' }),
  },
  { title: 'Delivery', description: 'A delivery of a webhook.' },
);
export type Delivery = Static<typeof Delivery>;

const LastDelivery = Type.Object(
  {
    ...Type.Pick(Delivery, [
      'id',
      'event',
      'at',
      'state',
      'status',
      'duration_ms',
      'attempts',
      'changes',
      'hop',
    ]).properties,
  },
  { title: 'LastDelivery', description: 'The newest delivery of a webhook.' },
);

const fields = {
  name: Type.String({ description: 'Name for people, at most 200 characters.' }),
  url: Type.String({ description: 'Where events are sent to: http or https.' }),
  events: Type.Array(Type.Enum(webhookEvents), { description: 'The events that are sent.' }),
  enabled: Type.Boolean({ description: 'False: nothing is sent, except tests.' }),
};

export const Webhook = Type.Object(
  {
    id: Type.String({ description: 'ID of the webhook.' }),
    ...fields,
    secret_set: Type.Boolean({
      description: 'Whether deliveries are signed. The secret itself is never shown.',
    }),
    created_at: Type.Integer({ description: 'When it was created, in Unix seconds.' }),
    updated_at: Type.Integer({ description: 'When it was changed last, in Unix seconds.' }),
    last: Type.Union([LastDelivery, Type.Null()], {
      description: 'The newest delivery since the start of the server.',
    }),
  },
  { title: 'Webhook', description: 'An address that is told of changes.' },
);
export type Webhook = Static<typeof Webhook>;

const secret = Type.String({ description: 'Signs the deliveries. 16 to 200 characters.' });

export const SavedWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.Optional(Type.String({ description: 'The new secret, shown only in this answer.' })),
  },
  { title: 'SavedWebhook', description: 'A webhook after a save, with a new secret.' },
);
export type SavedWebhook = Static<typeof SavedWebhook>;

/** Checked by the rules, whose refusals have codes of their own. */
const anyEvents = Type.Array(Type.String(), {
  description: 'The events to send; default: all but `page.failed`.',
});

export const WebhookCreate = Type.Object(
  {
    url: fields.url,
    name: Type.Optional(fields.name),
    events: Type.Optional(anyEvents),
    enabled: Type.Optional(fields.enabled),
    secret: Type.Optional(secret),
  },
  {
    title: 'WebhookCreate',
    description: 'A new webhook.',
    examples: [{ url: 'https://example.com/hooks', events: ['content.changed'] }],
  },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookUpdate = Type.Object(
  {
    ...Type.Partial(WebhookCreate).properties,
    regenerate_secret: Type.Optional(Type.Boolean({ description: 'Makes a new secret.' })),
  },
  {
    title: 'WebhookUpdate',
    description:
      'The fields that change. A `url` with another scheme, host or port clears a secret that is not sent with it.',
    examples: [{ enabled: false }],
  },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;
