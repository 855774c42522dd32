import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call } from '../support/api.ts';
import { endpoints } from '../support/endpoints.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let readToken: string;
let writeToken: string;

beforeAll(async () => {
  server = await startServer();
  readToken = await addToken(server, 'reader', false);
  writeToken = await addToken(server, 'writer', true);
});
afterAll(() => server.stop());

describe('every endpoint asks for its credential before anything else', () => {
  it.each(endpoints.filter(({ access }) => access !== 'public'))(
    '$method $path is for $access',
    async ({ method, path: pattern, access }) => {
      const path = pattern.replace('{id}', '1');
      const ask = async (token: string | null) => {
        // No body is sent, so that a call that passes the check changes nothing.
        const { status, body, headers } = await call(server, method, path, { token });
        expect(headers.get('x-ic-build')).toBeTruthy();
        return { status, code: asRecord(body)['code'], error: asRecord(body)['error'] };
      };
      const refused = { status: 401, code: 'auth.required' };
      expect(await ask(null)).toMatchObject(refused);
      expect(await ask('ic_unknown')).toMatchObject(refused);
      expect(await ask('')).toMatchObject(refused);

      const asReader = await ask(readToken);
      if (access === 'write') {
        expect(asReader).toEqual({ status: 403, code: 'auth.readOnly', error: 'token is read-only' });
      } else {
        expect([200, 404]).toContain(asReader.status);
      }
      for (const token of [writeToken, masterToken])
        expect([200, 204, 400, 404]).toContain((await ask(token)).status);
    },
  );
});

describe('a credential', () => {
  it('in the URL counts for GET and HEAD', async () => {
    expect((await call(server, 'GET', `/pages?token=${readToken}`, { token: null })).status).toBe(200);
    expect((await call(server, 'HEAD', `/pages?token=${masterToken}`, { token: null })).status).toBe(200);
    expect((await call(server, 'GET', '/pages?token=wrong', { token: null })).status).toBe(401);
  });

  it('in the URL does not count for writing', async () => {
    const answer = await call(server, 'POST', `/sites?token=${writeToken}`, {
      token: null,
      body: { title: 'x' },
    });
    expect(answer.status).toBe(401);
  });

  it('in the header counts alone, also when it is wrong and the URL has a good one', async () => {
    expect((await call(server, 'GET', `/pages?token=${readToken}`, { token: 'wrong' })).status).toBe(401);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('may spell its scheme %j', async (scheme) => {
    const headers = { Authorization: `${scheme} ${readToken}` };
    expect((await call(server, 'GET', '/pages', { token: null, headers })).status).toBe(200);
  });

  it.each(['Basic', 'Token', 'Bearerx'])('of the scheme %j is none', async (scheme) => {
    const headers = { Authorization: `${scheme} ${readToken}` };
    expect((await call(server, 'GET', '/pages', { token: null, headers })).status).toBe(401);
  });
});

describe('the checks run in their order', () => {
  it.each([
    ['an unknown path is 404 before the credential', 'GET', '/nothing', 404, 'common.notFound'],
    ['a wrong method is 405 before the credential', 'PATCH', '/pages', 405, 'common.methodNotAllowed'],
    ['an impossible id is refused after the credential', 'GET', '/pages/abc', 401, 'auth.required'],
  ])('%s', async (_name, method, path, status, code) => {
    const answer = await call(server, method, path, { token: null });
    expect({ status: answer.status, code: asRecord(answer.body)['code'] }).toEqual({ status, code });
  });

  it('a body is looked at last', async () => {
    const raw = { raw: '{', headers: { 'Content-Type': 'application/json' } };
    expect((await call(server, 'POST', '/sites', { ...raw, token: null })).status).toBe(401);
    expect((await call(server, 'POST', '/sites', { ...raw, token: readToken })).status).toBe(403);
    expect((await call(server, 'POST', '/sites', { ...raw, token: writeToken })).status).toBe(400);
  });
});

describe('access is decided on the path as it is', () => {
  it.each([
    '/pages/',
    '//pages',
    '/Pages',
    '/%70ages',
    '/pages;a',
    '/pages/1/',
    '/pages//1',
    '/pages/../pages',
    '/',
    '',
  ])('%j is no path of the API', async (path) => {
    const text = await rawStatus(path);
    expect(text).toBe('HTTP/1.1 404 Not Found');
  });

  it('ignores method override headers', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    expect((await call(server, 'GET', '/pages', { headers, token: readToken })).status).toBe(200);
  });
});

describe('X-IC-On-Behalf-Of', () => {
  const onBehalf = (value: string) => ({ headers: { 'X-IC-On-Behalf-Of': value } });

  it('is limited to 100 characters of writing token requests', async () => {
    const tooLong = onBehalf('a'.repeat(101));
    const answer = await call(server, 'POST', '/sites', {
      ...tooLong,
      token: writeToken,
      body: { title: 'x' },
    });
    expect({ status: answer.status, code: asRecord(answer.body)['code'] }).toEqual({
      status: 400,
      code: 'batch.onBehalfTooLong',
    });
    expect((await call(server, 'GET', '/pages', { ...tooLong, token: readToken })).status).toBe(200);
  });

  it('is measured decoded and cleaned', async () => {
    const fits = onBehalf(`${'%C3%A4'.repeat(100)}%0A%20%20`);
    expect((await call(server, 'POST', '/sites', { ...fits, body: {} })).body).toMatchObject({
      code: 'common.invalid',
    });
  });
});

async function rawStatus(path: string): Promise<string> {
  const head = requestHead(
    `GET /api/v1${path} HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${masterToken}`,
  );
  return (await sendRaw(server.port, head, '\r\n\r\n')).split('\r\n')[0] ?? '';
}
