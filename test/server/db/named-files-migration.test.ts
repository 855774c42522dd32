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

/** The last version in which a file that these objects name did not count as used. */
const lastWithout = 20;

it('what is stored already is looked through for the files that it names', () => {
  const connection = new Connection<object>(':memory:');
  const migrations = loadMigrations('content');
  const earlier = migrations.filter(({ version }) => version <= lastWithout);
  migrate(connection, 'content', backupDir, earlier);
  const picture = '"/media/a.png"';
  const rows: Readonly<Record<string, object>> = {
    pages: { slug: '', path: '/', title: 'x', sort: 1, root_id: 1 },
    snippets: { name: 'x', content: '' },
    global_blocks: { name: 'x', blocks: '[]' },
    collections: { slug: 'x', name: 'x' },
    items: { collection_id: 1, sort: 1, data: `{"text":${picture}}` },
    redirects: { root_id: 1, source: '/x', target: '/media/a.png', target_path: '', status: 301, auto: 0 },
    workflows: { name: 'x', enabled: 1, flow: `{"nodes":[${picture}]}` },
    flow_nodes: { key: 'x', name: 'x', inputs: 1, outputs: '[]', params: '[]', code: `return ${picture}` },
  };
  const add = (table: string, row: object) => {
    const all = { ...row, created_at: 1, ...(table === 'redirects' ? {} : { updated_at: 1 }) };
    const names = Object.keys(all);
    const marks = names.map(() => '?');
    connection
      .statement(`INSERT INTO ${table} (${names.join()}) VALUES (${marks.join()})`)
      .run(Object.values(all));
  };
  for (const [table, row] of Object.entries(rows)) add(table, row);
  // These name no file.
  add('items', { collection_id: 1, sort: 2, data: '{}' });
  add('redirects', { root_id: 1, source: '/y', target: '/z', target_path: '/z', status: 301, auto: 0 });
  connection.statement('DELETE FROM reference_backlog').run([]);
  migrate(connection, 'content', backupDir, migrations);
  const backlog = connection.statement('SELECT kind, object_id FROM reference_backlog ORDER BY kind').all([]);
  expect(backlog.map((row) => Object.values(row))).toEqual([
    ['flow_node', 1],
    ['global_block', 1],
    ['item', 1],
    ['page', 1],
    ['redirect', 1],
    ['snippet', 1],
    ['workflow', 1],
  ]);
  connection.close();
});
