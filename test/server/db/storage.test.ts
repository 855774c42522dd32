import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../../server/base/startup-error.ts';
import { Connection } from '../../../server/db/connection.ts';
import { lockDataDir } from '../../../server/db/lock.ts';
import { loadMigrations, migrate } from '../../../server/db/migrate.ts';
import { openDatabases } from '../../../server/db/open.ts';
import { contentQuery } from '../../../server/db/prepared.ts';
import type { ContentTables } from '../../../server/db/tables.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'incipit-storage-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('openDatabases', () => {
  it('syncs content.db at every commit and activity.db at checkpoints', () => {
    const databases = openDatabases(dataDir, 20);
    const pragmas = (db: { pragma(name: string): unknown }) =>
      ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map((name) => db.pragma(name));
    expect(pragmas(databases.content.writer)).toEqual(['wal', 2, 1, 20]);
    expect(pragmas(databases.activity.writer)).toEqual(['wal', 1, 1, 20]);
    expect(() => databases.content.reader.execute('DELETE FROM pages')).toThrow(/readonly/);
    databases.close();
  });

  it('makes a new data directory for its own user only', () => {
    const made = join(dataDir, 'data');
    openDatabases(made, 20).close();
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });
});

describe('migrate', () => {
  const first = { version: 1, name: '0001.sql', sql: 'CREATE TABLE a (x); INSERT INTO a VALUES (1);' };
  const second = { version: 2, name: '0002.sql', sql: 'ALTER TABLE a ADD COLUMN y; UPDATE a SET y = 2;' };
  const broken = { version: 2, name: '0002.sql', sql: 'UPDATE a SET x = 9; SELECT * FROM nothing;' };

  const open = () => new Connection<object>(join(dataDir, 'content.db'));

  it('applies each migration once', () => {
    const db = open();
    migrate(db, 'content', dataDir, [first]);
    migrate(db, 'content', dataDir, [first, second]);
    migrate(db, 'content', dataDir, [first, second]);
    expect(db.statement('SELECT * FROM a').all([])).toEqual([{ x: 1, y: 2 }]);
    expect(db.pragma('user_version')).toBe(2);
    db.close();
  });

  it('copies an existing database before a migration, and no new one', () => {
    const db = open();
    migrate(db, 'content', dataDir, [first]);
    expect(readdirSync(dataDir)).not.toContain('backups');
    migrate(db, 'content', dataDir, [first, second]);
    const [copy = ''] = readdirSync(join(dataDir, 'backups'));
    expect(copy).toMatch(/^content-schema-1-\w+\.db$/);
    const backup = new Connection<object>(join(dataDir, 'backups', copy));
    expect(backup.statement('SELECT * FROM a').all([])).toEqual([{ x: 1 }]);
    backup.close();
    db.close();
  });

  it('keeps the state before a failing migration', () => {
    const db = open();
    migrate(db, 'content', dataDir, [first]);
    expect(() => migrate(db, 'content', dataDir, [first, broken])).toThrow(/nothing/);
    expect(db.statement('SELECT * FROM a').all([])).toEqual([{ x: 1 }]);
    expect({ version: db.pragma('user_version'), open: db.inTransaction }).toEqual({
      version: 1,
      open: false,
    });
    db.close();
  });

  it('leaves a new database empty if one of its migrations fails', () => {
    const db = open();
    expect(() => migrate(db, 'content', dataDir, [first, broken])).toThrow(/nothing/);
    expect(db.statement('SELECT name FROM sqlite_master').all([])).toEqual([]);
    expect({ version: db.pragma('user_version'), open: db.inTransaction }).toEqual({
      version: 0,
      open: false,
    });
    db.close();
  });

  it('refuses a database from a newer version', () => {
    const db = open();
    migrate(db, 'content', dataDir, [first, second]);
    expect(() => migrate(db, 'content', dataDir, [first])).toThrow(StartupError);
    db.close();
  });

  it.each(['content', 'activity'] as const)('finds files for %s numbered from 1 without a gap', (name) => {
    const versions = loadMigrations(name).map(({ version }) => version);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });
});

describe('lockDataDir', () => {
  it('can be held only once at a time', () => {
    const lock = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(/another server is running/);
    lock.release();
    lockDataDir(dataDir).release();
  });
});

describe('contentQuery', () => {
  const insert = contentQuery((db, p: { key: string; value: string }) =>
    db.insertInto('settings').values({ value: p.value, key: p.key }),
  );
  const find = contentQuery((db, p: { key: string; limit: number }) =>
    db.selectFrom('settings').select(['value', 'key']).where('key', '=', p.key).limit(p.limit),
  );
  const remove = contentQuery((db, p: { key: string }) => db.deleteFrom('settings').where('key', '=', p.key));

  let db: Connection<ContentTables>;
  beforeEach(() => {
    db = new Connection<ContentTables>(':memory:');
    migrate(db, 'content', dataDir);
  });
  afterEach(() => db.close());

  it('binds parameters by name, in any order in the SQL', async () => {
    expect(await insert.run(db, { key: 'k', value: 'v' })).toBe(1);
    expect(await find.all(db, { key: 'k', limit: 5 })).toEqual([{ value: 'v', key: 'k' }]);
    expect(await find.first(db, { key: 'k', limit: 5 })).toEqual({ value: 'v', key: 'k' });
    expect(await find.all(db, { key: 'k', limit: 0 })).toEqual([]);
    expect(await find.first(db, { key: 'other', limit: 1 })).toBeUndefined();
    expect(await remove.run(db, { key: 'other' })).toBe(0);
  });

  it('binds values and never writes them into the SQL', async () => {
    const value = `'; DROP TABLE settings; --`;
    await insert.run(db, { key: value, value });
    expect(await find.first(db, { key: value, limit: 1 })).toEqual({ key: value, value });
  });

  it('reports the error of a statement to its caller', async () => {
    await insert.run(db, { key: 'k', value: 'v' });
    await expect(insert.run(db, { key: 'k', value: 'v' })).rejects.toThrow(/UNIQUE/);
  });

  it('has the same results as Kysely on the same connection', async () => {
    await insert.run(db, { key: 'k', value: 'v' });
    const query = db.kysely.selectFrom('settings').select(['value', 'key']);
    expect(await query.execute()).toEqual([{ value: 'v', key: 'k' }]);
    const deleted = await db.kysely.deleteFrom('settings').where('key', '=', 'k').executeTakeFirst();
    expect(deleted.numDeletedRows).toBe(1n);
  });

  it('keeps a bounded number of prepared statements', async () => {
    for (let index = 0; index < 1200; index++) {
      expect(db.statement(`SELECT ${index} AS n`).first([])).toEqual({ n: index });
    }
  });
});
