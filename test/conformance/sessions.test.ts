import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, outcomeOf } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, sessionIn, setUp, withSession } from '../support/session.ts';

/** Contract of what goes beyond, "Signing in": sessions and their cookies. */
let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

const isOpen = async (value: string): Promise<boolean> =>
  (await call(server, 'GET', '/users', withSession(value))).status === 200;

async function list(value: string, query = ''): Promise<Record<string, unknown>[]> {
  const { body } = await call(server, 'GET', `/auth/sessions${query}`, withSession(value));
  return Array.isArray(body) ? body.map(asRecord) : [];
}

async function logInAs(username: string): Promise<{ readonly id: number; readonly session: string }> {
  const body = { username, password: 'a lock without any key' };
  const { body: user } = await call(server, 'POST', '/users', withSession(session, body));
  return { id: Number(asRecord(user)['id']), session: await logIn(server, body) };
}

describe('GET /auth/sessions', () => {
  it('lists the own sessions, the newest first', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': 'Lynx/2.8' };
    const answer = await call(server, 'POST', '/auth/login', { token: null, body: administrator, headers });
    const sessions = await list(sessionIn(answer));
    const other = {
      id: expect.any(String),
      created_at: expect.any(Number),
      last_used_at: expect.any(Number),
      address: expect.any(String),
      agent: expect.any(String),
      current: false,
    };
    expect(sessions).toContainEqual({
      ...other,
      address: '203.0.113.9',
      agent: 'Lynx/2.8',
      current: true,
    });
    expect(sessions.filter(({ current }) => current === true)).toHaveLength(1);
    for (const found of sessions) expect(found).toEqual({ ...other, current: expect.any(Boolean) });
    const times = sessions.map(({ created_at }) => Number(created_at));
    expect(times).toEqual([...times].sort((left, right) => right - left));
  });

  it('names no session by what opens it', async () => {
    const value = await logIn(server);
    expect(JSON.stringify(await list(value))).not.toContain(value);
  });

  it('lists those of another user by ?user_id=', async () => {
    const eve = await logInAs('eve');
    const ofEve = await list(session, `?user_id=${eve.id}`);
    expect(ofEve).toHaveLength(1);
    expect(ofEve[0]).toMatchObject({ current: false });
    expect(await list(eve.session)).toMatchObject([{ id: ofEve[0]?.['id'], current: true }]);
  });

  it.each(['0', '-1', 'x', '1.5'])('refuses user_id=%s', async (userId) => {
    const answer = await call(server, 'GET', `/auth/sessions?user_id=${userId}`, withSession(session));
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
  });
});

describe('DELETE /auth/sessions/{id}', () => {
  it('ends one session at once', async () => {
    const [own, other] = [await logIn(server), await logIn(server)];
    const { id } = (await list(other)).find(({ current }) => current === true) ?? {};
    expect((await call(server, 'DELETE', `/auth/sessions/${id}`, withSession(own))).status).toBe(204);
    expect(await isOpen(other)).toBe(false);
    expect(await isOpen(own)).toBe(true);
    expect(outcomeOf(await call(server, 'DELETE', `/auth/sessions/${id}`, withSession(own)))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
  });

  it('may end the own session', async () => {
    const own = await logIn(server);
    const { id } = (await list(own)).find(({ current }) => current === true) ?? {};
    expect((await call(server, 'DELETE', `/auth/sessions/${id}`, withSession(own))).status).toBe(204);
    expect(await isOpen(own)).toBe(false);
  });

  it.each(['9999', 'x', '%25', 'f'.repeat(32), 'f'.repeat(64)])('answers 404 for %s', async (id) => {
    const answer = await call(server, 'DELETE', `/auth/sessions/${id}`, withSession(session));
    expect(outcomeOf(answer)).toEqual({ status: 404, code: 'common.notFound' });
    expect(await isOpen(session)).toBe(true);
  });
});

it('DELETE /auth/sessions ends all other sessions of the user', async () => {
  const ada = await logInAs('adele');
  const again = await logIn(server, { username: 'adele', password: 'a lock without any key' });
  expect((await call(server, 'DELETE', '/auth/sessions', withSession(again))).status).toBe(204);
  expect([await isOpen(ada.session), await isOpen(again), await isOpen(session)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await list(again)).toHaveLength(1);
});

describe('the cookie', () => {
  const secure = { 'X-Forwarded-Proto': 'https' };
  const logInOver = (headers: Record<string, string>): Promise<ApiAnswer> =>
    call(server, 'POST', '/auth/login', { token: null, body: administrator, headers });
  const statusOf = async (cookie: string, headers: Record<string, string>): Promise<number> =>
    (await call(server, 'GET', '/users', { token: null, headers: { Cookie: cookie, ...headers } })).status;

  it('is __Host-ic_session with Secure over a secure connection', async () => {
    const answer = await logInOver(secure);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-ic_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure$/,
    );
    const out = await call(server, 'POST', '/auth/logout', {
      token: null,
      headers: { ...secure, Cookie: `__Host-ic_session=${sessionIn(answer)}`, 'X-IC-CSRF': '1' },
    });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-ic_session=; .*Max-Age=0; Secure$/);
  });

  it('is ic_session without Secure over a plain one', async () => {
    expect((await logInOver({})).headers.get('set-cookie')).toMatch(/^ic_session=[^;]+;(?!.*Secure)/);
  });

  it('counts by the name of the connection only', async () => {
    const value = await logIn(server);
    expect(await statusOf(`ic_session=${value}`, {})).toBe(200);
    expect(await statusOf(`__Host-ic_session=${value}`, secure)).toBe(200);
    expect(await statusOf(`ic_session=${value}`, secure)).toBe(401);
    expect(await statusOf(`__Host-ic_session=${value}; ic_session=planted`, secure)).toBe(200);
    expect(await statusOf(`__Host-ic_session=${value}`, {})).toBe(401);
  });

  it('is plain if the header of the proxy names neither scheme', async () => {
    const answer = await logInOver({ 'X-Forwarded-Proto': 'gopher' });
    expect(answer.headers.get('set-cookie')).toMatch(/^ic_session=/);
  });
});

describe('idle_minutes', () => {
  let running: InProcessServer;
  let now = Date.now();
  beforeAll(async () => {
    running = await startInProcess({ clock: () => now });
  });
  afterAll(() => running.stop());
  const pass = (seconds: number): void => {
    now += 1000 * seconds;
  };
  const isValid = async (value: string): Promise<boolean> =>
    (await call(running, 'GET', '/users', withSession(value))).status === 200;

  it('ends sessions that were not used for so long, 0 does not', async () => {
    const value = await setUp(running);
    pass(13 * 86_400);
    expect(await isValid(value)).toBe(true);

    const fresh = await logIn(running);
    await call(running, 'PUT', '/system', { body: { idle_minutes: 30 } });
    for (const seconds of [1799, 1799, 1799]) {
      pass(seconds);
      expect(await isValid(fresh)).toBe(true);
    }
    pass(1800);
    const own = await logIn(running);
    const { body } = await call(running, 'GET', '/auth/sessions', withSession(own));
    expect(body).toMatchObject([{ current: true }]);
    expect(await isValid(fresh)).toBe(false);
  });

  it('counts from the login', async () => {
    const value = await logIn(running);
    pass(1800);
    expect(await isValid(value)).toBe(false);
  });
});
