import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { hashToken } from '../../server/features/auth/service.ts';
import { addToken, asRecord, call, outcomeOf } from '../support/api.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, sessionIn, setUp, withSession } from '../support/session.ts';
import { contentFile } from '../support/shared-database.ts';

/** Core, "Authentication": setup, login, sessions, logout and passwords. */
let server: TestServer;
const anonymous = { token: null } as const;
const user = {
  id: expect.any(Number),
  username: administrator.username,
  created_at: expect.any(Number),
  last_login_at: expect.any(Number),
  role_ids: [1],
  ...{ email: '', name: '', must_change_password: false },
};

async function whoAmI(cookie: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await call(server, 'GET', '/auth/status', { token: null, headers: { cookie, ...headers } });
  return asRecord(asRecord(answer.body)['user'])['username'];
}

describe('setup', () => {
  let fresh: TestServer;
  let setupToken: string;
  beforeAll(async () => {
    fresh = await startServer();
    setupToken = /^Setup token: (\S+)$/.exec(await fresh.line(1))?.[1] ?? '';
  });
  afterAll(() => fresh.stop());
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    call(fresh, 'POST', '/auth/setup', { token: null, body, headers });
  const remote = { 'X-Forwarded-For': '203.0.113.7' };

  it('is required on a new instance', async () => {
    const { body } = await call(fresh, 'GET', '/auth/status', anonymous);
    expect(body).toEqual({
      setup_required: true,
      authenticated: false,
      user: null,
      headless: false,
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  it.each([
    ['no username', { password: 'never looked at' }, 'common.invalid', { field: 'username' }],
    ['no password', { username: 'a' }, 'common.invalid', { field: 'password' }],
    [
      'an empty username',
      { username: ' ', password: 'never looked at' },
      'common.invalid',
      { field: 'username' },
    ],
    [
      'a username of 65 characters',
      { username: 'a'.repeat(65), password: 'never looked at' },
      'common.invalid',
      { field: 'username' },
    ],
    [
      'a control character',
      { username: 'a\nb', password: 'never looked at' },
      'common.invalid',
      { field: 'username' },
    ],
    [
      'a password of 11 characters',
      { username: 'a', password: '12345678901' },
      'auth.passwordTooShort',
      { min: 12 },
    ],
    [
      'a password of 1,025 characters',
      { username: 'a', password: 'x'.repeat(1025) },
      'auth.passwordTooLong',
      { max: 1024 },
    ],
    [
      'a password of 60 KB',
      { username: 'a', password: 'x'.repeat(60 * 2 ** 10) },
      'auth.passwordTooLong',
      { max: 1024 },
    ],
    ['a password that is no text', { username: 'a', password: 1 }, 'common.invalid', { field: 'password' }],
  ])('refuses %s', async (_name, body, code, params) => {
    const answer = await ask(body);
    expect(outcomeOf(answer)).toEqual({ status: 400, code });
    expect(asRecord(answer.body)['params']).toMatchObject(params);
  });

  it.each([
    ['without the setup token', {}],
    ['with a wrong one', { setup_token: 'wrong' }],
    ['with an empty one', { setup_token: '' }],
  ])('from a public address is refused %s', async (_name, token) => {
    expect(outcomeOf(await ask({ ...administrator, ...token }, remote))).toEqual({
      status: 403,
      code: 'auth.setupToken',
    });
  });

  it('from a public address works once with the token printed at the start', async () => {
    const answer = await ask({ ...administrator, setup_token: setupToken, id: 99 }, remote);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ user: { ...user, id: 1 } });
    expect(
      await call(fresh, 'GET', '/users', withSession(sessionIn(answer))).then(({ body }) => body),
    ).toEqual([{ ...user, id: 1 }]);
    for (const headers of [{}, remote]) {
      expect(outcomeOf(await ask({ ...administrator, setup_token: setupToken }, headers))).toEqual({
        status: 409,
        code: 'auth.setupDone',
      });
    }
    const { body } = await call(fresh, 'GET', '/auth/status', anonymous);
    expect(body).toMatchObject({ setup_required: false });
  });

  it('stays closed after the next start', async () => {
    const dataDir = fresh.dataDir;
    await fresh.end('SIGTERM');
    const next = await startServer({ dataDir });
    expect(outcomeOf(await call(next, 'POST', '/auth/setup', { token: null, body: administrator }))).toEqual({
      status: 409,
      code: 'auth.setupDone',
    });
    await next.end('SIGTERM');
    expect(next.output()).not.toContain('Setup token');
  });
});

describe('with an administrator', () => {
  let first: string;
  beforeAll(async () => {
    server = await startServer();
    first = await setUp(server);
  });
  afterAll(() => server.stop());

  describe('login', () => {
    it('answers with the user and a cookie that is HttpOnly and SameSite=Lax', async () => {
      const answer = await call(server, 'POST', '/auth/login', { token: null, body: administrator });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ user });
      expect(answer.headers.get('set-cookie')).toMatch(
        /^ic_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      ['a wrong password', { ...administrator, password: 'wrong password' }],
      ['an unknown user', { ...administrator, username: 'nobody' }],
      ['an empty password', { ...administrator, password: '' }],
      ['a password of 60 KB', { ...administrator, password: 'x'.repeat(60 * 2 ** 10) }],
      ['a name that looks like SQL', { ...administrator, username: "' OR 1=1 --" }],
    ])('refuses %s', async (_name, body) => {
      const answer = await call(server, 'POST', '/auth/login', {
        token: null,
        body,
        headers: { 'X-Forwarded-For': `198.51.100.${_name.length}` },
      });
      expect(outcomeOf(answer)).toEqual({ status: 401, code: 'auth.invalidCredentials' });
      expect(answer.headers.get('set-cookie')).toBeNull();
    });

    it.each([
      ['no password', { username: 'ada' }, 'password'],
      ['no username', { password: 'x' }, 'username'],
      ['an object as password', { username: 'ada', password: { length: 9 } }, 'password'],
    ])('refuses a body with %s', async (_name, body, field) => {
      const answer = await call(server, 'POST', '/auth/login', { token: null, body });
      expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
      expect(asRecord(answer.body)['params']).toMatchObject({ field });
    });

    it('accepts the same password in another Unicode form', async () => {
      const composed = { username: 'zoé', password: 'pass\u00e9 compos\u00e9' };
      await call(server, 'POST', '/users', withSession(first, composed));
      const decomposed = { ...composed, password: composed.password.normalize('NFD') };
      expect((await call(server, 'POST', '/auth/login', { token: null, body: decomposed })).status).toBe(200);
    });

    it('starts a new session and ends the one of the request', async () => {
      const planted = { Cookie: `ic_session=${'A'.repeat(43)}` };
      const answer = await call(server, 'POST', '/auth/login', {
        token: null,
        body: administrator,
        headers: planted,
      });
      const session = sessionIn(answer);
      expect(session).not.toBe('A'.repeat(43));
      expect(await whoAmI(planted.Cookie)).toBeUndefined();

      const again = await call(server, 'POST', '/auth/login', withSession(session, administrator));
      expect(await whoAmI(`ic_session=${session}`)).toBeUndefined();
      expect(await whoAmI(`ic_session=${sessionIn(again)}`)).toBe('ada');
    });

    it('starts a new session each time', async () => {
      const sessions = [await logIn(server), await logIn(server)];
      expect(new Set(sessions).size).toBe(2);
      for (const session of sessions) expect(await whoAmI(`ic_session=${session}`)).toBe('ada');
    });

    it('stores its time in last_login_at', async () => {
      const { body } = await call(server, 'GET', '/auth/status', withSession(await logIn(server)));
      const stored = asRecord(asRecord(body)['user']);
      expect(stored['last_login_at']).toBeGreaterThanOrEqual(Number(stored['created_at']));
    });
  });

  describe('a session', () => {
    it('is accepted by every endpoint', async () => {
      for (const path of ['/auth/status', '/pages', '/users', '/tokens', '/system'])
        expect([path, (await call(server, 'GET', path, withSession(first))).status]).toEqual([path, 200]);
      const site = await call(server, 'POST', '/sites', withSession(first, { title: 'A', domains: '' }));
      expect(site.status).toBe(201);
    });

    it('is shown by /auth/status', async () => {
      const { body } = await call(server, 'GET', '/auth/status', withSession(first));
      expect(body).toMatchObject({ authenticated: true, user });
    });

    it.each([
      ['among others', (value: string) => `a=1; ic_session=${value}; b=2`],
      ['twice with the same value', (value: string) => `ic_session=${value}; ic_session=${value}`],
      ['without a space', (value: string) => `a=1;ic_session=${value}`],
    ])('is found in the Cookie header %s', async (_name, cookie) => {
      expect(await whoAmI(cookie(first))).toBe('ada');
    });

    it.each([
      ['with another name', (value: string) => `ic_sessions=${value}`],
      ['with its name in capitals', (value: string) => `IC_SESSION=${value}`],
      ['beside a planted one', (value: string) => `ic_session=planted; ic_session=${value}`],
      ['before a planted one', (value: string) => `ic_session=${value}; ic_session=planted`],
      ['shortened', (value: string) => `ic_session=${value.slice(0, -1)}`],
      ['extended', (value: string) => `ic_session=${value}x`],
      ['empty', () => 'ic_session='],
      ['as its stored hash', (value: string) => `ic_session=${hashToken(value)}`],
    ])('is refused %s', async (_name, cookie) => {
      expect(await whoAmI(cookie(first))).toBeUndefined();
      const headers = { cookie: cookie(first), 'X-IC-CSRF': '1' };
      expect(outcomeOf(await call(server, 'GET', '/pages', { token: null, headers }))).toEqual({
        status: 401,
        code: 'auth.required',
      });
    });

    it('is stored as a hash only, and ends after 14 days', async () => {
      const session = await logIn(server);
      const before = Math.floor(Date.now() / 1000);
      const db = new Connection<never>(contentFile(server.dataDir));
      const row = db.statement('SELECT * FROM sessions WHERE hash = ?').first([hashToken(session)]);
      expect(JSON.stringify(db.statement('SELECT * FROM sessions').all([]))).not.toContain(session);
      expect(Math.abs(Number(row?.['expires_at']) - before - 14 * 86_400)).toBeLessThan(60);
      db.statement('UPDATE sessions SET expires_at = ? WHERE hash = ?').run([before - 1, hashToken(session)]);
      expect(await whoAmI(`ic_session=${session}`)).toBeUndefined();
      await logIn(server);
      expect(
        db.statement('SELECT * FROM sessions WHERE hash = ?').first([hashToken(session)]),
      ).toBeUndefined();
      db.close();
    });

    it('is ignored beside a bearer header, valid or not', async () => {
      const cookie = { Cookie: `ic_session=${first}`, 'X-IC-CSRF': '1' };
      const token = await addToken(server, 'reader', false);
      expect((await call(server, 'GET', '/pages', { token: 'ic_wrong', headers: cookie })).status).toBe(401);
      expect((await call(server, 'GET', '/pages', { token: '', headers: cookie })).status).toBe(401);
      expect(outcomeOf(await call(server, 'GET', '/users', { token, headers: cookie }))).toEqual({
        status: 403,
        code: 'auth.sessionRequired',
      });
      const status = await call(server, 'GET', '/auth/status', { token: 'ic_wrong', headers: cookie });
      expect(status.body).toMatchObject({ authenticated: false, user: null });
    });

    it('is ignored beside a token in the URL of a reading request', async () => {
      const cookie = { token: null, headers: { Cookie: `ic_session=${first}`, 'X-IC-CSRF': '1' } };
      const token = await addToken(server, 'reader', false);
      expect((await call(server, 'GET', '/users?token=ic_wrong', cookie)).status).toBe(401);
      expect((await call(server, 'GET', `/users?token=${token}`, cookie)).status).toBe(403);
      expect((await call(server, 'DELETE', '/cache?token=ic_wrong', cookie)).status).toBe(204);
    });

    it('needs X-IC-CSRF, but a bearer token does not', async () => {
      expect(
        (await call(server, 'POST', '/sites', { token: masterToken, body: { title: 'B', domains: '' } }))
          .status,
      ).toBe(201);
    });
  });

  describe('a writing request with a session', () => {
    const csrfRefused = { status: 403, code: 'auth.csrf' };
    it.each([
      ['POST', '/sites'],
      ['PUT', '/pages/1'],
      ['DELETE', '/cache'],
      ['POST', '/auth/password'],
      ['POST', '/auth/logout'],
      ['POST', '/auth/login'],
      ['POST', '/tokens'],
    ])('%s %s needs X-IC-CSRF', async (method, path) => {
      for (const csrf of [{}, { 'X-IC-CSRF': '' }]) {
        const answer = await call(server, method, path, {
          token: null,
          headers: { Cookie: `ic_session=${first}`, ...csrf },
        });
        expect(outcomeOf(answer)).toEqual(csrfRefused);
        expect(asRecord(answer.body)['error']).toBe('missing X-IC-CSRF header');
      }
    });

    it('from a form of another website is refused with every content type', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const headers = {
          Cookie: `ic_session=${first}`,
          'Content-Type': type,
          Origin: 'https://evil.example',
        };
        const answer = await call(server, 'POST', '/sites', { token: null, raw: '{"title":"x"}', headers });
        expect(outcomeOf(answer)).toEqual(csrfRefused);
      }
    });

    it('accepts every value of X-IC-CSRF that is not empty', async () => {
      for (const value of ['1', 'x', 'false']) {
        const headers = { Cookie: `ic_session=${first}`, 'X-IC-CSRF': value };
        expect((await call(server, 'DELETE', '/cache', { token: null, headers })).status).toBe(204);
      }
    });

    it('differs from a reading request, which does not need X-IC-CSRF', async () => {
      const headers = { Cookie: `ic_session=${first}` };
      expect((await call(server, 'GET', '/users', { token: null, headers })).status).toBe(200);
      expect((await call(server, 'HEAD', '/users', { token: null, headers })).status).toBe(200);
    });
  });

  describe('logout', () => {
    it('ends the session on the server and in the browser', async () => {
      const session = await logIn(server);
      const answer = await call(server, 'POST', '/auth/logout', withSession(session));
      expect(answer.status).toBe(204);
      expect(answer.headers.get('set-cookie')).toBe('ic_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      expect(await whoAmI(`ic_session=${session}`)).toBeUndefined();
      expect(await whoAmI(`ic_session=${first}`)).toBe('ada');
    });

    it('is accepted without a session', async () => {
      expect((await call(server, 'POST', '/auth/logout', anonymous)).status).toBe(204);
      const stale = { token: null, headers: { Cookie: 'ic_session=stale' } };
      expect((await call(server, 'POST', '/auth/logout', stale)).status).toBe(204);
    });
  });

  describe('a change of password', () => {
    const change = (session: string, current_password: string, new_password: string) =>
      call(server, 'POST', '/auth/password', withSession(session, { current_password, new_password }));
    const credentials = { username: 'grace', password: 'first password' };
    beforeAll(async () => {
      await call(server, 'POST', '/users', withSession(first, credentials));
    });

    it('needs the current password', async () => {
      const session = await logIn(server, credentials);
      expect(outcomeOf(await change(session, 'wrong password', 'second password'))).toEqual({
        status: 401,
        code: 'auth.invalidCredentials',
      });
      expect(await whoAmI(`ic_session=${session}`)).toBe('grace');
    });

    it.each([
      ['12345678901', 'auth.passwordTooShort'],
      ['x'.repeat(1025), 'auth.passwordTooLong'],
    ])('refuses a new password of a wrong length', async (password, code) => {
      const session = await logIn(server, credentials);
      expect(outcomeOf(await change(session, credentials.password, password))).toEqual({ status: 400, code });
    });

    it('ends all other sessions of the user and no session of another user', async () => {
      const [own, other] = [await logIn(server, credentials), await logIn(server, credentials)];
      expect((await change(own, credentials.password, 'second password')).status).toBe(204);
      expect(await whoAmI(`ic_session=${own}`)).toBe('grace');
      expect(await whoAmI(`ic_session=${other}`)).toBeUndefined();
      expect(await whoAmI(`ic_session=${first}`)).toBe('ada');
      const old = await call(server, 'POST', '/auth/login', { token: null, body: credentials });
      expect(outcomeOf(old)).toEqual({ status: 401, code: 'auth.invalidCredentials' });
      await logIn(server, { ...credentials, password: 'second password' });
    });

    it('counts characters, not bytes', async () => {
      const session = await logIn(server, { ...credentials, password: 'second password' });
      const longest = `correct horse battery staple ${'\u{1f511}'.repeat(995)}`;
      expect((await change(session, 'second password', longest)).status).toBe(204);
      await logIn(server, { ...credentials, password: longest });
    });
  });

  it('sessions and passwords stay valid after a restart', async () => {
    const { dataDir } = server;
    await server.end('SIGTERM');
    const next = await startServer({ dataDir });
    const answer = await call(next, 'GET', '/auth/status', withSession(first));
    expect(answer.body).toMatchObject({ authenticated: true, user });
    await next.end('SIGTERM');
    server = await startServer({ dataDir });
    await logIn(server);
  });

  it('no answer and no stored row contains a password', async () => {
    const db = new Connection<never>(contentFile(server.dataDir), { readonly: true });
    const rows = JSON.stringify(db.statement('SELECT * FROM users').all([]));
    db.close();
    expect(rows).not.toContain(administrator.password);
    expect(rows).toContain('$argon2id$v=19$m=19456,');
    const { body } = await call(server, 'GET', '/users', withSession(first));
    expect(JSON.stringify(body)).not.toContain('argon2');
  });
});

describe('Secure on cookies', () => {
  it('is added by -secure-cookies and IC_SECURE_COOKIES', async () => {
    const settings = [{ args: ['-secure-cookies'] }, { env: { IC_SECURE_COOKIES: '1' } }];
    for (const options of settings) {
      const secure = await startServer(options);
      const answer = await call(secure, 'POST', '/auth/setup', { token: null, body: administrator });
      expect(answer.headers.get('set-cookie')).toMatch(/^__Host-ic_session=.*; Max-Age=1209600; Secure$/);
      const out = await call(secure, 'POST', '/auth/logout', withSession(sessionIn(answer)));
      expect(out.headers.get('set-cookie')).toMatch(/^__Host-ic_session=; .*; Max-Age=0; Secure$/);
      await secure.stop();
    }
  });
});
