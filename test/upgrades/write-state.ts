/** Writes a folder of states with the program as it is: `node test/upgrades/write-state.ts NAME`. See README.md. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { download } from '../support/bundles.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';
import { Addresses } from './addresses.ts';
import { answersTo } from './answers.ts';
import { fill } from './fill.ts';
import {
  dumpFile,
  folderOf,
  type Kind,
  packFiles,
  type State,
  serverOptions,
  startOn,
  writeAnswers,
  writeState,
  writeText,
} from './state.ts';
import { unpack } from './unpack.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) throw new Error('a name of small letters is needed');
const folder = folderOf(name);
// An error if it is there: what an older program has written is never written again.
mkdirSync(folder);
const postgres = await startPostgres();
try {
  await write('sqlite', undefined);
  await write('postgres', postgres);
} catch (error) {
  rmSync(folder, { recursive: true });
  throw error;
} finally {
  await postgres.remove();
}

async function write(kind: Kind, postgres: TestPostgres | undefined): Promise<void> {
  const dataDir = makeTempDir();
  const database = await postgres?.createDatabase();
  const server = await startServer({ ...serverOptions(database), dataDir });
  const access = await fill(server).catch(async (error: unknown) => {
    await server.end('SIGTERM');
    throw error;
  });
  if (kind === 'sqlite') writeFileSync(join(folder, 'bundle.zip'), await download(server));
  const code = await server.end('SIGTERM');
  if (code !== 0) throw new Error(`the server ended with ${code}: ${server.log()}`);
  const state: State = { writtenAt: Date.now(), access };
  packFiles(folder, kind, dataDir);
  if (database !== undefined) writeText(dumpFile(folder), dumpOf(database));
  rmSync(dataDir, { recursive: true });
  writeState(folder, kind, state);
  await record(kind, state, postgres);
}

/** Records the answers of a program that was started on what was packed, as the test does. */
async function record(kind: Kind, state: State, postgres: TestPostgres | undefined): Promise<void> {
  const { session, signedPaths } = state.access;
  const questions = await onCopy(kind, state, postgres, (server) =>
    new Addresses(server, session).find(signedPaths),
  );
  // Another copy, because looking for addresses has asked for pages.
  const answers = await onCopy(kind, state, postgres, (server) => answersTo(server, questions, session));
  writeAnswers(folder, kind, answers);
}

async function onCopy<T>(
  kind: Kind,
  state: State,
  postgres: TestPostgres | undefined,
  work: (server: TestServer) => Promise<T>,
): Promise<T> {
  const copy = await unpack(folder, kind, postgres);
  const server = await startOn(state, copy.dataDir, copy.database);
  try {
    return await work(server);
  } finally {
    await server.end('SIGTERM');
    copy.remove();
  }
}

/** Without what only the newest `psql` understands. */
function dumpOf(database: string): string {
  const args = ['--no-owner', '--no-privileges', database];
  const text = execFileSync(join(postgresFolder ?? '', 'pg_dump'), args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return text.replaceAll(/^(?:\\(?:un)?restrict .*|SET transaction_timeout.*)\n/gm, '');
}
