import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { addTotp } from '../support/one-time-codes.ts';
import { addPerson, addRole, freshName } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, sessionIn, setUp, withSession } from '../support/session.ts';

/** Beyond, 3.2: OpenID Connect, against a real provider on loopback. */

interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
}

let server: TestServer;
let admin: string;
let issuer = '';
let http: Server;
const accounts = new Map<string, Account>();

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'cms',
        client_secret: 'secret-of-the-client',
        redirect_uris: [`${server.url}/api/v1/auth/oidc/callback`],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'groups'],
    },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
  });
  http.on('request', provider.callback());
  await configure({});
});
afterAll(async () => {
  await server.stop();
  http.closeAllConnections();
  http.close();
});

const configure = (more: object) =>
  callOk(server, 'PUT', '/system/oidc', {
    ...{ issuer, client_id: 'cms', client_secret: 'secret-of-the-client', create_users: true },
    ...{ groups_claim: '', groups: {}, ...more },
  });

/** Cookies of the browser at the provider. */
class Jar {
  readonly #cookies = new Map<string, string>();

  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

const ask = (session: string, method: string, path: string, body?: unknown) =>
  call(server, method, path, withSession(session, body));

const start = () => getStanding('/auth/oidc/start', '');

/** As `call`, but without following where the answer leads to. */
async function getStanding(path: string, cookie: string): Promise<ApiAnswer> {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers: { cookie }, redirect: 'manual' });
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

const pendingCookie = (answer: ApiAnswer) =>
  answer.headers
    .getSetCookie()
    .find((line) => line.startsWith('ic_oidc='))
    ?.split(';')[0] ?? '';

/** Goes through the screens of the provider, and answers with the address of the callback. */
async function passProvider(location: string, account: string): Promise<URL> {
  const jar = new Jar();
  let url = new URL(location);
  for (let step = 0; step < 12; step++) {
    if (url.origin === server.url) return url;
    let response = await jar.fetch(url);
    if (response.status === 200) {
      const isLogin = (await response.text()).includes('name="login"');
      const form = isLogin ? { prompt: 'login', login: account, password: 'any' } : { prompt: 'consent' };
      response = await jar.fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    }
    url = new URL(response.headers.get('location') ?? '', url);
  }
  throw new Error(`the provider does not come to an end: ${url}`);
}

const goBack = (url: URL, cookie: string) =>
  getStanding(`${url.pathname.replace('/api/v1', '')}${url.search}`, cookie);

async function logInAs(account: string): Promise<ApiAnswer> {
  const begun = await start();
  const callback = await passProvider(begun.headers.get('location') ?? '', account);
  return goBack(callback, pendingCookie(begun));
}

const userOf = (answer: ApiAnswer) => asRecord(asRecord(answer.body)['user']);

function addAccount(fields: Account = {}): string {
  const id = freshName('account');
  accounts.set(id, { email: `${id}@example.com`, email_verified: true, ...fields });
  return id;
}

describe('the settings', () => {
  it('are merged, and the secret is never shown', async () => {
    const shown = await configure({ groups: { web: [3], all: 4 } });
    expect(shown).toEqual({
      ...{ issuer, client_id: 'cms', secret_set: true, groups_claim: '', create_users: true },
      groups: { web: [3], all: [4] },
    });
    expect(await callOk(server, 'PUT', '/system/oidc', { create_users: false })).toEqual({
      ...shown,
      create_users: false,
    });
    expect(await callOk(server, 'GET', '/system/oidc')).toMatchObject({ create_users: false });
    await configure({});
  });

  it('lose the secret with another issuer, unless it is sent', async () => {
    expect(await callOk(server, 'PUT', '/system/oidc', { issuer: 'https://id.example.com' })).toMatchObject({
      secret_set: false,
    });
    expect(await callOk(server, 'PUT', '/system/oidc', { issuer })).toMatchObject({ secret_set: false });
    expect(await configure({})).toMatchObject({ secret_set: true });
  });

  it.each([
    ['issuer', 'http://id.example.com'],
    ['issuer', 'ftp://127.0.0.1'],
    ['issuer', 'id.example.com'],
    ['issuer', 'https://id.example.com/?x=1'],
    ['role_ids', { groups: { a: [99999] } }],
  ])('refuse a wrong %s %j', async (field, value) => {
    const body = typeof value === 'string' ? { [field]: value } : value;
    const answer = await call(server, 'PUT', '/system/oidc', { body });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(asRecord(answer.body)['params'])['field']).toBe(field);
  });

  it('need `settings`, and give by groups no more than the caller has', async () => {
    const editor = await addPerson(server, admin, [3]);
    expect(outcomeOf(await editor.ask('GET', '/system/oidc'))).toEqual({
      status: 403,
      code: 'auth.notAllowed',
    });
    const role = await addRole(server, admin, [{ actions: ['read', 'settings'] }]);
    const operator = await addPerson(server, admin, [role]);
    expect(outcomeOf(await operator.ask('PUT', '/system/oidc', { groups: { a: [1] } }))).toEqual({
      ...{ status: 403, code: 'auth.notAllowed' },
    });
    expect((await operator.ask('PUT', '/system/oidc', { groups: { a: [5] } })).status).toBe(200);
  });
});

describe('a login', () => {
  it('sends the browser to the provider with state, nonce and PKCE', async () => {
    const answer = await start();
    expect(answer.status).toBe(302);
    const url = new URL(answer.headers.get('location') ?? '');
    expect(url.origin).toBe(issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ client_id: 'cms', response_type: 'code', code_challenge_method: 'S256' },
      ...{
        redirect_uri: `${server.url}/api/v1/auth/oidc/callback`,
        scope: expect.stringContaining('openid'),
      },
      ...{ state: expect.any(String), nonce: expect.any(String), code_challenge: expect.any(String) },
    });
  });

  it('makes a user once, and finds it again by iss and sub', async () => {
    await configure({});
    const id = addAccount({ name: 'Grace Hopper', preferred_username: freshName('grace') });
    const answer = await logInAs(id);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/cms-admin/');
    const user = userOf(answer);
    expect(user).toMatchObject({ name: 'Grace Hopper', email: `${id}@example.com`, role_ids: [] });
    accounts.set(id, { email: 'other@example.com', email_verified: false });
    const again = await logInAs(id);
    expect(userOf(again)).toMatchObject({ id: user['id'], username: user['username'] });
    const status = await call(server, 'GET', '/auth/status', withSession(sessionIn(again)));
    expect(asRecord(status.body)['oidc']).toBe(true);
    expect(status.body).toMatchObject({ authenticated: true, user: { id: user['id'] } });
  });

  it('takes the place of the password only, so a user with factors must show one', async () => {
    await configure({});
    const id = addAccount();
    const first = sessionIn(await logInAs(id));
    await addTotp((...sent) => ask(first, ...sent), Date.now());
    const again = await logInAs(id);
    expect(again.status).toBe(302);
    const session = sessionIn(again);
    const waiting = { status: 403, code: 'auth.confirm' };
    expect(outcomeOf(await ask(session, 'GET', '/auth/sessions'))).toEqual(waiting);
    expect((await ask(session, 'GET', '/auth/factors')).status).toBe(200);
    const wrong = await ask(session, 'POST', '/auth/confirm', { code: '12345' });
    expect(outcomeOf(wrong)).toEqual({ status: 401, code: 'auth.invalidCredentials' });
    const { id: userId } = userOf(again);
    // Without the factors there is nothing to wait for.
    await call(server, 'POST', '/auth/confirm', withSession(admin, { password: administrator.password }));
    expect((await ask(admin, 'DELETE', `/users/${userId}/factors`)).status).toBe(204);
    expect((await ask(session, 'GET', '/auth/sessions')).status).toBe(200);
  });

  it('gives no more than the set-up of a factor where a role demands one', async () => {
    const body = { name: freshName('role'), require_factor: true, grants: [{ actions: ['read'] }] };
    const role = asRecord((await ask(admin, 'POST', '/roles', body)).body)['id'];
    await configure({ groups_claim: 'groups', groups: { web: [role] } });
    const session = sessionIn(await logInAs(addAccount({ groups: ['web'] })));
    const refused = { status: 403, code: 'auth.notAllowed' };
    expect(outcomeOf(await ask(session, 'GET', '/pages'))).toEqual(refused);
    await addTotp((...sent) => ask(session, ...sent), Date.now());
    expect((await ask(session, 'GET', '/pages')).status).toBe(200);
  });

  it('never takes over a user by e-mail or name', async () => {
    const name = freshName('same');
    const body = { username: name, email: `${name}@example.com`, password: 'quartz lantern 58 umbrella' };
    const created = await call(server, 'POST', '/users', withSession(admin, body));
    const id = addAccount({ email: `${name}@example.com`, preferred_username: name });
    const user = userOf(await logInAs(id));
    expect(user['id']).not.toBe(asRecord(created.body)['id']);
    expect(user).toMatchObject({ username: `${name}-2`, role_ids: [] });
  });

  it('makes no user without a verified address, or where that is off', async () => {
    const unverified = { status: 403, code: 'auth.oidcEmailUnverified' };
    expect(outcomeOf(await logInAs(addAccount({ email_verified: false })))).toEqual(unverified);
    const silent = addAccount();
    accounts.set(silent, { email: 'silent@example.com' });
    expect(outcomeOf(await logInAs(silent))).toEqual(unverified);
    await configure({ create_users: false });
    expect(outcomeOf(await logInAs(addAccount()))).toEqual({ status: 403, code: 'auth.oidcUnknown' });
    await configure({});
  });

  it('gives the roles of the groups and no others, each time', async () => {
    await configure({ groups_claim: 'groups', groups: { web: [3], text: [4] } });
    const id = addAccount({ groups: ['web', 'unknown', 'text', 'toString'] });
    const user = userOf(await logInAs(id));
    expect(user['role_ids']).toEqual([3, 4]);
    await call(server, 'PUT', `/users/${user['id']}`, withSession(admin, { role_ids: [2] }));
    accounts.set(id, { ...accounts.get(id), groups: ['text'] });
    expect(userOf(await logInAs(id))['role_ids']).toEqual([4]);
    accounts.set(id, { ...accounts.get(id), groups: [] });
    expect(userOf(await logInAs(id))['role_ids']).toEqual([]);
    await configure({});
  });
});

describe('the callback', () => {
  const wrong = { status: 400, code: 'auth.oidcState' };

  it('counts only in the browser that has begun', async () => {
    const begun = await start();
    const callback = await passProvider(begun.headers.get('location') ?? '', addAccount());
    expect(outcomeOf(await goBack(callback, ''))).toEqual(wrong);
    expect(outcomeOf(await goBack(callback, 'ic_oidc=forged'))).toEqual(wrong);
    const other = await start();
    expect(outcomeOf(await goBack(callback, pendingCookie(other)))).toEqual({
      status: 502,
      code: 'auth.oidcFailed',
    });
  });

  it('tells what the provider refuses', async () => {
    const begun = await start();
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const url = new URL(`${server.url}/api/v1/auth/oidc/callback?error=access_denied&state=${state}`);
    expect(outcomeOf(await goBack(url, pendingCookie(begun)))).toEqual({
      status: 502,
      code: 'auth.oidcFailed',
    });
  });
});

it('without a provider there is no login', async () => {
  await configure({ issuer: '' });
  expect(outcomeOf(await start())).toEqual({ status: 404, code: 'common.notFound' });
  expect((await call(server, 'GET', '/auth/oidc/callback', { token: null })).status).toBe(404);
  await configure({ issuer: 'http://127.0.0.1:1' });
  expect(outcomeOf(await start())).toEqual({ status: 502, code: 'auth.oidcFailed' });
  await configure({});
});
