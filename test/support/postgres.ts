/** PostgreSQL for tests: a server of their own, on loopback, in a temporary directory. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface TestPostgres {
  readonly port: number;
  /** Address of a database in which others can be made. */
  readonly url: string;
  /** Address of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Runs one query in a database. */
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Stops the server; `immediate` as a crash does. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /**
   * Copies its files, for which it stops for a moment.
   *
   * @returns a function that puts them back in the same way, as a restored backup does
   */
  copyFiles(): Promise<() => Promise<void>>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** The folder with the programs of PostgreSQL; undefined where it is not installed. */
export const postgresFolder = findFolder();

function findFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root).sort((left, right) => Number(right) - Number(left))
    : [];
  const folder = versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (folder === undefined && process.env['CI'] !== undefined)
    throw new Error('PostgreSQL is not installed, and tests of several nodes need it (Debian: postgresql)');
  if (folder === undefined)
    process.stderr.write('PostgreSQL is not installed: tests of several nodes are left out\n');
  return folder;
}

/** The program refuses to run as root; Debian's package brings a user for it. */
const isRoot = process.getuid?.() === 0;
const asUser = (command: string, args: readonly string[]): readonly [string, string[]] =>
  isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
    : [command, [...args]];

/** Starts a new server with an empty cluster. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = postgresFolder;
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'incipit-postgres-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  run(
    asUser(join(bin, 'initdb'), [
      '-D',
      data,
      '-A',
      'trust',
      '-U',
      'incipit',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ]),
  );
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const options = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'fsync=off',
    ];
    const args = ['-D', data, ...options.flatMap((option) => ['-c', option])];
    const [command, all] = asUser(join(bin, 'postgres'), args);
    child = spawn(command, all, { stdio: 'ignore', cwd: folder });
    await untilReady(port);
  };
  const stop = async (mode: 'fast' | 'immediate' = 'fast') => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await once(child, 'exit');
  };
  let databases = 0;
  let copies = 0;
  const addressOf = (name: string) => `postgres://incipit@127.0.0.1:${port}/${name}`;
  await start();
  return {
    port,
    url: addressOf('postgres'),
    start,
    stop,
    async createDatabase() {
      databases += 1;
      const name = `site${databases}`;
      await query(addressOf('postgres'), `CREATE DATABASE ${name}`);
      return addressOf(name);
    },
    query,
    async copyFiles() {
      copies += 1;
      const copy = join(folder, `copy${copies}`);
      await stop();
      execFileSync('cp', ['-a', data, copy]);
      await start();
      return async () => {
        await stop();
        rmSync(data, { recursive: true });
        execFileSync('cp', ['-a', copy, data]);
        await start();
      };
    },
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function run([command, args]: readonly [string, string[]]): void {
  execFileSync(command, args, { stdio: 'ignore', cwd: tmpdir() });
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: `postgres://incipit@127.0.0.1:${port}/postgres` });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
