/** Imports of entries that are several parts of a version. */
import { expect } from 'vitest';
import { callOk } from './api.ts';
import { createCollection } from './content.ts';
import type { NodeGroup, ProxiedNode } from './proxied-nodes.ts';
import { masterToken, type TestServer } from './server.ts';

/** Rows of an import. */
export const rowCount = 4_000;

/** All rows of an import are in PostgreSQL or none, and all on the other node if it was answered. */
export async function expectWhole(group: NodeGroup, slug: string, status: number): Promise<void> {
  const counts = status === 200 ? [rowCount] : [0, rowCount];
  expect(counts).toContain(await countRows(group.two, slug));
  expect(counts).toContain(await countInPostgres(group, slug));
  expect([200, 503]).toContain(status);
  const { newest, logged } = await group.contentVersions();
  expect(logged).toBe(newest);
}

export async function makeCollection(node: ProxiedNode): Promise<string> {
  const id = await createCollection(node, { fields: [{ name: 'title', type: 'text' }] });
  return String((await callOk(node, 'GET', `/collections/${id}`))['slug']);
}

export async function countEverywhere(group: NodeGroup, slug: string): Promise<number[]> {
  return [
    await countRows(group.one, slug),
    await countRows(group.two, slug),
    await countInPostgres(group, slug),
  ];
}

async function countRows(node: ProxiedNode, slug: string): Promise<number> {
  await node.serves();
  return Number((await callOk(node, 'GET', `/collections/${slug}`))['item_count']);
}

export async function countInPostgres(group: NodeGroup, slug: string): Promise<number> {
  const [row] = await group.query(
    `SELECT count(*) AS count FROM incipit_content.items
     WHERE collection_id = (SELECT id FROM incipit_content.collections WHERE slug = '${slug}')`,
  );
  return Number(row?.['count']);
}

export interface ImportOptions {
  /** Default: `rowCount`. Each has 1 KB. */
  readonly rows?: number;
  readonly isReplacing?: boolean;
  readonly timeoutMs?: number;
}

/** Imports rows, which say how many there are. @returns the status */
export async function importRows(
  node: Pick<TestServer, 'url'>,
  slug: string,
  { rows = rowCount, isReplacing = false, timeoutMs = 60_000 }: ImportOptions = {},
): Promise<number> {
  const lines = Array.from({ length: rows }, (_, n) => `Row ${n} of ${rows} ${'x'.repeat(1_000)}`);
  const form = new FormData();
  form.set('file', new Blob([['title', ...lines].join('\n')]), 'rows.csv');
  const query = isReplacing ? '?replace=1' : '';
  const response = await fetch(`${node.url}/api/v1/collections/${slug}/import${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}` },
    body: form,
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  return response.status;
}
