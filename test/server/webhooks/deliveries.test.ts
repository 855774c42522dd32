import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { apiError } from '../../../server/base/errors.ts';
import { Deliveries, type DeliveriesOptions } from '../../../server/features/webhooks/deliveries.ts';
import type { StoredWebhook } from '../../../server/features/webhooks/store.ts';
import type { OutgoingRequest } from '../../../server/http/outgoing/client.ts';
import { OutgoingError } from '../../../server/http/outgoing/errors.ts';
import { ManualTimers } from '../../support/receiver.ts';

const webhook: StoredWebhook = {
  id: 'w',
  name: '',
  url: 'https://example.com/',
  events: ['content.changed'],
  enabled: true,
  secret: 'sealed',
  created_at: 1,
  updated_at: 1,
};
const event = { event: 'content.changed', at: 1, body: '{}', changes: 1, hop: 1 };
const newId = () => randomUUID();
const delivered = async ({ url }: OutgoingRequest) => ({
  status: 204,
  headers: new Map<string, string>(),
  url: String(url),
  body: Readable.from([]),
});

describe('a delivery', () => {
  it.each([
    ['timeout', 'webhook.timeout', 'pending'],
    ['broken', 'webhook.requestFailed', 'pending'],
    ['forbidden', 'webhook.requestFailed', 'failed'],
    ['requestInvalid', 'webhook.requestFailed', 'failed'],
  ] as const)('whose request ends with %s has the code %s', async (code, error_code, state) => {
    const deliveries = open({ send: () => Promise.reject(new OutgoingError(code, 'example.com', 'x')) });
    deliveries.send(webhook, event, newId());
    await turns();
    expect(logOf(deliveries)).toMatchObject([{ state, error_code, attempts: 1, status: 0 }]);
  });

  it('cannot be signed without the key of the server', async () => {
    const deliveries = open({
      open() {
        throw apiError('storage.secretUndecryptable', {});
      },
    });
    deliveries.send(webhook, event, newId());
    await turns();
    expect(logOf(deliveries)).toMatchObject([{ state: 'failed', error_code: 'storage.secretUndecryptable' }]);
  });

  it('is skipped after three in a row', async () => {
    const deliveries = open({});
    for (const hop of [3, 4]) deliveries.send(webhook, { ...event, hop }, newId());
    await turns();
    expect(logOf(deliveries)).toMatchObject([
      { state: 'skipped', hop: 4, attempts: 0, error_code: 'webhook.nestedTooDeep' },
      { state: 'ok', hop: 3, attempts: 1 },
    ]);
  });

  it('to a receiver that never answers takes no more than its share', async () => {
    let running = 0;
    const never = () => {
      running += 1;
      return new Promise<never>(() => {});
    };
    const deliveries = open({ send: never });
    for (let index = 0; index < 110; index++) deliveries.send(webhook, event, newId());
    await turns();
    expect(running).toBe(4);
    expect(logOf(deliveries)).toHaveLength(50);
    expect(logOf(deliveries).filter(({ state }) => state === 'failed')).toHaveLength(6);
  });

  it('that never ends does not keep the server from stopping', async () => {
    const timers = new ManualTimers();
    const signals: (AbortSignal | undefined)[] = [];
    const never = ({ signal }: OutgoingRequest) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    const deliveries = open({ send: never, later: timers.later });
    deliveries.send(webhook, event, newId());
    await turns();
    const closed = deliveries.close();
    expect(timers.planned).toEqual([5000]);
    timers.fire();
    await closed;
    expect(logOf(deliveries)).toMatchObject([{ state: 'failed', error_code: 'webhook.shutdown' }]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('that waits for a retry is not sent at a stop', async () => {
    const timers = new ManualTimers();
    const deliveries = open({
      send: () => Promise.reject(new OutgoingError('broken', 'example.com', 'x')),
      later: timers.later,
    });
    deliveries.send(webhook, event, newId());
    await turns();
    await deliveries.close();
    expect(timers.planned).toEqual([]);
    expect(logOf(deliveries)).toMatchObject([
      { state: 'failed', attempts: 1, error_code: 'webhook.shutdown' },
    ]);
  });
});

interface Fakes {
  readonly send?: DeliveriesOptions['outgoing']['send'];
  readonly open?: () => string;
  readonly later?: DeliveriesOptions['later'];
}

function open({
  send = delivered,
  open: openSecret = () => 'secret',
  later = () => () => {},
}: Fakes): Deliveries {
  return new Deliveries({
    outgoing: { send },
    secrets: { open: openSecret },
    ownRequests: { newId },
    clock: () => 1_000,
    later,
    webhookOf: () => webhook,
  });
}

const logOf = (deliveries: Deliveries) => deliveries.list('w').map(({ delivery }) => delivery);

/** Lets all promises that can go on go on. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}
