import type { ErrorTable } from './entry.ts';

/** Webhooks. */
export const webhookErrors = {
  'webhook.urlInvalid': { status: 400, text: (p: { reason: string }) => `the address ${p.reason}` },
  'webhook.eventUnknown': {
    status: 400,
    text: (p: { event: string }) => `there is no event ${JSON.stringify(p.event)}`,
  },
  'webhook.eventsRequired': { status: 400, text: () => 'events must name at least one event' },
  'webhook.nameTooLong': {
    status: 400,
    text: (p: { max: number }) => `the name is longer than ${p.max} characters`,
  },
  'webhook.secretTooShort': {
    status: 400,
    text: (p: { min: number }) => `the secret has fewer than ${p.min} characters`,
  },
  'webhook.secretTooLong': {
    status: 400,
    text: (p: { max: number }) => `the secret is longer than ${p.max} characters`,
  },
  'webhook.tooMany': { status: 409, text: (p: { max: number }) => `there are ${p.max} webhooks already` },
} satisfies ErrorTable;
