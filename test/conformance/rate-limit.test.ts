import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, addToken, call, outcomeOf } from '../support/api.ts';
import { createCollection } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** Core, "Limits". The budget refills evenly; half of it more may be spent at once. Clients differ by X-Forwarded-For. */
const perMinute = 6;
const anonymousAtOnce = 9;
const authenticatedAtOnce = 90;

let server: TestServer;
let session: string;
let token: string;

beforeAll(async () => {
  server = await startServer({ args: ['-rate-limit', String(perMinute)] });
  session = await setUp(server);
  token = await addToken(server, 'reader', false);
});
afterAll(() => server.stop());

function from(address: string, options: ApiCall = { token: null }): ApiCall {
  return { ...options, headers: { ...options.headers, 'X-Forwarded-For': address } };
}

/** Statuses of calls in a row. In a slow run the budget refills a little; the expectations allow for that. */
async function statusesOf(count: number, path: string, options: ApiCall): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++)
    statuses.push((await call(server, 'GET', path, options)).status);
  return statuses;
}

const admittedOf = (statuses: readonly number[]) => statuses.filter((status) => status !== 429).length;

describe('without login', () => {
  it('a client may spend the budget of one and a half minutes at once', async () => {
    const statuses = await statusesOf(anonymousAtOnce + 10, '/auth/status', from('203.0.113.1'));
    expect(statuses.slice(0, anonymousAtOnce)).toEqual(Array(anonymousAtOnce).fill(200));
    expect(admittedOf(statuses)).toBeLessThan(anonymousAtOnce + 5);
    expect(statuses.at(-1)).toBe(429);
  });

  it('a client without budget gets 429 with the time to wait', async () => {
    await statusesOf(anonymousAtOnce + 10, '/auth/status', from('203.0.113.2'));
    const answer = await call(server, 'GET', '/auth/status', from('203.0.113.2'));
    const seconds = Number(answer.headers.get('retry-after'));
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: expect.any(String),
      code: 'common.rateLimited',
      params: { retry_after: seconds },
    });
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60 / perMinute);
    expect(answer.headers.get('x-ic-build')).toBeTruthy();
  });

  it('other clients keep their budget', async () => {
    await statusesOf(anonymousAtOnce + 10, '/auth/status', from('203.0.113.3'));
    expect(await statusesOf(1, '/auth/status', from('203.0.113.4'))).toEqual([200]);
  });

  it('addresses of one IPv6 network share a budget', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < anonymousAtOnce + 10; index++)
      statuses.push(...(await statusesOf(1, '/auth/status', from(`2001:db8:0:1:${index}::${index}`))));
    expect(admittedOf(statuses)).toBeLessThan(anonymousAtOnce + 5);
    expect(await statusesOf(1, '/auth/status', from('2001:db8:0:2::1'))).toEqual([200]);
  });

  it('only the last address of X-Forwarded-For counts', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < anonymousAtOnce + 10; index++)
      statuses.push(...(await statusesOf(1, '/auth/status', from(`10.0.0.${index}, 203.0.113.5`))));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('with a credential', () => {
  it.each([
    ['a token', () => ({ token })],
    ['a token in the URL', () => ({ token: null }), () => `?token=${token}`],
    ['a session', () => withSession(session)],
  ])('that is %s the budget is ten times as large', async (name, caller, query = () => '') => {
    const address = `198.51.100.${name.length}`;
    const path = `/pages${query()}`;
    const statuses = await statusesOf(authenticatedAtOnce + 40, path, from(address, caller()));
    expect(admittedOf(statuses)).toBeGreaterThanOrEqual(authenticatedAtOnce);
    expect(admittedOf(statuses)).toBeLessThan(authenticatedAtOnce + 35);
    expect(statuses.at(-1)).toBe(429);
  });

  it('requests without login have a budget of their own', async () => {
    const address = '198.51.100.200';
    await statusesOf(anonymousAtOnce + 10, '/auth/status', from(address));
    expect(await statusesOf(1, '/pages', from(address, { token }))).toEqual([200]);
    expect(await statusesOf(1, '/auth/status', from(address))).toEqual([429]);
  });
});

describe('an exhausted budget is answered before every other check', () => {
  const address = '203.0.113.20';
  beforeAll(() => statusesOf(anonymousAtOnce + 10, '/auth/status', from(address)));

  it.each([
    ['an unknown path', 'GET', '/nothing', {}, 429],
    ['a wrong method', 'PATCH', '/auth/status', {}, 429],
    ['a missing credential', 'GET', '/pages', {}, 429],
    ['an invalid credential', 'GET', '/pages', { token: 'ic_wrong' }, 429],
    [
      'a broken body',
      'POST',
      '/auth/login',
      { raw: '{', headers: { 'Content-Type': 'application/json' } },
      429,
    ],
    ['a body of a wrong type', 'POST', '/auth/login', { raw: 'x' }, 429],
  ])('%s: %s %s', async (_name, method, path, options, status) => {
    const answer = await call(server, method, path, from(address, { token: null, ...options }));
    expect(answer.status).toBe(status);
  });

  it('a missing CSRF header', async () => {
    const other = '203.0.113.21';
    await statusesOf(authenticatedAtOnce + 40, '/pages', from(other, withSession(session)));
    const headers = { Cookie: `ic_session=${session}` };
    const answer = await call(server, 'DELETE', '/cache', from(other, { token: null, headers }));
    expect(outcomeOf(answer)).toEqual({ status: 429, code: 'common.rateLimited' });
  });
});

it('scripts of all origins may read that a budget is spent, and when to come back', async () => {
  await createCollection(server, { slug: 'open', public_api: true });
  const address = '203.0.113.22';
  await statusesOf(anonymousAtOnce + 10, '/data/open', from(address));
  for (const path of ['/data/open', '/collections/open/items', '/flows/hook', '/nothing']) {
    const { status, headers } = await call(server, 'GET', path, from(address));
    expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 429, '*']);
    expect(headers.get('access-control-expose-headers')).toBe('Retry-After');
  }
});

describe('every request is charged, whatever its answer', () => {
  it.each([
    ['an unknown path', 'GET', '/nothing', {}],
    ['a wrong method', 'PATCH', '/auth/status', {}],
    ['a missing credential', 'GET', '/pages', {}],
    ['an invalid credential', 'GET', '/pages', { token: 'ic_wrong' }],
    ['a broken body', 'POST', '/auth/login', { raw: '{', headers: { 'Content-Type': 'application/json' } }],
  ])('%s', async (name, method, path, options) => {
    const address = `203.0.113.${100 + name.length}`;
    for (let index = 0; index < anonymousAtOnce + 10; index++)
      await call(server, method, path, from(address, { token: null, ...options }));
    expect(await statusesOf(1, '/auth/status', from(address))).toEqual([429]);
  });
});

describe('no limit holds for', () => {
  it('everything outside the API', async () => {
    const address = { headers: { 'X-Forwarded-For': '203.0.113.30' } };
    await statusesOf(anonymousAtOnce + 10, '/auth/status', from('203.0.113.30'));
    for (const path of ['/healthz', '/', '/robots.txt']) {
      for (let index = 0; index < 3; index++)
        expect((await fetch(`${server.url}${path}`, address)).status).not.toBe(429);
    }
  });

  it('any request with a limit of 0', async () => {
    const unlimited = await startServer({ args: ['-rate-limit', '0'] });
    for (let index = 0; index < 300; index++)
      expect((await call(unlimited, 'GET', '/auth/status', { token: null })).status).toBe(200);
    await unlimited.stop();
  });
});

it('the limit is 120 a minute by default, and IC_RATE_LIMIT changes it', async () => {
  const countOn = async (options: Parameters<typeof startServer>[0], calls: number) => {
    const limited = await startServer({ ...options, rateLimited: true });
    let admitted = 0;
    for (let index = 0; index < calls; index++) {
      const { status } = await call(limited, 'GET', '/auth/status', { token: null });
      if (status === 200) admitted++;
    }
    await limited.stop();
    return admitted;
  };
  const byDefault = await countOn({}, 260);
  expect(byDefault).toBeGreaterThanOrEqual(180);
  expect(byDefault).toBeLessThan(250);
  const byEnvironment = await countOn({ env: { IC_RATE_LIMIT: '2' } }, 20);
  expect(byEnvironment).toBeGreaterThanOrEqual(3);
  expect(byEnvironment).toBeLessThan(15);
});
