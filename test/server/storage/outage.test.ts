import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../server/base/actor.ts';
import { Secrets } from '../../../server/base/secrets.ts';
import { type Change, Changes } from '../../../server/changes/changes.ts';
import { type CommitCoordinator, OutcomeUnknown } from '../../../server/changes/commit-coordinator.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { readConfig } from '../../../server/config/config.ts';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import { storageFeature } from '../../../server/features/storage/index.ts';
import { StorageService } from '../../../server/features/storage/service.ts';
import { Outgoing } from '../../../server/http/outgoing/client.ts';
import { type MediaKey, mediaKey, newContentId } from '../../../server/storage/media-key.ts';
import {
  readStorage,
  type StoredS3,
  type StoredStorage,
  saveStorage,
} from '../../../server/storage/store.ts';
import { recordingLog } from '../../support/quiet-log.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';

/** Object storage that does not work at the start: local files are used, and nothing that happens meanwhile is lost. */

let s3: S3Server;
const outgoing = new Outgoing({ rules: { mode: 'open', allow: [] } });
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await outgoing.close();
  await s3.stop();
});

const actor: Actor = { kind: 'master' };
let dataDir: string;
let databases: Databases;
let changes: Changes;
let storage: StorageService;
let prefixes = 0;

/** What changes of content wait for. */
let held: Promise<void> = Promise.resolve();

/** Called when a node of several begins to change something, where changes of others come in. */
let whenBegun: () => Promise<void> = async () => {};

/** Called before a node of several commits; an error is that of a connection that was lost. */
let whenCommitted: () => Promise<void> = async () => {};

class HeldChanges extends Changes {
  override async change<T>(by: Actor, work: (change: Change) => Promise<T>): Promise<T> {
    await held;
    return super.change(by, work);
  }
}

/** Opens the storage as a start of the server does. */
async function open(retryMs = 600_000, others?: readonly string[]): Promise<void> {
  const log = recordingLog();
  const { reader, writer } = databases.content;
  const order: CommitCoordinator = {
    begin: () => whenBegun(),
    async commit() {
      await whenCommitted();
      writer.execute('COMMIT');
      return [Promise.resolve()];
    },
    end() {},
    waitUntilApplied: () => Promise.resolve(),
  };
  changes = new HeldChanges({
    ...{ writer, version: new ContentVersion(), clock: Date.now, log },
    order: others === undefined ? undefined : order,
  });
  storage = await StorageService.open(
    {
      config: { ...readConfig([], {}), dataDir },
      reader,
      changes,
      secrets: new Secrets(dataDir, undefined),
      outgoing,
      clock: Date.now,
      monotonic: () => performance.now(),
      log,
      nodeState: others === undefined ? undefined : () => ({ lease: true, lag: 0, version: 1, leader: true }),
      findOtherNode: async () => others?.[0],
    },
    retryMs,
  );
  changes.followers.add(...(storageFeature(storage).followers ?? []));
}

/** @param others names of the other nodes; undefined: a server on one machine */
async function restart(retryMs?: number, others?: readonly string[]): Promise<void> {
  await storage.close();
  await open(retryMs, others);
}

async function put(content: string): Promise<MediaKey> {
  const key = mediaKey(newContentId(), 'original.txt');
  const writer = await storage.staging.create();
  await writer.write(Buffer.from(content));
  await storage.media.put(key, await writer.finish());
  return key;
}

async function read(key: MediaKey): Promise<string | undefined> {
  const opened = await storage.media.open(key);
  return opened === undefined ? undefined : (await buffer(opened.body)).toString();
}

async function migrationEnd(): Promise<void> {
  while (storage.migration.status === 'running') await nextTurn();
}

const denied = () => ({ status: 403, code: 'AccessDenied' }) as const;
const journal = () => join(dataDir, 'media-outage');

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'incipit-test-'));
  databases = openDatabases(dataDir, 100);
  await open();
  await storage.migrate(actor, { target: 's3', s3: { ...s3.config, prefix: `o${++prefixes}` } });
  while (storage.migration.status === 'running') await nextTurn();
  expect(storage.media.type).toBe('s3');
});
afterEach(async () => {
  s3.fault = undefined;
  await storage.close();
  databases.close();
  rmSync(dataDir, { recursive: true });
});

describe('what is written and deleted during an outage', () => {
  /** Objects before and during an outage with a restart in the middle. */
  async function outage() {
    const [kept, deleted] = [await put('kept'), await put('deleted')];
    s3.fault = denied;
    await restart();
    expect([storage.media.type, await read(kept)]).toEqual(['local', undefined]);
    const first = await put('first');
    await storage.media.remove(deleted);
    await storage.media.remove(await put('gone again'));
    await restart();
    const second = await put('second');
    expect([await read(first), await read(second)]).toEqual(['first', 'second']);
    return { kept, deleted, first, second };
  }

  async function expectAll({
    kept,
    deleted,
    first,
    second,
  }: Awaited<ReturnType<typeof outage>>): Promise<void> {
    expect(storage.media.type).toBe('s3');
    expect(await Promise.all([kept, deleted, first, second].map(read))).toEqual([
      'kept',
      undefined,
      'first',
      'second',
    ]);
    expect(await storage.get()).toMatchObject({ type: 's3', media: { files: 3 } });
    expect(await storage.get()).not.toHaveProperty('error');
    expect(existsSync(journal())).toBe(false);
  }

  it('is carried over at the next start that works', async () => {
    const objects = await outage();
    s3.fault = undefined;
    await restart();
    await expectAll(objects);
  });

  it('is carried over as soon as the object storage works again', async () => {
    const objects = await outage();
    await restart(1);
    expect(storage.media.type).toBe('local');
    s3.fault = undefined;
    while (storage.media.type !== 's3') await nextTurn();
    await expectAll(objects);
  });

  it('is carried over when the settings are repaired', async () => {
    const objects = await outage();
    s3.fault = undefined;
    await storage.update(actor, { s3: {} });
    await expectAll(objects);
  });

  it('is carried over by a migration', async () => {
    const objects = await outage();
    s3.fault = undefined;
    await storage.migrate(actor, { target: 's3', delete_old: true });
    while (storage.migration.status === 'running') await nextTurn();
    await expectAll(objects);
  });

  it('stays in local files as long as not all of it can be carried over', async () => {
    const objects = await outage();
    s3.fault = ({ method, path }) => (method === 'PUT' && !path.includes('probe') ? denied() : undefined);
    await restart();
    expect(await storage.get()).toMatchObject({ type: 'local', error_code: 'storage.accessDenied' });
    expect([await read(objects.first), existsSync(journal())]).toEqual(['first', true]);
    s3.fault = undefined;
    await restart();
    await expectAll(objects);
  });
});

describe('settings', () => {
  it('show no field that they do not have, also if it was stored', async () => {
    const stored = await readStorage(databases.content.reader);
    if (stored.s3 === null) throw new Error('there is a configuration');
    const more = { ...stored.s3, secretKey: 'hidden' };
    await changes.changeUnversioned(actor, ({ tx }) => saveStorage(tx, { ...stored, s3: more }));
    expect(JSON.stringify(await readStorage(databases.content.reader))).not.toContain('hidden');
  });

  it('that change while a migration switches, and the switch, keep each other', async () => {
    await put('x');
    let release = (): void => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    await storage.migrate(actor, { target: 'local' });
    while (storage.migration.phase !== 'switch') await nextTurn();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    const update = storage.update(actor, { cache_mb: 7 });
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    release();
    await update;
    while (storage.migration.status === 'running') await nextTurn();
    await restart();
    expect(await storage.get()).toMatchObject({ type: 'local', cache_mb: 7 });
  });
});

describe('a node of several', () => {
  const saveOnOther = async (fields: Partial<StoredStorage>) => {
    const { writer } = databases.content;
    await saveStorage(writer, { ...(await readStorage(writer)), ...fields });
  };
  const followOther = () =>
    changes.followers.refresh({ changes: [], tables: new Set(['settings']), isOwn: false });
  const storedS3 = async (fields: Partial<StoredS3>) => {
    const { s3: stored } = await readStorage(databases.content.reader);
    if (stored === null) throw new Error('there is a configuration');
    return { ...stored, ...fields };
  };

  it('keeps nothing in local files while object storage does not work, and uses it as soon as it does', async () => {
    const key = await put('shared');
    s3.fault = denied;
    await restart(1, []);
    expect(storage.media.type).toBe('s3');
    const listing = () => storage.media.list()[Symbol.asyncIterator]().next();
    for (const work of [() => read(key), () => put('lost?'), listing])
      await expect(work()).rejects.toMatchObject({ code: 'storage.accessDenied' });
    expect(await storage.get()).toMatchObject({ type: 's3', error_code: 'storage.accessDenied' });
    s3.fault = undefined;
    while ('error' in (await storage.get())) await nextTurn();
    expect(await read(key)).toBe('shared');
    expect(existsSync(journal())).toBe(false);
  });

  it('uses what another node has saved before the change is answered', async () => {
    await restart(undefined, ['other']);
    await saveOnOther({ s3: await storedS3({ prefix: 'elsewhere' }) });
    s3.seen.length = 0;
    await followOther();
    expect(s3.seen).toEqual([]);
    await put('moved');
    expect(s3.seen.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual([
      expect.stringContaining('/elsewhere/'),
    ]);
  });

  it('uses no other storage if it cannot use what another node has saved', async () => {
    await restart(1, ['other']);
    const whole = await storedS3({});
    await saveOnOther({ s3: { ...whole, secret: 'no secret' } });
    await followOther();
    await expect(put('nowhere')).rejects.toMatchObject({ code: 'storage.secretUndecryptable' });
    await saveOnOther({ s3: whole });
    await followOther();
    expect(await read(await put('there'))).toBe('there');
    expect(await storage.get()).not.toHaveProperty('error');
  });

  it('can follow while its own change of the settings waits for its turn', async () => {
    await restart(undefined, ['other']);
    whenBegun = async () => {
      whenBegun = async () => {};
      await saveOnOther({ cache_mb: 9 });
      await followOther();
    };
    await storage.update(actor, { s3: { region: 'eu-north-1' } });
    expect(await storage.get()).toMatchObject({ cache_mb: 9, s3: { region: 'eu-north-1' } });
  });

  it('does not move media to local files while another one serves', async () => {
    await restart(undefined, ['other']);
    await expect(storage.migrate(actor, { target: 'local' })).rejects.toMatchObject({
      code: 'storage.otherNodes',
      params: { node: 'other' },
    });
  });

  it('lets writes wait when the outcome of the switch is unknown, and goes on as it was', async () => {
    await restart(undefined, []);
    const early = await put('early');
    let late: Promise<MediaKey> | undefined;
    whenCommitted = async () => {
      whenCommitted = async () => {};
      databases.content.writer.execute('ROLLBACK');
      late = put('late');
      // The commit has happened, which shows when the database answers again.
      whenBegun = async () => {
        whenBegun = async () => {};
        await saveOnOther({ type: 'local' });
        await followOther();
      };
      throw new OutcomeUnknown('no answer');
    };
    await storage.migrate(actor, { target: 'local' });
    await migrationEnd();
    expect(storage.migration).toMatchObject({ status: 'done' });
    expect(storage.media.type).toBe('local');
    if (late === undefined) throw new Error('nothing was written');
    expect([await read(early), await read(await late)]).toEqual(['early', 'late']);
  });

  it('ends a move to local files when another one began to serve, or has stored media', async () => {
    const others: string[] = [];
    await restart(undefined, others);
    const hold = Promise.withResolvers<void>();
    held = hold.promise;
    await storage.migrate(actor, { target: 'local' });
    while (storage.migration.phase !== 'switch') await nextTurn();
    others.push('late');
    hold.resolve();
    await migrationEnd();
    expect(storage.migration).toMatchObject({ status: 'failed', error_code: 'storage.otherNodes' });

    others.pop();
    const again = Promise.withResolvers<void>();
    held = again.promise;
    await storage.migrate(actor, { target: 'local' });
    while (storage.migration.phase !== 'switch') await nextTurn();
    await changes.followers.refresh({ changes: [], tables: new Set(['files']), isOwn: false });
    again.resolve();
    await migrationEnd();
    expect(storage.migration).toMatchObject({ status: 'failed', error_code: 'storage.otherNodes' });
    expect(storage.media.type).toBe('s3');

    held = Promise.resolve();
    await storage.migrate(actor, { target: 'local' });
    await migrationEnd();
    expect(storage.media.type).toBe('local');
  });
});
