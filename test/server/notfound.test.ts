import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Changes } from '../../server/changes/changes.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { NotFoundLog } from '../../server/features/notfound/service.ts';
import { createSite } from '../../server/features/pages/service.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

let dataDir: string;
let databases: Databases;
let log: ReturnType<typeof recordingLog>;
let notFound: NotFoundLog;
let nowMs: number;
let site: number;

beforeEach(async () => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  log = recordingLog();
  nowMs = 1_700_000_000_000;
  const changes = new Changes({
    writer: databases.content.writer,
    version: new ContentVersion(),
    clock: () => nowMs,
    log,
    inspectText: () => ({
      warnings: [],
      rendersBlocks: false,
      slots: [],
      references: [],
      regions: [],
      unsafe: [],
    }),
  });
  site = (await changes.change({ kind: 'none' }, (change) => createSite(change, { title: 'Site' }))).id;
  notFound = new NotFoundLog({
    reader: databases.content.reader,
    activity: { reader: databases.activity.reader, write: (work) => work(databases.activity.writer) },
    clock: () => nowMs,
    log,
  });
});
afterEach(async () => {
  await notFound.close();
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Counts visits to `/0`, `/1` and so on, one second apart. */
function miss(count: number, prefix = '/'): void {
  for (let index = 0; index < count; index++) {
    nowMs += 1000;
    notFound.count(site, `${prefix}${index}`, '');
  }
}

async function paths(ignored: boolean): Promise<string[]> {
  return (await notFound.list(site)).filter((entry) => entry.ignored === ignored).map((entry) => entry.path);
}

it('above 1,000 open entries, those with the oldest last visit are dropped', async () => {
  miss(1000);
  nowMs += 1000;
  notFound.count(site, '/0', '');
  miss(5, '/new-');
  const kept = await paths(false);
  expect(kept).toHaveLength(1000);
  expect(kept).toContain('/0');
  expect(kept).toContain('/new-4');
  for (const dropped of ['/1', '/2', '/3', '/4', '/5']) expect(kept).not.toContain(dropped);
});

it('ignored entries have a separate limit of 5,000', async () => {
  for (let round = 0; round < 6; round++) {
    miss(1000, `/${round}-`);
    await notFound.setIgnored({ root_id: site }, true);
  }
  const ignored = await paths(true);
  expect(ignored).toHaveLength(5000);
  expect(ignored).toContain('/5-999');
  expect(ignored).toContain('/1-0');
  expect(ignored).not.toContain('/0-999');
  miss(1000, '/open-');
  expect(await paths(false)).toHaveLength(1000);
  expect(await paths(true)).toHaveLength(5000);
});

it('opening more than 1,000 ignored entries keeps those with the newest last visit', async () => {
  miss(900, '/a-');
  await notFound.setIgnored({ root_id: site }, true);
  miss(900, '/b-');
  await notFound.setIgnored({ root_id: site }, false);
  const open = await paths(false);
  expect(open).toHaveLength(1000);
  expect(open).toContain('/b-0');
  expect(open).not.toContain('/a-799');
});

it('the first and the last visit have their own times', async () => {
  notFound.count(site, '/x', '');
  await notFound.list(site);
  nowMs += 60_000;
  notFound.count(site, '/x', '');
  expect(await notFound.list(site)).toMatchObject([
    { first_at: 1_700_000_000, last_at: 1_700_000_060, hits: 2 },
  ]);
});

it('a failed write to the database is logged', async () => {
  databases.activity.writer.execute('DROP TABLE notfound');
  notFound.count(site, '/x', '');
  await expect(notFound.list(site)).rejects.toThrow('no such table');
  expect(log.messages).toEqual(['dead addresses could not be recorded']);
});
