import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createSnippet, freshName } from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { requestHead } from '../support/raw.ts';
import { ManualTimers } from '../support/receiver.ts';
import { masterToken, runMain, startServer, type TestServer } from '../support/server.ts';
import { logIn, setUp, withSession } from '../support/session.ts';
import { sharedDatabaseEnv } from '../support/shared-database.ts';

/** What holds for all event streams: how many there may be, and that they end with the credential of their caller. */

/** How often the server looks whether the callers of streams are still there. */
const checkMs = 1000;
const fortnightMs = 14 * 24 * 3600 * 1000;

let server: InProcessServer;
let dataDir: string;
let timers: ManualTimers;
let now: number;
let admin: string;

beforeAll(async () => {
  now = Date.now();
  timers = new ManualTimers();
  server = await startInProcess({
    clock: () => now,
    later: (ms, task) => timers.later(ms, task),
    prepare: (folder) => {
      dataDir = folder;
    },
  });
  admin = await setUp(server);
});
beforeEach(() => {
  timers = new ManualTimers();
});
afterAll(() => server.stop());

interface NewToken {
  readonly id: number;
  readonly secret: string;
}

async function createToken(owner: string = admin): Promise<NewToken> {
  const answer = await call(server, 'POST', '/tokens', withSession(owner, { name: freshName('token') }));
  const { secret, token } = asRecord(answer.body);
  return { id: Number(asRecord(token)['id']), secret: String(secret) };
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
const cookie = (session: string) => ({ Cookie: `ic_session=${session}` });

/** A user of this test, signed in. */
async function signIn(): Promise<{
  readonly id: number;
  readonly session: string;
  readonly username: string;
}> {
  const credentials = { username: freshName('user'), password: 'a long password' };
  const { body } = await call(server, 'POST', '/users', withSession(admin, credentials));
  const session = await logIn(server, credentials);
  return { id: Number(asRecord(body)['id']), session, username: credentials.username };
}

/** Opens streams at the same time, and resolves with what each was answered. */
async function openMany(
  count: number,
  path: string,
  headersOf: (index: number) => Readonly<Record<string, string>>,
): Promise<readonly IncomingMessage[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const asked: ClientRequest = request(
        {
          port: server.port,
          path: `/api/v1${path}`,
          headers: { ...headersOf(index), Accept: 'text/event-stream' },
          agent: false,
        },
        resolve,
      );
      asked.on('error', reject).end();
      return promise;
    }),
  );
}

function countStatuses(answers: readonly IncomingMessage[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { statusCode } of answers) counts[`${statusCode}`] = (counts[`${statusCode}`] ?? 0) + 1;
  return counts;
}

/** Closes streams, and resolves when the server knows it. */
async function closeAll(answers: readonly IncomingMessage[]): Promise<void> {
  for (const answer of answers) answer.on('error', () => {}).destroy();
  await expect.poll(() => timers.planned, { timeout: 10_000 }).toEqual([]);
}

describe('at the same time', () => {
  let secrets: readonly string[];
  beforeAll(async () => {
    secrets = (await Promise.all(Array.from({ length: 8 }, () => createToken()))).map(({ secret }) => secret);
  });
  const bearerOf = (index: number) => bearer(secrets[index % secrets.length] ?? '');

  it('one caller has 100 streams, and others have theirs', async () => {
    const mine = await openMany(130, '/changes?since=now', () => bearerOf(0));
    expect(countStatuses(mine)).toEqual({ 200: 100, 429: 30 });
    const refused = mine.find(({ statusCode }) => statusCode === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    // Those of another route count too.
    const live = await openMany(1, '/stats/live', () => bearerOf(0));
    expect(countStatuses(live)).toEqual({ 429: 1 });
    const others = await openMany(1, '/changes?since=now', () => bearerOf(1));
    expect(countStatuses(others)).toEqual({ 200: 1 });
    await closeAll([...mine, ...live, ...others]);
    const again = await openMany(100, '/changes?since=now', () => bearerOf(0));
    expect(countStatuses(again)).toEqual({ 200: 100 });
    await closeAll(again);
  });

  it('all callers have 500, however many ask at once', async () => {
    const answers = await openMany(800, '/changes?since=now', bearerOf);
    expect(countStatuses(answers)).toEqual({ 200: 500, 503: 300 });
    const refused = answers.find(({ statusCode }) => statusCode === 503);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    await closeAll(answers);
  });

  it('200 of them may be of live figures', async () => {
    const answers = await openMany(240, '/stats/live', bearerOf);
    expect(countStatuses(answers)).toEqual({ 200: 200, 503: 40 });
    await closeAll(answers);
  });

  it('clients that go before they are answered, and HEAD, take no place', async () => {
    const head = (method: string) =>
      requestHead(
        `${method} /api/v1/changes?since=now HTTP/1.1`,
        'Host: a',
        'Accept: text/event-stream',
        `Authorization: ${bearerOf(0).Authorization}`,
      );
    for (let round = 0; round < 150; round++) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () =>
          socket.write(head(round % 2 === 0 ? 'GET' : 'HEAD'), () => socket.resetAndDestroy()),
        );
        socket.on('error', () => {}).on('close', () => resolve());
      });
    }
    await expect.poll(() => timers.planned).toEqual([]);
    const answers = await openMany(100, '/changes?since=now', () => bearerOf(0));
    expect(countStatuses(answers)).toEqual({ 200: 100 });
    await closeAll(answers);
  });
});

/** Streams of a credential and of the master token; the second one must go on. */
async function openTwo(path: string, headers: Record<string, string>) {
  const [ending, other] = [
    await EventReader.open(server.url, path, headers),
    await EventReader.open(server.url, path),
  ];
  await Promise.all([ending.next(), other.next()]);
  return { ending, other };
}

async function expectAlive(other: EventReader): Promise<void> {
  const isEnded = other.end().then(
    () => true,
    () => false,
  );
  timers.fire(checkMs);
  // The answer to a change comes after what the commit has ended.
  await createSnippet(server, { name: freshName('s') });
  other.close();
  expect(await isEnded).toBe(false);
}

describe.each(['/changes?since=now', '/stats/live'])('a stream of %s ends', (path) => {
  it('as soon as its token is deleted, and no other', async () => {
    const [token, sibling] = [await createToken(), await createToken()];
    const { ending, other } = await openTwo(path, bearer(token.secret));
    const brother = await EventReader.open(server.url, path, bearer(sibling.secret));
    await call(server, 'DELETE', `/tokens/${token.id}`, withSession(admin));
    await ending.end();
    await expectAlive(brother);
    await expectAlive(other);
  });

  it('as soon as its user signs out, changes the password elsewhere, or is deleted', async () => {
    const user = await signIn();
    const signedOut = await openTwo(path, cookie(user.session));
    await call(server, 'POST', '/auth/logout', withSession(user.session));
    await signedOut.ending.end();
    await expectAlive(signedOut.other);

    const twice = await signIn();
    const elsewhere = await openTwo(path, cookie(twice.session));
    const password = { password: 'another long one' };
    await call(server, 'PUT', `/users/${twice.id}/password`, withSession(admin, password));
    await elsewhere.ending.end();
    await expectAlive(elsewhere.other);

    const gone = await signIn();
    const deleted = await openTwo(path, cookie(gone.session));
    await call(server, 'DELETE', `/users/${gone.id}`, withSession(admin));
    await deleted.ending.end();
    await expectAlive(deleted.other);
  });

  it('within a second when a role of its user demands a factor, or the user must choose a password', async () => {
    const grants = [{ actions: ['read', 'users'], on: {} }];
    const role = await call(
      server,
      'POST',
      '/roles',
      withSession(admin, { name: freshName('role'), grants }),
    );
    const roleId = Number(asRecord(role.body)['id']);
    for (const [target, change] of [
      ['role', { require_factor: true }],
      ['user', { must_change_password: true }],
    ] as const) {
      const { id, session } = await signIn();
      await call(server, 'PUT', `/users/${id}`, withSession(admin, { role_ids: [roleId] }));
      const { ending, other } = await openTwo(path, cookie(session));
      const address = target === 'role' ? `/roles/${roleId}` : `/users/${id}`;
      expect((await call(server, 'PUT', address, withSession(admin, change))).status).toBe(200);
      timers.fire(checkMs);
      await ending.end();
      await expectAlive(other);
      await call(server, 'PUT', `/roles/${roleId}`, withSession(admin, { require_factor: false }));
    }
  });

  it('when its session was not used for `idle_minutes`, because a stream is no use', async () => {
    await callOk(server, 'PUT', '/system', { idle_minutes: 5 });
    const { session } = await signIn();
    const { ending, other } = await openTwo(path, cookie(session));
    const before = now;
    for (let second = 0; second < 5 * 60; second += 60) {
      timers.fire(checkMs);
      now += 60_000;
    }
    timers.fire(checkMs);
    await ending.end();
    expect((await call(server, 'GET', '/auth/me', { token: null, headers: cookie(session) })).status).toBe(
      401,
    );
    now = before;
    await callOk(server, 'PUT', '/system', { idle_minutes: 0 });
    admin = await logIn(server);
    await expectAlive(other);
  });

  it('within a second when its session is over', async () => {
    const { session } = await signIn();
    const { ending, other } = await openTwo(path, cookie(session));
    const before = now;
    now += fortnightMs;
    timers.fire(checkMs);
    await ending.end();
    now = before;
    await expectAlive(other);
  });

  it('as soon as nobody can sign in any more', async () => {
    const { session } = await signIn();
    const { ending, other } = await openTwo(path, cookie(session));
    await callOk(server, 'PUT', '/system', { admin_enabled: false });
    await ending.end();
    await callOk(server, 'PUT', '/system', { admin_enabled: true });
    await expectAlive(other);
  });
});

it('streams end within a second when the command line has given their user a new password', async () => {
  const { session, username } = await signIn();
  const changes = await openTwo('/changes?since=now', cookie(session));
  const live = await openTwo('/stats/live', cookie(session));
  const env = await sharedDatabaseEnv(dataDir);
  expect((await runMain(['-data', dataDir, '-reset-password', username], env)).code).toBe(0);
  timers.fire(checkMs);
  await Promise.all([changes.ending.end(), live.ending.end()]);
  await expectAlive(changes.other);
  await expectAlive(live.other);
});

describe('in remote mode', () => {
  let there: TestServer;
  beforeAll(async () => {
    there = await startServer();
  });
  afterAll(() => there.stop());

  it('a stream of the other instance ends with the session here', async () => {
    const { session } = await signIn();
    const body = { name: freshName('live'), url: there.url, token: masterToken };
    const { id } = asRecord((await call(server, 'POST', '/connections', withSession(admin, body))).body);
    const stream = await EventReader.open(server.url, '/changes?since=now', {
      Cookie: `ic_session=${session}; ic_remote=${id}`,
    });
    await stream.next();
    await createSnippet(there, { name: freshName('there') });
    expect(await stream.next()).toMatchObject({ event: 'change' });
    await call(server, 'POST', '/auth/logout', withSession(session));
    await stream.end();
    await expect.poll(() => timers.planned).toEqual([]);
  });

  it('a stream that is refused here is not left open there', async () => {
    const { promise: hasClosed, resolve } = Promise.withResolvers<void>();
    const silent = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
      response.on('close', resolve);
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { session } = await signIn();
    const mine = await openMany(100, '/changes?since=now', () => cookie(session));
    const body = { name: freshName('silent'), url: `http://127.0.0.1:${port}`, token: masterToken };
    const { id } = asRecord((await call(server, 'POST', '/connections', withSession(admin, body))).body);
    const forwarded = await openMany(1, '/changes?since=now', () => ({
      Cookie: `ic_session=${session}; ic_remote=${id}`,
    }));
    expect(countStatuses(forwarded)).toEqual({ 429: 1 });
    await hasClosed;
    silent.close();
    await closeAll([...mine, ...forwarded]);
  });
});
