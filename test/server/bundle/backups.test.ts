import { readFileSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { Backups } from '../../../server/features/bundle/backups.ts';
import { makeTempDir } from '../../support/server.ts';

const dataDir = makeTempDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('of one second, the newest are kept, and no name comes back', async () => {
  const backups = new Backups(dataDir, () => Date.UTC(2026, 10, 22, 20, 43, 12));
  const made: string[] = [];
  for (let number = 1; number <= 13; number++)
    made.push((await backups.keep(Readable.from([`archive ${number}`]))).name);
  expect(made[0]).toBe('20261122-204312.zip');
  expect(new Set(made).size).toBe(13);
  expect((await backups.list()).map(({ name }) => name)).toEqual(made.slice(-10).reverse());
  expect(readFileSync(await backups.find(made.at(-1) ?? ''), 'utf8')).toBe('archive 13');
});
