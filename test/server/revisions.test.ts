import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Actor } from '../../server/base/actor.ts';
import { Changes } from '../../server/changes/changes.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import { createObject, updateObject } from '../../server/content/kinds/objects.ts';
import { listRevisions } from '../../server/content/kinds/revisions.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { assetKind } from '../../server/features/assets/service.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

let dataDir: string;
let databases: Databases;
let changes: Changes;
let nowMs: number;

beforeEach(() => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  nowMs = 1_700_000_000_000;
  changes = new Changes({
    writer: databases.content.writer,
    version: new ContentVersion(),
    clock: () => nowMs,
    log: recordingLog(),
  });
});
afterEach(() => {
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const ada: Actor = { kind: 'token', id: 1, name: 'ada', canWrite: true };

function save(id: number, content: string): Promise<unknown> {
  return changes.change(ada, (change) => updateObject(change, assetKind, id, { content }));
}

async function versionTimes(id: number): Promise<number[]> {
  const list = await listRevisions(databases.content.reader, { kind: 'asset', id });
  return list.map((version) => version.created_at - 1_700_000_000);
}

it('the merge window of an author ends two minutes after the version was stored', async () => {
  const body = { name: 'a', kind: 'css', content: '0' } as const;
  const { id } = await changes.change(ada, (change) => createObject(change, assetKind, body));
  for (const [second, expected] of [
    [0, [0]],
    [60, [0]],
    [119, [0]],
    [120, [120, 0]],
    [239, [120, 0]],
    [300, [300, 120, 0]],
  ] as const) {
    nowMs = 1_700_000_000_000 + second * 1000;
    await save(id, `at ${second}`);
    expect(await versionTimes(id)).toEqual(expected);
  }
});

it('no version is lost when the clock is set back', async () => {
  const body = { name: 'a', kind: 'css', content: '0' } as const;
  const { id } = await changes.change(ada, (change) => createObject(change, assetKind, body));
  await save(id, 'first');
  nowMs -= 3_600_000;
  await save(id, 'second');
  expect(await versionTimes(id)).toEqual([-3600, 0]);
});
