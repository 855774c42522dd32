import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, outcomeOf } from '../support/api.ts';
import { Authenticator } from '../support/authenticator.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { addTotp as addTotpWith, readRecoveryCodes, totpCode, wrongCode } from '../support/one-time-codes.ts';
import { administrator, sessionIn, setUp, withSession } from '../support/session.ts';

/** Contract of what goes beyond, "Signing in": second factors and logins with them. */
let server: InProcessServer;
let admin: string;
let now = 1_800_000_000_000;
const password = 'a lock without any key';

beforeAll(async () => {
  server = await startInProcess({ clock: () => now });
  admin = await setUp(server);
});
afterAll(() => server.stop());

/** Lets an interval of codes pass. */
const passStep = (): void => {
  now += 30_000;
};

interface Person {
  readonly id: number;
  readonly username: string;
  readonly session: string;
}

let people = 0;
/** A new user with a session of this moment. */
async function addPerson(fields: Record<string, unknown> = {}): Promise<Person> {
  const username = `person${++people}`;
  await call(server, 'POST', '/auth/confirm', withSession(admin, { password: administrator.password }));
  const body = { username, password, role_ids: [1], ...fields };
  const { body: user } = await call(server, 'POST', '/users', withSession(admin, body));
  const session = sessionIn(await logIn(username));
  return { id: Number(asRecord(user)['id']), username, session };
}

let addresses = 0;
/** From an address of its own, so that no failure counts for others. */
function logIn(username: string, fields: Record<string, unknown> = {}, from?: string): Promise<ApiAnswer> {
  const address = from ?? `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;
  const body = { username, password, ...fields };
  return call(server, 'POST', '/auth/login', { token: null, body, headers: { 'X-Forwarded-For': address } });
}

const ask = (session: string, method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  call(server, method, path, withSession(session, body));

/** Sets up codes of an app. */
const addTotp = (session: string) =>
  addTotpWith((method, path, body) => ask(session, method, path, body), now);

const failed = { status: 401, code: 'auth.invalidCredentials' };

describe('codes of an app', () => {
  it('are set up with secret, address and picture, and count after the first right code', async () => {
    const { session, username } = await addPerson();
    const { status, body } = await ask(session, 'POST', '/auth/factors/totp');
    expect(status).toBe(200);
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:\/\/totp\//),
      qr: expect.stringMatching(/^data:image\//),
    });
    const { secret, uri } = asRecord(body);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(String(uri))).toContain(username);
    expect((await ask(session, 'GET', '/auth/factors')).body).toEqual([]);
    expect((await logIn(username)).status).toBe(200);

    const code = totpCode(String(secret), now);
    const wrong = await ask(session, 'POST', '/auth/factors/totp/verify', { code: wrongCode(code) });
    expect(outcomeOf(wrong)).toEqual(failed);
    const verified = await ask(session, 'POST', '/auth/factors/totp/verify', { code });
    expect(verified.status).toBe(200);
    expect(new Set(readRecoveryCodes(verified)).size).toBe(10);
    expect((await ask(session, 'GET', '/auth/factors')).body).toEqual([
      {
        id: expect.any(Number),
        kind: 'totp',
        name: expect.any(String),
        created_at: now / 1000,
        last_used_at: now / 1000,
      },
    ]);
  });

  it('are asked for after the right password only', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    const answer = await logIn(username);
    expect(answer.body).toMatchObject({ code: 'auth.factorRequired', params: { factors: ['totp'] } });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);

    const code = totpCode(secret, now);
    for (const fields of [{}, { code }, { recovery_code: 'x' }]) {
      const wrong = await logIn(username, { password: 'not the password', ...fields });
      const ofNobody = await logIn('nobody', { password: 'not the password', ...fields });
      expect([outcomeOf(wrong), wrong.body]).toEqual([failed, ofNobody.body]);
    }
    expect(outcomeOf(await logIn(username, { code: wrongCode(code) }))).toEqual(failed);
    expect((await logIn(username, { code })).status).toBe(200);
  });

  it('work once, that of the activation too', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    expect(outcomeOf(await logIn(username, { code: totpCode(secret, now) }))).toEqual(failed);
    passStep();
    const code = totpCode(secret, now);
    expect((await logIn(username, { code })).status).toBe(200);
    expect(outcomeOf(await logIn(username, { code }))).toEqual(failed);
    expect(outcomeOf(await ask(session, 'POST', '/auth/confirm', { code }))).toEqual(failed);
  });

  it('work one step later, not two, and not ahead of time', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    passStep();
    const ahead = totpCode(secret, now + 30_000);
    expect(outcomeOf(await logIn(username, { code: ahead }))).toEqual(failed);
    const late = totpCode(secret, now);
    passStep();
    expect((await logIn(username, { code: late })).status).toBe(200);
    passStep();
    passStep();
    const tooLate = totpCode(secret, now - 60_000);
    expect(outcomeOf(await logIn(username, { code: tooLate }))).toEqual(failed);
  });

  it('of fifty logins at once one code opens one session', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    const code = totpCode(secret, now);
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(username, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('can be twenty of one user', async () => {
    const { session } = await addPerson();
    for (let count = 0; count < 20; count++) await addTotp(session);
    expect(outcomeOf(await ask(session, 'POST', '/auth/factors/totp'))).toEqual({
      status: 409,
      code: 'auth.tooManyFactors',
    });
  });

  it.each([{}, { code: 7 }, { code: 'x'.repeat(101) }])('refuses the body %j', async (body) => {
    const answer = await ask(admin, 'POST', '/auth/factors/totp/verify', body);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
  });

  it('refuses a code where no secret waits', async () => {
    const { session } = await addPerson();
    const answer = await ask(session, 'POST', '/auth/factors/totp/verify', { code: '000000' });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'auth.factorMissing' });
  });
});

describe('recovery codes', () => {
  it('work once each, in place of a code', async () => {
    const { session, username } = await addPerson();
    const { recovery } = await addTotp(session);
    const [first = '', second = ''] = recovery;
    expect((await logIn(username, { recovery_code: first })).status).toBe(200);
    expect(outcomeOf(await logIn(username, { recovery_code: first }))).toEqual(failed);
    const spelled = second.toUpperCase().replaceAll('-', ' ');
    expect((await logIn(username, { recovery_code: spelled })).status).toBe(200);
    expect((await ask(session, 'GET', '/auth/factors/recovery-codes')).body).toEqual({ remaining: 8 });
  });

  it('are replaced by new ones', async () => {
    const { session, username } = await addPerson();
    const { recovery } = await addTotp(session);
    const renewed = readRecoveryCodes(await ask(session, 'POST', '/auth/factors/recovery-codes'));
    expect(new Set([...recovery, ...renewed]).size).toBe(20);
    expect(outcomeOf(await logIn(username, { recovery_code: recovery[3] }))).toEqual(failed);
    expect((await logIn(username, { recovery_code: renewed[3] })).status).toBe(200);
  });

  it('need a factor', async () => {
    const { session } = await addPerson();
    expect(outcomeOf(await ask(session, 'POST', '/auth/factors/recovery-codes'))).toEqual({
      status: 409,
      code: 'auth.factorMissing',
    });
  });

  it('of somebody else do not work', async () => {
    const [one, other] = [await addPerson(), await addPerson()];
    await addTotp(one.session);
    const { recovery } = await addTotp(other.session);
    expect(outcomeOf(await logIn(one.username, { recovery_code: recovery[0] }))).toEqual(failed);
  });
});

describe('removing factors', () => {
  it('takes the recovery codes along with the last one', async () => {
    const { session, username } = await addPerson();
    await addTotp(session);
    const list = (await ask(session, 'GET', '/auth/factors')).body;
    const id = Array.isArray(list) ? asRecord(list[0])['id'] : undefined;
    const stranger = await addPerson();
    expect((await ask(stranger.session, 'DELETE', `/auth/factors/${id}`)).status).toBe(404);
    expect((await ask(session, 'DELETE', `/auth/factors/${id}`)).status).toBe(204);
    expect((await ask(session, 'DELETE', `/auth/factors/${id}`)).status).toBe(404);
    expect((await ask(session, 'GET', '/auth/factors/recovery-codes')).body).toEqual({ remaining: 0 });
    expect((await logIn(username)).status).toBe(200);
  });

  it('of others needs the right `users`', async () => {
    const { id, session, username } = await addPerson();
    await addTotp(session);
    const editor = await addPerson({ role_ids: [3] });
    expect(outcomeOf(await ask(editor.session, 'DELETE', `/users/${id}/factors`))).toEqual({
      status: 403,
      code: 'auth.notAllowed',
    });
    const shown = async () => (await ask(admin, 'GET', `/users/${id}`)).body;
    expect(await shown()).toMatchObject({ factors: ['totp'] });
    expect((await ask(admin, 'GET', '/users')).body).toContainEqual(await shown());
    expect((await ask(admin, 'DELETE', `/users/${id}/factors`)).status).toBe(204);
    expect(await shown()).not.toHaveProperty('factors');
    expect((await logIn(username)).status).toBe(200);
    expect((await ask(admin, 'DELETE', '/users/9999/factors')).status).toBe(404);
  });
});

describe('passkeys', () => {
  const origin = (): string => `http://localhost:${server.port}`;
  const local = { 'X-Forwarded-Host': () => `localhost:${server.port}` };
  const headers = (): Record<string, string> => ({ 'X-Forwarded-Host': local['X-Forwarded-Host']() });
  const send = (session: string | undefined, path: string, body?: unknown): Promise<ApiAnswer> => {
    const options = session === undefined ? { token: null, body } : withSession(session, body);
    return call(server, 'POST', path, { ...options, headers: { ...options.headers, ...headers() } });
  };
  const challengeIn = ({ body }: ApiAnswer): string => String(asRecord(body)['challenge']);

  async function addPasskey(session: string): Promise<Authenticator> {
    const key = new Authenticator(origin());
    const options = await send(session, '/auth/factors/passkeys/options');
    const answer = key.register(challengeIn(options), 'localhost');
    const added = await send(session, '/auth/factors/passkeys', { ...answer, name: 'Phone' });
    expect([added.status, added.body]).toMatchObject([201, { kind: 'passkey', name: 'Phone' }]);
    return key;
  }

  it('are made from options of this instance', async () => {
    const { session, username } = await addPerson();
    const { status, body } = await send(session, '/auth/factors/passkeys/options');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      challenge: expect.any(String),
      rp: { id: 'localhost' },
      user: { name: username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it('sign in alone, and stand for the second factor', async () => {
    const { session, username } = await addPerson();
    const key = await addPasskey(session);
    expect((await logIn(username)).body).toMatchObject({
      code: 'auth.factorRequired',
      params: { factors: ['passkey'] },
    });
    const options = await send(undefined, '/auth/passkeys/options');
    expect(options.body).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const signed = key.sign(challengeIn(options), 'localhost');
    const answer = await send(undefined, '/auth/passkeys', signed);
    expect([answer.status, answer.body]).toMatchObject([200, { user: { username } }]);
    expect((await ask(sessionIn(answer), 'GET', '/auth/factors')).body).toMatchObject([{ kind: 'passkey' }]);
    expect(outcomeOf(await send(undefined, '/auth/passkeys', signed))).toEqual(failed);
  });

  it.each([
    ['another challenge', (key: Authenticator) => key.sign('bm90IG91cnM', 'localhost')],
    ['another rpId', (key: Authenticator, challenge: string) => key.sign(challenge, 'evil.example')],
    [
      'an owner who was not checked',
      (key: Authenticator, challenge: string) => key.sign(challenge, 'localhost', 1),
    ],
    [
      'another key',
      (key: Authenticator, challenge: string) => ({
        ...new Authenticator(origin()).sign(challenge, 'localhost'),
        id: key.id,
        rawId: key.id,
      }),
    ],
    [
      'an unknown key',
      (_key: Authenticator, challenge: string) => new Authenticator(origin()).sign(challenge, 'localhost'),
    ],
  ])('refuse the answer for %s', async (_name, answerOf) => {
    const { session } = await addPerson();
    const key = await addPasskey(session);
    const challenge = challengeIn(await send(undefined, '/auth/passkeys/options'));
    const answer = await send(undefined, '/auth/passkeys', answerOf(key, challenge));
    expect(outcomeOf(answer)).toEqual(failed);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('refuse an answer after five minutes, and one of another page', async () => {
    const { session } = await addPerson();
    const key = await addPasskey(session);
    const late = challengeIn(await send(undefined, '/auth/passkeys/options'));
    now += 300_000;
    expect(outcomeOf(await send(undefined, '/auth/passkeys', key.sign(late, 'localhost')))).toEqual(failed);
    const elsewhere = new Authenticator('http://evil.example');
    const challenge = challengeIn(await send(session, '/auth/factors/passkeys/options'));
    const answer = await send(session, '/auth/factors/passkeys', elsewhere.register(challenge, 'localhost'));
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'auth.passkeyInvalid' });
  });

  it('refuse a registration with a challenge of somebody else, or a second time', async () => {
    const [one, other] = [await addPerson(), await addPerson()];
    const key = new Authenticator(origin());
    const challenge = challengeIn(await send(one.session, '/auth/factors/passkeys/options'));
    const answer = key.register(challenge, 'localhost');
    const invalid = { status: 400, code: 'auth.passkeyInvalid' };
    expect(outcomeOf(await send(other.session, '/auth/factors/passkeys', answer))).toEqual(invalid);
    expect((await send(one.session, '/auth/factors/passkeys', answer)).status).toBe(201);
    expect(outcomeOf(await send(one.session, '/auth/factors/passkeys', answer))).toEqual(invalid);
  });

  it('confirm in a session of their user only', async () => {
    const [one, other] = [await addPerson(), await addPerson()];
    const key = await addPasskey(one.session);
    const sign = async () => ({
      passkey: key.sign(challengeIn(await send(undefined, '/auth/passkeys/options')), 'localhost'),
    });
    expect((await send(one.session, '/auth/confirm', await sign())).status).toBe(204);
    expect(outcomeOf(await send(other.session, '/auth/confirm', await sign()))).toEqual(failed);
  });

  it('need an address that is known to be the own one', async () => {
    const unknown = { token: null, headers: { 'X-Forwarded-Host': 'unknown.example' } };
    expect(outcomeOf(await call(server, 'POST', '/auth/passkeys/options', unknown))).toEqual({
      status: 400,
      code: 'auth.publicUrlMissing',
    });
    await call(server, 'PUT', '/system', { body: { public_url: 'https://cms.example.org/' } });
    const { status, body } = await call(server, 'POST', '/auth/passkeys/options', unknown);
    await call(server, 'PUT', '/system', { body: { public_url: '' } });
    expect([status, body]).toMatchObject([200, { rpId: 'cms.example.org' }]);
  });
});

describe('a role with require_factor', () => {
  it('gives only the set-up of a factor until there is one, in open sessions too', async () => {
    const body = { name: 'Careful', grants: [{ actions: ['read'], on: {} }], require_factor: false };
    await ask(admin, 'POST', '/auth/confirm', { password: administrator.password });
    const { id } = asRecord((await ask(admin, 'POST', '/roles', body)).body);
    const { session } = await addPerson({ role_ids: [id] });
    expect((await ask(session, 'GET', '/pages')).status).toBe(200);
    await ask(admin, 'PUT', `/roles/${id}`, { require_factor: true });
    const refused = { status: 403, code: 'auth.notAllowed' };
    for (const path of ['/pages', '/auth/sessions', '/search?q=a'])
      expect(outcomeOf(await ask(session, 'GET', path))).toEqual(refused);
    expect((await ask(session, 'GET', '/auth/factors')).status).toBe(200);
    await addTotp(session);
    expect((await ask(session, 'GET', '/pages')).status).toBe(200);
  });

  it('gives as little to tokens of a user who has no factor', async () => {
    await ask(admin, 'POST', '/auth/confirm', { password: administrator.password });
    const body = { name: 'Careful with tokens', grants: [{ actions: ['read', 'users'], on: {} }] };
    const { id } = asRecord((await ask(admin, 'POST', '/roles', body)).body);
    const { session } = await addPerson({ role_ids: [id] });
    const made = await ask(session, 'POST', '/tokens', { name: 'reader', role_ids: [id] });
    const secret = String(asRecord(made.body)['secret']);
    const grants = async () =>
      asRecord((await call(server, 'GET', '/auth/me', { token: secret })).body)['grants'];
    expect(await grants()).toEqual([{ actions: ['read', 'users'], on: {} }]);
    await ask(admin, 'PUT', `/roles/${id}`, { require_factor: true });
    expect(await grants()).toEqual([]);
    expect((await call(server, 'GET', '/pages', { token: secret })).body).toEqual([]);
    await addTotp(session);
    expect(await grants()).toEqual([{ actions: ['read', 'users'], on: {} }]);
  });

  it('leaves open what needs no session, such as the invitation of somebody else', async () => {
    await ask(admin, 'POST', '/auth/confirm', { password: administrator.password });
    const body = { name: 'Careful guests', grants: [], require_factor: true };
    const { id } = asRecord((await ask(admin, 'POST', '/roles', body)).body);
    const { session } = await addPerson({ role_ids: [id] });
    const answer = await ask(session, 'GET', '/auth/invitation?token=x');
    expect(outcomeOf(answer)).toEqual({ status: 404, code: 'common.notFound' });
  });
});

describe('wrong codes', () => {
  it('count for the address', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    const code = wrongCode(totpCode(secret, now));
    for (let times = 0; times < 10; times++)
      expect(outcomeOf(await logIn(username, { code }, '203.0.113.50'))).toEqual(failed);
    expect(outcomeOf(await logIn(username, {}, '203.0.113.50'))).toEqual({
      status: 429,
      code: 'auth.tooManyAttempts',
    });
  });

  it('lock the second step of the user after twenty, not the password step', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    const code = wrongCode(totpCode(secret, now));
    for (let times = 0; times < 20; times++)
      expect(outcomeOf(await logIn(username, { code }))).toEqual(failed);
    const right = totpCode(secret, now);
    const locked = await logIn(username, { code: right });
    expect(outcomeOf(locked)).toEqual({ status: 429, code: 'auth.tooManyAttempts' });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(outcomeOf(await logIn(username))).toEqual({ status: 401, code: 'auth.factorRequired' });
    expect(outcomeOf(await logIn(username, { password: 'wrong', code: right }))).toEqual(failed);
    expect(outcomeOf(await ask(session, 'POST', '/auth/confirm', { code: right }))).toMatchObject({
      status: 429,
    });
    expect(await locksOf(username)).toEqual([`second step of ${username}`]);
  });

  it('are not forgotten for a right password, which alone gives no further tries', async () => {
    const { session, username } = await addPerson();
    const { secret } = await addTotp(session);
    passStep();
    const code = wrongCode(totpCode(secret, now));
    for (let times = 0; times < 20; times++) {
      if (times === 19) {
        const body = { current_password: password, new_password: 'another lock without keys' };
        expect((await ask(session, 'POST', '/auth/password', body)).status).toBe(204);
      }
      const fields = { code, ...(times === 19 ? { password: 'another lock without keys' } : {}) };
      expect(outcomeOf(await logIn(username, fields))).toEqual(failed);
    }
    const locked = await logIn(username, { password: 'another lock without keys', code });
    expect(outcomeOf(locked)).toEqual({ status: 429, code: 'auth.tooManyAttempts' });
  });
});

/** What was locked, as the audit tells it. */
async function locksOf(username: string): Promise<unknown[]> {
  const { body } = await ask(admin, 'GET', '/audit?kind=auth.lock&limit=200');
  const { changes } = asRecord(body);
  const entries = Array.isArray(changes) ? changes.map(asRecord) : [];
  return entries.filter(({ user }) => user === username).map(({ detail }) => detail);
}
