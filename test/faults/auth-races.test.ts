import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, countOutcomes } from '../support/api.ts';
import { idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, sessionIn, setUp, withSession } from '../support/session.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

function inParallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

async function countUsers(session: string): Promise<number> {
  const { body } = await call(server, 'GET', '/users', withSession(session));
  return Array.isArray(body) ? body.length : -1;
}

describe('calls at the same time', () => {
  it('set up only one administrator', async () => {
    const answers = await inParallel(50, (index) =>
      call(server, 'POST', '/auth/setup', {
        token: null,
        body: { ...administrator, username: `ada ${index}` },
      }),
    );
    expect(countOutcomes(answers)).toEqual({ '201': 1, '409 auth.setupDone': 49 });
    const winner = answers.find(({ status }) => status === 201);
    if (winner === undefined) throw new Error('nobody won');
    expect(await countUsers(sessionIn(winner))).toBe(1);
  });

  it('create only one user of a name', async () => {
    const session = await setUp(server);
    const body = { username: 'grace', password: 'long enough for all' };
    const answers = await inParallel(10, () => call(server, 'POST', '/users', withSession(session, body)));
    expect(countOutcomes(answers)).toEqual({ '201': 1, '409 user.nameTaken': 9 });
  });

  it('never delete the last user', async () => {
    const session = await setUp(server);
    const ids = await inParallel(5, async (index) => {
      const body = { username: `user ${index}`, password: 'long enough for all' };
      return idOf(asRecord((await call(server, 'POST', '/users', withSession(session, body))).body));
    });
    // The user of the session is deleted first, so later calls may find the session ended.
    const answers = await Promise.all(
      [1, ...ids].map((id) => call(server, 'DELETE', `/users/${id}`, withSession(session))),
    );
    const counts = countOutcomes(answers);
    expect(counts['204']).toBeGreaterThanOrEqual(1);
    expect(counts['204']).toBeLessThanOrEqual(5);
    const status = await call(server, 'GET', '/auth/status', { token: null });
    expect(status.body).toMatchObject({ setup_required: false });
  });

  it('that sign in get different sessions', async () => {
    await setUp(server);
    const sessions = await inParallel(8, () => logIn(server));
    expect(new Set(sessions).size).toBe(8);
    const answers = await inParallel(8, (index) =>
      call(server, 'GET', '/users', withSession(sessions[index] ?? '')),
    );
    expect(countOutcomes(answers)).toEqual({ '200': 8 });
  });
});

describe('while a password is changed', () => {
  it('no session from the old password is valid after the change', async () => {
    const session = await setUp(server);
    const change = call(
      server,
      'POST',
      '/auth/password',
      withSession(session, { current_password: administrator.password, new_password: 'another engine' }),
    );
    const logins = inParallel(8, () =>
      call(server, 'POST', '/auth/login', { token: null, body: administrator }),
    );
    expect((await change).status).toBe(204);
    for (const login of await logins) {
      if (login.status !== 200) continue;
      const answer = await call(server, 'GET', '/users', withSession(sessionIn(login)));
      expect(answer.status).toBe(401);
    }
    expect((await call(server, 'GET', '/users', withSession(session))).status).toBe(200);
  });
});

describe('while a token is revoked', () => {
  it('every request that starts afterwards is refused', async () => {
    const session = await setUp(server);
    const created = await call(
      server,
      'POST',
      '/tokens',
      withSession(session, { name: 'x', can_write: true }),
    );
    const { secret, token } = asRecord(created.body);
    const use = () => call(server, 'GET', '/pages', { token: String(secret) });
    const running = inParallel(20, use);
    await call(server, 'DELETE', `/tokens/${idOf(asRecord(token))}`, withSession(session));
    expect(countOutcomes(await inParallel(5, use))).toEqual({ '401 auth.required': 5 });
    for (const { status } of await running) expect([200, 401]).toContain(status);
  });
});

it('the server answers other requests while passwords are checked', async () => {
  await setUp(server);
  const logins = inParallel(40, (index) =>
    call(server, 'POST', '/auth/login', {
      token: null,
      body: { ...administrator, password: 'wrong password' },
      headers: { 'X-Forwarded-For': `203.0.113.${index}` },
    }),
  );
  let loginsDone = false;
  const done = logins.then(() => {
    loginsDone = true;
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(loginsDone).toBe(false);
  await done;
  expect(countOutcomes(await logins)).toEqual({ '401 auth.invalidCredentials': 40 });
});
