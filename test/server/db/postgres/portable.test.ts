import { PGlite } from '@electric-sql/pglite';
import { PostgresQueryCompiler } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMigrations } from '../../../../server/db/migrate.ts';
import { declaredQueries } from '../../../../server/db/prepared.ts';
import { sourceFiles } from '../../../structure/imports.ts';
import { migrationFunctions, toPostgres } from './dialect.ts';
import { exceptions } from './exceptions.ts';

/** Every query of every store, on a PostgreSQL that runs in this process. */

const databases = ['content', 'activity'] as const;
let postgres: PGlite;

beforeAll(async () => {
  const stores = sourceFiles('server').filter(
    ({ path, text }) => !path.startsWith('server/db/') && declaration.test(text),
  );
  await Promise.all([
    startPostgres(),
    ...stores.map(({ path }) => import(new URL(`../../../../${path}`, import.meta.url).href)),
  ]);
});
afterAll(() => postgres.close());

const declaration = /\b(?:contentQuery|activityQuery|objectTable)\b/;

async function startPostgres(): Promise<void> {
  postgres = await PGlite.create();
  await postgres.exec(migrationFunctions);
  for (const database of databases) {
    await postgres.exec(`CREATE SCHEMA ${database}; SET search_path TO ${database}, public`);
    for (const { sql } of loadMigrations(database)) await postgres.exec(toPostgres(sql));
  }
}

/** What PostgreSQL has against a query; undefined if it can run it. */
async function refusalOf(database: string, sql: string): Promise<string | undefined> {
  await postgres.exec(`SET search_path TO ${database}, public`);
  try {
    await postgres.exec(`PREPARE declared AS ${sql}; DEALLOCATE declared`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the queries of the stores', () => {
  it('can be prepared on PostgreSQL, except those that are named', async () => {
    const refused: { readonly sql: string; readonly reason: string }[] = [];
    for (const { database, sqlBy } of declaredQueries) {
      const sql = sqlBy(new PostgresQueryCompiler());
      const reason = await refusalOf(database, sql);
      if (reason !== undefined) refused.push({ sql, reason });
    }
    const isNamed = ({ sql }: { readonly sql: string }) =>
      exceptions.some((exception) => sql.includes(exception.sql));
    expect(refused.filter((query) => !isNamed(query))).toEqual([]);
    const superfluous = exceptions.filter(({ sql }) => !refused.some((query) => query.sql.includes(sql)));
    expect(superfluous).toEqual([]);
  });

  it('are all found', () => {
    const sql = declaredQueries.map(({ sqlBy }) => sqlBy(new PostgresQueryCompiler()));
    expect(sql.length).toBeGreaterThan(100);
    for (const table of ['pages', 'revisions', 'object_references', 'notfound', 'users', 'changes'])
      expect(sql.some((text) => text.includes(`"${table}"`))).toBe(true);
  });

  it.each([
    ['a function of SQLite', 'content', "SELECT id FROM pages WHERE updated_at < unixepoch('now')"],
    ['JSON as SQLite reads it', 'content', "SELECT json_extract(schema, '$.a') FROM snippets"],
    ['replacing rows', 'content', "INSERT OR REPLACE INTO settings (key, value) VALUES ('a', 'b')"],
    ['a table of the other database', 'activity', 'SELECT id FROM pages'],
  ])('are refused with %s', async (_name, database, sql) => {
    expect(await refusalOf(database, sql)).toBeTypeOf('string');
  });

  it('are declared: no store prepares its own', () => {
    const own = sourceFiles('server').filter(
      ({ path, text }) => !path.startsWith('server/db/') && /\.(?:statement|prepare|kysely)\b/.test(text),
    );
    expect(own.map(({ path }) => path)).toEqual([]);
  });
});

describe('the triggers', () => {
  it('write the same change log', async () => {
    await postgres.exec(`
      SET search_path TO content, public;
      INSERT INTO pages (id, root_id, slug, path, sort, title, created_at, updated_at)
        VALUES (1, 1, '', '/', 0, 'Home', 1, 1);
      UPDATE pages SET title = 'New' WHERE id = 1;
      DELETE FROM pages WHERE id = 1;
    `);
    const { rows } = await postgres.query(
      'SELECT seq, kind, id, action, parts, name, was_name FROM changes ORDER BY seq',
    );
    expect(rows).toEqual([
      { seq: 1, kind: 'page', id: 1, action: 'created', parts: 47, name: '/', was_name: null },
      { seq: 2, kind: 'page', id: 1, action: 'updated', parts: 3, name: '/', was_name: '/' },
      { seq: 3, kind: 'page', id: 1, action: 'deleted', parts: 47, name: null, was_name: '/' },
    ]);
  });
});
