import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call } from '../support/api.ts';
import { idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** The users of the admin: their names, passwords and sessions. */
let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

function ask(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  return call(server, method, path, withSession(session, body));
}

async function create(username: string): Promise<number> {
  const answer = await ask('POST', '/users', { username, password: 'long enough for all' });
  return idOf(asRecord(answer.body));
}

function outcome({ status, body }: ApiAnswer): unknown {
  return { status, code: asRecord(body)['code'], params: asRecord(body)['params'] };
}

async function isSignedIn(value: string): Promise<boolean> {
  return (await call(server, 'GET', '/users', withSession(value))).status === 200;
}

const userFields = [
  ...['created_at', 'email', 'id', 'last_login_at', 'must_change_password', 'name', 'role_ids', 'username'],
];

describe('POST /users', () => {
  it('answers with the user, without the password or its hash', async () => {
    const answer = await ask('POST', '/users', {
      username: 'Grace Hopper',
      password: 'long enough for all',
      id: 77,
      created_at: 1,
      password_hash: 'x',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: 2,
      username: 'Grace Hopper',
      created_at: expect.any(Number),
      last_login_at: null,
      // Any field besides name and password makes a user without rights.
      role_ids: [],
      ...{ email: '', name: '', must_change_password: false },
    });
    expect(Math.abs(Number(asRecord(answer.body)['created_at']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it.each([
    ['taken', { username: administrator.username }, 409, 'user.nameTaken', { username: 'ada' }],
    ['empty', { username: '' }, 400, 'common.invalid', { field: 'username' }],
    ['missing', { username: undefined }, 400, 'common.invalid', { field: 'username' }],
    ['no text', { username: 5 }, 400, 'common.invalid', { field: 'username' }],
    ['of 65 characters', { username: 'ü'.repeat(65) }, 400, 'common.invalid', { field: 'username' }],
  ])('refuses a username that is %s', async (_name, fields, status, code, params) => {
    const answer = await ask('POST', '/users', { password: 'long enough for all', ...fields });
    expect(outcome(answer)).toMatchObject({ status, code, params });
  });

  it.each(['ADA', ' ada ', '\u00a0Ada'])('takes %j for the name of ada', async (username) => {
    const taken = await ask('POST', '/users', { username, password: 'long enough for all' });
    expect(outcome(taken)).toMatchObject({ status: 409, code: 'user.nameTaken' });
    expect(await isSignedIn(await logIn(server, { ...administrator, username }))).toBe(true);
  });

  it('trims the name, counts characters without the trimmed ones, and compares all letters', async () => {
    const answer = await ask('POST', '/users', {
      username: ` Ünal${'x'.repeat(60)}  `,
      password: 'long enough for all',
    });
    expect(answer).toMatchObject({ status: 201, body: { username: `Ünal${'x'.repeat(60)}` } });
    const again = { username: `ÜNAL${'X'.repeat(60)}`, password: 'long enough for all' };
    expect(outcome(await ask('POST', '/users', again))).toMatchObject({ status: 409 });
    expect(outcome(await ask('POST', '/users', { ...again, username: ' ' }))).toMatchObject({ status: 400 });
  });

  it('accepts usernames of 1 to 64 characters', async () => {
    for (const username of ['x', '\u{1f511}'.repeat(64)])
      expect((await ask('POST', '/users', { username, password: 'long enough for all' })).status).toBe(201);
  });

  it.each([
    ['12345678901', 'auth.passwordTooShort', { min: 12 }],
    ['', 'auth.passwordTooShort', { min: 12 }],
    ['x'.repeat(1025), 'auth.passwordTooLong', { max: 1024 }],
  ])('refuses a password of a wrong length', async (password, code, params) => {
    const answer = await ask('POST', '/users', { username: 'new', password });
    expect(outcome(answer)).toEqual({ status: 400, code, params });
  });

  it('accepts passwords of 12 and of 1,024 characters', async () => {
    for (const [username, password] of [
      ['short', 'kxvq-27-mntw'],
      ['long', `correct horse battery staple ${'x'.repeat(995)}`],
    ] as const) {
      expect((await ask('POST', '/users', { username, password })).status).toBe(201);
      await logIn(server, { username, password });
    }
  });
});

describe('GET /users', () => {
  it('lists all by name, ignoring case', async () => {
    await create('bob');
    await create('Charles');
    const { status, body } = await ask('GET', '/users');
    expect(status).toBe(200);
    const users = Array.isArray(body) ? body.map(asRecord) : [];
    const names = users.map((user) => String(user['username']));
    expect(names).toEqual(expect.arrayContaining(['ada', 'bob', 'Charles']));
    expect(names.indexOf('bob')).toBeLessThan(names.indexOf('Charles'));
    for (const user of users) expect(Object.keys(user).sort()).toEqual(userFields);
  });
});

describe('PUT /users/{id}/password', () => {
  it('sets it and ends the sessions of that user', async () => {
    const id = await create('dora');
    const theirs = await logIn(server, { username: 'dora', password: 'long enough for all' });
    const answer = await ask('PUT', `/users/${id}/password`, { password: 'another long one' });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined });
    expect(await isSignedIn(theirs)).toBe(false);
    expect(await isSignedIn(session)).toBe(true);
    await logIn(server, { username: 'dora', password: 'another long one' });
  });

  it('of the own user keeps the session of the request', async () => {
    const other = await logIn(server);
    expect((await ask('PUT', '/users/1/password', { password: administrator.password })).status).toBe(204);
    expect([await isSignedIn(session), await isSignedIn(other)]).toEqual([true, false]);
  });

  it.each([
    ['/users/1/password', { password: '1234567' }, 400, 'auth.passwordTooShort'],
    ['/users/1/password', { password: 'x'.repeat(1025) }, 400, 'auth.passwordTooLong'],
    ['/users/1/password', {}, 400, 'common.invalid'],
    ['/users/9999/password', { password: 'long enough for all' }, 404, 'common.notFound'],
    ['/users/x/password', { password: 'long enough for all' }, 404, 'common.notFound'],
  ])('refuses %s %j', async (path, body, status, code) => {
    expect(outcome(await ask('PUT', path, body))).toMatchObject({ status, code });
  });
});

describe('DELETE /users/{id}', () => {
  it('ends the sessions of the user', async () => {
    const id = await create('emil');
    const theirs = await logIn(server, { username: 'emil', password: 'long enough for all' });
    const answer = await ask('DELETE', `/users/${id}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined });
    expect(await isSignedIn(theirs)).toBe(false);
    expect(outcome(await ask('DELETE', `/users/${id}`))).toMatchObject({ status: 404 });
    const login = { username: 'emil', password: 'long enough for all' };
    const again = await call(server, 'POST', '/auth/login', { token: null, body: login });
    expect(outcome(again)).toMatchObject({ status: 401, code: 'auth.invalidCredentials' });
  });

  it('never gives an id a second time', async () => {
    const id = await create('first');
    await ask('DELETE', `/users/${id}`);
    expect(await create('second')).toBeGreaterThan(id);
  });

  it('refuses to delete the last administrator', async () => {
    const { body } = await ask('GET', '/users');
    const others = (Array.isArray(body) ? body.map(asRecord) : []).filter(({ id }) => id !== 1);
    for (const { id } of others) expect((await ask('DELETE', `/users/${id}`)).status).toBe(204);
    expect(outcome(await ask('DELETE', '/users/1'))).toEqual({
      status: 409,
      code: 'auth.lastAdministrator',
      params: {},
    });
    expect(await isSignedIn(session)).toBe(true);
  });
});
