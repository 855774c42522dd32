import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { makeZip, readZip } from '../support/made-zip.ts';
import { type ServerOptions, startServer, type TestServer } from '../support/server.ts';
import { nodeKey } from '../support/shared-database.ts';
import type { RecordedAnswer } from './answers.ts';

/** Where the rows of a state lie. */
export type Kind = 'sqlite' | 'postgres';
export const kinds: readonly Kind[] = ['sqlite', 'postgres'];

/** What must be known to use a state. */
export interface Access {
  readonly username: string;
  readonly password: string;
  /** Of the user, begun before the state was written. */
  readonly session: string;
  readonly writeToken: string;
  readonly readToken: string;
  /** Value of the secret `KEY` of workflows, which `GET /flows/secret-out?port=n` sends to that port. */
  readonly secret: string;
  /** A private file and a draft, each with a signature or token that is valid when the state is read. */
  readonly signedPaths: readonly string[];
}

export interface State {
  /** When the program stopped, in Unix milliseconds. */
  readonly writtenAt: number;
  readonly access: Access;
}

const root = fileURLToPath(new URL('.', import.meta.url));

export function stateNames(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export function folderOf(name: string): string {
  return join(root, name);
}

export function readState(folder: string, kind: Kind): State {
  // Type boundary: written by `writeState`.
  return JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')) as State;
}

export function writeState(folder: string, kind: Kind, state: State): void {
  writeFileSync(join(folder, `${kind}.json`), `${JSON.stringify(state, undefined, 2)}\n`);
}

export function readAnswers(folder: string, kind: Kind): RecordedAnswer[] {
  // Type boundary: written by `writeAnswers`.
  return JSON.parse(readText(join(folder, `${kind}-answers.json.br`))) as RecordedAnswer[];
}

export function writeAnswers(folder: string, kind: Kind, answers: readonly RecordedAnswer[]): void {
  writeText(join(folder, `${kind}-answers.json.br`), JSON.stringify(answers, undefined, 1));
}

export function dumpFile(folder: string): string {
  return join(folder, 'postgres.sql.br');
}

export function readText(file: string): string {
  return brotliDecompressSync(readFileSync(file)).toString();
}

/** With a window over all of it, because much is there several times. */
export function writeText(file: string, text: string): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(file, brotliCompressSync(text, { params }));
}

/** Packs a data directory; what can be made anew stays out. */
export function packFiles(folder: string, kind: Kind, dataDir: string): void {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(cache|media-cache|replica)(\/|$)|\.lock$/.test(name))
    .filter((name) => statSync(join(dataDir, name)).isFile())
    .sort();
  const entries = names.map((name) => ({ name, data: readFileSync(join(dataDir, name)), deflate: true }));
  writeFileSync(join(folder, `${kind}-files.zip`), makeZip(entries));
}

/** Puts the files of a state into an empty directory. */
export async function unpackFiles(folder: string, kind: Kind, dataDir: string): Promise<void> {
  for (const [name, bytes] of await readZip(readFileSync(join(folder, `${kind}-files.zip`)))) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), bytes, { mode: 0o600 });
  }
}

/** Starts the program of today on a state, at the time at which that was written. */
export function startOn(
  { writtenAt }: State,
  dataDir: string,
  database: string | undefined,
): Promise<TestServer> {
  const clock = new URL('pinned-clock.ts', import.meta.url);
  clock.searchParams.set('at', String(writtenAt));
  return startServer({
    ...serverOptions(database),
    dataDir,
    env: { ...serverOptions(database).env, NODE_OPTIONS: `--import=${clock.href}` },
  });
}

/** What a server needs that is alone or, with a database, a node. */
export function serverOptions(database: string | undefined): ServerOptions {
  const ofNode = { IC_DATABASE: database ?? '', IC_ENCRYPTION_KEY: nodeKey, IC_LEASE: '20' };
  return { env: { TZ: 'UTC', ...(database === undefined ? {} : ofNode) } };
}
