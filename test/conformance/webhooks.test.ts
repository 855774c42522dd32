import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
} from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { isSigned, ManualTimers, Receiver } from '../support/receiver.ts';

/** Data, Automation and Operations, "Webhook", "Webhooks", "Webhook events". */

const secret = 'a secret of the tests';

let server: InProcessServer;
let receiver: Receiver;
let timers: ManualTimers;

beforeAll(async () => {
  server = await startInProcess({ later: (ms, task) => timers.later(ms, task) });
});
beforeEach(async () => {
  timers = new ManualTimers();
  receiver = new Receiver();
  await receiver.listen();
});
afterEach(async () => {
  for (const { id } of await callList(server, '/webhooks')) await call(server, 'DELETE', `/webhooks/${id}`);
  timers.fire();
  await receiver.close();
});
afterAll(() => server.stop());

describe('the resource', () => {
  it('has all fields, and its secret once', async () => {
    const { status, body } = await call(server, 'POST', '/webhooks', { body: { url: receiver.url } });
    const { secret: generated, ...webhook } = asRecord(body);
    expect(status).toBe(201);
    expect(generated).toMatch(/^whsec_[\w-]{32}$/);
    expect(webhook).toEqual({
      id: expect.any(String),
      name: '',
      url: receiver.url,
      events: ['content.changed', 'schema.changed', 'batch.applied'],
      enabled: true,
      secret_set: true,
      created_at: expect.any(Number),
      updated_at: webhook['created_at'],
      last: null,
    });
    expect(await callOk(server, 'GET', `/webhooks/${webhook['id']}`)).toEqual(webhook);
    expect(await callList(server, '/webhooks')).toEqual([webhook]);
  });

  it('PUT of what it has changes nothing', async () => {
    const { secret: _, ...webhook } = await callOk(server, 'POST', '/webhooks', {
      url: 'http://127.0.0.1:1/',
    });
    const path = `/webhooks/${webhook['id']}`;
    expect(await callOk(server, 'PUT', path, webhook)).toEqual(webhook);
    expect(await callOk(server, 'PUT', path, {})).toEqual(webhook);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
  });

  it('PUT changes what it is sent; a new secret is shown once', async () => {
    const id = await createWebhook();
    const changed = await callOk(server, 'PUT', `/webhooks/${id}`, { name: 'x', events: ['batch.applied'] });
    expect(changed).toMatchObject({ name: 'x', events: ['batch.applied'], url: receiver.url });
    expect(changed).not.toHaveProperty('secret');
    const own = 'another secret of the tests';
    expect(await callOk(server, 'PUT', `/webhooks/${id}`, { secret: own })).toMatchObject({ secret: own });
    const regenerated = await callOk(server, 'PUT', `/webhooks/${id}`, { regenerate_secret: true });
    expect(regenerated['secret']).toMatch(/^whsec_/);
    expect(await callOk(server, 'GET', `/webhooks/${id}`)).not.toHaveProperty('secret');
  });

  it('DELETE removes it', async () => {
    const id = await createWebhook();
    expect((await call(server, 'DELETE', `/webhooks/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', `/webhooks/${id}`],
      ['PUT', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
    ] as const) {
      const answer = await call(server, method, path, method === 'PUT' ? { body: {} } : {});
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'common.notFound' });
    }
  });

  it.each([
    ['no address', {}, 'common.invalid'],
    ['an empty address', { url: '' }, 'webhook.urlInvalid'],
    ['a path', { url: '/hook' }, 'webhook.urlInvalid'],
    ['another scheme', { url: 'ftp://example.com/' }, 'webhook.urlInvalid'],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest' }, 'webhook.urlInvalid'],
    ['the same as a number', { url: 'http://2852039166/' }, 'webhook.urlInvalid'],
    ['an unknown event', { url: 'https://example.com', events: ['page.created'] }, 'webhook.eventUnknown'],
    ['ping as event', { url: 'https://example.com', events: ['ping'] }, 'webhook.eventUnknown'],
    ['no events', { url: 'https://example.com', events: [] }, 'webhook.eventsRequired'],
    ['a long name', { url: 'https://example.com', name: 'x'.repeat(201) }, 'webhook.nameTooLong'],
    ['a short secret', { url: 'https://example.com', secret: 'x'.repeat(15) }, 'webhook.secretTooShort'],
    ['a long secret', { url: 'https://example.com', secret: 'x'.repeat(201) }, 'webhook.secretTooLong'],
  ])('refuses %s', async (_name, body, code) => {
    expect(outcomeOf(await call(server, 'POST', '/webhooks', { body }))).toEqual({ status: 400, code });
    const id = await createWebhook();
    if ('url' in body)
      expect(outcomeOf(await call(server, 'PUT', `/webhooks/${id}`, { body }))).toEqual({
        status: 400,
        code,
      });
    expect(await callList(server, '/webhooks')).toHaveLength(1);
  });

  it('exists 20 times at most', async () => {
    const answers = [];
    for (let index = 0; index <= 20; index++)
      answers.push(await call(server, 'POST', '/webhooks', { body: { url: receiver.url } }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 409]);
    expect(answers.at(-1)?.body).toMatchObject({ code: 'webhook.tooMany', params: { max: 20 } });
  });
});

describe('content.changed', () => {
  it('tells the changes of two seconds together, signed', async () => {
    const id = await createWebhook();
    const site = await createSite(server);
    const name = freshName('card');
    const snippet = await createSnippet(server, { name });
    const asset = await createAsset(server, { name: 'base' });
    await call(server, 'DELETE', `/snippets/${snippet}`);
    await call(server, 'POST', '/redirects', { body: { root_id: site, source: '/x', target: '/y' } });
    expect(timers.planned).toEqual([2000]);
    expect(receiver.received).toEqual([]);
    timers.fire();
    await receiver.until(1);
    const [delivery] = receiver.received;
    expect(delivery?.body).toEqual({
      event: 'content.changed',
      at: expect.any(Number),
      changes: [
        { kind: 'page', action: 'created', id: site, slug: '', name: 'Site' },
        { kind: 'snippet', action: 'created', id: snippet, name },
        { kind: 'asset', action: 'created', id: asset, name: 'base' },
        { kind: 'snippet', action: 'deleted', id: snippet, name },
      ],
    });
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-ic-event': 'content.changed',
      'x-ic-delivery': expect.stringMatching(/^[\da-f-]{36}$/),
      'x-ic-timestamp': expect.stringMatching(/^\d+$/),
      'x-ic-webhook-hop': '1',
    });
    expect(delivery !== undefined && isSigned(delivery, secret)).toBe(true);
    expect(await settled(id)).toMatchObject([
      {
        id: delivery?.headers['x-ic-delivery'],
        state: 'ok',
        status: 204,
        attempts: 1,
        changes: 4,
        hop: 1,
        test: false,
      },
    ]);
    expect(await callOk(server, 'GET', `/webhooks/${id}`)).toMatchObject({
      last: { event: 'content.changed', state: 'ok', status: 204, attempts: 1, changes: 4, hop: 1 },
    });
  });

  it('tells equal changes once', async () => {
    await createWebhook();
    const site = await createSite(server);
    for (const title of ['a', 'b', 'c']) await call(server, 'PUT', `/pages/${site}`, { body: { title } });
    timers.fire();
    await receiver.until(1);
    expect(changesIn(0)).toEqual([
      { kind: 'page', action: 'created', id: site, slug: '', name: 'Site' },
      { kind: 'page', action: 'updated', id: site, slug: '', name: 'c' },
    ]);
  });

  it('is truncated from 1000 changes on', async () => {
    await createWebhook(['content.changed']);
    const site = await createSite(server);
    const create = () => ({
      op: 'create',
      kind: 'page',
      data: { parent_id: site, title: 'x', slug: freshSlug() },
    });
    for (const count of [500, 500])
      await callOk(server, 'POST', '/batch', { ops: Array.from({ length: count }, create) });
    timers.fire();
    await receiver.until(1);
    expect(receiver.received[0]?.body).toMatchObject({ truncated: true });
    expect(changesIn(0)).toHaveLength(1000);
  });

  it('comes for later changes in a later delivery', async () => {
    await createWebhook();
    const site = await createSite(server);
    timers.fire();
    await receiver.until(1);
    await createPage(server, site);
    timers.fire();
    await receiver.until(2);
    expect(changesIn(1)).toMatchObject([{ kind: 'page', action: 'created' }]);
  });

  it('is not sent for what was refused or changed nothing, nor to others', async () => {
    const site = await createSite(server);
    const disabled = await createWebhook();
    await call(server, 'PUT', `/webhooks/${disabled}`, { body: { enabled: false } });
    await createWebhook(['batch.applied']);
    await createPage(server, site);
    expect(timers.planned).toEqual([]);
    await createWebhook();
    await call(server, 'PUT', `/pages/${site}`, { body: { title: 'Site' } });
    await call(server, 'PUT', `/pages/${site}`, { body: { title: '' } });
    expect(timers.planned).toEqual([]);
  });
});

describe('batch.applied', () => {
  it('tells the results at once, and nothing for a replay or a refused batch', async () => {
    const id = await createWebhook(['batch.applied']);
    const site = await createSite(server);
    const body = {
      idempotency_key: 'k',
      ops: [{ op: 'update', kind: 'page', id: site, data: { title: 'x' } }],
    };
    const { results } = await callOk(server, 'POST', '/batch', body);
    await callOk(server, 'POST', '/batch', body);
    await call(server, 'POST', '/batch', { body: { ops: [] } });
    await receiver.until(1);
    expect(receiver.received[0]?.body).toEqual({
      event: 'batch.applied',
      at: expect.any(Number),
      idempotency_key: 'k',
      results,
    });
    expect(await settled(id)).toHaveLength(1);
  });

  it.each([
    ['with', { idempotency_key: 'same' }],
    ['without', {}],
  ])('is told of a batch %s a key that changes nothing', async (_name, key) => {
    const site = await createSite(server);
    await createWebhook(['batch.applied', 'content.changed']);
    const ops = [{ op: 'update', kind: 'page', id: site, data: { title: 'Site' } }];
    await callOk(server, 'POST', '/batch', { ops, ...key });
    await receiver.until(1);
    expect(receiver.received[0]?.body).toMatchObject({ event: 'batch.applied', results: [{ id: site }] });
    expect(timers.planned).toEqual([]);
  });
});

describe('a delivery that fails', () => {
  it('is tried again after 2, 10 and 30 seconds, with the same ID', async () => {
    const id = await createWebhook();
    receiver.statuses.push(500, 429, 408, 503);
    await createSite(server);
    timers.fire();
    for (const [attempt, ms] of [2000, 10_000, 30_000].entries()) {
      await receiver.until(attempt + 1);
      await untilPlanned();
      expect(timers.planned).toEqual([ms]);
      expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: attempt + 1 }]);
      timers.fire();
    }
    await receiver.until(4);
    expect(await settled(id)).toMatchObject([
      {
        state: 'failed',
        status: 503,
        attempts: 4,
        error: expect.stringContaining('503'),
        error_code: 'webhook.httpStatus',
        error_params: { status: 503 },
        response: '',
      },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-ic-delivery'])).size).toBe(1);
    expect(receiver.received.every((delivery) => isSigned(delivery, secret))).toBe(true);
  });

  it('is delivered by a retry', async () => {
    const id = await createWebhook();
    receiver.statuses.push(500);
    await createSite(server);
    timers.fire();
    await receiver.until(1);
    await untilPlanned();
    timers.fire();
    await receiver.until(2);
    expect(await settled(id)).toMatchObject([{ state: 'ok', attempts: 2, error: '', error_code: '' }]);
  });

  it.each([301, 400, 404, 410])('with status %i is not tried again', async (status) => {
    const id = await createWebhook();
    receiver.statuses.push(status);
    await createSite(server);
    timers.fire();
    expect(await settled(id)).toMatchObject([{ state: 'failed', status, attempts: 1 }]);
    expect(timers.planned).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('because nobody listens is tried again', async () => {
    const other = new Receiver();
    await other.listen();
    const { url } = other;
    await other.close();
    const id = await createWebhook();
    await call(server, 'PUT', `/webhooks/${id}`, { body: { url } });
    await createSite(server);
    timers.fire();
    await untilPlanned();
    expect(await deliveries(id)).toMatchObject([
      { state: 'pending', status: 0, attempts: 1, error_code: 'webhook.requestFailed' },
    ]);
  });

  it.each(['disabled', 'deleted'])('is not tried again when the webhook is %s', async (how) => {
    const id = await createWebhook();
    receiver.statuses.push(500);
    await createSite(server);
    timers.fire();
    await receiver.until(1);
    await untilPlanned();
    if (how === 'deleted') await call(server, 'DELETE', `/webhooks/${id}`);
    else await call(server, 'PUT', `/webhooks/${id}`, { body: { enabled: false } });
    expect(timers.planned).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('delays no other webhook', async () => {
    await createWebhook();
    const other = new Receiver();
    await other.listen();
    const second = await createWebhook();
    await call(server, 'PUT', `/webhooks/${second}`, { body: { url: other.url } });
    receiver.statuses.push(500);
    await createSite(server);
    timers.fire();
    await other.until(1);
    expect(await settled(second)).toMatchObject([{ state: 'ok' }]);
    await other.close();
  });
});

describe('a test', () => {
  it('sends a ping in one attempt, also from a disabled webhook', async () => {
    const id = await createWebhook();
    await call(server, 'PUT', `/webhooks/${id}`, { body: { enabled: false } });
    const result = await callOk(server, 'POST', `/webhooks/${id}/test`);
    expect(result).toMatchObject({
      event: 'ping',
      state: 'ok',
      status: 204,
      attempts: 1,
      test: true,
      changes: 0,
    });
    expect(receiver.received[0]?.body).toEqual({ event: 'ping', at: expect.any(Number), webhook: id });
    receiver.statuses.push(500);
    expect(await callOk(server, 'POST', `/webhooks/${id}/test`)).toMatchObject({
      state: 'failed',
      status: 500,
    });
    expect(timers.planned).toEqual([]);
    expect(await deliveries(id)).toHaveLength(2);
  });
});

it('the newest 50 deliveries are kept', async () => {
  const id = await createWebhook();
  for (let index = 0; index < 52; index++) await call(server, 'POST', `/webhooks/${id}/test`);
  expect(await deliveries(id)).toHaveLength(50);
});

it('a stop sends what waits, and tries nothing again', async () => {
  const own = new ManualTimers();
  const stopped = await startInProcess({ later: own.later });
  await callOk(stopped, 'POST', '/webhooks', { url: receiver.url, secret });
  receiver.statuses.push(500, 500);
  await createSite(stopped);
  await stopped.stop();
  const events = receiver.received.map(({ body }) => body['event']).sort();
  expect(events).toEqual(['content.changed', 'schema.changed']);
  // Left is the timer of the bundle, which is gone; a retry that was planned before the stop is taken back.
  expect(own.planned).toEqual([2000]);
});

async function createWebhook(events = ['content.changed', 'batch.applied']): Promise<unknown> {
  const body = { url: receiver.url, secret, events };
  return (await callOk(server, 'POST', '/webhooks', body))['id'];
}

function deliveries(id: unknown): Promise<Record<string, unknown>[]> {
  return callList(server, `/webhooks/${id}/deliveries`);
}

/** The deliveries, when none is pending any more. */
async function settled(id: unknown): Promise<Record<string, unknown>[]> {
  for (;;) {
    const list = await deliveries(id);
    if (list.length > 0 && list.every(({ state }) => state !== 'pending')) return list;
  }
}

async function untilPlanned(): Promise<void> {
  while (timers.planned.length === 0) await call(server, 'GET', '/cache');
}

function changesIn(index: number): unknown {
  return receiver.received[index]?.body['changes'];
}
