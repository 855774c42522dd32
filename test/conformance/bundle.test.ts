import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { BundleParts, countsIn, download, hashOf, importBundle } from '../support/bundles.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { makeTempDir, masterToken, startServer, type TestServer } from '../support/server.ts';
import { contentFile, writeContent } from '../support/shared-database.ts';

/** Data, Automation and Operations, "Connections, system, security, mail": bundles. */

let source: TestServer;
let target: TestServer;
beforeAll(async () => {
  [source, target] = await Promise.all([startServer({ args: ['-demo'] }), startServer()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

const nothing = { created: {}, updated: {}, deleted: {} };

describe('a bundle of the demonstration website', () => {
  it('is described before it is made', async () => {
    const info = await callOk(source, 'GET', '/bundle/info');
    expect(Object.keys(info).sort()).toEqual([
      ...['build', 'commit', 'counts', 'folder_formats', 'hash', 'headless', 'schema'],
      'updated_at',
      'version',
    ]);
    expect(info['folder_formats']).toEqual([1]);
    const parts = await BundleParts.of(await download(source));
    expect(parts.manifest).toMatchObject({
      format: 1,
      version: info['version'],
      schema: info['schema'],
      hash: info['hash'],
      counts: info['counts'],
    });
    for (const [table, count] of Object.entries(asRecord(info['counts'])))
      expect(parts.rows(table)).toHaveLength(Number(count));
    for (const { path } of parts.rows('files')) expect(parts.entries.has(`media/${path}`)).toBe(true);
  });

  it('has the same hash after an import, and imported again it changes nothing', async () => {
    const bytes = await download(source);
    const dry = await importBundle(target, bytes, '?dry_run=1');
    expect(dry.body).toMatchObject({
      backup: null,
      kinds: {
        page: {
          created: expect.arrayContaining([{ id: 1, title: 'The Weigh House' }]),
          updated: [],
          deleted: [],
        },
      },
    });
    expect(await callList(target, '/pages')).toEqual([]);
    const first = await importBundle(target, bytes);
    expect(first.status).toBe(200);
    expect(countsIn(first)).toEqual(countsIn(dry));
    expect(await hashOf(target)).toBe(await hashOf(source));
    const second = await importBundle(target, bytes);
    expect(countsIn(second)).toEqual(nothing);
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  it('shows the same pages and files afterwards', async () => {
    const pages = await callList(source, '/pages');
    for (const { path } of pages.slice(0, 12)) {
      const [left, right] = await Promise.all(
        [source, target].map(async (server) => (await fetch(`${server.url}${path}`)).text()),
      );
      expect(right?.replaceAll(target.url, '')).toBe(left?.replaceAll(source.url, ''));
    }
    for (const { url } of await callList(source, '/files')) {
      const [left, right] = await Promise.all(
        [source, target].map(async (server) =>
          Buffer.from(await (await fetch(`${server.url}${url}`)).arrayBuffer()),
        ),
      );
      expect(right?.equals(left ?? Buffer.alloc(1))).toBe(true);
    }
  });

  it('keeps track of what refers to what', async () => {
    const [page] = await callList(source, '/assets');
    const refusal = await call(target, 'DELETE', `/assets/${page?.['id']}?if_unused=1`);
    const expected = await call(source, 'DELETE', `/assets/${page?.['id']}?if_unused=1`);
    expect(outcomeOf(refusal)).toEqual({ status: 409, code: 'common.inUse' });
    expect(refusal.body).toEqual(expected.body);
  });

  it('keeps track of what block trees refer to', async () => {
    const schema = { block: true, params: [{ name: 'picture', type: 'image' }] };
    const type = freshName('figure');
    await createSnippet(source, { name: type, schema });
    const picture = await uploadOne(source, 'figure.jpg', await draw({ width: 40, height: 40 }));
    const hidden = await uploadOne(source, 'hidden.jpg', await draw({ width: 42, height: 40 }));
    const figure = (file: number) => ({ type, params: { picture: file } });
    const inner = await createGlobalBlock(source, { blocks: [figure(Number(picture['id']))] });
    const outer = await createGlobalBlock(source, { blocks: [{ global: inner }] });
    await callOk(source, 'PUT', '/pages/1', { blocks: [{ global: outer }, figure(Number(hidden['id']))] });
    expect((await importBundle(target, await download(source))).status).toBe(200);
    const { files, snippets } = await callOk(target, 'GET', '/cleanup');
    const unused = await callOk(source, 'GET', '/cleanup');
    expect({ files, snippets }).toEqual({ files: unused['files'], snippets: unused['snippets'] });
    for (const path of [
      `/global-blocks/${inner}/usage`,
      `/global-blocks/${outer}/usage`,
      '/blocks/types?usage=1',
    ])
      expect((await call(target, 'GET', path)).body).toEqual((await call(source, 'GET', path)).body);
    for (const id of [inner, outer])
      expect(outcomeOf(await call(target, 'DELETE', `/global-blocks/${id}`))).toEqual({
        status: 409,
        code: 'block.globalInUse',
      });
  });

  it('is told as one change', async () => {
    const { changes } = await callOk(target, 'GET', '/changes?since=0&limit=1000');
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'bundle', action: 'imported' }));
  });
});

describe('the hash', () => {
  it('comes back when changes are undone', async () => {
    const before = await hashOf(source);
    const [page] = await callList(source, '/pages');
    await callOk(source, 'PUT', `/pages/${page?.['id']}`, { title: 'Another' });
    expect(await hashOf(source)).not.toBe(before);
    await callOk(source, 'PUT', `/pages/${page?.['id']}`, { title: page?.['title'] });
    expect(await hashOf(source)).toBe(before);
    const snippet = await callOk(source, 'POST', '/snippets', { name: 'passing', content: 'x' });
    expect(await hashOf(source)).not.toBe(before);
    await call(source, 'DELETE', `/snippets/${snippet['id']}`);
    expect(await hashOf(source)).toBe(before);
  });

  it('knows the bytes of a file', async () => {
    const original = await draw({ width: 40, height: 30 });
    const file = await uploadOne(source, 'a.jpg', original);
    const before = await hashOf(source);
    const replace = async (bytes: Uint8Array) =>
      upload(source, [{ name: 'a.jpg', bytes }], {}, { method: 'PUT', path: `/files/${file['id']}` });
    await replace(await draw({ width: 41, height: 30 }));
    expect(await hashOf(source)).not.toBe(before);
    await replace(original);
    expect(await hashOf(source)).toBe(before);
    await call(source, 'DELETE', `/files/${file['id']}`);
  });
});

describe('an import', () => {
  it('replaces, exchanges and deletes', async () => {
    const one = await callOk(source, 'POST', '/snippets', { name: 'one', content: '1' });
    const two = await callOk(source, 'POST', '/snippets', { name: 'two', content: '2' });
    expect((await importBundle(target, await download(source))).status).toBe(200);
    await callOk(source, 'PUT', `/snippets/${one['id']}`, { name: 'three' });
    await callOk(source, 'PUT', `/snippets/${two['id']}`, { name: 'one' });
    await callOk(source, 'PUT', `/snippets/${one['id']}`, { name: 'two' });
    const extra = await callOk(target, 'POST', '/snippets', { name: 'extra', content: '' });
    const answer = await importBundle(target, await download(source));
    expect(countsIn(answer)).toEqual({ created: {}, updated: { snippets: 2 }, deleted: { snippets: 1 } });
    expect((await call(target, 'GET', `/snippets/${extra['id']}`)).status).toBe(404);
    expect(await callOk(target, 'GET', `/snippets/${one['id']}`)).toMatchObject({ name: 'two' });
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  it('counts an entry whose ID belonged to another collection', async () => {
    const [from, to] = await Promise.all([startServer(), startServer()]);
    const fields = [{ name: 'title', type: 'text' }];
    for (const [server, first, second] of [
      [from, 'a', 'b'],
      [to, 'b', 'a'],
    ] as const) {
      for (const slug of ['a', 'b']) await createCollection(server, { slug, fields });
      const id = await createItem(server, first, { title: `of ${first}` });
      await callOk(server, 'PUT', `/collections/${first}/items/${id}`, { data: { title: `${first} again` } });
      if (server === from) await createItem(server, second, { title: `of ${second}` });
    }
    expect((await importBundle(to, await download(from))).status).toBe(200);
    for (const slug of ['a', 'b'])
      expect(await callOk(to, 'GET', `/collections/${slug}`)).toMatchObject({ item_count: 1 });
    expect(await callList(to, '/revisions?kind=item&id=1')).toEqual([]);
    expect(await hashOf(to)).toBe(await hashOf(from));
    await Promise.all([from.stop(), to.stop()]);
  });

  it('knows the HTTP inputs of the workflows that have come, and no longer those that have gone', async () => {
    const [from, to] = await Promise.all([startServer(), startServer()]);
    const input = (path: string) => ({
      name: path,
      flow: { nodes: [{ id: 'in', type: 'http-in', config: { method: 'GET', path } }] },
    });
    await callOk(from, 'POST', '/workflows', input('come'));
    await callOk(to, 'POST', '/workflows', input('gone'));
    expect((await importBundle(to, await download(from))).status).toBe(200);
    const taken = await call(to, 'POST', '/workflows', { body: input('come') });
    expect(outcomeOf(taken)).toEqual({ status: 409, code: 'workflow.pathTaken' });
    expect((await call(to, 'POST', '/workflows', { body: input('gone') })).status).toBe(201);
    await Promise.all([from.stop(), to.stop()]);
  });

  it('keeps users, tokens, settings and versions, and gives changed objects a later time', async () => {
    const [asset] = await callList(source, '/assets');
    const path = `/assets/${asset?.['id']}`;
    await callOk(target, 'PUT', path, { content: 'a { color: red }' });
    const { updated_at: before } = await callOk(target, 'GET', path);
    await callOk(target, 'PUT', '/security', { hide_version: true });
    expect(countsIn(await importBundle(target, await download(source)))).toMatchObject({
      updated: { assets: 1 },
    });
    const after = await callOk(target, 'GET', path);
    expect(after['content']).toBe((await callOk(source, 'GET', path))['content']);
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before));
    expect(await callList(target, `/revisions?kind=asset&id=${asset?.['id']}`)).not.toEqual([]);
    expect(await callOk(target, 'GET', '/security')).toMatchObject({ settings: { hide_version: true } });
  });

  it('without media keeps the files of the target', async () => {
    const own = await uploadOne(target, 'own.txt', 'of the target');
    const bytes = await download(source, '?media=0');
    const { entries } = await BundleParts.of(bytes);
    expect([...entries.keys()].filter((name) => name.startsWith('media/'))).toEqual([]);
    expect(countsIn(await importBundle(target, bytes))).toEqual(nothing);
    expect(await (await fetch(`${target.url}${own['url']}`)).text()).toBe('of the target');
    expect(countsIn(await importBundle(target, await download(source)))).toMatchObject({
      deleted: { files: 1 },
    });
    expect((await fetch(`${target.url}${own['url']}`)).status).toBe(404);
  });

  it('brings the new bytes of a replaced file, under its address, and its variants', async () => {
    const file = await uploadOne(source, 'b.jpg', await draw({ width: 700, height: 400 }));
    await importBundle(target, await download(source));
    const bytes = await draw({ width: 720, height: 300 });
    await upload(source, [{ name: 'b.jpg', bytes }], {}, { method: 'PUT', path: `/files/${file['id']}` });
    await importBundle(target, await download(source));
    const there = await fetch(`${target.url}${file['url']}`);
    expect(Buffer.from(await there.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(`${target.url}${file['url']}?w=320`)).status).toBe(200);
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  it('takes a form, and refuses another body', async () => {
    const bytes = await download(source);
    const path = { method: 'POST', path: '/bundle' };
    const form = await upload(target, [{ name: 'b.zip', bytes }], {}, path);
    expect(countsIn(form)).toEqual(nothing);
    expect(outcomeOf(await upload(target, [{ name: 'b.zip', bytes, field: 'other' }], {}, path))).toEqual({
      status: 400,
      code: 'bundle.missing',
    });
    const text = { raw: 'no archive', headers: { 'Content-Type': 'text/plain' } };
    expect((await call(target, 'POST', '/bundle', text)).status).toBe(415);
  });
});

describe('entries of live collections', () => {
  const fields = [
    { name: 'text', type: 'text' },
    { name: 'answers', type: 'reference', collection: 0 },
  ];

  it('stay on the target with their IDs, count in no hash, and other entries give way to them', async () => {
    const body = { name: 'Letters', slug: 'letters', live: true, fields: fields.slice(0, 1) };
    const { id } = await callOk(source, 'POST', '/collections', body);
    await callOk(source, 'PUT', `/collections/${id}`, {
      fields: [fields[0], { ...fields[1], collection: id }],
    });
    await callOk(source, 'POST', '/collections/letters/items', { data: { text: 'of the source' } });
    await importBundle(target, await download(source));
    // The collection is new on the target, so it comes with its entries.
    expect(await callList(target, '/collections/letters/items')).toMatchObject([
      { data: { text: 'of the source' } },
    ]);

    const first = await callOk(target, 'POST', '/collections/letters/items', { data: { text: 'a visitor' } });
    const data = { text: 'an answer', answers: first['id'] };
    await callOk(target, 'POST', '/collections/letters/items', { data });
    expect(await hashOf(target)).toBe(await hashOf(source));

    const { slug } = await callOk(source, 'POST', '/collections', {
      name: 'N',
      slug: 'n',
      fields: [fields[0]],
    });
    const rival = await callOk(source, 'POST', `/collections/${slug}/items`, {
      data: { text: 'the same ID' },
    });
    expect(rival['id']).toBe(first['id']);
    expect((await importBundle(target, await download(source))).status).toBe(200);
    const letters = await callList(target, '/collections/letters/items');
    expect(letters.map((entry) => asRecord(entry['data'])['text'])).toEqual([
      'of the source',
      'a visitor',
      'an answer',
    ]);
    expect(asRecord(letters[2]?.['data'])['answers']).toBe(letters[1]?.['id']);
    expect(letters[1]?.['id']).toBe(first['id']);
    const [moved] = await callList(target, '/collections/n/items');
    expect(moved).toMatchObject({ data: { text: 'the same ID' } });
    expect(letters.map(({ id: letter }) => letter)).not.toContain(moved?.['id']);
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  it('stay in the collection with their slug when its ID belongs to another live one', async () => {
    const [from, to] = await Promise.all([startServer(), startServer()]);
    const live = (server: TestServer, slug: string) =>
      createCollection(server, { slug, live: true, fields: fields.slice(0, 1) });
    for (const slug of ['letters', 'orders']) await live(from, slug);
    await createItem(from, 'orders', { text: 'of the source' });
    const other = await createCollection(to, { slug: 'other' });
    await live(to, 'letters');
    await callOk(to, 'DELETE', `/collections/${other}`);
    await createItem(to, 'letters', { text: 'a visitor' });
    expect((await importBundle(to, await download(from))).status).toBe(200);
    expect(await callList(to, '/collections/letters/items')).toMatchObject([{ data: { text: 'a visitor' } }]);
    expect(await callList(to, '/collections/orders/items')).toMatchObject([
      { data: { text: 'of the source' } },
    ]);
    await Promise.all([from.stop(), to.stop()]);
  });
});

describe('other versions', () => {
  it.each([
    ['another format', { format: 2 }],
    ['a newer schema', { schema: 99_999 }],
    ['no schema', { schema: undefined }],
  ])('%s is refused', async (_what, fields) => {
    const parts = await BundleParts.of(await download(source, '?media=0'));
    const answer = await importBundle(target, parts.withManifest(fields).zip());
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'bundle.invalid' });
  });

  it('an older schema is migrated; tables that it does not know stay', async () => {
    const parts = await BundleParts.of(await download(source));
    const blocks = await callOk(target, 'POST', '/global-blocks', { name: 'stays' });
    const pages = parts
      .rows('pages')
      .map(({ blocks: _blocks, regions: _regions, zone: _zone, ...page }) => page);
    const older = parts
      .withManifest({ schema: 12 })
      .withRows('pages', pages)
      .without('data/global_blocks.ndjson');
    const answer = await importBundle(target, older.zip());
    expect(answer.status).toBe(200);
    expect(await callOk(target, 'GET', `/global-blocks/${blocks['id']}`)).toMatchObject({ name: 'stays' });
    await importBundle(target, parts.zip());
    expect(await hashOf(target)).toBe(await hashOf(source));
  });
});

describe('a wrong size that an older program has stored', () => {
  it.each([-1, 3, 1e15])('is that of the bytes again: %d', async (size) => {
    const { id } = await uploadOne(target, 'sized.txt', 'true bytes');
    const hash = await hashOf(target);
    await writeContent(target.dataDir, async (db) => {
      db.statement('UPDATE files SET size = ? WHERE id = ?').run([size, Number(id)]);
      db.statement('UPDATE file_hashes SET size = NULL').run([]);
    });
    // What was known of the content before is read again after a change.
    const snippet = await createSnippet(target, { name: freshName('sized') });
    await call(target, 'DELETE', `/snippets/${snippet}`);
    expect(await hashOf(target)).toBe(hash);
    const bytes = await download(target);
    const row = (await BundleParts.of(bytes)).rows('files').find((file) => file['id'] === id);
    expect(row).toMatchObject({ size: 10 });
    expect(await callOk(target, 'GET', `/files/${id}`)).toMatchObject({ size: 10 });
    await callOk(target, 'POST', '/bundle/backups');
    expect(countsIn(await importBundle(target, bytes))).toEqual(nothing);
    await call(target, 'DELETE', `/files/${id}`);
  });
});

describe('a wrong type that an older program has stored', () => {
  it('is corrected before a bundle tells of it', async () => {
    const dataDir = makeTempDir();
    const older = await startServer({ dataDir });
    const picture = await uploadOne(older, 'picture.png', await draw({ width: 8, height: 8, format: 'png' }));
    const text = await uploadOne(older, 'text.txt', 'words');
    const plain = await uploadOne(older, 'plain.txt', 'plain');
    await older.end('SIGTERM');
    await writeContent(dataDir, async (db) => {
      const change = db.statement('UPDATE files SET format = ?, private = ? WHERE id = ?');
      change.run(['jpeg', 0, Number(picture['id'])]);
      change.run(['x', 7, Number(text['id'])]);
      db.statement('UPDATE file_hashes SET size = NULL').run([]);
    });
    const server = await startServer({ dataDir });
    try {
      const bytes = await download(server);
      const rows = (await BundleParts.of(bytes)).rows('files');
      expect(rows.map((row) => [row['id'], row['format'], row['private']])).toEqual([
        [picture['id'], 'png', 0],
        [text['id'], '', 1],
        [plain['id'], '', 0],
      ]);
      expect(countsIn(await importBundle(server, bytes))).toEqual(nothing);
    } finally {
      await server.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('backups', () => {
  it('restore the state before an import', async () => {
    const before = await hashOf(target);
    const file = await uploadOne(target, 'kept.txt', 'kept');
    const state = await hashOf(target);
    const answer = await importBundle(target, await download(source));
    expect(await hashOf(target)).toBe(before);
    const name = String(asRecord(answer.body)['backup']);
    const dry = await call(target, 'POST', `/bundle/backups/${name}?dry_run=1`);
    expect(dry.body).toMatchObject({ backup: null, kinds: { file: { created: [{ title: 'kept.txt' }] } } });
    expect(await hashOf(target)).toBe(before);
    const restored = await call(target, 'POST', `/bundle/backups/${name}`);
    expect(countsIn(restored)).toEqual(countsIn(dry));
    expect(countsIn(restored)).toEqual({ created: { files: 1 }, updated: {}, deleted: {} });
    expect(await hashOf(target)).toBe(state);
    expect(await (await fetch(`${target.url}${file['url']}`)).text()).toBe('kept');
    await importBundle(target, await download(source));
  });

  it('are listed, downloaded, deleted; the newest ten are kept under different names', async () => {
    const made: unknown[] = [];
    for (let number = 0; number < 13; number++)
      made.push((await callOk(target, 'POST', '/bundle/backups'))['name']);
    expect(new Set(made).size).toBe(made.length);
    const list = await callList(target, '/bundle/backups');
    expect(list.map(({ name }) => name)).toEqual(made.slice(-10).reverse());
    const [newest] = list;
    const response = await fetch(`${target.url}/api/v1/bundle/backups/${newest?.['name']}`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    expect(response.headers.get('content-length')).toBe(String(newest?.['size']));
    const parts = await BundleParts.of(Buffer.from(await response.arrayBuffer()));
    expect(parts.manifest['hash']).toBe(await hashOf(target));
    expect((await call(target, 'DELETE', `/bundle/backups/${newest?.['name']}`)).status).toBe(204);
    expect((await call(target, 'GET', `/bundle/backups/${newest?.['name']}`)).status).toBe(404);
  });

  it.each(['..%2f..%2fcontent.db', '..%2fcontent.db', 'none.zip', '%2e%2e', '20261122-204312.zip'])(
    'no other file is one: %s',
    async (name) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await call(target, method, `/bundle/backups/${name}`)).status).toBe(404);
      expect(existsSync(contentFile(target.dataDir))).toBe(true);
    },
  );

  it('leave no temporary file behind, and neither does anything else', async () => {
    for (const { dataDir } of [source, target])
      await expect.poll(() => readdirSync(join(dataDir, 'media', '.staging'))).toEqual([]);
    expect(readdirSync(join(target.dataDir, 'backups')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
