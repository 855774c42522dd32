import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { freshSlug } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { Receiver } from '../support/receiver.ts';
import { setUp, withSession } from '../support/session.ts';

/** Beyond, 3.2: "If the origin of a stored secret's address changes and the secret is not sent again, it is cleared". */

let server: InProcessServer;
let session: string;
beforeAll(async () => {
  server = await startInProcess();
  session = await setUp(server);
});
afterAll(() => server.stop());

const address = 'https://one.example.com:8443/api';
const sameOrigin = 'https://ONE.example.com:8443/other?x=1';
/** Another host, port and scheme, and a host that only begins like the first one. */
const otherOrigins = [
  'https://two.example.com:8443/api',
  'https://one.example.com/api',
  'http://one.example.com:8443/api',
  'https://one.example.com.evil.test:8443/api',
];

async function admin(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await call(server, method, path, withSession(session, body));
  expect(answer).toMatchObject({ status: method === 'POST' ? 201 : 200 });
  return asRecord(answer.body);
}

/** How each kind of stored secret is saved, and whether it is still there. */
interface Holder {
  create(): Promise<unknown>;
  /** Saves another address, with the secret if it is given. */
  move(to: string, secret?: string): Promise<unknown>;
  isSet(): Promise<unknown>;
}

function sourceHolder(): Holder {
  let path = '';
  const headersOf = (secret: string) => ({ headers: { Authorization: secret } });
  return {
    async create() {
      const slug = freshSlug();
      const source = await callOk(server, 'POST', '/sources', { slug, url: address, ...headersOf('secret') });
      path = `/sources/${source['id']}`;
    },
    move: (url, secret) =>
      callOk(server, 'PUT', path, { url, ...(secret === undefined ? {} : headersOf(secret)) }),
    isSet: async () => 'Authorization' in asRecord((await callOk(server, 'GET', path))['headers']),
  };
}

function webhookHolder(): Holder {
  let path = '';
  return {
    async create() {
      const { id } = await callOk(server, 'POST', '/webhooks', { url: address });
      path = `/webhooks/${id}`;
    },
    move: (url, secret) => callOk(server, 'PUT', path, { url, ...(secret === undefined ? {} : { secret }) }),
    isSet: async () => (await callOk(server, 'GET', path))['secret_set'],
  };
}

function extdbHolder(): Holder {
  const name = freshSlug();
  const put = (url: string, token?: string) =>
    call(server, 'PUT', '/extdb', { body: [{ name, url, ...(token === undefined ? {} : { token }) }] });
  const withoutQuery = (url: string) => url.replace(/\?.*/, '');
  return {
    create: () => put(address, 'secret'),
    move: (url, secret) => put(withoutQuery(url), secret),
    async isSet() {
      const { body } = await call(server, 'GET', '/extdb');
      return Array.isArray(body) && asRecord(body[0])['has_token'];
    },
  };
}

function connectionHolder(): Holder {
  let path = '';
  return {
    async create() {
      const body = { name: freshSlug(), url: address, token: 'ic_a_secret_token' };
      path = `/connections/${(await admin('POST', '/connections', body))['id']}`;
    },
    move: (url, token) => admin('PUT', path, { url, ...(token === undefined ? {} : { token }) }),
    async isSet() {
      const { body } = await call(server, 'GET', '/connections', withSession(session));
      const connections: unknown[] = Array.isArray(body) ? body : [];
      const found = connections.map(asRecord).find(({ id }) => path.endsWith(`/${id}`));
      return found?.['token_prefix'] !== '';
    },
  };
}

function storageHolder(): Holder {
  const put = (s3: object) => call(server, 'PUT', '/storage', { body: { s3 } });
  const fields = { bucket: 'media', access_key: 'key' };
  const endpointOf = (url: string) => url.replace(/(\w)\/.*$/, '$1');
  return {
    create: () => put({ ...fields, endpoint: endpointOf(address), secret_key: 'secret' }),
    move: (url, secret) =>
      put({ endpoint: endpointOf(url), ...(secret === undefined ? {} : { secret_key: secret }) }),
    isSet: async () => asRecord((await callOk(server, 'GET', '/storage'))['s3'])['secret_set'],
  };
}

describe.each([
  ['source', sourceHolder],
  ['webhook', webhookHolder],
  ['external database', extdbHolder],
  ['connection', connectionHolder],
  ['storage', storageHolder],
] as const)('the secret of a %s', (_name, createHolder) => {
  let holder: Holder;
  beforeEach(async () => {
    holder = createHolder();
    await holder.create();
    expect(await holder.isSet()).toBe(true);
  });

  it('stays on the same origin', async () => {
    await holder.move(sameOrigin);
    expect(await holder.isSet()).toBe(true);
  });

  it.each(otherOrigins)('is cleared on %s', async (url) => {
    await holder.move(url);
    expect(await holder.isSet()).toBe(false);
    await holder.move(address);
    expect(await holder.isSet()).toBe(false);
  });

  it('is replaced by one that is sent with the address', async () => {
    await holder.move('https://two.example.com/', 'another_long_secret');
    expect(await holder.isSet()).toBe(true);
  });
});

describe('the password of mail', () => {
  const put = (body: object) => callOk(server, 'PUT', '/system/mail', body);
  beforeEach(async () => {
    await put({ host: 'smtp.example.com', port: 587, user: 'shop', password: 'secret' });
  });

  it('stays with the same server', async () => {
    expect(await put({ host: 'SMTP.example.com', user: 'other' })).toMatchObject({ has_password: true });
  });

  it.each([{ host: 'smtp.example.org' }, { port: 465 }, { host: '' }])('is cleared by %j', async (body) => {
    expect(await put(body)).toMatchObject({ has_password: false });
    await put({ host: 'smtp.example.com', port: 587 });
    expect(await callOk(server, 'GET', '/system/mail')).toMatchObject({ has_password: false });
  });

  it('is replaced by one that is sent with the server', async () => {
    expect(await put({ host: 'smtp.example.org', password: 'other' })).toMatchObject({ has_password: true });
  });
});

it('a source in a batch and in a change set loses its headers too', async () => {
  const create = async () => {
    const body = { slug: freshSlug(), url: address, headers: { 'X-Key': 'secret' } };
    return Number((await callOk(server, 'POST', '/sources', body))['id']);
  };
  const [inBatch, inSet] = [await create(), await create()];
  const data = { url: otherOrigins[0] };
  const op = { op: 'update', kind: 'source', id: inBatch, data };
  expect(await call(server, 'POST', '/batch', { body: { ops: [op] } })).toMatchObject({ status: 200 });
  expect(await callOk(server, 'GET', `/sources/${inBatch}`)).toMatchObject({ headers: {} });
  const set = await call(server, 'POST', '/change-sets', { body: { name: 'Move' } });
  const path = `/change-sets/${asRecord(set.body)['id']}`;
  expect(await callOk(server, 'PUT', `${path}/items/source/${inSet}`, data)).toMatchObject({ headers: {} });
  expect(await callOk(server, 'GET', `/sources/${inSet}`)).toMatchObject({ headers: { 'X-Key': 'secret' } });
  await callOk(server, 'POST', `${path}/publish`, {});
  expect(await callOk(server, 'GET', `/sources/${inSet}`)).toMatchObject({ ...data, headers: {} });
});

it('a webhook without a secret sends no signature', async () => {
  const receiver = new Receiver();
  await receiver.listen();
  const { id } = await callOk(server, 'POST', '/webhooks', { url: 'http://127.0.0.1:1/' });
  await callOk(server, 'PUT', `/webhooks/${id}`, { url: receiver.url });
  expect(await callOk(server, 'POST', `/webhooks/${id}/test`)).toMatchObject({ state: 'ok' });
  const [received] = receiver.received;
  expect(Object.keys(received?.headers ?? {}).filter((name) => name.includes('signature'))).toEqual([]);
  await callOk(server, 'PUT', `/webhooks/${id}`, { regenerate_secret: true });
  await callOk(server, 'POST', `/webhooks/${id}/test`);
  expect(receiver.received[1]?.headers).toMatchObject({ 'x-ic-signature': expect.any(String) });
  await call(server, 'DELETE', `/webhooks/${id}`);
  await receiver.close();
});
