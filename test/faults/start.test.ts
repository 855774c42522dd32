import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { refusalText } from '../../server/http/exchange/refused-address.ts';
import { call, callList, callOk } from '../support/api.ts';
import { freePort } from '../support/postgres.ts';
import { makeTempDir, masterToken, type Outcome, runMain, startServer } from '../support/server.ts';
import { logIn } from '../support/session.ts';

let root: string;

beforeAll(() => {
  root = makeTempDir();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Nothing on standard output, one line on standard error, exit code 1. */
function expectRefusal(outcome: Outcome, reason: RegExp): void {
  expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^incipit: [^\n]+\n$/) });
  expect(outcome.stderr).toMatch(reason);
}

const serve = (dataDir: string, ...args: string[]) => [...serveOn('127.0.0.1:0', dataDir), ...args];

const serveOn = (address: string, dataDir: string) => [
  ...['-data', dataDir, '-addr', address, '-workers', '1'],
];

/** Runs `work` while another process listens on `port`. */
async function withTakenPort(work: (port: number) => Promise<void>): Promise<void> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  if (typeof address !== 'object' || address === null) throw new Error('the holder has no port');
  try {
    await work(address.port);
  } finally {
    holder.close();
  }
}

describe('the server refuses to start with one line and exit code 1', () => {
  it('when the data directory cannot be created', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expectRefusal(await runMain(serve(join(file, 'data'))), /cannot create the data directory .*file\/data/);
  });

  it('when the data directory cannot be written', async () => {
    // A directory in place of a file: missing permissions would not stop root.
    const dataDir = join(root, 'unwritable');
    mkdirSync(join(dataDir, 'server.lock'), { recursive: true });
    expectRefusal(await runMain(serve(dataDir)), /cannot write to the data directory/);
    const noDatabase = join(root, 'no-database');
    mkdirSync(join(noDatabase, 'content.db'), { recursive: true });
    expectRefusal(await runMain(serve(noDatabase)), /cannot open .*content\.db/);
  });

  it('when the port is taken', async () => {
    await withTakenPort(async (port) => {
      const outcome = await runMain(serveOn(`127.0.0.1:${port}`, join(root, 'port')));
      expectRefusal(outcome, new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port}: the port is taken by`));
    });
  });

  it('when the address does not belong to this machine', async () => {
    const outcome = await runMain(serveOn('203.0.113.7:0', join(root, 'address')));
    expectRefusal(outcome, /cannot listen on 203\.0\.113\.7:0: the address does not belong/);
  });

  it.each(['content', 'activity'])(
    'when %s.db is from a newer version, and leaves the file unchanged',
    async (name) => {
      const dataDir = join(root, `newer-${name}`);
      await (await startServer({ dataDir })).stop();
      const file = join(dataDir, `${name}.db`);
      const db = new Connection<object>(file);
      db.pragma('user_version = 999');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      const before = readFileSync(file);
      expectRefusal(
        await runMain(serve(dataDir)),
        new RegExp(`${name}\\.db was written by a newer version .*999`),
      );
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(dataDir)).not.toContain('backups');
    },
  );

  it('when a database file is no database', async () => {
    const dataDir = join(root, 'garbage');
    mkdirSync(dataDir);
    const garbage = Buffer.alloc(8192, 'not a database ');
    writeFileSync(join(dataDir, 'content.db'), garbage);
    expectRefusal(await runMain(serve(dataDir)), /cannot open .*content\.db: .*not a database/);
    expect(readFileSync(join(dataDir, 'content.db')).equals(garbage)).toBe(true);
  });

  it('when another server uses the data directory, and that one keeps running', async () => {
    const dataDir = join(root, 'second');
    const first = await startServer({ dataDir });
    expectRefusal(await runMain(serve(dataDir)), /another server is running on the data directory/);
    expect((await call(first, 'GET', '/pages')).status).toBe(200);
    await first.end('SIGKILL');
    // The lock ends with the process, also with a killed one.
    await (await startServer({ dataDir })).stop();
  });

  it.each([
    [['-nonsense'], /unknown option -nonsense/],
    [['nonsense'], /unknown option nonsense/],
    [['-data'], /option -data needs a value/],
    [['-cache-mb', 'x'], /option -cache-mb must be a whole number/],
    [['-cache-mb', 'many'], /option -cache-mb .*"many"/],
    [['-admin-host', 'a b\nc'], /option -admin-host .*"a b\\nc"/],
    [['-outgoing-allow', '10.0.0.0/8'], /-outgoing-allow .*"10\.0\.0\.0\/8"/],
    [['-tls-cert', '/nonexistent.pem'], /-tls-cert "\/nonexistent\.pem"/],
    [['-front', 'node', '-front-threads', '2'], /-front-threads 2/],
    [['-workers', '0'], /option -workers must be a whole number from 1/],
    [['-addr', '127.0.0.1'], /option -addr must be <host>:<port>/],
    [['-log', 'loud'], /option -log must be one of/],
    [['-tls-cert', 'x'], /-tls-cert and -tls-key belong together/],
    [
      ['-tls-cert', '/nowhere', '-tls-key', '/nowhere'],
      /option -tls-cert: cannot read the TLS file \/nowhere/,
    ],
  ])('with the options %j', async (args, reason) => {
    expectRefusal(await runMain(['-data', join(root, 'options'), '-addr', '127.0.0.1:0', ...args]), reason);
  });

  it('with TLS files that are not valid', async () => {
    const garbage = join(root, 'garbage.pem');
    writeFileSync(garbage, 'no certificate');
    const args = ['-tls-cert', garbage, '-tls-key', garbage];
    expectRefusal(
      await runMain(serve(join(root, 'tls'), ...args)),
      /garbage\.pem contains no valid certificate/,
    );
  });

  it('when there is no permission for the port', () => {
    expect(refusalText('127.0.0.1', 80, 'EACCES')).toMatch(
      /^cannot listen on 127\.0\.0\.1:80: no permission/,
    );
  });

  it('with a short IC_MASTER_TOKEN', async () => {
    const outcome = await runMain(serve(join(root, 'short')), { IC_MASTER_TOKEN: 'x'.repeat(31) });
    expectRefusal(outcome, /IC_MASTER_TOKEN is shorter than 32 characters/);
  });
});

describe.each([
  ['node', []],
  ['uws', []],
  ['uws', ['-front-threads', '2']],
])('a port of -front %s %j', (front, more) => {
  const args = ['-front', front, ...more];

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'can be used again at once after %s, with a connection that was open',
    async (signal) => {
      const dataDir = makeTempDir();
      const first = await startServer({ dataDir, args });
      const { port } = first;
      let running = first;
      for (let round = 0; round < 2; round++) {
        const client = await openConnection(port);
        await running.end(signal);
        running = await startServer({ dataDir, args: [...args, '-addr', `127.0.0.1:${port}`] });
        expect(running.port).toBe(port);
        expect((await call(running, 'GET', '/pages')).status).toBe(200);
        client.destroy();
      }
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  );

  it.each([
    ['127.0.0.1', '0.0.0.0'],
    ['0.0.0.0', '127.0.0.1'],
  ])('is refused to a second server while one listens on %s, on %s', async (taken, wanted) => {
    const port = await freePort();
    const first = await startServer({ args: [...args, '-addr', `${taken}:${port}`] });
    try {
      const outcome = await runMain([...serveOn(`${wanted}:${port}`, join(root, 'both')), ...args]);
      expectRefusal(outcome, new RegExp(`cannot listen on ${wanted}:${port}: the port is taken by`));
    } finally {
      await first.stop();
    }
  });
});

/** A connection that has got an answer and stays open. */
async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

describe('the command line', () => {
  it('prints its address in the first line', async () => {
    const server = await startServer({ dataDir: join(root, 'line') });
    expect(server.firstLine).toMatch(
      /^Incipit \d+\.\d+\.\d+\S* listening on http:\/\/127\.0\.0\.1:[1-9]\d*$/,
    );
    await server.stop();
  });

  it('prints every option with -help', async () => {
    const { code, stdout, stderr } = await runMain(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of [
      'data',
      'addr',
      'cache-mb',
      'rate-limit',
      'workers',
      'secure-cookies',
      'headless',
      'disable-admin',
      'enable-admin',
      'admin-host',
      'create-token',
      'reset-password',
      'demo',
      'tls-cert',
      'tls-key',
      'log',
    ]) {
      expect(stdout).toContain(`\n  -${name} `);
    }
    expect(stdout.match(/^[A-Z].*:$/gm)).toEqual([
      'Server:',
      'HTTPS and proxies:',
      'Access:',
      'Requests to other hosts:',
      'First content:',
      'Commands that do one thing and exit:',
    ]);
  });

  it('creates a working write token, also beside a running server', async () => {
    const dataDir = join(root, 'token');
    const early = await runMain(['-data', dataDir, '-create-token', 'early']);
    const server = await startServer({ dataDir });
    const late = await runMain([`--data=${dataDir}`, '--create-token=late']);
    for (const { code, stdout, stderr } of [early, late]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^ic_[\w-]{43}\n$/);
      const token = stdout.trim();
      expect((await call(server, 'POST', '/sites', { token, body: { title: 'by token' } })).status).toBe(201);
      const files = readdirSync(dataDir).filter((file) => file.includes('.db'));
      for (const file of files) expect(readFileSync(join(dataDir, file)).includes(token)).toBe(false);
    }
    await server.stop();
  });

  it('reads options from the environment, but the command line wins', async () => {
    const server = await startServer({
      dataDir: join(root, 'environment'),
      env: { IC_CACHE_MB: '7', IC_WORKERS: '1', IC_LOG: 'error' },
    });
    expect(await callOk(server, 'GET', '/cache')).toMatchObject({ max_bytes: 7 * 2 ** 20 });
    await server.stop();
    const other = await startServer({
      dataDir: join(root, 'environment'),
      args: ['-cache-mb', '5'],
      env: { IC_CACHE_MB: '7' },
    });
    expect(await callOk(other, 'GET', '/cache')).toMatchObject({ max_bytes: 5 * 2 ** 20 });
    await other.stop();
  });

  it('installs the demo website into an empty data directory only', async () => {
    const dataDir = join(root, 'demo');
    const first = await startServer({ dataDir, args: ['-demo'] });
    const count = (server: typeof first) => callList(server, '/pages');
    const installed = await count(first);
    expect(installed.length).toBeGreaterThanOrEqual(20);
    await first.stop();
    // At another address, where the website's own source would ask nobody any more.
    const args = ['-demo', '-addr', `127.0.0.1:${await freePort()}`];
    const second = await startServer({ dataDir, args });
    const moved = await second.line(1);
    expect(moved).toBe(
      `-demo changed only the address at which its own source asks: the data directory ${dataDir} has content already`,
    );
    expect((await fetch(`${second.url}/visit/tides`)).status).toBe(200);
    const pages = await count(second);
    expect(pages).toMatchObject(installed.map(({ id, title }) => ({ id, title })));
    await second.stop();
    const third = await startServer({ dataDir, args });
    expect(await count(third)).toEqual(pages);
    expect(await third.line(1)).toBe(
      `-demo changed nothing: the data directory ${dataDir} has content already`,
    );
    expect(await third.line(2)).toBe(`Admin: ${third.url}/cms-admin/`);
    expect(await third.line(3)).toBe(
      `Log in as demo with your password; for a new one: npm start -- -data ${dataDir} -reset-password demo`,
    );
    await third.stop();
    expect(third.output().split('\n')).toHaveLength(4);
  });

  it.skipIf(process.platform === 'win32')('ends with `npm start`, which passes a signal on', async () => {
    const dataDir = join(root, 'npm');
    const args = ['--silent', 'start', '--', ...serve(dataDir)];
    const npm = spawn('npm', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: npm.stdout }), 'line');
    const url = /listening on (\S+)$/.exec(String(line))?.[1] ?? '';
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    // The data directory is free at once, because the server has ended before npm.
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    const next = await startServer({ dataDir });
    await next.stop();
  });

  it('installs the demo only when the port is had, so that its password is printed', async () => {
    const dataDir = join(root, 'demo-port');
    await withTakenPort(async (port) => {
      expectRefusal(await runMain([...serveOn(`127.0.0.1:${port}`, dataDir), '-demo']), /cannot listen on/);
    });
    const server = await startServer({ dataDir, args: ['-demo'] });
    const password = /^Demo administrator: demo, password: (\S{16})$/.exec(await server.line(1))?.[1] ?? '';
    expect(await server.line(2)).toBe(`Admin: ${server.url}/cms-admin/`);
    await logIn(server, { username: 'demo', password });
    expect((await fetch(server.url)).status).toBe(200);
    await server.stop();
  });

  it('never writes the master token to the database', async () => {
    const dataDir = join(root, 'master');
    const server = await startServer({ dataDir });
    expect((await call(server, 'GET', '/pages')).status).toBe(200);
    await server.stop();
    copyFileSync(join(dataDir, 'content.db'), join(root, 'copy.db'));
    expect(readFileSync(join(root, 'copy.db')).includes(masterToken)).toBe(false);
  });
});
