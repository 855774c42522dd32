import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callOk } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { addPerson, addRole, addTokenOf, freshName, password } from '../support/people.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** Beyond, 3.2: GET /audit has events of sign-in, for those who may `users`. */

let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  await createSite(server);
});
afterAll(() => server.stop());

type Entry = Readonly<Record<string, unknown>>;

async function auditOf(cookie: string, query = ''): Promise<Entry[]> {
  const { body } = await call(server, 'GET', `/audit?${query}`, withSession(cookie));
  const { changes } = asRecord(body);
  return Array.isArray(changes) ? changes.map(asRecord) : [];
}

const eventsOf = async (user: string) =>
  (await auditOf(session, 'kind=auth&limit=200')).filter((entry) => entry['user'] === user);

const ask = (method: string, path: string, body?: unknown) =>
  call(server, method, path, withSession(session, body));

describe('an event', () => {
  it('says what, who, from where and when', async () => {
    const { username } = await addPerson(server, session, [5]);
    const headers = { 'User-Agent': 'Browser of the test' };
    const before = Math.floor(Date.now() / 1000) - 1;
    await call(server, 'POST', '/auth/login', { token: null, headers, body: { username, password } });
    const [event] = await eventsOf(username);
    expect(event).toEqual({
      id: expect.any(Number),
      event: 'auth.login',
      user: username,
      address: '127.0.0.1',
      agent: 'Browser of the test',
      at: expect.any(Number),
      version: expect.any(Number),
      detail: expect.any(String),
    });
    expect(Number(event?.['at'])).toBeGreaterThanOrEqual(before);
  });

  it('is made by a failed login, with the name that was tried', async () => {
    const username = freshName('nobody');
    const body = { username, password: 'wrong password' };
    await call(server, 'POST', '/auth/login', { token: null, body });
    expect(await eventsOf(username)).toMatchObject([{ event: 'auth.failure', user: username }]);
  });

  it.each([
    ['/tokens', 'name', {}, 'auth.token'],
    ['/roles', 'name', {}, 'auth.role'],
    ['/users', 'username', { password, role_ids: [] }, 'auth.user'],
  ])('is made by POST %s', async (path, field, body, name) => {
    const word = freshName('made');
    expect(await ask('POST', path, { ...body, [field]: word })).toMatchObject({ status: 201 });
    const [event] = await auditOf(session, `kind=${name}`);
    expect(event).toMatchObject({ event: name, user: administrator.username });
    expect(String(event?.['detail'])).toContain(JSON.stringify(word));
  });

  it('is made by changes and deletions of users, roles and tokens', async () => {
    const person = await addPerson(server, session, [5]);
    const role = await addRole(server, session, []);
    const token = await addTokenOf(server, session, {});
    const calls: [string, string, unknown, string][] = [
      ['PUT', `/users/${person.id}`, { role_ids: [4] }, 'auth.user'],
      ['PUT', `/users/${person.id}/password`, { password: 'another quartz lantern' }, 'auth.password'],
      ['PUT', `/roles/${role}`, { description: 'x' }, 'auth.role'],
      ['DELETE', `/roles/${role}`, undefined, 'auth.role'],
      ['DELETE', `/tokens/${token.id}`, undefined, 'auth.token'],
      ['DELETE', `/users/${person.id}`, undefined, 'auth.user'],
    ];
    for (const [method, path, body, name] of calls) {
      expect((await ask(method, path, body)).status).toBeLessThan(300);
      expect((await auditOf(session, 'kind=auth'))[0]).toMatchObject({ event: name, user: 'ada' });
    }
  });

  it('is not made by what is refused', async () => {
    const [before] = await auditOf(session, 'kind=auth');
    expect((await ask('DELETE', '/users/99999')).status).toBe(404);
    expect((await ask('PUT', '/users/1', { role_ids: [99999] })).status).toBe(400);
    expect((await auditOf(session, 'kind=auth'))[0]).toEqual(before);
  });

  it('is made by a logout and by a change of the own password', async () => {
    const { username, session: own } = await addPerson(server, session, [5]);
    const body = { current_password: password, new_password: 'another quartz lantern' };
    await call(server, 'POST', '/auth/password', withSession(own, body));
    await call(server, 'POST', '/auth/logout', withSession(own));
    const names = (await eventsOf(username)).map(({ event }) => event);
    expect(names.slice(0, 2)).toEqual(['auth.session', 'auth.password']);
  });
});

it('a lock is told once, when the last failure has made it', async () => {
  const locked = await startServer();
  await setUp(locked);
  const own = await logIn(locked);
  const body = { ...administrator, password: 'wrong password' };
  for (let attempt = 0; attempt < 12; attempt++)
    await call(locked, 'POST', '/auth/login', { token: null, body });
  const answer = await call(locked, 'GET', '/audit?kind=auth', withSession(own));
  const { changes } = asRecord(answer.body);
  const names = Array.isArray(changes) ? changes.map((entry) => asRecord(entry)['event']) : [];
  expect(names.filter((name) => name === 'auth.lock')).toHaveLength(1);
  expect(names.filter((name) => name === 'auth.failure')).toHaveLength(10);
  await locked.stop();
});

describe('who sees events', () => {
  it('those who may `users`', async () => {
    const role = await addRole(server, session, [{ actions: ['read', 'users'] }]);
    const { session: own } = await addPerson(server, session, [role]);
    expect((await auditOf(own)).some((entry) => 'event' in entry)).toBe(true);
  });

  it('nobody else', async () => {
    const { session: own } = await addPerson(server, session, [3]);
    const tokens = [
      masterToken,
      await addToken(server, 'writer', true),
      await addToken(server, 'reader', false),
    ];
    const answers = [
      JSON.stringify(await auditOf(own)),
      ...(await Promise.all(
        tokens.map(async (token) => JSON.stringify((await call(server, 'GET', '/audit', { token })).body)),
      )),
    ];
    for (const answer of answers) expect(answer).not.toContain('auth.');
  });

  it('neither the feed', async () => {
    const feed = await callOk(server, 'GET', '/changes?since=0&limit=1000');
    expect(JSON.stringify(feed)).not.toContain('auth.');
  });
});

it('events stand among changes, newest first, and each on one page', async () => {
  await createSnippet(server, { name: freshName('before') });
  const { username } = await addPerson(server, session, [5]);
  await createSnippet(server, { name: freshName('after') });
  const newest = await auditOf(session, 'limit=200');
  const at = (find: (entry: Entry) => boolean) => newest.findIndex(find);
  const login = at(({ user, event }) => user === username && event === 'auth.login');
  expect(at(({ name }) => String(name).startsWith('after'))).toBeLessThan(login);
  expect(at(({ name }) => String(name).startsWith('before'))).toBeGreaterThan(login);
  const ids: unknown[] = [];
  for (let before: unknown = 2 ** 40; before !== null; ) {
    const { body } = await call(server, 'GET', `/audit?limit=1&before=${before}`, withSession(session));
    const { changes, next } = asRecord(body);
    if (Array.isArray(changes))
      ids.push(...changes.map(asRecord).flatMap((entry) => ('event' in entry ? [entry['id']] : [])));
    before = next;
  }
  const all = (await auditOf(session, 'kind=auth')).map(({ id }) => id);
  expect(ids).toEqual(all);
  expect(new Set(ids).size).toBe(ids.length);
});

it('filters of user, time and object hold for events', async () => {
  const { username } = await addPerson(server, session, [5]);
  const found = await auditOf(session, `kind=auth&actor=${username.toUpperCase()}`);
  expect(found).toMatchObject([{ event: 'auth.login', user: username }]);
  expect(await auditOf(session, 'kind=auth&to=1')).toEqual([]);
  expect(await auditOf(session, 'kind=auth&id=1')).toEqual([]);
  expect((await auditOf(session, 'kind=snippet')).some((entry) => 'event' in entry)).toBe(false);
});
