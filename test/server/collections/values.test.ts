import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { fieldTypeNames } from '../../../runtime/fields/definition.ts';
import { openDatabases } from '../../../server/db/open.ts';
import { convertData, refuseFaults } from '../../../server/features/collections/rows/values.ts';

const field = (name: string, type: (typeof fieldTypeNames)[number]) => ({
  name,
  label: name,
  type,
  required: false,
  options: [],
  collection: null,
});

it('refuses files that do not exist', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-values-'));
  const databases = openDatabases(dataDir, 100);
  const fields = [field('picture', 'image'), field('paper', 'file')];
  const hasFile = async (_db: unknown, id: number) => id === 3;
  const convert = (data: Record<string, unknown>) =>
    convertData(databases.content.reader, { fields }, data, undefined, { hasFile });
  expect((await convert({ picture: 3, paper: '3' })).faults).toEqual([]);
  const { faults } = await convert({ picture: 4, paper: 5 });
  expect(() => refuseFaults(faults)).toThrow(
    expect.objectContaining({
      code: 'item.fileMissing',
      status: 400,
      params: expect.objectContaining({ field: 'picture', id: 4 }),
    }),
  );
  databases.close();
  rmSync(dataDir, { recursive: true });
});
