import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, outcomeOf } from '../support/api.ts';
import { addTotp } from '../support/one-time-codes.ts';
import { makeTempDir, runMain, startServer } from '../support/server.ts';
import { administrator, logIn, sessionIn, setUp, withSession } from '../support/session.ts';

let root: string;
beforeAll(() => {
  root = makeTempDir();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newPassword = /^New password for ada: (\S{16})\n$/;

describe('-reset-password', () => {
  it('beside a running server prints a new password and ends the sessions of that user only', async () => {
    const dataDir = join(root, 'running');
    const server = await startServer({ dataDir });
    const session = await setUp(server);
    const other = { username: 'grace', password: 'long enough for all' };
    await call(server, 'POST', '/users', withSession(session, other));
    const otherSession = await logIn(server, other);
    const statusOf = async (value: string) =>
      (await call(server, 'GET', '/users', withSession(value))).status;
    expect([await statusOf(session), await statusOf(otherSession)]).toEqual([200, 200]);

    const { code, stdout, stderr } = await runMain(['-data', dataDir, '-reset-password', ' ADA ']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(newPassword);
    const password = newPassword.exec(stdout)?.[1] ?? '';
    expect([await statusOf(session), await statusOf(otherSession)]).toEqual([401, 200]);
    const old = await call(server, 'POST', '/auth/login', { token: null, body: administrator });
    expect(old.status).toBe(401);
    expect(await statusOf(await logIn(server, { username: 'ada', password }))).toBe(200);
    await server.stop();
    expect(readFileSync(join(dataDir, 'content.db')).includes(password)).toBe(false);
  });

  it('keeps second factors unless -reset-factors is there', async () => {
    const dataDir = join(root, 'factors');
    const server = await startServer({ dataDir });
    const session = await setUp(server);
    const { recovery } = await addTotp(
      (method, path, body) => call(server, method, path, withSession(session, body)),
      Date.now(),
    );
    const reset = async (...more: string[]) => {
      const { code, stdout } = await runMain(['-data', dataDir, '-reset-password', 'ada', ...more]);
      expect(code).toBe(0);
      return newPassword.exec(stdout)?.[1] ?? '';
    };
    const send = (password: string, fields: object = {}) =>
      call(server, 'POST', '/auth/login', { token: null, body: { username: 'ada', password, ...fields } });

    const kept = await reset();
    expect(outcomeOf(await send(kept))).toEqual({ status: 401, code: 'auth.factorRequired' });
    expect((await send(kept, { recovery_code: recovery[0] })).status).toBe(200);

    const cleared = await reset('-reset-factors');
    const fresh = sessionIn(await send(cleared));
    const ask = (path: string) => call(server, 'GET', path, withSession(fresh));
    expect((await ask('/auth/factors')).body).toEqual([]);
    expect((await ask('/auth/factors/recovery-codes')).body).toEqual({ remaining: 0 });
    await server.stop();
  });

  it.each([
    [['-reset-password', 'nobody\n'], /^incipit: there is no user "nobody\\n"\n$/],
    [['-reset-password', ' '], /^incipit: option -reset-password needs a username\n$/],
    [['-reset-password', 'a', '-create-token', 'b'], /^incipit: [^\n]+different commands[^\n]+\n$/],
  ])('%j is refused with one line', async (args, line) => {
    const dataDir = join(root, 'refused');
    await runMain(['-data', dataDir, '-create-token', 'creates the database']);
    const outcome = await runMain(['-data', dataDir, ...args]);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
  });

  it('creates no data directory', async () => {
    const dataDir = join(root, 'missing');
    const outcome = await runMain(['-data', dataDir, '-reset-password', 'ada']);
    const line = expect.stringMatching(/^incipit: there is no database in the data directory [^\n]+\n$/);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: line });
    expect(existsSync(dataDir)).toBe(false);
  });
});
