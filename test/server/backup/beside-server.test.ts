import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { lockForBackup } from '../../../server/db/lock.ts';
import { writeBackup } from '../../../server/features/backup/backup.ts';
import { restoreBackup } from '../../../server/features/backup/restore.ts';
import { asRecord, call, callList, callOk } from '../../support/api.ts';
import { BackupParts, filesBelow } from '../../support/backups.ts';
import { startInProcess } from '../../support/in-process.ts';
import { upload, uploadOne } from '../../support/media.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';
import { makeTempDir, startServer, type TestServer } from '../../support/server.ts';

/** What a server does about backups and restores, and media that are not in the data directory. */

let root: string;
beforeAll(() => {
  root = makeTempDir();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a server', () => {
  it('deletes media as soon as the backup has ended that needs them', async () => {
    let dataDir = '';
    const tasks: (() => void)[] = [];
    const later = (_ms: number, task: () => void) => {
      tasks.push(task);
      return () => {};
    };
    const runTasks = () => {
      for (const task of tasks.splice(0)) task();
    };
    const prepare = (folder: string) => {
      dataDir = folder;
    };
    const server = await startInProcess({ later, prepare });
    const { id } = await uploadOne(server, 'a.txt', 'first');
    const originals = () => Object.keys(filesBelow(join(dataDir, 'media')));
    const lock = lockForBackup(dataDir);
    await upload(server, [{ name: 'a.txt', bytes: 'second' }], {}, { method: 'PUT', path: `/files/${id}` });
    expect(originals()).toHaveLength(2);
    runTasks();
    expect(originals()).toHaveLength(2);
    lock.release();
    await expect
      .poll(() => {
        runTasks();
        return originals().length;
      })
      .toBe(1);
    await server.stop();
  });

  it('finishes a restore that was interrupted when its state was complete, and deletes another', async () => {
    const server = await startServer({ dataDir: join(root, 'one') });
    await callOk(server, 'POST', '/snippets', { name: 'restored', content: 'x' });
    await server.stop();
    for (const [isComplete, names] of [
      [true, ['restored']],
      [false, []],
    ] as const) {
      const started = await startInProcess({
        prepare(dataDir) {
          mkdirSync(join(dataDir, 'restore'));
          cpSync(join(root, 'one', 'content.db'), join(dataDir, 'restore', 'content.db'));
          if (isComplete) writeFileSync(join(dataDir, 'restore', 'complete'), '');
        },
      });
      expect((await callList(started, '/snippets')).map(({ name }) => name)).toEqual(names);
      await started.stop();
    }
  });
});

describe('media in object storage', () => {
  let s3: S3Server;
  let server: TestServer;
  const dataDir = () => join(root, 's3');
  const large = Buffer.alloc(700_000, 'large ');
  const config = () => readConfig(['-data', dataDir()], {});

  beforeAll(async () => {
    s3 = await startS3();
    server = await startServer({ dataDir: dataDir() });
    await callOk(server, 'POST', '/storage/migrate', { target: 's3', s3: s3.config, delete_old: true });
    while ((await callOk(server, 'GET', '/storage/migrate'))['status'] !== 'done') await nextTurn();
    await uploadOne(server, 'large.txt', large);
    await uploadOne(server, 'small.txt', 'small');
    await uploadOne(server, 'empty.txt', '');
  });
  afterAll(async () => {
    await server.stop();
    await s3.stop();
  });

  it('are in the backup, also if the connection breaks midway, and local files after a restore', async () => {
    let left = 1;
    s3.fault = ({ method }) => (method === 'GET' && left-- > 0 ? 'truncate' : undefined);
    const file = join(root, 's3.zip');
    expect(await writeBackup(config(), file)).toMatchObject({ media: 3, missing: [], secrets: 'file' });
    expect(left).toBeLessThan(0);
    s3.fault = undefined;
    const parts = await BackupParts.of(file);
    expect(parts.media.map((name) => parts.files.get(name)?.length)).toEqual([large.length, 5, 0]);
    expect(
      [...parts.files.values()].some((bytes) => bytes.includes('S3RVER') && !bytes.includes('SQLite')),
    ).toBe(false);
    const restored = join(root, 's3-restored');
    await restoreBackup({ dataDir: restored, force: false }, file);
    s3.seen.length = 0;
    const copy = await startServer({ dataDir: restored });
    try {
      const { type, s3: draft } = await callOk(copy, 'GET', '/storage');
      expect([type, asRecord(draft)['bucket'], asRecord(draft)['secret_set']]).toEqual([
        'local',
        'media',
        true,
      ]);
      const answer = await fetch(`${copy.url}/media/large.txt`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
      // The key is not there, so the secret must be entered again.
      const check = await call(copy, 'POST', '/storage/check', { body: {} });
      expect(asRecord(check.body)['code']).toBe('storage.secretUndecryptable');
      expect(s3.seen).toEqual([]);
    } finally {
      await copy.stop();
    }
  });

  it('that cannot be read refuse the backup, and nothing stays behind', async () => {
    s3.fault = ({ method }) => (method === 'GET' ? { status: 403, code: 'AccessDenied' } : undefined);
    const file = join(root, 'refused.zip');
    await expect(writeBackup(config(), file)).rejects.toThrow(/^the backup failed: /);
    s3.fault = undefined;
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('that are moved during the backup are found where they are then', async () => {
    const moved = join(root, 'moved.zip');
    let status: unknown;
    s3.fault = ({ method, path }) => {
      // The backup has read its settings when it asks for the first object.
      if (method !== 'GET' || path.includes('list-type') || status !== undefined) return undefined;
      status = 'asked';
      return 'reset';
    };
    const backup = writeBackup(config(), moved);
    await expect.poll(() => status).toBe('asked');
    await callOk(server, 'POST', '/storage/migrate', { target: 'local', delete_old: true });
    expect(await backup).toMatchObject({ media: 3, missing: [] });
    await expect.poll(async () => (await callOk(server, 'GET', '/storage/migrate'))['status']).toBe('done');
    expect(await writeBackup(config(), join(root, 'local.zip'))).toMatchObject({ media: 3, missing: [] });
  });
});
