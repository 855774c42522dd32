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

it('users whose names differ only in case or white space keep their accounts', () => {
  const connection = new Connection<object>(':memory:');
  const migrations = loadMigrations('content');
  migrate(
    connection,
    'content',
    backupDir,
    migrations.filter(({ version }) => version < 5),
  );
  const insert = connection.statement(
    "INSERT INTO users (username, password_hash, created_at) VALUES (?, 'x', 1)",
  );
  for (const name of ['ada ', 'ada', 'ADA', 'Émile', 'éMILE', 'Grace']) insert.run([name]);
  migrate(connection, 'content', backupDir, migrations);
  const rows = connection.statement('SELECT username, username_key FROM users ORDER BY id').all([]);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['ada', 'ada'],
    ['ada (2)', 'ada (2)'],
    ['ADA (3)', 'ada (3)'],
    ['Émile', 'émile'],
    ['éMILE (5)', 'émile (5)'],
    ['Grace', 'grace'],
  ]);
  connection.close();
});
