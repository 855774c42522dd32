/** Checks the databases of a backup, which anyone may have made, and brings them to the schema of this version. */

import { Connection } from '../../db/connection.ts';
import { applyMigrations, type DatabaseName, loadMigrations, readVersion } from '../../db/migrate.ts';
import { findBrokenReference, findForeignObject } from '../../db/schema.ts';
import type { ContentTables } from '../../db/tables.ts';
import { ArchiveError } from '../../storage/archives/reader.ts';
import { useLocalFiles } from '../../storage/restored.ts';
import { endAllSessions } from '../auth/sessions/service.ts';
import { remakeVariants } from '../media/originals.ts';

/**
 * Checks a database of a backup, and migrates it.
 *
 * @param schema what the manifest says
 * @throws ArchiveError if the file is damaged, or no database of this program
 */
export function prepareDatabase(name: DatabaseName, path: string, schema: number): void {
  try {
    const db = new Connection<ContentTables>(path);
    try {
      // Views and triggers that nobody has looked at must reach no function.
      for (const pragma of ['trusted_schema = OFF', 'cell_size_check = ON']) db.pragma(pragma);
      // In a file of its own, so that the file can be moved.
      db.pragma('journal_mode = DELETE');
      refuseFaults(db, name, schema);
      db.pragma('trusted_schema = ON');
      db.pragma('foreign_keys = ON');
      applyMigrations(db, loadMigrations(name));
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(
      `${name}.db is damaged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Changes what the restored content says of the place that it comes from. */
export async function adaptContent(path: string): Promise<void> {
  const db = new Connection<ContentTables>(path);
  try {
    db.execute('BEGIN IMMEDIATE');
    await useLocalFiles(db);
    await remakeVariants(db);
    await endAllSessions(db);
    db.execute('COMMIT');
  } finally {
    db.close();
  }
}

function refuseFaults(db: Connection<ContentTables>, name: DatabaseName, schema: number): void {
  const found = readVersion(db);
  if (found !== schema)
    throw new ArchiveError(`${name}.db has schema ${found}, ${schema} according to the manifest`);
  const report = String(db.pragma('integrity_check'));
  if (report !== 'ok') throw new ArchiveError(`${name}.db is damaged: ${report.split('\n')[0]}`);
  const foreign = foreignObjectIn(db, name, schema);
  if (foreign !== undefined) throw new ArchiveError(`${name}.db is no database of Incipit: ${foreign}`);
  const broken = findBrokenReference(db);
  if (broken !== undefined) throw new ArchiveError(`${name}.db: ${broken}`);
}

function foreignObjectIn(
  db: Connection<ContentTables>,
  name: DatabaseName,
  schema: number,
): string | undefined {
  const model = new Connection<ContentTables>(':memory:');
  try {
    applyMigrations(
      model,
      loadMigrations(name).filter(({ version }) => version <= schema),
    );
    return findForeignObject(db, model);
  } finally {
    model.close();
  }
}
