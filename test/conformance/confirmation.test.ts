import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, outcomeOf } from '../support/api.ts';
import { endpoints } from '../support/endpoints.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { totpCode } from '../support/one-time-codes.ts';
import { administrator, logIn, sessionIn, setUp, withSession } from '../support/session.ts';

/** Contract of what goes beyond, "Signing in": sensitive things need a confirmation that is not old. */
let server: InProcessServer;
let session: string;
let now = 1_800_000_000_000;
const password = 'a lock without any key';

beforeAll(async () => {
  server = await startInProcess({ clock: () => now });
  session = await setUp(server);
});
afterAll(() => server.stop());

const ask = (method: string, path: string, body?: unknown, of = session): Promise<ApiAnswer> =>
  call(server, method, path, withSession(of, body));
const close = (of = session): Promise<ApiAnswer> => ask('DELETE', '/auth/confirm', undefined, of);
const confirm = (body: unknown, of = session): Promise<ApiAnswer> => ask('POST', '/auth/confirm', body, of);
const own = { password: administrator.password };
const needed = { status: 403, code: 'auth.confirm' };
const failed = { status: 401, code: 'auth.invalidCredentials' };

/** What may be done only after a confirmation; everything else is open to any session. */
const sensitive: ReadonlySet<string> = new Set([
  'DELETE /auth/factors/{id}',
  'POST /auth/factors/totp',
  'POST /auth/factors/totp/verify',
  'POST /auth/factors/recovery-codes',
  'POST /auth/factors/passkeys/options',
  'POST /auth/factors/passkeys',
  'POST /users',
  'PUT /users/{id}',
  'PUT /users/{id}/password',
  'DELETE /users/{id}',
  'DELETE /users/{id}/factors',
  'POST /users/{id}/invitation',
  'POST /tokens',
  'DELETE /tokens/{id}',
  'POST /roles',
  'PUT /roles/{id}',
  'DELETE /roles/{id}',
  'POST /connections',
  'PUT /connections/{id}',
  'DELETE /connections/{id}',
  'PUT /system/oidc',
  'GET /bundle',
  'POST /bundle',
  'POST /bundle/push',
  'POST /bundle/pull',
  'POST /bundle/backups',
  'GET /bundle/backups/{name}',
  'POST /bundle/backups/{name}',
  'DELETE /bundle/backups/{name}',
]);

describe('without a confirmation', () => {
  /** These end the session or answer with a stream without end. */
  const left = new Set(['POST /auth/logout', 'POST /auth/setup', 'POST /auth/login']);
  const asked = endpoints.filter(({ method, path }) => !left.has(`${method} ${path}`));

  it.each(asked)('$method $path', async ({ method, path }) => {
    await close();
    const answer = await ask(method, path.replaceAll(/\{\w+\}/g, '9999'));
    if (sensitive.has(`${method} ${path}`)) expect(outcomeOf(answer)).toEqual(needed);
    else expect(asRecord(answer.body)['code']).not.toBe('auth.confirm');
  });

  it('tokens need none, where they may', async () => {
    expect((await call(server, 'POST', '/bundle/backups')).status).toBe(201);
  });

  it('rights are checked first', async () => {
    await confirm(own);
    await ask('POST', '/users', { username: 'eve', password, role_ids: [3] });
    const eve = await logIn(server, { username: 'eve', password });
    await close(eve);
    const refused = { status: 403, code: 'auth.notAllowed' };
    for (const path of ['/users', '/roles', '/bundle/backups'])
      expect(outcomeOf(await ask('POST', path, {}, eve))).toEqual(refused);
  });
});

describe('a confirmation', () => {
  it('opens ten minutes in this session only', async () => {
    const other = await logIn(server);
    await close(other);
    await close();
    const answer = await confirm(own);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await ask('POST', '/tokens', { name: 'a' })).status).toBe(201);
    expect(outcomeOf(await ask('POST', '/tokens', { name: 'a' }, other))).toEqual(needed);
    now += 599_000;
    expect((await ask('POST', '/tokens', { name: 'b' })).status).toBe(201);
    now += 1000;
    expect(outcomeOf(await ask('POST', '/tokens', { name: 'c' }))).toEqual(needed);
  });

  it('comes with a login', async () => {
    const fresh = await logIn(server);
    expect((await ask('POST', '/tokens', { name: 'd' }, fresh)).status).toBe(201);
    expect((await close(fresh)).status).toBe(204);
    expect(outcomeOf(await ask('POST', '/tokens', { name: 'e' }, fresh))).toEqual(needed);
  });

  it.each([{}, { password: 7 }, { code: {} }, { passkey: 'x' }])('refuses the body %j', async (body) => {
    expect(outcomeOf(await confirm(body))).toEqual({ status: 400, code: 'common.invalid' });
  });

  it.each([{ password: 'wrong' }, { password: '' }, { code: '123456' }, { ...own, code: '1' }])(
    'is refused for %j',
    async (body) => {
      await close();
      expect(outcomeOf(await confirm(body))).toEqual(failed);
      expect(outcomeOf(await ask('POST', '/tokens', { name: 'f' }))).toEqual(needed);
    },
  );

  it('is nothing that tokens have', async () => {
    for (const method of ['POST', 'DELETE'])
      expect(outcomeOf(await call(server, method, '/auth/confirm', { body: own }))).toEqual({
        status: 403,
        code: 'auth.sessionRequired',
      });
  });

  it('needs a factor if one is set up', async () => {
    await confirm(own);
    await ask('POST', '/users', { username: 'grace', password });
    const grace = await logIn(server, { username: 'grace', password });
    const { secret } = asRecord((await ask('POST', '/auth/factors/totp', undefined, grace)).body);
    const codeOf = () => totpCode(String(secret), now);
    await ask('POST', '/auth/factors/totp/verify', { code: codeOf() }, grace);
    await close(grace);
    now += 30_000;
    const alone = await confirm({ password }, grace);
    expect([outcomeOf(alone), alone.body]).toMatchObject([
      { status: 401, code: 'auth.factorRequired' },
      { params: { factors: ['totp'] } },
    ]);
    expect(outcomeOf(await confirm({ password: 'wrong', code: codeOf() }, grace))).toEqual(failed);
    expect((await confirm({ code: codeOf() }, grace)).status).toBe(204);
    now += 30_000;
    expect((await confirm({ password, code: codeOf() }, grace)).status).toBe(204);
    expect((await ask('POST', '/tokens', { name: 'g' }, grace)).status).toBe(201);
  });

  it('counts as a failed login of the address when it is wrong', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' };
    const send = (path: string, body: unknown) => {
      const options = withSession(session, body);
      return call(server, 'POST', path, { ...options, headers: { ...options.headers, ...from } });
    };
    for (let times = 0; times < 10; times++)
      expect(outcomeOf(await send('/auth/confirm', { password: 'wrong' }))).toEqual(failed);
    const locked = { status: 429, code: 'auth.tooManyAttempts' };
    expect(outcomeOf(await send('/auth/confirm', own))).toEqual(locked);
    expect(outcomeOf(await send('/auth/login', administrator))).toEqual(locked);
    expect((await confirm(own)).status).toBe(204);
  });

  it('is not needed for a change of the own password with the right one', async () => {
    await confirm(own);
    await ask('POST', '/users', { username: 'joan', password });
    const joan = sessionIn(
      await call(server, 'POST', '/auth/login', { token: null, body: { username: 'joan', password } }),
    );
    await close(joan);
    const body = { current_password: password, new_password: 'another key for no lock' };
    expect((await ask('POST', '/auth/password', body, joan)).status).toBe(204);
  });
});

describe('the target address of a stored secret', () => {
  const other = 'https://other.example/';
  const targets: readonly (readonly [
    name: string,
    make: () => Promise<readonly [string, string]>,
    moved: unknown,
  ])[] = [
    [
      'a source with headers',
      async () => {
        const slug = `s${now}`;
        const body = { name: slug, slug, url: 'https://one.example/', headers: { 'X-Key': 'k' } };
        return ['PUT', `/sources/${asRecord((await ask('POST', '/sources', body)).body)['id']}`];
      },
      { url: other },
    ],
    [
      'a webhook',
      async () => {
        const { body } = await ask('POST', '/webhooks', { url: 'https://one.example/' });
        return ['PUT', `/webhooks/${asRecord(body)['id']}`];
      },
      { url: other },
    ],
    [
      'an external database',
      async () => {
        await ask('PUT', '/extdb', [{ name: 'db', url: 'https://one.example', token: 't' }]);
        return ['PUT', '/extdb'];
      },
      [{ name: 'db', url: other }],
    ],
    [
      'the mail server',
      async () => {
        await ask('PUT', '/system/mail', {
          host: 'one.example',
          port: 25,
          password: 'p',
          from: 'a@one.example',
        });
        return ['PUT', '/system/mail'];
      },
      { host: 'other.example' },
    ],
    [
      'the object storage',
      async () => {
        const s3 = { endpoint: 'https://one.example', bucket: 'b', access_key: 'a', secret_key: 's' };
        await ask('PUT', '/storage', { s3 });
        return ['PUT', '/storage'];
      },
      { s3: { endpoint: other, bucket: 'b', access_key: 'a', secret_key: '' } },
    ],
  ];

  it.each(targets)('of %s', async (_name, make, moved) => {
    await confirm(own);
    const [method, path] = await make();
    await close();
    expect(outcomeOf(await ask(method, path, moved))).toEqual(needed);
    await confirm(own);
    const answer = await ask(method, path, moved);
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  });
});
