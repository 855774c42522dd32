import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { shareMedia, startNode } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { saveTitle, shownTitle, titleTemplate } from '../support/proxied-nodes.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { makeTempDir, type TestServer } from '../support/server.ts';

/**
 * Nodes are upgraded one after the other. A copy of the program has one more migration, which only adds: a column, a
 * table, and a trigger that writes the column. Nodes of both programs run side by side.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const migration = `-- additive
ALTER TABLE pages ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE moods (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO moods VALUES (1, 'calm'), (2, 'glad');
CREATE TRIGGER pages_mood AFTER UPDATE OF title ON pages WHEN NEW.title = 'glad'
BEGIN UPDATE pages SET mood = 'glad' WHERE id = NEW.id; END;
`;

/** Copies the program, with the migration. @returns its main file */
function copyProgram(folder: string): string {
  for (const part of ['server', 'runtime', 'compiler', 'grammar'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (file) => !/\/generated\/(?:compiled|[\w-]+\.mjs$|bundle)/.test(file),
    });
  for (const part of ['node_modules', 'admin', 'package.json'])
    symlinkSync(join(root, part), join(folder, part));
  mkdirSync(join(folder, 'server/generated'), { recursive: true });
  writeFileSync(join(folder, 'server/db/migrations/content/9000-moods.sql'), migration);
  return join(folder, 'server/start.js');
}

describe.skipIf(postgresFolder === undefined)('nodes of two versions', () => {
  const program = makeTempDir();
  let mainFile: string;
  let postgres: TestPostgres;
  let s3: S3Server;
  let database: string;
  let older: TestServer;
  let newer: TestServer;
  let pages: number[];

  beforeAll(async () => {
    mainFile = copyProgram(program);
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    database = await postgres.createDatabase();
    older = await startNode(database, { dataDir: makeTempDir() });
    await shareMedia(older, s3);
    const home = await createSite(older);
    pages = [];
    for (const slug of ['a', 'b']) {
      const html = titleTemplate;
      pages.push(await createPage(older, home, { slug, title: slug, published: true, html }));
    }
    newer = await startNode(database, { mainFile });
  });
  afterAll(async () => {
    await Promise.all([older?.stop(), newer?.stop()]);
    await Promise.all([postgres?.remove(), s3?.stop()]);
    for (const folder of [program, older?.dataDir]) rmSync(folder, { recursive: true, force: true });
  });

  async function save(node: TestServer, index: number, title: string): Promise<void> {
    expect(await saveTitle(node, pages[index] ?? 0, title)).toBe('200');
    for (const each of [older, newer]) expect(await shownTitle(each, `/${['a', 'b'][index]}`)).toBe(title);
  }

  async function moods(): Promise<unknown[]> {
    const rows = await postgres.query(
      database,
      `SELECT slug, mood FROM incipit_content.pages WHERE slug IN ('a', 'b', 'c') ORDER BY slug`,
    );
    return rows.map(({ slug, mood }) => `${slug} ${mood}`);
  }

  it('run side by side, with the rows of the new tables', async () => {
    expect(await postgres.query(database, 'SELECT count(*)::int AS rows FROM incipit_content.moods')).toEqual(
      [{ rows: 2 }],
    );
    await save(newer, 0, 'glad');
    await save(older, 1, 'from the older one');
    expect(await moods()).toEqual(['a glad', 'b calm']);
  });

  it('let values pass that the older one does not know', async () => {
    await save(older, 0, 'still');
    expect(await moods()).toEqual(['a glad', 'b calm']);
    const replica = new Database(join(newer.dataDir, 'replica/content.db'), { readonly: true });
    try {
      const row = replica.prepare('SELECT title, mood FROM pages WHERE id = ?').get(pages[0]);
      expect(row).toEqual({ title: 'still', mood: 'glad' });
    } finally {
      replica.close();
    }
  });

  it('give rows of the older one the default', async () => {
    const { body } = await call(older, 'GET', `/pages/${pages[0]}`);
    const parent = (body as { parent_id: number }).parent_id;
    await createPage(older, parent, { slug: 'c', title: 'c', published: true, html: titleTemplate });
    expect(await shownTitle(newer, '/c')).toBe('c');
    expect(await moods()).toEqual(['a glad', 'b calm', 'c calm']);
  });

  it('can be started while newer ones run, with their replica and without', async () => {
    const { dataDir } = older;
    await older.end('SIGTERM');
    expect(await saveTitle(newer, pages[1] ?? 0, 'glad')).toBe('200');
    older = await startNode(database, { dataDir });
    await save(older, 1, 'again');
    const fresh = await startNode(database);
    try {
      expect(await shownTitle(fresh, '/b')).toBe('again');
      expect(await saveTitle(fresh, pages[0] ?? 0, 'fresh')).toBe('200');
    } finally {
      await fresh.stop();
    }
    expect(await moods()).toEqual(['a glad', 'b glad', 'c calm']);
  });
});
