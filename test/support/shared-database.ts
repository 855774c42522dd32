import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Cluster } from '../../server/cluster/index.ts';
import { Connection } from '../../server/db/connection.ts';
import type { ContentDb, ContentTables } from '../../server/db/tables.ts';
import { recordingLog } from './quiet-log.ts';

/** `IC_ENCRYPTION_KEY` of nodes in tests. */
export const nodeKey = 'key-of-all-nodes-in-tests-0123456789';

/** Whether servers are alone, so that they have files which nodes do not have, such as `secret.key`. */
export const isAlone = process.env['IC_TEST_POSTGRES'] === undefined;

/**
 * With `IC_TEST_POSTGRES`, the address of a PostgreSQL in which databases may be made, every test server is a node of a
 * database of its own: so `IC_TEST_POSTGRES=postgres://... npx vitest run test/conformance` runs all tests of the API
 * on PostgreSQL. A data directory that a test has filled before the start keeps its SQLite files.
 */
export async function sharedDatabaseEnv(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const server = process.env['IC_TEST_POSTGRES'];
  if (server === undefined || existsSync(join(dataDir, 'content.db'))) return {};
  const url = databaseOf(server, dataDir);
  const name = url.pathname.slice(1);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  // A node tells when it serves, which no test is about.
  return { IC_DATABASE: url.href, IC_ENCRYPTION_KEY: nodeKey, IC_LEASE: '20', IC_LOG: 'warn' };
}

function databaseOf(server: string, dataDir: string): URL {
  const url = new URL(server);
  url.pathname = `/test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`;
  return url;
}

/** Path of the content of a running server. */
export function contentFile(dataDir: string): string {
  return fileOf(dataDir, 'content.db');
}

/** Path of what visits leave behind, except statistics. */
export function activityFile(dataDir: string): string {
  return fileOf(dataDir, 'activity.db');
}

function fileOf(dataDir: string, name: string): string {
  const replica = join(dataDir, 'replica', name);
  return existsSync(replica) ? replica : join(dataDir, name);
}

/** Writes to the content of a running server past its API. */
export async function writeContent(
  dataDir: string,
  work: (db: ContentDb) => Promise<unknown>,
): Promise<void> {
  const file = contentFile(dataDir);
  if (file === join(dataDir, 'content.db')) {
    const db = new Connection<ContentTables>(file);
    await work(db);
    db.close();
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'incipit-test-'));
  const url = databaseOf(process.env['IC_TEST_POSTGRES'] ?? '', dataDir).href;
  const options = { program: 'test', log: recordingLog(), busyTimeoutMs: 5000 };
  const database = { url, encryptionKey: nodeKey };
  const node = await Cluster.open({ dataDir: folder, leaseSeconds: 10 }, database, options);
  await node.begin();
  node.content.writer.execute('BEGIN IMMEDIATE');
  await work(node.content.writer);
  const [applied] = await node.commit();
  await applied;
  node.end();
  await node.close();
  rmSync(folder, { recursive: true, force: true });
}
