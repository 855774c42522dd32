import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import { contentQuery } from '../../../server/db/prepared.ts';
import { Snapshots } from '../../../server/db/snapshots.ts';
import type { ContentDb, ContentTables } from '../../../server/db/tables.ts';

const dir = mkdtempSync(join(tmpdir(), 'incipit-snapshots-'));
const databases: Databases = openDatabases(dir, 100);
const { file, writer } = databases.content;
const snapshots = new Snapshots<ContentTables>(file);

afterAll(async () => {
  await snapshots.close();
  databases.close();
  rmSync(dir, { recursive: true, force: true });
});

const selectKeys = contentQuery((db, _p: object) => db.selectFrom('settings').select('key').orderBy('key'));
const insertKey = contentQuery((db, p: { key: string }) =>
  db.insertInto('settings').values({ key: p.key, value: '' }),
);

async function slicesOf(db: ContentDb, size: number, between: () => Promise<unknown>): Promise<string[][]> {
  const slices: string[][] = [];
  for await (const slice of selectKeys.slices(db, {}, size)) {
    slices.push(slice.map(({ key }) => key));
    await between();
  }
  return slices;
}

describe('a long read', () => {
  it('sees one state, also if others commit meanwhile, and the next one sees their commits', async () => {
    for (const key of ['a', 'b', 'c']) await insertKey.run(writer, { key });
    let added = 0;
    const first = await snapshots.read((db) =>
      slicesOf(db, 2, () => insertKey.run(writer, { key: `z${added++}` })),
    );
    expect(first).toEqual([['a', 'b'], ['c']]);
    expect(await snapshots.read((db) => slicesOf(db, 10, async () => {}))).toEqual([
      ['a', 'b', 'c', 'z0', 'z1'],
    ]);
  });

  it('gives the event loop its turn between slices', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('turn'));
    await snapshots.read(async (db) => {
      for await (const slice of selectKeys.slices(db, {}, 2)) order.push(`${slice.length} rows`);
    });
    expect(order.indexOf('turn')).toBe(1);
  });

  it('waits for the one before it, and a failed one does not stop the next', async () => {
    const order: string[] = [];
    const failed = snapshots.read(async () => {
      order.push('first');
      await Promise.resolve();
      order.push('still first');
      throw new Error('failed');
    });
    const next = snapshots.read(async () => order.push('second'));
    await expect(failed).rejects.toThrow('failed');
    await next;
    expect(order).toEqual(['first', 'still first', 'second']);
  });
});
