import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, setUp, withSession } from '../support/session.ts';

/** Core, "Limits": after ten failed logins of a client, its logins are refused for 15 minutes. */
let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

function logInFrom(address: string, fields: Record<string, unknown> = {}): Promise<ApiAnswer> {
  const body = { ...administrator, ...fields };
  return call(server, 'POST', '/auth/login', { token: null, body, headers: { 'X-Forwarded-For': address } });
}

async function failFrom(address: string, times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    const { status } = await logInFrom(address, { password: `wrong ${index}` });
    expect(status).toBe(401);
  }
}

async function expectLocked(answer: Promise<ApiAnswer>): Promise<void> {
  const { status, body, headers } = await answer;
  const seconds = Number(headers.get('retry-after'));
  expect({ status, body }).toEqual({
    status: 429,
    body: { error: expect.any(String), code: 'auth.tooManyAttempts', params: { retry_after: seconds } },
  });
  expect(seconds).toBeGreaterThan(840);
  expect(seconds).toBeLessThanOrEqual(900);
  expect(headers.get('set-cookie')).toBeNull();
}

describe('the eleventh attempt', () => {
  it('is refused, also with the right password', async () => {
    await failFrom('203.0.113.1', 10);
    await expectLocked(logInFrom('203.0.113.1', { password: 'wrong again' }));
    await expectLocked(logInFrom('203.0.113.1'));
    expect((await logInFrom('203.0.113.2')).status).toBe(200);
  });

  it('is refused also when every attempt names another user', async () => {
    for (let index = 0; index < 10; index++)
      expect((await logInFrom('203.0.113.3', { username: `user ${index}` })).status).toBe(401);
    await expectLocked(logInFrom('203.0.113.3'));
  });

  it('is refused also with other fields in the body', async () => {
    await failFrom('203.0.113.4', 10);
    await expectLocked(logInFrom('203.0.113.4', { ip: '1.1.1.1', token: 'x', padding: 'y'.repeat(1000) }));
  });

  it('is refused for every address of an IPv6 network', async () => {
    for (let index = 0; index < 10; index++)
      expect((await logInFrom(`2001:db8:0:1:${index}::1`, { password: 'wrong' })).status).toBe(401);
    await expectLocked(logInFrom('2001:db8:0:1:ffff::1'));
    expect((await logInFrom('2001:db8:0:2::1')).status).toBe(200);
  });

  it('is refused also when the client varies all addresses of X-Forwarded-For but the last', async () => {
    for (let index = 0; index < 10; index++)
      expect((await logInFrom(`10.0.0.${index}, 203.0.113.5`, { password: 'wrong' })).status).toBe(401);
    await expectLocked(logInFrom('10.0.0.99, 203.0.113.5'));
  });
});

it('a successful login resets the count', async () => {
  await failFrom('203.0.113.6', 9);
  expect((await logInFrom('203.0.113.6')).status).toBe(200);
  await failFrom('203.0.113.6', 9);
  expect((await logInFrom('203.0.113.6')).status).toBe(200);
});

it('invalid bodies do not count as attempts', async () => {
  for (let index = 0; index < 15; index++)
    expect((await logInFrom('203.0.113.7', { password: null })).status).toBe(400);
  expect((await logInFrom('203.0.113.7')).status).toBe(200);
});

it('of a hundred attempts at once ten are checked and the others are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => logInFrom('203.0.113.8', { password: `guess ${index}` })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(90);
  await expectLocked(logInFrom('203.0.113.8'));
});

it('wrong current passwords of a session count too, and the session stays valid', async () => {
  const body = { current_password: 'wrong', new_password: 'long enough for all' };
  const from = (options: ReturnType<typeof withSession>) => ({
    ...options,
    headers: { ...options.headers, 'X-Forwarded-For': '203.0.113.9' },
  });
  for (let index = 0; index < 10; index++) {
    const answer = await call(server, 'POST', '/auth/password', from(withSession(session, body)));
    expect(asRecord(answer.body)['code']).toBe('auth.invalidCredentials');
  }
  await expectLocked(call(server, 'POST', '/auth/password', from(withSession(session, body))));
  expect((await call(server, 'GET', '/users', from(withSession(session)))).status).toBe(200);
});
