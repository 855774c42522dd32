import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../../server/db/connection.ts';
import { loadMigrations, migrate } from '../../../server/db/migrate.ts';
import { makeTempDir } from '../../support/server.ts';

let backupDir: string;
beforeAll(() => {
  backupDir = makeTempDir();
});
afterAll(() => rmSync(backupDir, { recursive: true, force: true }));

/** The last version without an outbox. */
const lastWithout = 21;

it('readers of the log begin with its newest commit, so nothing old is told', () => {
  const connection = new Connection<object>(':memory:');
  const migrations = loadMigrations('content');
  migrate(
    connection,
    'content',
    backupDir,
    migrations.filter(({ version }) => version <= lastWithout),
  );
  for (const version of [7, 9])
    connection.statement('INSERT INTO commits VALUES (?, 1, ?, ?)').run([version, 'somebody', '[]']);
  migrate(connection, 'content', backupDir, migrations);
  const rows = (sql: string) => connection.statement(sql).all([]).map(Object.values);
  expect(rows('SELECT * FROM log_positions ORDER BY reader')).toEqual([
    ['schema', 9, ''],
    ['webhooks', 9, ''],
  ]);
  expect(rows('SELECT * FROM outbox')).toEqual([]);
  expect(rows('SELECT version, hop FROM commits ORDER BY version')).toEqual([
    [0, 0],
    [7, 0],
    [9, 0],
  ]);
  connection.close();
});
