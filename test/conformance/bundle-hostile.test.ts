import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callList, callOk } from '../support/api.ts';
import { BundleParts, download, hashOf, importBundle, importWithTrueHash } from '../support/bundles.ts';
import { createPage, createSite } from '../support/content.ts';
import { makeZip, type ZipEntry } from '../support/made-zip.ts';
import { uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Archives that anyone may have made: refused as a whole, and nothing is written. */

let server: TestServer;
let parts: BundleParts;
let hash: string;
beforeAll(async () => {
  server = await startServer({ args: ['-max-bundle-mb', '8'] });
  const site = await createSite(server);
  await createPage(server, site);
  await callOk(server, 'POST', '/snippets', { name: 'layout', content: 'x' });
  await callOk(server, 'POST', '/collections', {
    name: 'C',
    slug: 'c',
    fields: [{ name: 'a', type: 'text' }],
  });
  await callOk(server, 'POST', '/collections/c/items', { data: { a: 'b' } });
  await uploadOne(server, 'note.txt', 'a note');
  parts = await BundleParts.of(await download(server));
  hash = await hashOf(server);
});
afterAll(() => server.stop());

const junk = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, data: 'x', ...more });
const withEntry = (entry: ZipEntry) => () => parts.zip([entry]);
/** A changed field of the first row of a table. */
const withField = (table: string, fields: Readonly<Record<string, unknown>>) => () =>
  parts
    .withRows(
      table,
      parts.rows(table).map((row, index) => (index === 0 ? { ...row, ...fields } : row)),
    )
    .zip();
/** The entries of the bundle, one of them changed. */
const withChanged = (name: string, change: Partial<ZipEntry>) => () =>
  makeZip(parts.list().map((entry) => (entry.name === name ? { ...entry, ...change } : entry)));

/** Made before the server starts: making them takes longer than a connection may be silent. */
const manyEntries = makeZip([
  junk('manifest.json', { data: JSON.stringify({ format: 1 }) }),
  ...Array.from({ length: 70_000 }, (_, index) => junk(`media/b${index}`)),
]);
const mb = 2 ** 20;
const nested = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
const archives: [string, () => Buffer][] = [
  ['no archive at all', () => Buffer.from('this is no archive')],
  ['an empty archive', () => makeZip([])],
  ['nothing', () => Buffer.alloc(0)],
  ['a list of entries that is cut off', () => makeZip(parts.list(), { cut: 40 })],
  ['half of an archive', () => parts.zip().subarray(0, 1000)],
  ['a path upwards', withEntry(junk('../evil'))],
  ['a path upwards in a folder', withEntry(junk('media/../../evil'))],
  ['an absolute path', withEntry(junk('/etc/evil'))],
  ['a path with backslashes', withEntry(junk('media\\..\\evil'))],
  ['a drive', withEntry(junk('C:/evil'))],
  ['a symbolic link', withEntry(junk('media/note2.txt', { mode: 0o120777, data: '/etc/passwd' }))],
  ['a device', withEntry(junk('media/null', { mode: 0o020666 }))],
  ['a NUL in a name', withEntry(junk('media/a\0b'))],
  ['a line break in a name', withEntry(junk('media/a\nb'))],
  ['the same name twice', () => parts.zip([junk('media/note.txt')])],
  ['names that differ in case only', () => parts.zip([junk('media/NOTE.txt')])],
  ['a table twice', () => parts.zip([junk('data/pages.ndjson', { data: '' })])],
  ['an unknown name', withEntry(junk('readme.txt'))],
  ['an unknown folder', withEntry(junk('media/deeper/'))],
  ['a medium without a file', withEntry(junk('media/other.txt'))],
  ['a table that is none', withEntry(junk('data/users.ndjson', { data: '{"id":1}\n' }))],
  ['settings', withEntry(junk('data/settings.ndjson', { data: '{"key":"headless","value":"1"}\n' }))],
  ['a bomb', withEntry(junk('media/bomb.bin', { data: Buffer.alloc(12 * mb), deflate: true }))],
  [
    'a bomb in a table',
    withChanged('data/pages.ndjson', { data: Buffer.alloc(40 * mb, ' '), deflate: true }),
  ],
  [
    'a thousand bombs',
    () =>
      parts.zip(
        Array.from({ length: 1000 }, (_, index) => junk(`media/b${index}`, { data: zeros, deflate: true })),
      ),
  ],
  ['70,000 entries', () => manyEntries],
  ['entries that overlap', withEntry(junk('media/b.bin', { offset: 0 }))],
  ['a size that is not true', withChanged('data/pages.ndjson', { size: 10 })],
  ['a size that is too large', withChanged('data/pages.ndjson', { size: 5000 })],
  ['two sizes of a stored entry', withChanged('media/note.txt', { size: 5 })],
  ['a wrong checksum', withChanged('data/snippets.ndjson', { crc: 1 })],
  ['an encrypted entry', withChanged('data/snippets.ndjson', { flags: 1 })],
  ['a compression that nobody knows', withChanged('data/snippets.ndjson', { method: 99 })],
  ['no manifest', () => parts.without('manifest.json').zip()],
  ['a manifest that is no JSON', () => parts.with('manifest.json', '{').zip()],
  ['a manifest that is a list', () => parts.with('manifest.json', '[]').zip()],
  ['a manifest that is large', () => parts.with('manifest.json', ' '.repeat(2 * mb)).zip()],
  ['a manifest with a prototype', () => parts.with('manifest.json', '{"__proto__":{"format":1}}').zip()],
  ['a missing table', () => parts.without('data/snippets.ndjson').zip()],
  [
    'a missing medium',
    () =>
      parts
        .without('media/note.txt')
        .withRows(
          'files',
          parts.rows('files').map((row) => ({ ...row, sha256: 'f'.repeat(64) })),
        )
        .zip(),
  ],
  [
    'other bytes of a medium',
    () =>
      parts
        .with('media/note.txt', 'a vote')
        .withRows(
          'files',
          parts.rows('files').map((row) => ({ ...row, id: 77 })),
        )
        .zip(),
  ],
  ['a row that is no JSON', () => parts.with('data/pages.ndjson', '{"id":').zip()],
  ['a row that is a list', () => parts.with('data/pages.ndjson', '[1]\n').zip()],
  ['a row of a thousand levels', () => parts.with('data/pages.ndjson', '['.repeat(1000)).zip()],
  ['a row of half a surrogate pair', withField('snippets', { content: '\ud800' })],
  ['an unknown column', withField('snippets', { evil: 1 })],
  ['an own column', withField('files', { content: 'a'.repeat(32) })],
  ['a missing column', () => parts.withRows('snippets', [{ id: 1, name: 'a' }]).zip()],
  ['a text for a number', withField('pages', { sort: '1; DROP TABLE pages' })],
  ['an object as a value', withField('snippets', { content: { a: 1 } })],
  ['a million brackets in a manifest', () => parts.with('manifest.json', '['.repeat(1_000_000)).zip()],
  ['a million levels in a value', withField('collections', { fields: nested })],
  ['a million levels in blocks', withField('pages', { blocks: nested })],
  ['no ID', withField('snippets', { id: null })],
  ['an ID below 1', withField('snippets', { id: -1 })],
  ['an ID above what is exact', () => parts.with('data/snippets.ndjson', '{"id":9007199254740993}').zip()],
  [
    'the same ID twice',
    () => parts.withRows('snippets', [...parts.rows('snippets'), ...parts.rows('snippets')]).zip(),
  ],
  [
    'the same name of two snippets',
    () =>
      parts
        .withRows('snippets', [
          ...parts.rows('snippets'),
          ...parts.rows('snippets').map((row) => ({ ...row, id: 99 })),
        ])
        .zip(),
  ],
  ['an entry without a collection', withField('items', { collection_id: 99 })],
  ['a page without its parent', withField('pages', { parent_id: 99 })],
  [
    'a page with the path of another place',
    () =>
      parts
        .withRows(
          'pages',
          parts.rows('pages').map((row) => (row['parent_id'] === null ? row : { ...row, path: '/api/v1' })),
        )
        .zip(),
  ],
  [
    'pages below each other',
    () =>
      parts
        .withRows(
          'pages',
          parts
            .rows('pages')
            .map((row) => (row['parent_id'] === null ? row : { ...row, parent_id: row['id'] })),
        )
        .zip(),
  ],
  ['a file with a path upwards', withField('files', { path: '../../content.db' })],
  ['a file with a header in its type', withField('files', { mime: 'text/plain\r\nSet-Cookie: a=b' })],
  ['an origin that is no ID', withField('items', { origin_id: 0 })],
  ['an origin of an entry with a path', withField('items', { origin_path: 'x' })],
  ['an origin of a file with a path upwards', withField('files', { origin_path: '../x' })],
  ['live data that is neither', withField('files', { live: 2 })],
  ['fields that are no JSON', withField('collections', { fields: '{' })],
  ['fields that are no list', withField('collections', { fields: '"a"' })],
  ['a size below 0', withField('files', { size: -1 })],
  ['a size that is not that of the bytes', withField('files', { size: 3 })],
  ['a size beyond all bounds', withField('files', { size: 1e15 })],
  ['a format that the type does not have', withField('files', { format: 'jpeg' })],
  ['a format that nobody knows', withField('files', { format: 'x' })],
  [
    'an image that is none',
    withField('files', { format: 'jpeg', mime: 'image/jpeg', kind: 'image', id: 77 }),
  ],
  ['a flag that is neither', withField('files', { private: 7 })],
  ['a flag of a page that is neither', withField('pages', { published: 2 })],
  ['a kind that does not exist', withField('files', { kind: 'x' })],
  ['a state of variants', withField('files', { variants: 'done' })],
  ['a width below 1', withField('files', { width: 0 })],
  ['a focus outside of the image', withField('files', { focus_x: 2 })],
  ['a placeholder that is no image', withField('files', { placeholder: '"><script>' })],
  ['a name that is too long', withField('files', { name: 'x'.repeat(201) })],
  ['a title that is too long', withField('pages', { title: 'x'.repeat(1001) })],
  ['a state that does not exist', withField('snippets', { page_layout: '"x"' })],
];
const zeros = Buffer.alloc(50 * 1024);

describe('an archive is refused as a whole', () => {
  it.each(archives)('%s', async (_what, make) => {
    const bytes = make();
    for (const query of ['?dry_run=1', '']) {
      const { status, body } = await importWithTrueHash(server, bytes, query);
      expect([400, 413]).toContain(status);
      expect(['bundle.invalid', 'bundle.tooLarge']).toContain(asRecord(body)['code']);
      expect(String(asRecord(body)['error'])).not.toContain(server.dataDir);
      // Each has a fault of its own.
      expect(String(asRecord(body)['error'])).not.toContain('the hash of its manifest');
    }
  });

  it.each([
    ['the hash of another content', () => parts.withManifest({ hash: 'f'.repeat(64) }).zip()],
    ['content that has been changed', withField('snippets', { content: 'y' })],
    ['a row that is gone', () => parts.withRows('items', []).zip()],
  ])('%s', async (_what, make) => {
    for (const query of ['?dry_run=1', '']) {
      const { status, body } = await importBundle(server, make(), query);
      expect({ status, code: asRecord(body)['code'] }).toEqual({ status: 400, code: 'bundle.invalid' });
      expect(String(asRecord(body)['error'])).toContain('the hash of its manifest');
    }
  });

  it.each([
    ['collections', 'fields'],
    ['pages', 'blocks'],
  ])('without parsing what is nested too deeply: %s, %s', async (table, column) => {
    const { body } = await importBundle(server, withField(table, { [column]: nested })());
    expect(String(asRecord(body)['error'])).toContain('nested deeper than 100 levels');
  });

  it('and nothing of any of them has stayed', async () => {
    expect(await hashOf(server)).toBe(hash);
    expect(await callList(server, '/bundle/backups')).toEqual([]);
    await expect.poll(() => readdirSync(join(server.dataDir, 'media', '.staging'))).toEqual([]);
    expect(readdirSync(server.dataDir).sort()).not.toContain('evil');
    // A node says at its start that its media are local files.
    const lines = server
      .log()
      .split('\n')
      .filter((line) => !line.includes('media are local files'));
    expect(lines).toEqual(['']);
    expect((await importBundle(server, parts.zip())).status).toBe(200);
  });
});
