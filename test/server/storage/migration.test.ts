import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Migration, type MigrationPlan } from '../../../server/features/storage/migration.ts';
import { Outgoing } from '../../../server/http/outgoing/client.ts';
import { ActiveStorage } from '../../../server/storage/active.ts';
import { CachedStorage } from '../../../server/storage/cached.ts';
import { DiskCache } from '../../../server/storage/disk-cache.ts';
import { LocalStorage } from '../../../server/storage/local.ts';
import { type MediaKey, mediaKey, newContentId } from '../../../server/storage/media-key.ts';
import { S3Client } from '../../../server/storage/s3/client.ts';
import { checkS3Config } from '../../../server/storage/s3/config.ts';
import { S3Objects } from '../../../server/storage/s3/objects.ts';
import { Staging } from '../../../server/storage/staging.ts';
import type { MediaStorage, ObjectStore } from '../../../server/storage/storage.ts';
import { recordingLog } from '../../support/quiet-log.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';

/** Data, Automation and Operations, "Media storage": migration between local files and a real S3 server. */

/** More of them for a longer run: `MIGRATION_FILES=20000 npx vitest run test/server/storage/migration.test.ts`. */
const fileCount = Number(process.env['MIGRATION_FILES'] ?? 200);

let s3: S3Server;
const outgoing = new Outgoing({ rules: { mode: 'open', allow: [] } });
beforeAll(async () => {
  s3 = await startS3();
  s3.pageSize = 120;
});
afterAll(async () => {
  await outgoing.close();
  await s3.stop();
});

let folder: string;
let staging: Staging;
let local: LocalStorage;
let remote: S3Objects;
let cached: CachedStorage;
let active: ActiveStorage;
let migration: Migration;
/** Content of each object that must be there, by key. */
const expected = new Map<MediaKey, string>();
let prefixes = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'incipit-test-'));
  staging = await Staging.open(join(folder, 'staging'));
  local = await LocalStorage.open(join(folder, 'media'));
  const fields = {
    endpoint: s3.endpoint,
    region: '',
    bucket: 'media',
    access_key: 'S3RVER',
    secret_key: 'S3RVER',
  };
  const prefix = `p${++prefixes}`;
  const config = checkS3Config({ ...fields, prefix, path_style: true }, outgoing);
  remote = new S3Objects(new S3Client(config, { outgoing, clock: Date.now, retriesMs: [0] }), config.prefix);
  cached = new CachedStorage(remote, await DiskCache.open(join(folder, 'cache'), 2 ** 20));
  active = new ActiveStorage(local);
  migration = new Migration({ active, staging, clock: Date.now, log: recordingLog() });
});
afterEach(async () => {
  s3.fault = undefined;
  await migration.close();
  expect(readdirSync(join(folder, 'staging'))).toEqual([]);
  rmSync(folder, { recursive: true });
  expected.clear();
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function upload(
  storage: ObjectStore,
  key = mediaKey(newContentId(), 'original.jpg'),
  size = 100 + Math.floor(Math.random() * 4000),
): Promise<MediaKey> {
  const bytes = randomBytes(size);
  const writer = await staging.create();
  await writer.write(bytes);
  await storage.put(key, await writer.finish());
  expected.set(key, hashOf(bytes));
  return key;
}

async function remove(key: MediaKey): Promise<void> {
  await active.remove(key);
  expected.delete(key);
}

async function uploadMany(count: number): Promise<MediaKey[]> {
  const keys: MediaKey[] = [];
  const work = async (): Promise<void> => {
    while (keys.length < count) {
      const key = mediaKey(newContentId(), 'original.jpg');
      keys.push(key);
      await upload(active, key);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return keys;
}

/** All objects with the hashes of their contents. */
async function contentsOf(storage: ObjectStore): Promise<Map<MediaKey, string>> {
  const contents = new Map<MediaKey, string>();
  // A generator: several loops over it take turns.
  const objects = storage.list();
  const work = async (): Promise<void> => {
    for await (const { key } of objects) {
      const hash = createHash('sha256');
      const opened = await storage.open(key);
      if (opened === undefined) throw new Error(`${key} is listed, but not there`);
      for await (const chunk of opened.body) hash.update(chunk);
      contents.set(key, hash.digest('hex'));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return contents;
}

const sorted = (contents: ReadonlyMap<MediaKey, string>) => [...contents].sort();

interface Way {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  readonly next: MediaStorage;
}
const toRemote = (): Way => ({ from: local, to: remote, next: cached });
const toLocal = (): Way => ({ from: remote, to: local, next: local });

function start(way: Way, more: Partial<MigrationPlan> = {}): void {
  migration.start({
    ...way,
    deleteOld: false,
    check: async () => {},
    save: async () => {},
    abort: () => {},
    ...more,
  });
}

function end(): Promise<void> {
  return migration.ended;
}

describe.each([
  ['from local files to S3', toRemote],
  ['from S3 to local files', toLocal],
] as const)('a migration %s', (name, way) => {
  const startsRemote = name.startsWith('from S3');
  beforeEach(() => {
    if (startsRemote) active = new ActiveStorage(cached);
    migration = new Migration({ active, staging, clock: Date.now, log: recordingLog() });
  });

  it(`of ${fileCount} files loses nothing while uploads and deletions go on`, async () => {
    const keys = await uploadMany(fileCount);
    const saved: number[] = [];
    start(way(), { deleteOld: true, save: async () => void saved.push(expected.size) });
    let [uploads, deletions] = [0, 0];
    const untilItEnds = async (work: () => Promise<void>) => {
      for (let round = 0; migration.isRunning && round < fileCount / 4; round++) {
        await work();
        await nextTurn();
      }
    };
    await Promise.all([
      untilItEnds(async () => {
        const key = await upload(active);
        if (++uploads % 3 === 0) await upload(active, key);
        if (uploads % 5 === 0) await remove(key);
      }),
      untilItEnds(async () => {
        const key = keys.splice(Math.floor(Math.random() * keys.length), 1)[0];
        if (key !== undefined) await remove(key);
        deletions++;
      }),
      end(),
    ]);
    expect(migration.status).toMatchObject({
      status: 'done',
      phase: 'cleanup',
      from: startsRemote ? 's3' : 'local',
      to: startsRemote ? 'local' : 's3',
      cleanup_errors: 0,
      skipped_files: 0,
    });
    expect(uploads * deletions).toBeGreaterThan(0);
    expect(saved).toHaveLength(1);
    expect(active.type).toBe(startsRemote ? 'local' : 's3');
    await upload(active);
    expect(sorted(await contentsOf(active))).toEqual(sorted(expected));
    expect(await contentsOf(way().from)).toEqual(new Map());
  });
});

describe('the status', () => {
  it('counts what is copied, verified and deleted', async () => {
    await uploadMany(20);
    let bytes = 0;
    for await (const { size } of local.list()) bytes += size;
    expect(migration.status).toMatchObject({ status: 'idle', phase: '', from: '', to: '', started_at: 0 });
    start(toRemote(), { deleteOld: true });
    expect(migration.status).toMatchObject({
      status: 'running',
      phase: 'check',
      from: 'local',
      to: 's3',
      delete_old: true,
    });
    await end();
    expect(migration.status).toEqual({
      ...{ status: 'done', phase: 'cleanup', from: 'local', to: 's3', delete_old: true },
      ...{ total_files: 20, total_bytes: bytes, done_files: 20, done_bytes: bytes },
      ...{ skipped_files: 0, verified_files: 20, changed_files: 0, deleted_files: 20, cleanup_errors: 0 },
      started_at: expect.any(Number),
    });
  });

  it('counts what was at the target already; what has another size there is copied', async () => {
    const [first, second, third] = await uploadMany(4);
    start(toRemote());
    await end();
    active = new ActiveStorage(local);
    migration = new Migration({ active, staging, clock: Date.now, log: recordingLog() });
    await upload(remote, first, 5000);
    await upload(active, second, 6000);
    await upload(remote, third, 7000);
    await upload(active, third, 8000);
    const contents = await contentsOf(local);
    start(toRemote());
    await end();
    expect(migration.status).toMatchObject({
      status: 'done',
      total_files: 4,
      done_files: 4,
      verified_files: 4,
    });
    expect(migration.status.skipped_files).toBe(1);
    expect(sorted(await contentsOf(remote))).toEqual(sorted(contents));
  });

  it('tells the phases in their order', async () => {
    await uploadMany(3);
    const phases = new Set<string>();
    start(toRemote(), { deleteOld: true, save: async () => void phases.add(migration.status.phase) });
    while (migration.isRunning) {
      phases.add(migration.status.phase);
      await nextTurn();
    }
    phases.add(migration.status.phase);
    expect([...phases]).toEqual(['check', 'scan', 'copy', 'verify', 'switch', 'cleanup']);
  });
});

describe('an error', () => {
  it.each([
    ['in the check', { check: async () => Promise.reject(new Error('no')) }, 'common.internal', 'check'],
    [
      'in saving the setting',
      { save: async () => Promise.reject(new Error('no')) },
      'common.internal',
      'switch',
    ],
  ] as const)('%s leaves the old storage in use', async (_name, more, code, phase) => {
    await uploadMany(3);
    start(toRemote(), { ...more, deleteOld: true });
    await end();
    expect(migration.status).toMatchObject({ status: 'failed', phase, error_code: code, deleted_files: 0 });
    await upload(active);
    expect([active.type, sorted(await contentsOf(local))]).toEqual(['local', sorted(expected)]);
  });

  it.each([
    [
      'denied uploads',
      ({ method }: { method: string }) => method === 'PUT',
      { status: 403, code: 'AccessDenied' },
      'storage.accessDenied',
    ],
    [
      'a reset that stays',
      ({ method }: { method: string }) => method === 'PUT',
      'reset',
      'storage.unreachable',
    ],
    [
      'a missing bucket',
      ({ method }: { method: string }) => method === 'GET',
      { status: 404, code: 'NoSuchBucket' },
      'storage.noBucket',
    ],
  ] as const)('of the target (%s) leaves the old storage in use', async (_name, fits, fault, code) => {
    await uploadMany(12);
    s3.fault = (request) => (fits(request) ? fault : undefined);
    start(toRemote(), { deleteOld: true });
    await end();
    expect(migration.status).toMatchObject({
      status: 'failed',
      phase: 'copy',
      error_code: code,
      error_params: { error: expect.any(String) },
      error: expect.any(String),
    });
    expect([active.type, sorted(await contentsOf(local))]).toEqual(['local', sorted(expected)]);
  });

  it('of the source that passes is overcome: a cut body', async () => {
    active = new ActiveStorage(cached);
    migration = new Migration({ active, staging, clock: Date.now, log: recordingLog() });
    await uploadMany(5);
    let left = 2;
    s3.fault = ({ method, path }) =>
      method === 'GET' && !path.includes('?') && left-- > 0 ? 'truncate' : undefined;
    start(toLocal());
    await end();
    expect(migration.status).toMatchObject({ status: 'done', verified_files: 5 });
    expect(sorted(await contentsOf(local))).toEqual(sorted(expected));
  });

  it('of verification: an object that did not arrive', async () => {
    const keys = await uploadMany(5);
    const lossy: ObjectStore = {
      type: 's3',
      put: async (key, file) => (key === keys[2] ? file.discard() : remote.put(key, file)),
      stat: (key) => remote.stat(key),
      open: (key) => remote.open(key),
      remove: (key) => remote.remove(key),
      list: () => remote.list(),
      removeUnfinished: () => remote.removeUnfinished(),
    };
    start({ ...toRemote(), to: lossy }, { deleteOld: true });
    await end();
    expect(migration.status).toMatchObject({
      status: 'failed',
      phase: 'verify',
      error_code: 'storage.checkFailed',
    });
    expect([active.type, sorted(await contentsOf(local))]).toEqual(['local', sorted(expected)]);
  });

  it('of the cleanup is only counted', async () => {
    active = new ActiveStorage(cached);
    migration = new Migration({ active, staging, clock: Date.now, log: recordingLog() });
    await uploadMany(4);
    s3.fault = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined);
    start(toLocal(), { deleteOld: true });
    await end();
    expect(migration.status).toMatchObject({ status: 'done', deleted_files: 0, cleanup_errors: 4 });
  });

  it('does not keep the next migration from using what was copied', async () => {
    await uploadMany(30);
    let left = 15;
    s3.fault = ({ method }) =>
      method === 'PUT' && left-- <= 0 ? { status: 403, code: 'AccessDenied' } : undefined;
    start(toRemote());
    await end();
    s3.fault = undefined;
    start(toRemote());
    await end();
    expect(migration.status).toMatchObject({ status: 'done', verified_files: 30 });
    expect(migration.status.skipped_files).toBeGreaterThan(0);
    expect(sorted(await contentsOf(active))).toEqual(sorted(expected));
  });
});

describe('a cancellation', () => {
  const notRunning = expect.objectContaining({ code: 'storage.migrationNotRunning' });

  it('before the switch leaves the old storage in use', async () => {
    await uploadMany(30);
    start(toRemote(), { deleteOld: true });
    while (migration.status.phase !== 'copy') await nextTurn();
    migration.cancel();
    expect(migration.status.status).toBe('canceled');
    await upload(active);
    await migration.close();
    expect(migration.status).toMatchObject({ status: 'canceled', deleted_files: 0 });
    expect([active.type, sorted(await contentsOf(local))]).toEqual(['local', sorted(expected)]);
    expect(() => migration.cancel()).toThrow(notRunning);
  });

  it('during the switch is too late', async () => {
    await uploadMany(3);
    let finish = (): void => {};
    const saving = new Promise<void>((resolve) => {
      finish = resolve;
    });
    start(toRemote(), { save: () => saving });
    while (migration.status.phase !== 'switch') await nextTurn();
    expect(() => migration.cancel()).toThrow(expect.objectContaining({ code: 'storage.migrationTooLate' }));
    finish();
    await end();
    expect([migration.status.status, active.type]).toEqual(['done', 's3']);
    expect(() => migration.cancel()).toThrow(notRunning);
  });

  it('is not possible without a job, and there is one job at a time', async () => {
    expect(() => migration.cancel()).toThrow(notRunning);
    await uploadMany(3);
    start(toRemote());
    expect(() => start(toRemote())).toThrow(expect.objectContaining({ code: 'storage.migrationRunning' }));
    migration.cancel();
    start(toRemote());
    await end();
    expect(migration.status).toMatchObject({ status: 'done', verified_files: 3 });
  });

  it('happens when the server stops', async () => {
    await uploadMany(30);
    start(toRemote());
    await migration.close();
    expect([migration.status.status, active.type]).toEqual(['canceled', 'local']);
  });
});

describe('writes', () => {
  it('wait only during the switch, and go to the new storage then', async () => {
    await uploadMany(3);
    let finish = (): void => {};
    const saving = new Promise<void>((resolve) => {
      finish = resolve;
    });
    start(toRemote(), { save: () => saving });
    while (migration.status.phase !== 'switch') await nextTurn();
    const waiting = upload(active);
    const [key] = expected.keys();
    expect(key === undefined ? undefined : await active.stat(key)).toBeDefined();
    finish();
    const late = await waiting;
    await end();
    expect([await local.stat(late), (await remote.stat(late)) !== undefined]).toEqual([undefined, true]);
  });

  it('that were running when the migration started are carried over', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const put = local.put.bind(local);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    local.put = async (key, file) => {
      begin();
      await held;
      await put(key, file);
    };
    const running = upload(active);
    await begun;
    start(toRemote());
    while (migration.status.phase !== 'switch') await nextTurn();
    finish();
    const key = await running;
    await end();
    expect(migration.status).toMatchObject({ status: 'done', changed_files: 1 });
    expect((await remote.stat(key)) !== undefined).toBe(true);
  });
});
