import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Change, Changes } from '../../server/changes/changes.ts';
import { CoalescedChanges } from '../../server/changes/coalesced-changes.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { contentQuery } from '../../server/db/prepared.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

const insertSetting = contentQuery((db, p: { key: string }) =>
  db.insertInto('settings').values({ key: p.key, value: '' }),
);
const selectSettings = contentQuery((db, _p: object) =>
  db.selectFrom('settings').select('key').orderBy('key'),
);

let dataDir: string;
let databases: Databases;
let changes: Changes;
let gathered: CoalescedChanges;

beforeEach(() => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  changes = new Changes({
    writer: databases.content.writer,
    version: new ContentVersion(),
    clock: () => 1_700_000_000_000,
    log: recordingLog(),
  });
  gathered = new CoalescedChanges((work) => changes.change({ kind: 'import' }, work));
});
afterEach(async () => {
  await changes.idle();
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const write = (key: string) => (change: Change) => insertSetting.run(change.tx, { key }).then(() => key);
const stored = async () => (await selectSettings.all(databases.content.reader, {})).map(({ key }) => key);

it('small changes share a commit, and each has its own value', async () => {
  const values = Promise.all(['a', 'b', 'c'].map((key) => gathered.add(write(key))));
  expect(await stored()).toEqual([]);
  gathered.flush();
  expect(await values).toEqual(['a', 'b', 'c']);
  expect(await stored()).toEqual(['a', 'b', 'c']);
  expect(changes.figures()).toMatchObject({ commits: 1, changes: 1 });
});

it('one that fails takes no other along', async () => {
  const results = Promise.allSettled([
    gathered.add(write('a')),
    gathered.add(async (change) => {
      await write('half')(change);
      throw new Error('no');
    }),
    gathered.add(write('b')),
  ]);
  gathered.flush();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stored()).toEqual(['a', 'b']);
});

it('they are written after a moment, or when many wait, or at once after the end', async () => {
  await gathered.add(write('a'));
  await Promise.all(Array.from({ length: 64 }, (_, index) => gathered.add(write(`b${index}`))));
  gathered.close();
  await gathered.add(write('c'));
  expect(changes.figures().commits).toBe(3);
});
