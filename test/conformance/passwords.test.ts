import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, outcomeOf } from '../support/api.ts';
import { createSite, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** Beyond, 3.2: passwords of 12 to 1,024 characters, an estimator instead of rules, none of the names. */

let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await startServer();
  for (const password of ['password1234', 'AdaAdaAda12345'])
    expect(weaknessOf(await call(server, 'POST', '/auth/setup', setupWith(password)))).toEqual(
      expect.any(String),
    );
  session = await setUp(server);
  await createSite(server, { title: 'Harbour Museum', domains: 'www.harbour-museum.example' });
});
afterAll(() => server.stop());

const setupWith = (password: string) => ({ token: null, body: { ...administrator, password } });

/** The reason of a refusal; undefined for any other answer. */
function weaknessOf({ status, body }: ApiAnswer): unknown {
  const { code, params } = asRecord(body);
  return status === 400 && code === 'auth.passwordWeak' ? asRecord(params)['reason'] : undefined;
}

let username: string;
let id: unknown;
const first = 'correct horse battery staple';
beforeEach(async () => {
  username = `quentin-${freshName('x')}`;
  const created = await call(server, 'POST', '/users', withSession(session, { username, password: first }));
  expect(created.status).toBe(201);
  id = asRecord(created.body)['id'];
});

/** Every way in which a password comes in. */
const ways: Readonly<Record<string, (password: string) => Promise<ApiAnswer>>> = {
  'POST /users': (password) =>
    call(server, 'POST', '/users', withSession(session, { username: `${username}-2`, password })),
  'PUT /users/{id}/password': (password) =>
    call(server, 'PUT', `/users/${id}/password`, withSession(session, { password })),
  'POST /auth/password': async (password) => {
    const own = await logIn(server, { username, password: first });
    const body = { current_password: first, new_password: password };
    return call(server, 'POST', '/auth/password', withSession(own, body));
  },
};

describe.each(Object.entries(ways))('%s', (_name, set) => {
  it.each([
    ['11 characters', 'kxvq-27-mnt', 'auth.passwordTooShort', { min: 12 }],
    ['1,025 characters', 'x'.repeat(1025), 'auth.passwordTooLong', { max: 1024 }],
  ])('refuses %s', async (_title, password, code, params) => {
    const answer = await set(password);
    expect(outcomeOf(answer)).toEqual({ status: 400, code });
    expect(asRecord(answer.body)['params']).toEqual(params);
  });

  it.each([
    ['password1234', 'common'],
    ['Passw0rd1234!', 'common'],
    ['aaaaaaaaaaaa', 'repeat'],
    ['abcabcabcabc', 'repeat'],
    ['abcdefghijkl', 'sequence'],
    ['x'.repeat(1024), 'repeat'],
    ['Harbour Museum & quiet lanterns', 'name'],
    ['harbourmuseum-quiet-lanterns', 'name'],
    ['www.harbour-museum.example 97', 'name'],
    ['QUENTIN and quiet lanterns', 'name'],
  ])('refuses %s: %s', async (password, reason) => {
    expect(weaknessOf(await set(password))).toBe(reason);
  });

  it.each(['kxvq-27-mntw', 'lowercase words are fine', 'Ω≈ç√∫˜µ≤≥÷åß∂', `${first} ${'x'.repeat(995)}`])(
    'takes %s',
    async (password) => {
      expect((await set(password)).status).toBeLessThan(300);
    },
  );
});

it('the parts of the own name count, and short names only as whole words', async () => {
  const create = (name: string, password: string) =>
    call(server, 'POST', '/users', withSession(session, { username: name, password }));
  expect(weaknessOf(await create('ada.lovelace', 'quiet lovelaces of the sea'))).toBe('name');
  expect(weaknessOf(await create('bo', 'the bo of the quiet sea'))).toBe(undefined);
  expect(weaknessOf(await create('eve', 'quiet lanterns of eve 7'))).toBe('name');
  expect(weaknessOf(await create('ian', 'radiant quiet lanterns'))).toBe(undefined);
});

describe('POST /auth/password', () => {
  it('needs no other confirmation than the present password, which the new one differs from', async () => {
    const own = await logIn(server, { username, password: first });
    const change = (current_password: string, new_password: string) =>
      call(server, 'POST', '/auth/password', withSession(own, { current_password, new_password }));
    expect(outcomeOf(await change('wrong present password', 'a quiet lantern'))).toEqual({
      ...{ status: 401, code: 'auth.invalidCredentials' },
    });
    expect(weaknessOf(await change(first, first))).toBe('unchanged');
    expect((await change(first, 'a quiet lantern at sea')).status).toBe(204);
    await logIn(server, { username, password: 'a quiet lantern at sea' });
  });
});

it('many passwords at once do not hold up other requests', async () => {
  const long = `${'ab1!'.repeat(250)}`;
  const checks = Array.from({ length: 6 }, () =>
    call(server, 'PUT', `/users/${id}/password`, withSession(session, { password: long })),
  );
  const health = call(server, 'GET', '/auth/status', { token: null });
  expect((await health).status).toBe(200);
  for (const answer of await Promise.all(checks)) expect(weaknessOf(answer)).toEqual(expect.any(String));
});
