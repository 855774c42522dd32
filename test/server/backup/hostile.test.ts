import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { Connection } from '../../../server/db/connection.ts';
import { writeBackup } from '../../../server/features/backup/backup.ts';
import { restoreBackup } from '../../../server/features/backup/restore.ts';
import { asRecord, callOk } from '../../support/api.ts';
import { BackupParts, filesBelow } from '../../support/backups.ts';
import { makeZip, type ZipEntry } from '../../support/made-zip.ts';
import { uploadOne } from '../../support/media.ts';
import { makeTempDir, startServer } from '../../support/server.ts';

/** Backups that are damaged, or that somebody has made with intent. */

let root: string;
let parts: BackupParts;
/** A data directory that must stay as it is. */
let dataDir: string;
let before: Record<string, string>;

beforeAll(async () => {
  root = makeTempDir();
  dataDir = join(root, 'data');
  const server = await startServer({ dataDir });
  await callOk(server, 'POST', '/snippets', { name: 'one', content: 'first' });
  await uploadOne(server, 'a.txt', 'bytes of a');
  await uploadOne(server, 'b.txt', 'bytes of b');
  await server.stop();
  const file = join(root, 'good.zip');
  await writeBackup(readConfig(['-data', dataDir], {}), file);
  parts = await BackupParts.of(file);
  before = filesBelow(dataDir);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The bytes of a database of the backup after `change`. */
function changed(name: 'content' | 'activity', change: (db: Connection<object>) => void): Buffer {
  const path = join(root, 'changed.db');
  rmSync(path, { force: true });
  writeFileSync(path, parts.files.get(`${name}.db`) ?? '');
  const db = new Connection<object>(path);
  db.pragma('journal_mode = DELETE');
  change(db);
  db.close();
  return readFileSync(path);
}

function withContent(sql: string): () => Buffer {
  return () =>
    parts
      .with(
        'content.db',
        changed('content', (db) => db.execute(sql)),
      )
      .zip();
}

const medium = () => parts.media[0] ?? '';
const unknownMedium = `media/00/${'0'.repeat(32)}/original`;

/** What is wrong, the archive, what the refusal says. */
const archives: readonly (readonly [string, () => Buffer, RegExp])[] = [
  ['nothing', () => Buffer.alloc(0), /no ZIP archive/],
  ['some text', () => Buffer.from('PK, but not a ZIP archive'), /no ZIP archive/],
  ['an empty archive', () => makeZip([]), /manifest\.json is missing/],
  ['an archive that is cut', () => makeZip(parts.list(), { cut: 30 }), /no ZIP archive/],
  ['half an archive', () => parts.zip().subarray(0, 20_000), /no ZIP archive/],
  ['a name upwards', () => parts.zip([{ name: '../evil', data: 'x' }]), /evil|relative/],
  ['an absolute name', () => parts.zip([{ name: '/evil', data: 'x' }]), /evil|absolute/],
  ['a name with a backslash', () => parts.zip([{ name: '..\\evil', data: 'x' }]), /evil|invalid/],
  ['a name with a zero', () => parts.zip([{ name: 'media.key\0', data: 'x' }]), /is no name/],
  ['a file that belongs to no backup', () => parts.zip([{ name: 'secret.key', data: 'x' }]), /is no name/],
  ['a log of a database', () => parts.zip([{ name: 'content.db-wal', data: 'x' }]), /is no name/],
  ['a medium that is no original key', () => parts.zip([{ name: 'media/aa/b', data: 'x' }]), /is no name/],
  [
    'a symbolic link',
    () => parts.zip([{ name: unknownMedium, data: '/etc', mode: 0o120777 }]),
    /no plain file/,
  ],
  ['a name twice', () => parts.zip([{ name: 'media.key', data: 'x' }]), /two entries/],
  ['names that differ by case', () => parts.zip([{ name: 'MEDIA.KEY', data: 'x' }]), /no name|two entries/],
  [
    'an encrypted file',
    () => parts.zip([{ name: unknownMedium, data: 'x', flags: 1 }]),
    /encrypted|size mismatch/,
  ],
  ['an unknown compression', () => parts.zip([{ name: unknownMedium, data: 'x', method: 12 }]), /not known/],
  ['a lying size', () => parts.zip([{ name: unknownMedium, data: 'x', size: 9 }]), /size mismatch/],
  ['entries over each other', () => parts.zip([{ name: unknownMedium, data: 'x', offset: 0 }]), /overlap/],
  ['a bomb', () => withBomb(), /compressed too much/],
  ['a file beside the list', () => parts.zip([{ name: unknownMedium, data: 'x' }]), /not in SHA256SUMS/],
  ['a file less than the list', () => zipWithout(medium()), /is missing/],
  ['another file than the list says', () => parts.withRaw(medium(), 'bytes of c').zip(), /another hash/],
  ['a changed database', () => parts.withRaw('content.db', flipped('content.db')).zip(), /another hash/],
  ['another list', () => parts.withRaw('SHA256SUMS', 'x').zip(), /SHA256SUMS has another hash/],
  ['a manifest that is no JSON', () => parts.withRaw('manifest.json', '{').zip(), /no JSON/],
  ['a manifest without fields', () => parts.withRaw('manifest.json', '{"format":1}').zip(), /lacks fields/],
  ['a time beyond all dates', () => parts.withManifest({ created_at: 1e15 }).zip(), /lacks fields/],
  ['a newer form', () => parts.withManifest({ format: 2 }).zip(), /its format is 2/],
  [
    'a newer schema',
    () => parts.withManifest({ schema: { content: 999, activity: 1 } }).zip(),
    /newer version/,
  ],
  [
    'another schema than the manifest says',
    () =>
      parts
        .with(
          'content.db',
          changed('content', (db) => db.pragma('user_version = 999')),
        )
        .zip(),
    /schema 999, \d+ according/,
  ],
  ['no database', () => parts.without('activity.db').zip(), /activity\.db is missing/],
  ['a database that is none', () => parts.with('content.db', 'x'.repeat(5000)).zip(), /not a database/],
  ['damaged pages', () => parts.with('content.db', damagedDatabase()).zip(), /damaged/],
  [
    'a trigger of its own',
    withContent('CREATE TRIGGER evil AFTER INSERT ON snippets BEGIN DELETE FROM users; END'),
    /trigger evil is not known/,
  ],
  ['a view of its own', withContent('CREATE VIEW evil AS SELECT * FROM users'), /view evil is not known/],
  [
    'another trigger of a known name',
    withContent(
      'DROP TRIGGER files_deleted; CREATE TRIGGER files_deleted AFTER DELETE ON files BEGIN SELECT 1; END',
    ),
    /trigger files_deleted is another one/,
  ],
  ['a trigger less', withContent('DROP TRIGGER files_deleted'), /trigger files_deleted is missing/],
  [
    'a reference to nothing',
    withContent(
      "PRAGMA foreign_keys = OFF; INSERT INTO sessions (hash, user_id, expires_at) VALUES ('x', 99, 1)",
    ),
    /refers to a row of users/,
  ],
  ['a medium of no file', () => parts.with(unknownMedium, 'x').zip(), /belong to no file/],
  ['a file without its medium', () => parts.without(medium()).zip(), /the bytes of "[ab]\.txt" are missing/],
  [
    'a file with a path as its content',
    withContent("UPDATE files SET content = '../../../etc' WHERE path = 'a.txt'"),
    /no content of a file/,
  ],
];

function zipWithout(name: string): Buffer {
  return makeZip(parts.list().filter((entry) => entry.name !== name));
}

function flipped(name: string): Buffer {
  const bytes = Buffer.from(parts.files.get(name) ?? '');
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  return bytes;
}

function damagedDatabase(): Buffer {
  const bytes = Buffer.from(parts.files.get('content.db') ?? '');
  bytes.fill(0xff, 4096, 5 * 4096);
  return bytes;
}

function withBomb(): Buffer {
  const bomb: ZipEntry = { name: unknownMedium, data: Buffer.alloc(20 * 2 ** 20), deflate: true };
  return parts.zip([bomb]);
}

describe('a backup with', () => {
  it.each(archives)('%s is refused, and nothing has changed', async (_what, make, reason) => {
    const file = join(root, 'bad.zip');
    writeFileSync(file, make());
    const message = await restoreBackup({ dataDir, force: true }, file).then(
      () => 'restored',
      (error: unknown) => `${asRecord(error)['name'] ?? ''}${error instanceof Error ? error.message : ''}`,
    );
    expect(message).toMatch(reason);
    expect(message).toMatch(/^StartupError.*(?:no backup that can be restored|restore failed): /);
    expect(message).not.toContain('\n');
    expect(filesBelow(dataDir)).toEqual(before);
  });

  it('the same faults leaves an empty directory empty', async () => {
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const file = join(root, 'bad.zip');
    writeFileSync(file, parts.with(unknownMedium, 'x').zip());
    await expect(restoreBackup({ dataDir: empty, force: false }, file)).rejects.toThrow('belong to no file');
    expect(filesBelow(empty)).toEqual({});
    expect(readdirSync(root)).not.toContain('evil');
  });

  it('no fault is restored, also after it was packed anew', async () => {
    const file = join(root, 'again.zip');
    const folder = `${medium().slice(0, 9)}`;
    writeFileSync(
      file,
      makeZip([
        { name: 'media/', data: '', mode: 0o040755 },
        { name: folder, data: '', mode: 0o040755 },
        ...parts.list().map((entry) => ({ ...entry, deflate: true })),
      ]),
    );
    expect(await restoreBackup({ dataDir: join(root, 'again'), force: false }, file)).toMatchObject({
      media: 2,
    });
  });
});
