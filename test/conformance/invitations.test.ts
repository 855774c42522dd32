import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { addTotp, totpCode } from '../support/one-time-codes.ts';
import { addPerson, addRole, freshName, password } from '../support/people.ts';
import { logIn, sessionIn, setUp, withSession } from '../support/session.ts';
import { bodyOf, startSmtp } from '../support/smtp.ts';

/** Beyond, 3.2: fields of users, `must_change_password`, invitations. */

let server: InProcessServer;
let admin: string;
let now = Date.now();
beforeAll(async () => {
  server = await startInProcess({ clock: () => now });
  admin = await setUp(server);
});
afterAll(() => server.stop());

const ask = (method: string, path: string, body?: unknown, session = admin) =>
  call(server, method, path, withSession(session, body));
const anonymous = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  call(server, method, path, {
    token: null,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  });
const notFound = { status: 404, code: 'common.notFound' };

async function addUser(fields: object = {}): Promise<Record<string, unknown>> {
  const answer = await ask('POST', '/users', { username: freshName('user'), password, ...fields });
  expect(answer.status).toBe(201);
  return asRecord(answer.body);
}

async function invite(id: unknown): Promise<{ url: URL; token: string; expires: number }> {
  const { status, body } = await ask('POST', `/users/${id}/invitation`);
  expect(status).toBe(201);
  const { url: text, expires_at: expires } = asRecord(body);
  const url = new URL(String(text));
  return { url, token: url.searchParams.get('token') ?? '', expires: Number(expires) };
}

const find = (token: string) => anonymous('GET', `/auth/invitation?token=${token}`);
const chosen = 'seven quiet lanterns 41';
const accept = (token: string, sent: string = chosen) =>
  anonymous('POST', '/auth/invitation', { token, password: sent });

describe('the fields of a user', () => {
  const person = { email: 'grace@example.com', name: 'Grace Hopper', must_change_password: true };

  it('are stored by POST, answered by GET and merged by PUT', async () => {
    const { id, ...user } = await addUser(person);
    expect(user).toMatchObject({ ...person, role_ids: [] });
    expect((await ask('GET', `/users/${id}`)).body).toEqual({ id, ...user });
    const changed = await ask('PUT', `/users/${id}`, { name: 'Rear Admiral' });
    expect(changed.body).toEqual({ id, ...user, name: 'Rear Admiral' });
    const { body } = await ask('GET', '/users');
    expect(body).toContainEqual({ id, ...user, name: 'Rear Admiral' });
    expect((await ask('PUT', `/users/${id}`, { email: '', must_change_password: false })).body).toMatchObject(
      {
        ...{ email: '', must_change_password: false, name: 'Rear Admiral' },
      },
    );
  });

  it('are empty by default, and several users may have one address', async () => {
    expect(await addUser()).toMatchObject({
      email: '',
      name: '',
      must_change_password: false,
      role_ids: [1],
    });
    await addUser({ email: 'both@example.com' });
    await addUser({ email: 'both@example.com' });
  });

  it.each([
    ['email', 'nobody'],
    ['email', 'a@b, c@d'],
    ['email', 'a@b.test\r\nBcc: c@d.test'],
    ['email', `${'x'.repeat(250)}@b.test`],
    ['email', null],
    ['name', 'x'.repeat(201)],
    ['name', 'a\nb'],
    ['name', 1],
    ['must_change_password', 'yes'],
  ])('%s %j is refused', async (field, value) => {
    const { id } = await addUser();
    const sent = { username: freshName('user'), password, [field]: value };
    for (const answer of [
      await ask('POST', '/users', sent),
      await ask('PUT', `/users/${id}`, { [field]: value }),
    ]) {
      expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
      expect(asRecord(asRecord(answer.body)['params'])['field']).toBe(field);
    }
  });

  it('have a password unless there is an address to invite', async () => {
    const username = freshName('user');
    expect(outcomeOf(await ask('POST', '/users', { username }))).toEqual({
      status: 400,
      code: 'common.invalid',
    });
    const { id } = await addUser({ username, password: undefined, email: 'new@example.com' });
    for (const guess of ['', 'wrong password'])
      expect((await anonymous('POST', '/auth/login', { username, password: guess })).status).toBe(401);
    await accept((await invite(id)).token);
    await logIn(server, { username, password: chosen });
  });

  it('name what a password must not hold', async () => {
    const { id } = await addUser({ name: 'Grace Hopper', email: 'amazing.grace@example.com' });
    for (const weak of ['quiet Hopper lanterns', 'amazing.grace and quiet lanterns'])
      expect(asRecord((await ask('PUT', `/users/${id}/password`, { password: weak })).body)).toMatchObject({
        code: 'auth.passwordWeak',
        params: { reason: 'name' },
      });
  });
});

describe('must_change_password', () => {
  const refused = { status: 403, code: 'auth.passwordChange' };

  it('closes everything but /auth/me, /auth/password and logout', async () => {
    const person = await addPerson(server, admin, [1]);
    expect((await person.ask('GET', '/pages')).status).toBe(200);
    await ask('PUT', `/users/${person.id}`, { must_change_password: true });
    for (const [method, path] of [
      ['GET', '/pages'],
      ['GET', '/users'],
      ['GET', '/auth/sessions'],
      ['POST', '/snippets'],
      ['GET', '/changes'],
      ['GET', '/collections/any/items'],
    ] as const)
      expect([path, outcomeOf(await person.ask(method, path, method === 'GET' ? undefined : {}))]).toEqual([
        path,
        refused,
      ]);
    expect((await person.ask('GET', '/auth/me')).status).not.toBe(403);
    expect((await person.ask('POST', '/auth/logout')).status).toBe(204);
  });

  it('opens with another password, which differs', async () => {
    const user = await addUser({ must_change_password: true, role_ids: [1] });
    const session = await logIn(server, { username: String(user['username']), password });
    const change = (new_password: string) =>
      ask('POST', '/auth/password', { current_password: password, new_password }, session);
    expect(outcomeOf(await ask('GET', '/pages', undefined, session))).toEqual(refused);
    expect(outcomeOf(await change(password))).toEqual({ status: 400, code: 'auth.passwordWeak' });
    expect(outcomeOf(await ask('GET', '/pages', undefined, session))).toEqual(refused);
    expect((await change(chosen)).status).toBe(204);
    expect((await ask('GET', '/pages', undefined, session)).status).toBe(200);
    expect((await ask('GET', `/users/${user['id']}`)).body).toMatchObject({ must_change_password: false });
  });
});

describe('an invitation', () => {
  it('lasts seven days, and its address holds the token', async () => {
    const { id } = await addUser();
    const { url, expires, token } = await invite(id);
    expect(url.origin).toBe(server.url);
    expect(expires).toBe(Math.floor(now / 1000) + 7 * 24 * 3600);
    expect(token.length).toBeGreaterThan(40);
  });

  it('says who is invited, and needs no session', async () => {
    const { id, username } = await addUser({ name: 'Grace', email: 'g@example.com' });
    const { token, expires } = await invite(id);
    expect(await find(token)).toMatchObject({
      status: 200,
      body: { username, name: 'Grace', email: 'g@example.com', expires_at: expires },
    });
  });

  it('sets the password once, signs in, and ends other sessions', async () => {
    const person = await addPerson(server, admin, [5]);
    const { token } = await invite(person.id);
    await ask('PUT', `/users/${person.id}`, { must_change_password: true });
    const accepted = await accept(token);
    expect(accepted).toMatchObject({
      status: 200,
      body: { user: { id: person.id, must_change_password: false } },
    });
    expect((await person.ask('GET', '/pages')).status).toBe(401);
    expect((await ask('GET', '/pages', undefined, sessionIn(accepted))).status).toBe(200);
    expect(outcomeOf(await accept(token, 'eight loud lanterns 42'))).toEqual(notFound);
    expect(outcomeOf(await find(token))).toEqual(notFound);
    await logIn(server, { username: person.username, password: chosen });
  });

  it('takes the place of the password only, so a user with factors must show one', async () => {
    const person = await addPerson(server, admin, [1]);
    const { secret } = await addTotp(person.ask, now);
    const { token } = await invite(person.id);
    now += 30_000;
    const accepted = await accept(token);
    expect(accepted.status).toBe(200);
    const own = (method: string, path: string, body?: unknown) =>
      ask(method, path, body, sessionIn(accepted));
    const waiting = { status: 403, code: 'auth.confirm' };
    const closed: [string, string, unknown?][] = [
      ...([
        ['GET', '/pages'],
        ['GET', '/users'],
        ['GET', '/auth/sessions'],
      ] as [string, string][]),
      ...([
        ['GET', '/auth/confirm'],
        ['DELETE', '/auth/confirm'],
      ] as [string, string][]),
      ['POST', '/auth/factors/totp'],
      ['DELETE', '/auth/factors/1'],
      ['POST', '/auth/password', { current_password: chosen, new_password: 'nine calm lanterns 43' }],
      ['POST', '/tokens', { name: 'x' }],
    ];
    for (const [method, path, body] of closed)
      expect([path, outcomeOf(await own(method, path, body))]).toEqual([path, waiting]);
    expect((await own('GET', '/auth/me')).body).toMatchObject({ user: { id: person.id }, grants: [] });
    expect((await own('GET', '/auth/factors')).body).toMatchObject([{ kind: 'totp' }]);
    const byPassword = await own('POST', '/auth/confirm', { password: chosen });
    expect(outcomeOf(byPassword)).toEqual({ status: 401, code: 'auth.factorRequired' });
    expect((await own('GET', '/users')).status).toBe(403);
    expect((await own('POST', '/auth/confirm', { code: totpCode(secret, now) })).status).toBe(204);
    expect((await own('GET', '/users')).status).toBe(200);
    expect((await own('DELETE', '/auth/confirm')).status).toBe(204);
    expect((await own('GET', '/users')).status).toBe(200);
  });

  it('gives no more than the set-up of a factor where a role demands one', async () => {
    const role = await ask('POST', '/roles', { name: freshName('role'), require_factor: true, grants: [] });
    const { id } = await addUser({ role_ids: [asRecord(role.body)['id'], 5] });
    const { token } = await invite(id);
    const session = sessionIn(await accept(token));
    const pages = () => ask('GET', '/pages', undefined, session);
    expect(outcomeOf(await pages())).toEqual({ status: 403, code: 'auth.notAllowed' });
    await addTotp((method, path, body) => ask(method, path, body, session), now);
    expect((await pages()).status).toBe(200);
  });

  it('is accepted by one of many at the same time', async () => {
    const { id } = await addUser();
    const { token } = await invite(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('stays open after a refused password', async () => {
    const { id, username } = await addUser();
    const { token } = await invite(id);
    for (const [sent, code] of [
      ['short', 'auth.passwordTooShort'],
      ['x'.repeat(1025), 'auth.passwordTooLong'],
      [`${username} and more`, 'auth.passwordWeak'],
    ] as const)
      expect(outcomeOf(await accept(token, sent))).toEqual({ status: 400, code });
    expect((await accept(token)).status).toBe(200);
  });

  const endings: Readonly<Record<string, (id: unknown) => Promise<unknown>>> = {
    'a new one': (id) => invite(id),
    'a password that is set': (id) => ask('PUT', `/users/${id}/password`, { password: chosen }),
    'the deletion of the user': (id) => ask('DELETE', `/users/${id}`),
    'seven days': async () => {
      now += 7 * 24 * 3600 * 1000;
    },
  };
  afterEach(async () => {
    admin = await logIn(server);
  });

  it.each(Object.entries(endings))('is ended by %s', async (_name, end) => {
    const { id } = await addUser();
    const { token } = await invite(id);
    await end(id);
    expect(outcomeOf(await find(token))).toEqual(notFound);
    expect(outcomeOf(await accept(token))).toEqual(notFound);
  });

  it('is ended by a change of the own password', async () => {
    const person = await addPerson(server, admin, [5]);
    const { token } = await invite(person.id);
    const body = { current_password: password, new_password: chosen };
    expect((await person.ask('POST', '/auth/password', body)).status).toBe(204);
    expect(outcomeOf(await find(token))).toEqual(notFound);
  });

  it('has a token that nobody guesses, and of which only the hash is stored', async () => {
    for (const token of ['', 'x', 'a'.repeat(43)]) expect((await find(token)).status).toBe(404);
    expect(outcomeOf(await anonymous('GET', '/auth/invitation'))).toEqual({
      status: 400,
      code: 'common.invalid',
    });
    expect(outcomeOf(await anonymous('POST', '/auth/invitation', { password }))).toEqual({
      ...{ status: 400, code: 'common.invalid' },
    });
  });

  it('is made by those who may `users`, for nobody with more rights', async () => {
    const { id } = await addUser();
    const editor = await addPerson(server, admin, [3]);
    const role = await addRole(server, admin, [{ actions: ['read', 'users'] }]);
    const helper = await addPerson(server, admin, [role]);
    const viewer = await addUser({ role_ids: [5] });
    const refused = { status: 403, code: 'auth.notAllowed' };
    const path = (user: unknown) => `/users/${user}/invitation`;
    expect(outcomeOf(await editor.ask('POST', path(viewer['id'])))).toEqual(refused);
    expect(outcomeOf(await helper.ask('POST', path(id)))).toEqual(refused);
    expect((await helper.ask('POST', path(viewer['id']))).status).toBe(201);
    expect((await ask('POST', path(99999))).status).toBe(404);
    expect((await call(server, 'POST', path(id))).status).toBe(403);
    expect((await anonymous('POST', path(id))).status).toBe(401);
  });
});

describe('the address of an invitation', () => {
  const inviteAt = (id: unknown, host: string): Promise<ApiAnswer> =>
    call(server, 'POST', `/users/${id}/invitation`, {
      ...withSession(admin),
      headers: { ...withSession(admin).headers, 'X-Forwarded-Host': host },
    });

  it('has the host of the request only if it is a domain of a website or loopback', async () => {
    const { id } = await addUser();
    expect(outcomeOf(await inviteAt(id, 'evil.test'))).toEqual({
      status: 400,
      code: 'auth.publicUrlMissing',
    });
    await callOk(server, 'POST', '/sites', { title: 'Site', domains: 'own.example' });
    const { body } = await inviteAt(id, 'own.example');
    expect(asRecord(body)['url']).toMatch(/^http:\/\/own\.example\//);
  });

  it('is public_url, whatever the host is', async () => {
    const { id } = await addUser();
    await callOk(server, 'PUT', '/system', { public_url: 'https://cms.example.org' });
    const { body } = await inviteAt(id, 'evil.test');
    expect(asRecord(body)['url']).toMatch(/^https:\/\/cms\.example\.org\//);
    await callOk(server, 'PUT', '/system', { public_url: '' });
  });
});

describe('the mail of an invitation', () => {
  it('is sent to the address of the user, if mail is set up', async () => {
    const smtp = await startSmtp();
    admin = await logIn(server);
    const mail = { host: '127.0.0.1', port: smtp.port, from: 'cms@example.com' };
    const { id } = await addUser({ email: 'grace@example.com', name: 'Grace' });
    const withoutAddress = await addUser();
    expect((await ask('POST', `/users/${id}/invitation`)).body).toMatchObject({ sent: false });
    await callOk(server, 'PUT', '/system/mail', mail);
    expect((await ask('POST', `/users/${withoutAddress['id']}/invitation`)).body).toMatchObject({
      sent: false,
    });
    const { body } = await ask('POST', `/users/${id}/invitation`);
    expect(body).toMatchObject({ sent: true });
    expect(smtp.received).toHaveLength(1);
    const [received] = smtp.received;
    if (received === undefined) throw new Error('no mail');
    expect(received.to).toEqual(['grace@example.com']);
    expect(bodyOf(received)).toContain(String(asRecord(body)['url']));
    await smtp.close();
    expect((await ask('POST', `/users/${id}/invitation`)).body).toMatchObject({ sent: false });
    await callOk(server, 'PUT', '/system/mail', { host: '' });
  });
});
