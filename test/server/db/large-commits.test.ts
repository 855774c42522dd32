import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Change, Changes } from '../../../server/changes/changes.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { LargeCommits } from '../../../server/db/large-commits.ts';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import { contentQuery } from '../../../server/db/prepared.ts';
import { recordingLog } from '../../support/quiet-log.ts';
import { makeTempDir } from '../../support/server.ts';

const anyone = { kind: 'none' } as const;
const insertSetting = contentQuery((db, p: { key: string; value: string }) =>
  db.insertInto('settings').values({ key: p.key, value: p.value }),
);
const deleteSetting = contentQuery((db, p: { key: string }) =>
  db.deleteFrom('settings').where('key', '=', p.key),
);

/** So many rows of a kilobyte do not fit into the memory that a connection has for pages. */
const rows = 6000;
const value = 'x'.repeat(1000);

let dataDir: string;
let databases: Databases;
let changes: Changes;
/** SQLite's log as the last large commit has found it. */
let logBeforeCommit: Buffer;
let checkpoints: number;

beforeEach(() => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  checkpoints = 0;
  const { writer, file } = databases.content;
  const log = recordingLog();
  const checkpoint = async () => {
    checkpoints += 1;
  };
  const largeCommits = new LargeCommits({ writer, file, checkpoint, log });
  changes = new Changes({
    writer,
    version: new ContentVersion(),
    clock: () => 1_700_000_000_000,
    log,
    largeCommits: {
      begin: () => largeCommits.begin(),
      async beforeCommit(changed) {
        await largeCommits.beforeCommit(changed);
        logBeforeCommit = readLog();
      },
      end: () => largeCommits.end(),
    },
  });
});
afterEach(() => {
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const readLog = () => readFileSync(`${databases.content.file}-wal`);
/** Keys in an order that is not that of their index, so that the change comes back to every page many times. */
const key = (n: number) => createHash('sha256').update(String(n)).digest('hex');
const pageBytes = 4096 + 24;

async function replaceAll({ tx }: Change, round: number): Promise<void> {
  for (let n = 0; n < rows; n++) await insertSetting.run(tx, { key: key(rows * round + n), value });
  for (let n = 0; round > 0 && n < rows; n++)
    await deleteSetting.run(tx, { key: key(rows * (round - 1) + n) });
}

describe('the commit of a change of very many rows', () => {
  it.each([
    ['in a transaction to itself', 'changeInOwnTransaction'],
    ['in one that others may share', 'change'],
  ] as const)('writes hardly any page and changes none that is written, %s', async (_title, method) => {
    for (const round of [0, 1]) {
      await changes[method](anyone, (change) => replaceAll(change, round));
      const log = readLog();
      expect(logBeforeCommit.length).toBeGreaterThan(rows * 1000);
      expect(log.subarray(0, logBeforeCommit.length).equals(logBeforeCommit)).toBe(true);
      expect(log.length - logBeforeCommit.length).toBeLessThanOrEqual(10 * pageBytes);
    }
    expect(checkpoints).toBe(2);
  });

  it('leaves the memory of the connection as it was, also when the change fails', async () => {
    const { writer } = databases.content;
    const before = writer.pragma('cache_size');
    await changes.changeInOwnTransaction(anyone, (change) => replaceAll(change, 0));
    expect(writer.pragma('cache_size')).toBe(before);
    const failure = new Error('no');
    const failed = changes.changeInOwnTransaction(anyone, async (change) => {
      await replaceAll(change, 1);
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    await changes.idle();
    expect(writer.pragma('cache_size')).toBe(before);
  });
});
