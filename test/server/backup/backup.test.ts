import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { Connection } from '../../../server/db/connection.ts';
import { lockDataDir, lockForBackup } from '../../../server/db/lock.ts';
import { openDatabases } from '../../../server/db/open.ts';
import { writeBackup } from '../../../server/features/backup/backup.ts';
import { finishRestore } from '../../../server/features/backup/finish.ts';
import { restoreBackup } from '../../../server/features/backup/restore.ts';
import { call, callList, callOk } from '../../support/api.ts';
import { BackupParts, filesBelow, sha256 } from '../../support/backups.ts';
import { hashOf } from '../../support/bundles.ts';
import { draw, upload, uploadOne } from '../../support/media.ts';
import { mainCommand, makeTempDir, runMain, startServer, type TestServer } from '../../support/server.ts';
import { administrator, logIn, setUp } from '../../support/session.ts';

/** `-backup` and `-restore`: the functions behind them beside a real server, and the command line. */

let root: string;
let server: TestServer;
/** Data directory of the server. */
let live: string;
beforeAll(async () => {
  root = makeTempDir();
  live = at('live');
  server = await startServer({ dataDir: live });
  await setUp(server);
  await uploadOne(server, 'photo.jpg', await draw({ width: 500, height: 300 }));
  for (let count = 0; count < 12; count++) await uploadOne(server, `file-${count}.txt`, `bytes ${count}`);
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(root, name);
const backUp = (dataDir: string, file: string) => writeBackup(readConfig(['-data', dataDir], {}), file);
const restore = (dataDir: string, file: string, force = false) => restoreBackup({ dataDir, force }, file);

/** The rows of a table in a data directory without a server. */
function rowsOf(dataDir: string, table: string): Record<string, unknown>[] {
  const db = new Connection<object>(join(dataDir, 'content.db'));
  const rows = db.statement(`SELECT * FROM ${table}`).all([]);
  db.close();
  return rows;
}

/** The original of a file. */
function bytesOf(dataDir: string, { content }: Record<string, unknown>): Buffer {
  const id = String(content);
  return readFileSync(join(dataDir, 'media', id.slice(0, 2), id, 'original'));
}

describe('a backup under write load', () => {
  const writers = ['ann', 'ben'] as const;

  /** Writes two snippets that belong together, replaces a file, adds others and deletes some, until it is stopped. */
  function writeTo(name: string) {
    let isRunning = true;
    let written = 0;
    const snippet = (side: string) => ({
      op: 'create',
      kind: 'snippet',
      data: { name: `${name}-${written}-${side}`, content: 'x' },
    });
    const work = (async () => {
      const { id: replaced } = await uploadOne(server, `${name}.txt`, '0');
      for (; isRunning; written++) {
        await callOk(server, 'POST', '/batch', { ops: [snippet('left'), snippet('right')] });
        const file = [{ name: `${name}.txt`, bytes: String(written) }];
        await upload(server, file, {}, { method: 'PUT', path: `/files/${replaced}` });
        const { id } = await uploadOne(server, `${name}-${written}.txt`, `file ${written}`);
        if (written % 2 === 0) await call(server, 'DELETE', `/files/${id}`);
      }
    })();
    return {
      written: () => written,
      stop: () => {
        isRunning = false;
        return work;
      },
    };
  }

  it('has one state, whole, with all that was answered before', async () => {
    const loads = writers.map(writeTo);
    for (let round = 0; round < 3; round++) {
      const before = loads.map((load) => load.written());
      const file = at(`busy-${round}.zip`);
      expect(await backUp(live, file)).toMatchObject({ missing: [], secrets: 'none' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const restored = at(`busy-${round}`);
      await restore(restored, file);
      expectWhole(restored, before);
    }
    for (const load of loads) await load.stop();
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  function expectWhole(restored: string, before: readonly number[]): void {
    const names = new Set(rowsOf(restored, 'snippets').map(({ name }) => String(name)));
    for (const [index, name] of writers.entries()) {
      const pairs = [...names].filter((other) => other.startsWith(`${name}-`)).length / 2;
      expect(pairs).toBeGreaterThanOrEqual(before[index] ?? 0);
      for (let number = 0; number < pairs; number++)
        for (const side of ['left', 'right']) expect(names).toContain(`${name}-${number}-${side}`);
    }
    const files = rowsOf(restored, 'files');
    for (const file of files) {
      const bytes = bytesOf(restored, file);
      expect(bytes.length).toBe(file['size']);
      const number = /-(\d+)\.txt$/.exec(String(file['path']))?.[1];
      if (number !== undefined && !String(file['path']).startsWith('file-'))
        expect(bytes.toString()).toBe(`file ${number}`);
    }
    expect(Object.keys(filesBelow(join(restored, 'media')))).toHaveLength(files.length);
  }

  it('finds all media, because a server that is backed up deletes none', async () => {
    const { id } = await uploadOne(server, 'held.txt', 'held');
    const held = rowsOf(live, 'files').find((file) => file['id'] === id) ?? {};
    const lock = lockForBackup(live);
    try {
      expect((await call(server, 'DELETE', `/files/${id}`)).status).toBe(204);
      expect((await fetch(`${server.url}/media/held.txt`)).status).toBe(404);
      expect((await call(server, 'GET', '/snippets')).status).toBe(200);
      expect(bytesOf(live, held).toString()).toBe('held');
      await expect(backUp(live, at('second.zip'))).rejects.toThrow(
        /^a backup of the data directory .* is running$/,
      );
    } finally {
      lock.release();
    }
  });
});

describe('a restored instance', () => {
  let file: string;
  let copy: TestServer;
  beforeAll(async () => {
    file = at('whole.zip');
    await backUp(live, file);
    const outcome = await runMain(['-data', at('copy'), '-restore', file]);
    expect(outcome).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Restored the backup of \d{4}-[\dT:.-]+Z into [^\n]*: \d+ media\n$/),
      stderr: '',
    });
    copy = await startServer({ dataDir: at('copy') });
  });
  afterAll(() => copy.stop());

  it('has the content, the users and the signed addresses, and makes variants anew', async () => {
    expect(await hashOf(copy)).toBe(await hashOf(server));
    expect((await logIn(copy, administrator)).length).toBeGreaterThan(20);
    expect(readFileSync(join(at('copy'), 'media.key'))).toEqual(readFileSync(join(live, 'media.key')));
    for (const { url } of await callList(copy, '/files?limit=1000'))
      expect((await fetch(`${copy.url}${url}`)).status).toBe(200);
    expect((await fetch(`${copy.url}/media/photo.jpg.webp?w=320`)).status).toBe(200);
  });

  it('has no sessions', () => {
    expect(rowsOf(live, 'sessions')).not.toEqual([]);
    expect(rowsOf(at('busy-0'), 'sessions')).toEqual([]);
  });

  it('is not restored into again while it runs', async () => {
    await expect(restore(at('copy'), file, true)).rejects.toThrow(
      /^another server is running on the data directory/,
    );
    expect((await fetch(`${copy.url}/healthz`)).status).toBe(200);
  });
});

describe('the command line', () => {
  it('writes a backup, and says that the key of secrets is not in it', async () => {
    const key = join(live, 'secret.key');
    writeFileSync(key, `${'a'.repeat(64)}\n`);
    const outcome = await runMain(['-data', live, '-backup', at('line.zip')]);
    expect(outcome).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Backup [^\n]+: \d+ media, \d+ bytes\nThe key [^\n]*secret\.key[^\n]*not in it[^\n]*\n$/,
      ),
      stderr: '',
    });
    rmSync(key);
    const restored = await runMain(['-data', at('line'), '-restore', at('line.zip')]);
    expect(restored.stderr).toMatch(
      /^incipit: stored secrets cannot be read: The key [^\n]*secret\.key[^\n]*missing\n$/,
    );
  });

  it.each([
    [['-restore', ' '], /option -restore needs a file/],
    [['-backup', 'a', '-restore', 'b'], /-backup and -restore are different commands/],
    [['-backup', 'a', '-force'], /-force works only together with -restore\./],
  ])('refuses %j', (args, line) => {
    expect(() => readConfig(args, {})).toThrow(line);
  });

  it('refuses to write over a file, into no folder, and without a database', async () => {
    const taken = await runMain(['-data', live, '-backup', at('line.zip')]);
    expect(taken).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^incipit: there is a file [^\n]+ already\n$/),
    });
    await expect(backUp(live, at('no/folder.zip'))).rejects.toThrow(/^cannot write to .*no/);
    await expect(backUp(at('missing'), at('x.zip'))).rejects.toThrow(/^there is no database in/);
    expect(existsSync(at('missing'))).toBe(false);
  });

  it('leaves nothing of a backup that is ended by a signal', async () => {
    const ended = AbortSignal.abort();
    await expect(writeBackup(readConfig(['-data', live], {}), at('ended.zip'), ended)).rejects.toThrow(
      /^the backup failed: .*aborted/,
    );
    expect(readdirSync(root).filter((name) => name.includes('ended'))).toEqual([]);
  });

  it('refuses to restore over content, and from nowhere', async () => {
    await expect(restore(at('busy-0'), at('busy-1.zip'))).rejects.toThrow(
      /has content: restore into a new one.*-force$/,
    );
    await expect(restore(at('new'), at('nowhere.zip'))).rejects.toThrow(/^there is no file .*nowhere\.zip$/);
    expect(existsSync(at('new'))).toBe(false);
  });
});

describe('a restore over another state', () => {
  /** Two backups of different states. */
  const states = ['old', 'new'] as const;
  beforeAll(async () => {
    await backUp(live, at('new.zip'));
    for (let id = 3; id <= 9; id++) await call(server, 'DELETE', `/files/${id}`);
    await callOk(server, 'POST', '/snippets', { name: 'later', content: 'x' });
    await uploadOne(server, 'later.txt', 'later');
    await backUp(live, at('old.zip'));
    for (const state of states) await restore(at(`state-${state}`), at(`${state}.zip`));
  });

  /** Rows and media of a data directory. */
  function stateOf(dataDir: string) {
    const files = rowsOf(dataDir, 'files').map((file) => ({
      ...file,
      bytes: sha256(bytesOf(dataDir, file)),
    }));
    return JSON.stringify([files, rowsOf(dataDir, 'snippets'), rowsOf(dataDir, 'users')]);
  }

  function expectState(dataDir: string): (typeof states)[number] {
    const state = stateOf(dataDir);
    const [found] = states.filter((name) => stateOf(at(`state-${name}`)) === state);
    if (found === undefined) throw new Error('it is neither the old state nor the new one');
    return found;
  }

  it('replaces it, and keeps keys and bundles', async () => {
    const dataDir = at('replaced');
    cpSync(at('state-old'), dataDir, { recursive: true });
    cpSync(at('new.zip'), join(dataDir, 'backups', '20260101-000000.zip'));
    writeFileSync(join(dataDir, 'secret.key'), 'k');
    writeFileSync(join(dataDir, 'content.db-wal'), 'the log of another database');
    await restore(dataDir, at('new.zip'), true);
    expect(expectState(dataDir)).toBe('new');
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('k');
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(1);
    expect(existsSync(join(dataDir, 'restore'))).toBe(false);
  });

  it('mends media whose bytes are damaged, but not before it is complete', async () => {
    const dataDir = at('damaged');
    cpSync(at('state-new'), dataDir, { recursive: true });
    const [path = ''] = Object.keys(filesBelow(join(dataDir, 'media')));
    writeFileSync(join(dataDir, 'media', path), 'damaged');
    const last = (await BackupParts.of(at('new.zip'))).media.at(-1) ?? '';
    writeFileSync(at('bad.zip'), (await BackupParts.of(at('new.zip'))).withRaw(last, 'x').zip());
    await expect(restore(dataDir, at('bad.zip'), true)).rejects.toThrow('has another hash');
    expect(readFileSync(join(dataDir, 'media', path), 'utf8')).toBe('damaged');
    await restore(dataDir, at('new.zip'), true);
    expect(expectState(dataDir)).toBe('new');
  });

  /** The moments of kill -9; `CRASH_ROUNDS=25` adds more of them, in milliseconds after the start. */
  const extraRounds = Number(process.env['CRASH_ROUNDS'] ?? 0);
  const moments = [
    '',
    'content.db',
    'complete',
    ...Array.from({ length: extraRounds }, (_, index) => index * 41),
  ];

  it.each(moments)('that is killed (at "%s") leaves the old state or the new one, whole', async (moment) => {
    const dataDir = at(`killed-${moment}`);
    cpSync(at('state-old'), dataDir, { recursive: true });
    const [program = '', ...before] = mainCommand;
    const args = ['-data', dataDir, '-restore', at('new.zip'), '-force'];
    const child = spawn(program, [...before, ...args], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const isThere = () => child.exitCode !== null || existsSync(join(dataDir, 'restore', String(moment)));
    if (typeof moment === 'number') await new Promise((resolve) => setTimeout(resolve, moment));
    else while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await ended;
    const isComplete = existsSync(join(dataDir, 'restore', 'complete'));
    if (isComplete) expect(() => openDatabases(dataDir, 0)).toThrow('a restore into the data directory');
    await startAndStop(dataDir);
    if (isComplete) expect(expectState(dataDir)).toBe('new');
    else expect(states).toContain(expectState(dataDir));
    expect(existsSync(join(dataDir, 'restore'))).toBe(false);
  });

  /** What a server does at its start. */
  async function startAndStop(dataDir: string): Promise<void> {
    const lock = lockDataDir(dataDir);
    await finishRestore(dataDir);
    lock.release();
  }

  it.each(['media', 'activity.db', 'content.db'])(
    'that is interrupted when only %s is not in its place is finished by the next start',
    async (left) => {
      const dataDir = at(`left-${left}`);
      cpSync(at('state-new'), dataDir, { recursive: true });
      const folder = join(dataDir, 'restore');
      const waiting = { media: [], 'activity.db': ['activity.db'], 'content.db': ['content.db'] }[left] ?? [];
      for (const name of waiting) cpSync(join(dataDir, name), join(folder, name));
      if (left === 'media') {
        const [path = ''] = Object.keys(filesBelow(join(dataDir, 'media')));
        cpSync(join(dataDir, 'media', path), join(folder, 'media', path.split('/')[1] ?? ''));
        writeFileSync(join(dataDir, 'media', path), 'damaged');
      }
      if (left === 'content.db') cpSync(join(at('state-old'), left), join(dataDir, left));
      writeFileSync(join(folder, 'complete'), '');
      await startAndStop(dataDir);
      expect(expectState(dataDir)).toBe('new');
    },
  );
});

describe('a server that was killed', () => {
  it('can be backed up, and files whose bytes are gone are named', async () => {
    await uploadOne(server, 'lost.txt', 'lost bytes');
    await server.end('SIGKILL');
    const lost = rowsOf(live, 'files').find(({ path }) => path === 'lost.txt') ?? {};
    const id = String(lost['content']);
    rmSync(join(live, 'media', id.slice(0, 2), id), { recursive: true });
    const { stderr, code } = await runMain(['-data', live, '-backup', at('killed.zip')]);
    const line = 'incipit: the media storage has no bytes of "lost.txt": it is not in the backup\n';
    expect({ stderr, code }).toEqual({ stderr: line, code: 0 });
    const restored = await runMain(['-data', at('killed'), '-restore', at('killed.zip')]);
    expect(restored.stderr).toBe('incipit: files that had no bytes when the backup was made: 1\n');
  });
});
