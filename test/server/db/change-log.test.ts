import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabases } from '../../../server/db/open.ts';

const dir = mkdtempSync(join(tmpdir(), 'incipit-log-'));
const databases = openDatabases(dir, 100);
const { writer } = databases.content;

/** Rows of these tables are logged only when they are added. */
const markers = [
  ...['bulk_items INSERT', 'change_sets UPDATE', 'failing_pages INSERT'],
  ...['trash INSERT', 'trash DELETE'],
];

afterAll(() => {
  databases.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Tables whose changes no page shows, or that change only together with a logged table. */
const unlogged = [
  'bundle_ids',
  'batches',
  'bulk_items',
  'changes',
  'change_set_comments',
  'change_set_items',
  'change_set_reviews',
  'change_sets',
  'commits',
  'connections',
  'extdb_connections',
  'factors',
  'file_crops',
  'file_hashes',
  'import_hosts',
  'imported_assets',
  'imported_files',
  'imported_pages',
  'invitations',
  'item_counts',
  'item_link_sets',
  'failing_pages',
  'item_links',
  'journal_objects',
  'journals',
  'log_positions',
  'object_references',
  'oidc_accounts',
  'outbox',
  'preview_links',
  'recovery_codes',
  'reference_backlog',
  'revisions',
  'roles',
  'sessions',
  'settings',
  'state_authors',
  'site_domains',
  'sittings',
  'spent_challenges',
  'tokens',
  'trash',
  'trash_contents',
  'trash_rows',
  'users',
  'webhooks',
  'workflow_secrets',
  'workflow_inputs',
  'workflow_values',
];

it('logs creation, change and deletion of every table that pages can show', () => {
  const tables = writer
    .statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([])
    .map(({ name }) => String(name));
  const logged = writer
    .statement("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%INTO changes%'")
    .all([])
    .map(({ tbl_name, sql }) => `${tbl_name} ${/AFTER (\w+)/.exec(String(sql))?.[1]}`);
  const expected = tables
    .filter((name) => !unlogged.includes(name))
    .flatMap((name) => ['INSERT', 'UPDATE', 'DELETE'].map((event) => `${name} ${event}`));
  expect(logged.sort()).toEqual([...expected, ...markers].sort());
});
