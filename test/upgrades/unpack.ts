import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresFolder, type TestPostgres } from '../support/postgres.ts';
import { makeTempDir } from '../support/server.ts';
import { dumpFile, type Kind, readText, unpackFiles } from './state.ts';

export interface Copy {
  readonly dataDir: string;
  /** Address of the database; undefined for a server alone. */
  readonly database: string | undefined;
  remove(): void;
}

/** Makes a copy of a state on which a server can start. */
export async function unpack(folder: string, kind: Kind, postgres: TestPostgres | undefined): Promise<Copy> {
  const dataDir = makeTempDir();
  await unpackFiles(folder, kind, dataDir);
  const database = kind === 'postgres' ? await postgres?.createDatabase() : undefined;
  if (database !== undefined) restore(database, readText(dumpFile(folder)));
  return { dataDir, database, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

function restore(database: string, sql: string): void {
  const args = ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '--single-transaction', '-f', '-', database];
  execFileSync(join(postgresFolder ?? '', 'psql'), args, {
    input: sql,
    stdio: ['pipe', 'ignore', 'pipe'],
    maxBuffer: 2 ** 28,
  });
}
