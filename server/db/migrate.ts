import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../base/startup-error.ts';
import { nameKey, trimName } from '../base/text.ts';
import type { Connection } from './connection.ts';

export type DatabaseName = 'content' | 'activity';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** The numbered files below `migrations/<name>/`, in order. */
export function loadMigrations(name: DatabaseName): Migration[] {
  const folder = fileURLToPath(new URL(`./migrations/${name}/`, import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => ({
    version: Number.parseInt(file, 10),
    name: file,
    sql: readFileSync(join(folder, file), 'utf8'),
  }));
}

/**
 * Whether programs that do not know a migration may go on writing beside those that do. It then only adds tables, or
 * columns with constant defaults, and no rule that an older program would break. Its first line says so: `-- additive`.
 */
export function isAdditive({ sql }: Migration): boolean {
  return /^-- additive\b/.test(sql);
}

/** The number of the newest migration that this program knows. */
export function newestVersion(name: DatabaseName): number {
  return loadMigrations(name).at(-1)?.version ?? 0;
}

/** The number of the newest migration that a database has; 0 for a new one. */
export function readVersion<Tables>(connection: Connection<Tables>): number {
  return Number(connection.pragma('user_version'));
}

/**
 * Brings a database to the newest version. Each migration is one transaction, so a failed migration leaves
 * the state before it; those of a new database are one together. An existing database is copied to `<dataDir>/backups/` before its first migration.
 *
 * Two processes may start at the same moment (`-create-token` beside a server). So each step first takes the
 * write lock and then reads the version again.
 *
 * @throws StartupError when the database was written by a newer version of the program
 */
export function migrate<Tables>(
  connection: Connection<Tables>,
  name: DatabaseName,
  dataDir: string,
  migrations: readonly Migration[] = loadMigrations(name),
): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = readVersion(connection);
  if (found > newest) {
    throw new StartupError(
      `${name}.db was written by a newer version of Incipit (schema ${found}, this version knows ${newest}): install that version or restore a backup`,
    );
  }
  if (found > 0 && found < newest) backUp(connection, name, dataDir, found);
  applyMigrations(connection, migrations);
}

/**
 * Applies those migrations that a database does not have yet, each in one transaction; to a new database all in one,
 * because there is no state to keep and each commit waits for the disk.
 */
export function applyMigrations<Tables>(
  connection: Connection<Tables>,
  migrations: readonly Migration[],
): void {
  connection.define('trim_name', trimName);
  connection.define('name_key', nameKey);
  const steps = readVersion(connection) === 0 ? [migrations] : migrations.map((migration) => [migration]);
  for (const step of steps) applyOnce(connection, step);
}

/** Applies those migrations of a step that the database does not have, in one transaction. */
function applyOnce<Tables>(connection: Connection<Tables>, step: readonly Migration[]): void {
  if (readVersion(connection) >= (step.at(-1)?.version ?? 0)) return;
  connection.execute('BEGIN IMMEDIATE');
  try {
    const found = readVersion(connection);
    for (const { version, sql } of step.filter((migration) => migration.version > found)) {
      connection.execute(sql);
      connection.execute(`PRAGMA user_version = ${version}`);
    }
    connection.execute('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.execute('ROLLBACK');
    throw error;
  }
}

function backUp<Tables>(
  connection: Connection<Tables>,
  name: string,
  dataDir: string,
  version: number,
): void {
  const folder = join(dataDir, 'backups');
  mkdirSync(folder, { recursive: true });
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '');
  connection.statement('VACUUM INTO ?').run([join(folder, `${name}-schema-${version}-${stamp}.db`)]);
}
