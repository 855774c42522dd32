import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { loadMigrations, migrate } from '../../server/db/migrate.ts';
import { call } from '../support/api.ts';
import { makeTempDir, runMain, startServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

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
    const other = { username: 'grace', password: 'long enough' };
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

it('users whose names differ only in case or white space keep their accounts', () => {
  const connection = new Connection<object>(join(root, 'names.db'));
  const migrations = loadMigrations('content');
  migrate(
    connection,
    'content',
    root,
    migrations.filter(({ version }) => version < 5),
  );
  const insert = connection.statement(
    "INSERT INTO users (username, password_hash, created_at) VALUES (?, 'x', 1)",
  );
  for (const name of ['ada ', 'ada', 'ADA', 'Émile', 'éMILE', 'Grace']) insert.run([name]);
  migrate(connection, 'content', root, migrations);
  const rows = connection.statement('SELECT username, username_key FROM users ORDER BY id').all([]);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['ada', 'ada'],
    ['ada (2)', 'ada (2)'],
    ['ADA (3)', 'ada (3)'],
    ['Émile', 'émile'],
    ['éMILE (5)', 'émile (5)'],
    ['Grace', 'grace'],
  ]);
  connection.close();
});
