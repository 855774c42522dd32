import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call } from '../support/api.ts';
import { makeTempDir, masterToken, runMain, startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** Core, "Authentication", rule 9. The answer of each endpoint is tested in access.test.ts. */
let dataDir: string;
beforeEach(() => {
  dataDir = makeTempDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function headlessOf(server: TestServer): Promise<unknown> {
  const health: unknown = await (await fetch(`${server.url}/healthz`)).json();
  return asRecord(health)['headless'];
}

describe.each([
  ['-headless', { args: ['-headless'], env: {} }],
  ['IC_HEADLESS=1', { args: [], env: { IC_HEADLESS: '1' } }],
])('%s', (_name, options) => {
  it('works with a new data directory and a token created on the command line', async () => {
    const { stdout } = await runMain(['-data', dataDir, '-create-token', 'deploy']);
    const token = stdout.trim();
    expect(token).toMatch(/^ic_[\w-]{43}$/);
    const server = await startServer({ ...options, dataDir });
    const body = { title: 'A', domains: '' };
    expect((await call(server, 'POST', '/sites', { token, body })).status).toBe(201);
    expect(await (await fetch(server.url)).text()).toContain('<html');
    expect(await headlessOf(server)).toBe(true);
    expect((await call(server, 'GET', '/system', { token })).body).toMatchObject({
      admin_enabled: false,
      headless: true,
      forced: true,
      write_tokens: 1,
    });
    await server.end('SIGTERM');
    expect(server.output().split('\n')).toEqual([server.firstLine]);
  });

  it('ends with the process: without the option sessions are valid again', async () => {
    let server = await startServer({ dataDir });
    const session = await setUp(server);
    await server.end('SIGTERM');
    server = await startServer({ ...options, dataDir });
    expect((await call(server, 'GET', '/pages', withSession(session))).status).toBe(401);
    await server.end('SIGTERM');
    server = await startServer({ dataDir });
    expect((await call(server, 'GET', '/pages', withSession(session))).status).toBe(200);
    expect(await headlessOf(server)).toBe(false);
    await server.stop();
  });

  it('creates no demo administrator', async () => {
    const server = await startServer({ ...options, dataDir, args: ['-demo', ...options.args] });
    expect((await fetch(server.url)).status).toBe(200);
    await server.end('SIGTERM');
    expect(server.output()).not.toContain('administrator');
  });
});

describe('switched on while running', () => {
  it('ignores all sessions from the next request on, also the one that switched it on', async () => {
    const server = await startServer({ dataDir });
    const session = await setUp(server);
    expect(await headlessOf(server)).toBe(false);
    const answer = await call(server, 'PUT', '/system', withSession(session, { headless: true }));
    expect(answer).toMatchObject({ status: 200, body: { headless: true, forced: false } });
    expect(await headlessOf(server)).toBe(true);
    const login = { token: null, body: administrator };
    for (const [method, path, options, status] of [
      ['POST', '/auth/login', login, 404],
      ['GET', '/auth/status', { token: null }, 404],
      ['GET', '/tokens', withSession(session), 404],
      ['GET', '/pages', withSession(session), 401],
      ['GET', '/pages', { token: masterToken }, 200],
    ] as const)
      expect([path, (await call(server, method, path, options)).status]).toEqual([path, status]);

    await call(server, 'PUT', '/system', { body: { headless: false } });
    expect((await call(server, 'GET', '/pages', withSession(session))).status).toBe(200);
    await server.stop();
  });
});

describe('-demo', () => {
  it('creates an administrator once and prints the password', async () => {
    const first = await startServer({ dataDir, args: ['-demo'] });
    const [, username = '', password = ''] =
      /^Demo administrator: (\S+), password: (\S+)$/.exec(await first.line(1)) ?? [];
    const session = await logIn(first, { username, password });
    const { body } = await call(first, 'GET', '/users', withSession(session));
    expect(body).toEqual([expect.objectContaining({ id: 1, username: 'demo' })]);
    await first.end('SIGTERM');
    expect(first.output()).not.toContain('Setup token');
    expect(first.log()).not.toContain(password);

    const second = await startServer({ dataDir, args: ['-demo'] });
    await logIn(second, { username, password });
    await second.end('SIGTERM');
    expect(second.output().split('\n')).toEqual([
      second.firstLine,
      // It has another port than the first.
      expect.stringMatching(/^-demo changed only the address at which its own source asks: /),
      `Admin: ${second.url}/cms-admin/`,
      expect.stringMatching(
        /^Log in as demo with your password; for a new one: npm start -- .* -reset-password demo$/,
      ),
    ]);
  });

  it('creates no administrator when there is one', async () => {
    let server = await startServer({ dataDir });
    const session = await setUp(server);
    await server.end('SIGTERM');
    server = await startServer({ dataDir, args: ['-demo'] });
    const { body } = await call(server, 'GET', '/users', withSession(session));
    expect(body).toEqual([expect.objectContaining({ username: administrator.username })]);
    await server.end('SIGTERM');
    expect(server.output()).not.toContain('administrator');
  });
});
