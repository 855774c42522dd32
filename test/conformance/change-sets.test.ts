import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { writeContent } from '../support/shared-database.ts';

/** The contract, "Change sets": releases and their items. */

let server: TestServer;
let site: number;
let readToken: string;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  readToken = await addToken(server, 'reader', false);
});
afterAll(() => server.stop());

const soon = () => Math.floor(Date.now() / 1000) + 3600;
const release = async (name = freshName('release')) =>
  idOf(await callOk(server, 'POST', '/change-sets', { name }));
const get = (set: number) => callOk(server, 'GET', `/change-sets/${set}`);
const items = (set: number) => callList(server, `/change-sets/${set}/items`);
const put = (set: number, of: string, body: unknown) =>
  call(server, 'PUT', `/change-sets/${set}/items/${of}`, { body });
const add = (set: number, body: unknown) => call(server, 'POST', `/change-sets/${set}/items`, { body });

describe('a release', () => {
  it('is created, read, changed and discarded', async () => {
    const answer = await call(server, 'POST', '/change-sets', { body: { name: 'Summer', note: 'n' } });
    expect(answer.status).toBe(201);
    const time = expect.any(Number);
    const created = {
      ...{ id: time, name: 'Summer', note: 'n', purpose: 'release', state: 'open', author: 'Master-Token' },
      ...{ created_at: time, updated_at: time, publish_at: null, published_at: null, reverted_by: null },
      ...{ failure: null, review: null, items: 0, conflicts: 0 },
    };
    expect(answer.body).toEqual(created);
    const set = idOf(asRecord(answer.body));
    expect(await get(set)).toEqual(created);
    const at = soon();
    expect(
      await callOk(server, 'PUT', `/change-sets/${set}`, { name: 'Autumn', note: '', publish_at: at }),
    ).toMatchObject({ name: 'Autumn', note: '', publish_at: at, state: 'scheduled' });
    expect(await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: null })).toMatchObject({
      publish_at: null,
      state: 'open',
    });
    expect((await call(server, 'DELETE', `/change-sets/${set}`)).status).toBe(204);
    expect(await get(set)).toMatchObject({ state: 'discarded' });
  });

  it('has an updated_at that grows with every change', async () => {
    const set = await release();
    const before = await get(set);
    const after = await callOk(server, 'PUT', `/change-sets/${set}`, { note: 'x' });
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });

  it.each<[string, object, number, string]>([
    ['no name', { name: '' }, 400, 'common.invalid'],
    ['a number as name', { name: 1 }, 400, 'common.invalid'],
    ['a past time', { publish_at: 1000 }, 400, 'changeset.timePast'],
    ['a text as time', { publish_at: 'now' }, 400, 'common.invalid'],
  ])('refuses %s', async (_name, body, status, code) => {
    const set = await release();
    const answer = await call(server, 'PUT', `/change-sets/${set}`, { body });
    expect(outcomeOf(answer)).toEqual({ status, code });
    expect(await get(set)).toMatchObject({ state: 'open', publish_at: null });
  });

  it('that is discarded or unknown cannot be changed', async () => {
    const set = await release();
    await call(server, 'DELETE', `/change-sets/${set}`);
    const page = await createPage(server, site);
    const closed = { status: 409, code: 'changeset.closed' };
    expect(outcomeOf(await call(server, 'PUT', `/change-sets/${set}`, { body: { note: 'x' } }))).toEqual(
      closed,
    );
    expect(outcomeOf(await call(server, 'DELETE', `/change-sets/${set}`))).toEqual(closed);
    expect(outcomeOf(await put(set, `page/${page}`, { title: 'x' }))).toEqual(closed);
    expect(outcomeOf(await call(server, 'POST', `/change-sets/${set}/publish`))).toEqual(closed);
    const unknown = { status: 404, code: 'common.notFound' };
    expect(outcomeOf(await call(server, 'GET', '/change-sets/999999'))).toEqual(unknown);
    expect(outcomeOf(await call(server, 'GET', '/change-sets/999999/items'))).toEqual(unknown);
    expect(outcomeOf(await call(server, 'GET', '/change-sets/999999/diff'))).toEqual(unknown);
    expect(outcomeOf(await put(999_999, `page/${page}`, { title: 'x' }))).toEqual(unknown);
  });

  it('is listed newest first, by state, purpose and object', async () => {
    const [first, second] = [await release(), await release()];
    const page = await createPage(server, site);
    await put(second, `page/${page}`, { title: 'x' });
    const ids = async (query: string) => (await callList(server, `/change-sets${query}`)).map(({ id }) => id);
    expect((await ids('')).slice(0, 2)).toEqual([second, first]);
    expect(await ids(`?kind=page&id=${page}`)).toEqual([second]);
    await call(server, 'DELETE', `/change-sets/${first}`);
    expect(await ids('?state=discarded')).toContain(first);
    expect(await ids('?state=open')).not.toContain(first);
    expect(await ids('?purpose=copy')).toEqual([]);
    expect((await call(server, 'GET', '/change-sets?state=x')).status).toBe(400);
  });

  it('is seen by read tokens, and by nobody without one', async () => {
    const set = await release();
    const paths = ['', `/${set}`, `/${set}/items`, `/${set}/diff`];
    for (const path of paths) {
      expect((await call(server, 'GET', `/change-sets${path}`, { token: readToken })).status).toBe(200);
      const anonymous = await call(server, 'GET', `/change-sets${path}`, { token: null });
      expect(outcomeOf(anonymous)).toEqual({ status: 404, code: 'common.notFound' });
    }
    const body = { name: 'x' };
    expect((await call(server, 'POST', '/change-sets', { token: readToken, body })).status).toBe(403);
    expect((await call(server, 'POST', '/change-sets', { token: null, body })).status).toBe(404);
  });
});

describe('an item', () => {
  it('is answered as the GET of the object with the change set, which stays as it is live', async () => {
    const set = await release();
    const page = await createPage(server, site, { title: 'Live', html: 'a' });
    const live = await callOk(server, 'GET', `/pages/${page}`);
    const answer = await put(set, `page/${page}`, { title: 'Mine', html: '{% if %}' });
    expect(answer.status).toBe(200);
    const { item, warnings, updated_at: _at, local_modified: _l, ...object } = asRecord(answer.body);
    const { updated_at: base, local_modified: _lm, ...expected } = live;
    expect(object).toEqual({ ...expected, title: 'Mine', html: '{% if %}' });
    expect(warnings).toMatchObject([{ code: 'template.syntax' }]);
    const shown = {
      ...{ kind: 'page', id: page, op: 'update', title: 'Mine', base_updated_at: base },
      ...{ authors: ['Master-Token'], updated_at: expect.any(Number), conflicts: [] },
    };
    expect(item).toMatchObject(shown);
    expect(await items(set)).toMatchObject([shown]);
    expect((await items(set))[0]?.['fields']).toEqual(expect.arrayContaining(['title', 'html']));
    expect(await get(set)).toMatchObject({ items: 1 });
    expect(await callOk(server, 'GET', `/pages/${page}`)).toEqual(live);
  });

  it('merges fields; what is set back leaves it, and without fields it is dropped', async () => {
    const set = await release();
    const page = await createPage(server, site, { title: 'Live' });
    await put(set, `page/${page}`, { title: 'Mine' });
    await put(set, `page/${page}`, { meta_title: 'm' });
    expect((await items(set))[0]?.['fields']).toEqual(['title', 'meta_title']);
    await put(set, `page/${page}`, { title: 'Live' });
    expect((await items(set))[0]?.['fields']).toEqual(['meta_title']);
    const answer = await put(set, `page/${page}`, { meta_title: '' });
    expect(asRecord(answer.body)).toMatchObject({ item: null, title: 'Live' });
    expect(await items(set)).toEqual([]);
  });

  it('names the values of entries data.<name>', async () => {
    const set = await release();
    const slug = freshName('news');
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'text', type: 'text' },
    ];
    await callOk(server, 'POST', '/collections', { slug, fields });
    const entry = idOf(await callOk(server, 'POST', `/collections/${slug}/items`, { data: { title: 'a' } }));
    const answer = await put(set, `item/${entry}`, { data: { text: 'b' }, published: false });
    expect(answer.body).toMatchObject({ data: { title: 'a', text: 'b' }, published: false });
    expect((await items(set))[0]).toMatchObject({ fields: ['data.text', 'published'], title: 'a' });
  });

  it.each<[string, object, number, string]>([
    ['a value that the kind refuses', { title: '' }, 400, 'common.invalid'],
    ['a wrong type', { title: 5 }, 400, 'common.invalid'],
    ['a taken slug', { slug: 'taken' }, 409, 'page.slugTaken'],
    ['a block of no type', { blocks: [{ type: 'nothing' }] }, 400, 'block.typeUnknown'],
    ['an old base', { title: 'x', base_updated_at: 1 }, 409, 'common.conflict'],
    ['a body that is no object', [], 400, 'common.invalid'],
  ])('is refused as live: %s', async (_name, body, status, code) => {
    const [set, page] = [await release(), await createPage(server, site)];
    await call(server, 'POST', '/pages', { body: { parent_id: site, title: 't', slug: 'taken' } });
    expect(outcomeOf(await put(set, `page/${page}`, body))).toEqual({ status, code });
    expect(await items(set)).toEqual([]);
  });

  it('is refused with strict=1 for unknown fields and texts that cannot work', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const strict = (body: object) =>
      call(server, 'PUT', `/change-sets/${set}/items/page/${page}?strict=1`, { body });
    expect(outcomeOf(await strict({ titel: 'x' }))).toEqual({ status: 400, code: 'common.unknownField' });
    expect(outcomeOf(await strict({ html: '{% if %}' }))).toEqual({ status: 422, code: 'template.invalid' });
    expect((await strict({ html: 'x' })).status).toBe(200);
  });

  it('compares base_updated_at only when the object comes in', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const { updated_at } = await callOk(server, 'GET', `/pages/${page}`);
    expect((await put(set, `page/${page}`, { title: 'a', base_updated_at: updated_at })).status).toBe(200);
    expect((await put(set, `page/${page}`, { title: 'b', base_updated_at: 1 })).status).toBe(200);
  });

  it.each(['pen', 'globalblock', 'x', '__proto__'])('of the kind %s is unknown', async (kind) => {
    const set = await release();
    const unknown = { status: 400, code: 'batch.kindUnknown' };
    expect(outcomeOf(await put(set, `${kind}/1`, {}))).toEqual(unknown);
    expect(outcomeOf(await add(set, { op: 'create', kind, data: {} }))).toEqual(unknown);
  });

  it('of an object that does not exist is 404', async () => {
    expect(outcomeOf(await put(await release(), 'page/999999', { title: 'x' }))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
  });
});

describe('an operation', () => {
  it('creates an object with its ID, to which others refer', async () => {
    const set = await release();
    const made = await add(set, {
      op: 'create',
      kind: 'page',
      data: { parent_id: site, title: 'New', slug: freshName('new') },
    });
    expect(made.status).toBe(201);
    const id = idOf(asRecord(made.body));
    expect(made.body).toMatchObject({ title: 'New', parent_id: site, item: { op: 'create', id } });
    const child = await add(set, {
      op: 'create',
      kind: 'page',
      data: { parent_id: id, title: 'Child', slug: 'child' },
    });
    expect(child.body).toMatchObject({ parent_id: id });
    expect((await call(server, 'GET', `/pages/${id}`)).status).toBe(404);
    expect(await createPage(server, site)).toBeGreaterThan(idOf(asRecord(child.body)));
    const changed = await put(set, `page/${id}`, { title: 'Newer', meta_title: 'm' });
    expect(changed.body).toMatchObject({ title: 'Newer', item: { op: 'create', title: 'Newer' } });
  });

  it('deletes and moves, which op tells before an update', async () => {
    const set = await release();
    const [page, target, gone] = [
      await createPage(server, site),
      await createPage(server, site),
      await createSnippet(server),
    ];
    await put(set, `page/${page}`, { title: 'x' });
    const moved = await add(set, { op: 'move', kind: 'page', id: page, data: { parent_id: target } });
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({
      parent_id: target,
      item: { op: 'move', fields: ['title', 'parent_id'] },
    });
    const deleted = await add(set, { op: 'delete', kind: 'snippet', id: gone });
    expect(deleted.body).toMatchObject({ item: { op: 'delete', id: gone } });
    expect((await items(set)).map(({ op, id }) => [op, id])).toEqual([
      ['move', page],
      ['delete', gone],
    ]);
    expect(outcomeOf(await put(set, `snippet/${gone}`, { content: 'x' }))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
    expect((await call(server, 'GET', `/snippets/${gone}`)).status).toBe(200);
  });

  it('takes an object out unless others need it', async () => {
    const set = await release();
    const data = { parent_id: site, title: 'New', slug: freshName('new') };
    const parent = idOf(asRecord((await add(set, { op: 'create', kind: 'page', data })).body));
    const child = idOf(
      asRecord((await add(set, { op: 'create', kind: 'page', data: { ...data, parent_id: parent } })).body),
    );
    const remove = (id: number) => call(server, 'DELETE', `/change-sets/${set}/items/page/${id}`);
    const needed = await remove(parent);
    expect(needed.body).toMatchObject({
      code: 'changeset.needed',
      params: { by: [{ kind: 'page', id: child }] },
    });
    expect(needed.status).toBe(409);
    expect((await remove(child)).status).toBe(204);
    expect((await remove(parent)).status).toBe(204);
    expect((await remove(parent)).status).toBe(404);
    expect(await items(set)).toEqual([]);
  });

  it('of a collection that the change set creates takes its entries', async () => {
    const [set, slug] = [await release(), freshName('made')];
    const fields = [{ name: 'title', type: 'text' }];
    await add(set, { op: 'create', kind: 'collection', data: { slug, fields } });
    const entry = await add(set, { op: 'create', kind: 'item', collection: slug, data: { title: 'x' } });
    expect(entry.body).toMatchObject({ data: { title: 'x' }, item: { op: 'create', kind: 'item' } });
  });

  it('knows the snippets of the change set', async () => {
    const [set, name] = [await release(), freshName('card')];
    await add(set, { op: 'create', kind: 'snippet', data: { name, content: 'x' } });
    const page = await createPage(server, site);
    const answer = await put(set, `page/${page}`, { html: `{% include "${name}" %}` });
    expect(asRecord(answer.body)['warnings']).toEqual([]);
  });
});

describe('writes to change sets are no changes of content', () => {
  it('the page cache, the content version and local_modified stay', async () => {
    const slug = freshName('cached');
    const page = await createPage(server, site, { slug, published: true });
    const state = async () => (await fetch(`${server.url}/${slug}`)).headers.get('x-cache');
    expect([await state(), await state()]).toEqual(['MISS', 'HIT']);
    const { version } = await callOk(server, 'GET', '/changes?since=0&limit=1');
    const set = await release();
    await put(set, `page/${page}`, { title: 'x' });
    await add(set, { op: 'create', kind: 'asset', data: { name: 'x', kind: 'css' } });
    await callOk(server, 'PUT', `/change-sets/${set}`, { note: 'x' });
    await callOk(server, 'POST', `/change-sets/${set}/publish`, { dry_run: true });
    expect(await state()).toBe('HIT');
    expect((await callOk(server, 'GET', '/changes?since=0&limit=1'))['version']).toBe(version);
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ local_modified: false });
    expect(await callList(server, `/revisions?kind=page&id=${page}`)).toEqual([]);
  });
});

describe('limits', () => {
  const insertItems = (set: number, count: number, size: number) =>
    writeContent(server.dataDir, async (db) =>
      db
        .statement(
          `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
           INSERT INTO change_set_items
             (change_set_id, kind, object_id, position, title, is_deleted, fields, arrangements, authors,
              updated_at, size)
           SELECT ?, 'asset', 1000000 + n, n, '', 1, '{}', '[]', '[]', 1, ? FROM numbers`,
        )
        .run([count, set, size]),
    );

  it('a change set has at most 1,000 items', async () => {
    const [set, asset, other] = [await release(), await createAsset(server), await createAsset(server)];
    await insertItems(set, 999, 0);
    expect((await put(set, `asset/${asset}`, { name: 'x' })).status).toBe(200);
    const refused = await put(set, `asset/${other}`, { name: 'x' });
    expect(outcomeOf(refused)).toEqual({ status: 413, code: 'changeset.tooManyItems' });
    expect(await get(set)).toMatchObject({ items: 1000 });
  });

  it('a change set has at most 10 MB of its own', async () => {
    const [set, asset] = [await release(), await createAsset(server)];
    await insertItems(set, 1, 10 * 2 ** 20 - 100);
    expect((await put(set, `asset/${asset}`, { name: 'x' })).status).toBe(200);
    const refused = await put(set, `asset/${asset}`, { name: 'x'.repeat(100) });
    expect(outcomeOf(refused)).toEqual({ status: 413, code: 'changeset.tooLarge' });
  });

  it('those of a push have 200 MB and no limit of items', async () => {
    const [set, asset, other] = [await release(), await createAsset(server), await createAsset(server)];
    await writeContent(server.dataDir, async (db) =>
      db.statement("UPDATE change_sets SET purpose = 'push' WHERE id = ?").run([set]),
    );
    await insertItems(set, 1_001, 0);
    expect((await put(set, `asset/${asset}`, { name: 'x' })).status).toBe(200);
    expect(await get(set)).toMatchObject({ items: 1_002, purpose: 'push' });
    await writeContent(server.dataDir, async (db) =>
      db
        .statement('UPDATE change_set_items SET size = ? WHERE change_set_id = ? AND position = 1')
        .run([200 * 2 ** 20 - 100, set]),
    );
    expect((await put(set, `asset/${other}`, { name: 'x' })).status).toBe(200);
    const refused = await put(set, `asset/${other}`, { name: 'x'.repeat(100) });
    expect(outcomeOf(refused)).toEqual({ status: 413, code: 'changeset.tooLarge' });
  });
});

it('at most 10,000 change sets are open', async () => {
  const full = await startServer();
  await writeContent(full.dataDir, async (db) =>
    db
      .statement(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
         INSERT INTO change_sets (name, note, purpose, state, author, created_at, updated_at)
         SELECT 'x', '', 'release', 'open', '', 1, 1 FROM numbers`,
      )
      .run([]),
  );
  const create = async () => outcomeOf(await call(full, 'POST', '/change-sets', { body: { name: 'x' } }));
  expect((await create()).status).toBe(201);
  expect(await create()).toEqual({ status: 413, code: 'changeset.tooMany' });
  await full.stop();
});

describe('the difference', () => {
  it('shows base, mine and live of each changed field', async () => {
    const set = await release();
    const [asset, other] = [await createAsset(server, { content: 'a{}' }), await createAsset(server)];
    await put(set, `asset/${asset}`, { name: 'Mine', content: 'b{}' });
    await put(set, `asset/${other}`, { name: 'Other' });
    await callOk(server, 'PUT', `/assets/${asset}`, { content: 'c{}' });
    const diff = await callList(server, `/change-sets/${set}/diff`);
    expect(diff).toMatchObject([
      { kind: 'asset', id: asset, op: 'update' },
      { kind: 'asset', id: other, op: 'update' },
    ]);
    expect(diff[0]?.['fields']).toEqual([
      { field: 'name', base: expect.any(String), mine: 'Mine', live: expect.any(String), conflict: false },
      { field: 'content', base: 'a{}', mine: 'b{}', live: 'c{}', conflict: true },
    ]);
    expect(await get(set)).toMatchObject({ items: 2, conflicts: 1 });
    expect((await items(set)).map(({ conflicts }) => conflicts)).toEqual([['content'], []]);
  });

  it('hides the headers of sources from read tokens', async () => {
    const set = await release();
    const data = { slug: freshName('shop'), url: 'https://example.com', headers: { key: 'secret' } };
    await add(set, { op: 'create', kind: 'source', data });
    const shown = async (token: string) =>
      JSON.stringify((await call(server, 'GET', `/change-sets/${set}/diff`, { token })).body);
    expect(await shown(readToken)).not.toContain('secret');
  });
});
