import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, outcomeOf } from '../support/api.ts';
import { endpoints } from '../support/endpoints.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { makeTempDir, masterToken, startServer, type TestServer } from '../support/server.ts';
import { logIn, setUp, withSession } from '../support/session.ts';

/** One of the endpoints asks the registries. */
const noOtherHosts = ['-outgoing', 'allowlist', '-outgoing-allow', 'nobody.example'];

let server: TestServer;
let readToken: string;
let writeToken: string;

beforeAll(async () => {
  server = await startServer({ args: noOtherHosts });
  await setUp(server);
  readToken = await addToken(server, 'reader', false);
  writeToken = await addToken(server, 'writer', true);
});
afterAll(() => server.stop());

/** The credential of a call. No body is sent, so that an admitted call changes nothing. */
interface Caller {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}
type Endpoint = (typeof endpoints)[number];

async function ask(on: TestServer, { method, path }: Endpoint, caller: Caller) {
  const answer = await call(on, method, path.replace(/\{\w+\}/g, '9999'), caller);
  expect(answer.headers.get('x-ic-build')).toBeTruthy();
  const { code, error } = asRecord(answer.body);
  return { status: answer.status, code, error };
}

const anonymous: Caller[] = [{ token: null }, { token: 'ic_unknown' }, { token: '' }];
/** Nobody without a credential learns which collections, change sets and working copies there are. */
const refusalOf = ({ path }: Endpoint) =>
  path.startsWith('/collections/{ref}') || path.startsWith('/change-sets') || path.includes('/copy')
    ? { status: 404, code: 'common.notFound' }
    : { status: 401, code: 'auth.required' };
const admitted = expect.toSatisfy(
  (status: number) => [200, 201, 202, 204, 400, 404, 409, 415].includes(status),
  'is an answer from after the access checks',
);

describe('every endpoint asks for its credential before anything else', () => {
  let session = '';
  /** One session for all endpoints, because a login takes as long as all calls of a test; some of them end it. */
  async function keepSession(): Promise<string> {
    // Without a confirmation this is refused before its body is read.
    const { status } = await call(server, 'POST', '/tokens', withSession(session, {}));
    if (status !== 400) session = await logIn(server);
    return session;
  }

  it.each(endpoints)('$method $path is for $access', async (endpoint) => {
    const { access } = endpoint;
    const refused = refusalOf(endpoint);
    const withoutCredential = access === 'public' ? { status: admitted } : refused;
    for (const caller of anonymous)
      expect(await ask(server, endpoint, caller)).toMatchObject(withoutCredential);

    const ofTokens =
      access === 'admin' ? { status: 403, code: 'auth.sessionRequired' } : { status: admitted };
    const ofReaders =
      access === 'write' ? { status: 403, code: 'auth.readOnly', error: 'token is read-only' } : ofTokens;
    expect(await ask(server, endpoint, { token: readToken })).toMatchObject(ofReaders);
    for (const token of [writeToken, masterToken])
      expect(await ask(server, endpoint, { token })).toMatchObject(ofTokens);
  });

  it.each(endpoints)('$method $path with a session', async (endpoint) => {
    const Cookie = `ic_session=${await keepSession()}`;
    const withoutHeader = await ask(server, endpoint, { token: null, headers: { Cookie } });
    expect(withoutHeader).toMatchObject(
      endpoint.method === 'GET' || endpoint.path === '/flows/{path}'
        ? { status: admitted }
        : { status: 403, code: 'auth.csrf', error: 'missing X-IC-CSRF header' },
    );
    const headers = { Cookie, 'X-IC-CSRF': '1' };
    expect(await ask(server, endpoint, { token: null, headers })).toMatchObject({ status: admitted });
    expect(await ask(server, endpoint, { token: 'ic_unknown', headers })).toMatchObject(
      endpoint.access === 'public' ? { status: admitted } : refusalOf(endpoint),
    );
  });
});

describe('headless', () => {
  let headless: TestServer;
  let session: string;
  let tokens: { read: string; write: string };

  beforeAll(async () => {
    const open = await startServer({ dataDir: makeTempDir() });
    session = await setUp(open);
    tokens = { read: await addToken(open, 'reader', false), write: await addToken(open, 'writer', true) };
    await open.end('SIGTERM');
    headless = await startServer({ dataDir: open.dataDir, args: ['-headless', ...noOtherHosts] });
  });
  afterAll(async () => {
    await headless.stop();
    rmSync(headless.dataDir, { recursive: true, force: true });
  });

  const isAdmins = ({ access, path }: Endpoint) => access === 'admin' || path.startsWith('/auth/');
  const gone = { status: 404, code: 'common.notFound' };

  it.each(endpoints.filter(isAdmins))('$method $path is 404 for every caller', async (endpoint) => {
    const sessionHeaders = { Cookie: `ic_session=${session}`, 'X-IC-CSRF': '1' };
    for (const caller of [
      ...anonymous,
      { token: tokens.read },
      { token: tokens.write },
      { token: masterToken },
      { token: null, headers: sessionHeaders },
    ])
      expect(await ask(headless, endpoint, caller)).toMatchObject(gone);
    expect((await call(headless, 'PATCH', endpoint.path.replace(/\{\w+\}/g, '1'))).status).toBe(404);
  });

  it.each(endpoints.filter((endpoint) => !isAdmins(endpoint)))(
    '$method $path accepts tokens and ignores sessions',
    async (endpoint) => {
      const headers = { Cookie: `ic_session=${session}`, 'X-IC-CSRF': '1' };
      const open = { status: admitted };
      expect(await ask(headless, endpoint, { token: null, headers })).toMatchObject(
        endpoint.access === 'public' ? open : refusalOf(endpoint),
      );
      expect(await ask(headless, endpoint, { token: tokens.read })).toMatchObject(
        endpoint.access === 'write' ? { status: 403, code: 'auth.readOnly' } : open,
      );
      for (const token of [tokens.write, masterToken])
        expect(await ask(headless, endpoint, { token })).toMatchObject(open);
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

  it('in the header wins over the one in the URL, also when it is wrong', async () => {
    expect((await call(server, 'GET', `/pages?token=${readToken}`, { token: 'wrong' })).status).toBe(401);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('may write the scheme as %j', async (scheme) => {
    const headers = { Authorization: `${scheme} ${readToken}` };
    expect((await call(server, 'GET', '/pages', { token: null, headers })).status).toBe(200);
  });

  it.each(['Basic', 'Token', 'Bearerx'])('with the scheme %j is refused', async (scheme) => {
    const headers = { Authorization: `${scheme} ${readToken}` };
    expect((await call(server, 'GET', '/pages', { token: null, headers })).status).toBe(401);
  });
});

describe('the order of the checks', () => {
  it.each([
    ['an unknown path is 404 before the credential', 'GET', '/nothing', 404, 'common.notFound'],
    ['a wrong method is 405 before the credential', 'PATCH', '/pages', 405, 'common.methodNotAllowed'],
    ['an impossible id is refused after the credential', 'GET', '/pages/abc', 401, 'auth.required'],
  ])('%s', async (_name, method, path, status, code) => {
    const answer = await call(server, method, path, { token: null });
    expect(outcomeOf(answer)).toEqual({ status, code });
  });

  it('the body is checked last', async () => {
    const raw = { raw: '{', headers: { 'Content-Type': 'application/json' } };
    expect((await call(server, 'POST', '/sites', { ...raw, token: null })).status).toBe(401);
    expect((await call(server, 'POST', '/sites', { ...raw, token: readToken })).status).toBe(403);
    expect((await call(server, 'POST', '/sites', { ...raw, token: writeToken })).status).toBe(400);
  });
});

describe('access is decided for the path exactly as sent', () => {
  it.each([
    '/pages/',
    '//pages',
    '/Pages',
    '/%70ages',
    '/pages;a',
    '/pages/1/',
    '/pages//1',
    '/pages/../pages',
    '//',
  ])('%j is 404', async (path) => {
    const text = await rawStatus(path);
    expect(text).toBe('HTTP/1.1 404 Not Found');
  });

  it.each(['/tokens/', '//tokens', '/Tokens', '/%74okens', '/tokens;a', '/users/%31/', '/auth//login'])(
    '%j does not reach an endpoint for sessions',
    async (path) => {
      expect(await rawStatus(path)).toBe('HTTP/1.1 404 Not Found');
    },
  );

  it('ignores method override headers', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    expect((await call(server, 'GET', '/pages', { headers, token: readToken })).status).toBe(200);
  });
});

describe('X-IC-On-Behalf-Of', () => {
  const onBehalf = (value: string) => ({ headers: { 'X-IC-On-Behalf-Of': value } });

  it('has at most 100 characters in writing requests of tokens', async () => {
    const tooLong = onBehalf('a'.repeat(101));
    const answer = await call(server, 'POST', '/sites', {
      ...tooLong,
      token: writeToken,
      body: { title: 'x' },
    });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'batch.onBehalfTooLong' });
    expect((await call(server, 'GET', '/pages', { ...tooLong, token: readToken })).status).toBe(200);
  });

  it('is ignored with a session', async () => {
    const headers = { ...onBehalf('a'.repeat(101)).headers, 'X-IC-CSRF': '1' };
    const Cookie = `ic_session=${await logIn(server)}`;
    const answer = await call(server, 'DELETE', '/cache', { token: null, headers: { ...headers, Cookie } });
    expect(answer.status).toBe(204);
  });

  it('is measured after decoding and cleaning', async () => {
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
