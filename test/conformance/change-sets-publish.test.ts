import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createGlobalBlock,
  createPage,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { Receiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { writeContent } from '../support/shared-database.ts';

/** The contract, "Change sets": merging, conflicts and publication. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const put = (set: number, of: string, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/${of}`, body);
const add = (set: number, body: object) => callOk(server, 'POST', `/change-sets/${set}/items`, body);
const publish = (set: number, body: object = {}) =>
  call(server, 'POST', `/change-sets/${set}/publish`, { body });
const page = (id: number) => callOk(server, 'GET', `/pages/${id}`);

describe('regions of pages', () => {
  const html = '{% region lead type=text %}{% endregion %}{% region note type=text %}{% endregion %}';

  it('are fields of their own, which merge one by one', async () => {
    const id = await createPage(server, site, { html, regions: { lead: 'a', note: 'b' } });
    const set = await release();
    await put(set, `page/${id}`, { regions: { lead: 'mine', note: null } });
    const [item] = await callList(server, `/change-sets/${set}/items`);
    expect([...Object(item?.['fields'])].sort()).toEqual(['regions.lead', 'regions.note']);
    await callOk(server, 'PUT', `/pages/${id}`, { regions: { lead: 'live' } });
    const refused = await publish(set);
    expect(outcomeOf(refused)).toEqual({ status: 409, code: 'changeset.conflict' });
    expect(asRecord(asRecord(refused.body)['params'])['conflicts']).toMatchObject([
      { kind: 'page', id, field: 'regions.lead', base: 'a', mine: 'mine', live: 'live' },
    ]);
    await publish(set, { resolve: { [`page:${id}`]: { 'regions.lead': 'mine' } } });
    expect(await page(id)).toMatchObject({ regions: { lead: 'mine' } });
    expect((await page(id))['regions']).not.toHaveProperty('note');
  });

  it('that only one side has changed are no conflict', async () => {
    const id = await createPage(server, site, { html, regions: { lead: 'a', note: 'b' } });
    const set = await release();
    await put(set, `page/${id}`, { regions: { lead: 'mine' } });
    await callOk(server, 'PUT', `/pages/${id}`, { regions: { note: 'live' } });
    expect((await publish(set)).status).toBe(200);
    expect(await page(id)).toMatchObject({ regions: { lead: 'mine', note: 'live' } });
  });
});

describe('a publication', () => {
  it('makes all changes as one, and answers with the set and a result for each object', async () => {
    const set = await release();
    const [changed, gone] = [await createPage(server, site), await createSnippet(server)];
    const slug = freshName('new');
    const data = { parent_id: site, title: 'New', slug };
    const { id: created } = await add(set, { op: 'create', kind: 'page', data });
    await put(set, `page/${created}`, { meta_title: 'm' });
    await put(set, `page/${changed}`, { title: 'Mine' });
    await add(set, { op: 'delete', kind: 'snippet', id: gone });
    const answer = await publish(set);
    expect(answer.status).toBe(200);
    const at = expect.any(Number);
    expect(answer.body).toMatchObject({
      ...{ id: set, state: 'published', published_at: at, conflicts: 0, items: 3, failure: null },
      results: [
        { index: 0, op: 'create', kind: 'page', id: created, updated_at: at, warnings: [] },
        { index: 1, op: 'update', kind: 'page', id: changed, updated_at: at, warnings: [] },
        { index: 2, op: 'delete', kind: 'snippet', id: gone, deleted: true },
      ],
    });
    expect(await page(Number(created))).toMatchObject({ ...data, meta_title: 'm' });
    expect(await page(changed)).toMatchObject({ title: 'Mine' });
    expect((await call(server, 'GET', `/snippets/${gone}`)).status).toBe(404);
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ state: 'published' });
  });

  it('is history then: it cannot be edited, published or deleted', async () => {
    const [set, id] = [await release(), await createPage(server, site)];
    await put(set, `page/${id}`, { title: 'x' });
    await publish(set);
    const closed = { status: 409, code: 'changeset.closed' };
    const path = `/change-sets/${set}`;
    expect(outcomeOf(await publish(set))).toEqual(closed);
    expect(outcomeOf(await call(server, 'PUT', path, { body: { name: 'x' } }))).toEqual(closed);
    expect(outcomeOf(await call(server, 'DELETE', path))).toEqual(closed);
    const edit = await call(server, 'PUT', `${path}/items/page/${id}`, { body: { title: 'y' } });
    expect(outcomeOf(edit)).toEqual(closed);
    expect(await callList(server, `${path}/items`)).toMatchObject([{ kind: 'page', id }]);
  });

  it('of nothing is refused', async () => {
    const set = await release();
    expect(outcomeOf(await publish(set))).toEqual({ status: 409, code: 'changeset.empty' });
    expect(outcomeOf(await publish(set, { dry_run: true }))).toEqual({
      status: 409,
      code: 'changeset.empty',
    });
  });

  it('keeps one version of each object, also right after a save of the same author', async () => {
    const [set, id] = [await release(), await createPage(server, site, { title: 'One' })];
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Two' });
    await put(set, `page/${id}`, { title: 'Three' });
    await put(set, `page/${id}`, { title: 'Four' });
    await publish(set);
    const versions = await callList(server, `/revisions?kind=page&id=${id}`);
    const titles = await Promise.all(
      versions.map(
        async (version) =>
          asRecord((await callOk(server, 'GET', `/revisions/${version['id']}`))['data'])['title'],
      ),
    );
    expect(titles).toEqual(['Two', 'One']);
  });

  it('is told as single saves are, as one commit', async () => {
    const set = await release();
    const [one, two] = [await createPage(server, site), await createSnippet(server)];
    await put(set, `page/${one}`, { title: 'x' });
    await put(set, `snippet/${two}`, { content: 'x' });
    const { version: since } = await callOk(server, 'GET', '/changes?since=0&limit=1000');
    await publish(set);
    const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
    expect((Array.isArray(changes) ? changes : []).map(asRecord)).toMatchObject([
      { kind: 'page', action: 'updated', id: one },
      { kind: 'snippet', action: 'updated', id: two },
      { kind: 'change_set', action: 'published', id: set, name: expect.any(String) },
    ]);
  });

  it('is told to webhooks that name it', async () => {
    const receiver = new Receiver();
    await receiver.listen();
    const events = ['change_set.published'];
    const webhook = await callOk(server, 'POST', '/webhooks', { url: receiver.url, events });
    const [set, id] = [await release(), await createPage(server, site)];
    await put(set, `page/${id}`, { title: 'x' });
    await publish(set);
    await receiver.until(1);
    const told = { event: 'change_set.published', id: set, name: expect.any(String) };
    expect(receiver.received.map(({ body }) => body)).toMatchObject([told]);
    await call(server, 'DELETE', `/webhooks/${webhook['id']}`);
    await receiver.close();
  });

  it('is refused as a whole by what one object refuses, and says of which', async () => {
    const set = await release();
    const [first, second] = [await createPage(server, site), await createPage(server, site)];
    const slug = freshName('taken');
    await put(set, `page/${first}`, { title: 'Mine' });
    await put(set, `page/${second}`, { slug });
    await createPage(server, site, { slug });
    const answer = await publish(set);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'page.slugTaken',
      params: { kind: 'page', id: second, slug },
    });
    expect((await page(first))['title']).not.toBe('Mine');
    const trial = await publish(set, { dry_run: true });
    expect(trial.body).toMatchObject({
      conflicts: [],
      faults: [{ code: 'page.slugTaken', params: { kind: 'page', id: second } }],
    });
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ state: 'open' });
  });

  it('says that a parent was deleted live', async () => {
    const [set, parent] = [await release(), await createPage(server, site)];
    const data = { parent_id: parent, title: 'x', slug: 'x' };
    const { id } = await add(set, { op: 'create', kind: 'page', data });
    await call(server, 'DELETE', `/pages/${parent}`);
    expect((await publish(set)).body).toMatchObject({
      code: 'changeset.parentDeleted',
      params: { kind: 'page', id, by: { kind: 'page', id: parent } },
    });
  });

  it('takes another ID if an import has taken the promised one, and references follow', async () => {
    const set = await release();
    const { id } = await add(set, { op: 'create', kind: 'asset', data: { name: 'Mine', kind: 'css' } });
    const user = await createPage(server, site);
    await put(set, `page/${user}`, { assets: [{ asset_id: id, inherit: true }] });
    await writeContent(server.dataDir, async (db) =>
      db
        .statement(
          `INSERT INTO assets (id, name, kind, content, folder, created_at, updated_at)
           VALUES (?, 'Other', 'css', '', '', 1, 1)`,
        )
        .run([id]),
    );
    expect((await publish(set, { dry_run: true })).body).toMatchObject({ conflicts: [], faults: [] });
    const { status, body } = await publish(set);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { renumbered: [{ kind: 'asset', from: id, to: expect.any(Number) }] },
    });
    const [{ to } = { to: 0 }] = asRecord(body)['renumbered'] as { to: number }[];
    expect(to).not.toBe(id);
    expect(await callOk(server, 'GET', `/assets/${to}`)).toMatchObject({ name: 'Mine' });
    expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject({ name: 'Other' });
    expect(await page(user)).toMatchObject({ assets: [{ asset_id: to, inherit: true }] });
    const items = await callList(server, `/change-sets/${set}/items`);
    expect(items.map((item) => item['id'])).toEqual([to, user]);
  });

  it('applies what is needed first: definitions before entries, objects before what names them', async () => {
    const set = await release();
    const [slug, fields] = [freshName('news'), [{ name: 'title', type: 'text' }]];
    const collection = idOf(await callOk(server, 'POST', '/collections', { slug, fields }));
    const entry = idOf(await callOk(server, 'POST', `/collections/${slug}/items`, { data: { title: 'a' } }));
    await put(set, `item/${entry}`, { data: { title: 'b' } });
    const more = [...fields, { name: 'text', type: 'text', required: false }];
    await put(set, `collection/${collection}`, { fields: more });
    await put(set, `item/${entry}`, { data: { text: 'c' } });
    expect((await publish(set)).status).toBe(200);
    expect(await callOk(server, 'GET', `/collections/${slug}/items/${entry}`)).toMatchObject({
      data: { title: 'b', text: 'c' },
    });
  });

  it('gives a deleted slug to a page that comes in later', async () => {
    const [set, slug] = [await release(), freshName('slug')];
    const old = await createPage(server, site, { slug });
    await add(set, { op: 'delete', kind: 'page', id: old });
    const data = { parent_id: site, title: 'x', slug };
    const { id } = await add(set, { op: 'create', kind: 'page', data });
    expect((await publish(set)).status).toBe(200);
    expect(await page(Number(id))).toMatchObject({ slug });
  });
});

describe('merging', () => {
  const three = {
    base: 'a\nb\nc\nd\ne',
    mine: 'A\nb\nc\nd\ne',
    live: 'a\nb\nc\nd\nE',
    merged: 'A\nb\nc\nd\nE',
  };
  const asset = async (content: string) => createAsset(server, { content });

  it.each<[string, object, object, object]>([
    ['only here', { name: 'mine' }, {}, { name: 'mine' }],
    ['only live', { name: 'mine' }, { folder: 'live' }, { name: 'mine', folder: 'live' }],
    ['the same on both sides', { name: 'both' }, { name: 'both' }, { name: 'both' }],
    ['texts by line', { content: three.mine }, { content: three.live }, { content: three.merged }],
  ])('keeps what was changed %s', async (_name, mine, live, merged) => {
    const [set, id] = [await release(), await asset(three.base)];
    await put(set, `asset/${id}`, mine);
    await callOk(server, 'PUT', `/assets/${id}`, live);
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ conflicts: 0 });
    expect((await publish(set)).status).toBe(200);
    expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject(merged);
  });

  it.each<[string, unknown, object]>([
    ['mine', 'mine', { name: 'Mine' }],
    ['live', 'live', { name: 'Live' }],
    ['another value', { value: 'Other' }, { name: 'Other' }],
  ])('of a conflict is refused until it is resolved, here by %s', async (_name, choice, merged) => {
    const [set, id] = [await release(), await createAsset(server, { name: 'Base' })];
    await put(set, `asset/${id}`, { name: 'Mine' });
    await callOk(server, 'PUT', `/assets/${id}`, { name: 'Live' });
    const conflict = { kind: 'asset', id, field: 'name', base: 'Base', mine: 'Mine', live: 'Live' };
    const refused = await publish(set);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'changeset.conflict', params: { conflicts: [conflict] } });
    expect((await publish(set, { dry_run: true })).body).toEqual({ conflicts: [conflict], faults: [] });
    expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject({ name: 'Live' });
    const answer = await publish(set, { resolve: { [`asset:${id}`]: { name: choice } } });
    expect(answer.status).toBe(200);
    expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject(merged);
  });

  it('merges block trees block by block', async () => {
    const type = freshName('text');
    const schema = { block: true, params: [{ name: 'text', type: 'text' }] };
    await createSnippet(server, { name: type, schema });
    const block = (id: string, text: string) => ({ id, type, params: { text } });
    const tree = [block('a', '1'), block('b', '2')];
    const [set, id] = [await release(), await createGlobalBlock(server, { blocks: tree })];
    await put(set, `global_block/${id}`, { blocks: [block('a', 'mine'), block('b', '2'), block('c', '3')] });
    await callOk(server, 'PUT', `/global-blocks/${id}`, { blocks: [block('b', 'live'), block('a', '1')] });
    expect((await publish(set)).status).toBe(200);
    const { blocks } = await callOk(server, 'GET', `/global-blocks/${id}`);
    expect(blocks).toMatchObject([block('b', 'live'), block('c', '3'), block('a', 'mine')]);
  });

  it('has a conflict for a block that was deleted here and changed live', async () => {
    const type = freshName('text');
    await createSnippet(server, {
      name: type,
      schema: { block: true, params: [{ name: 'text', type: 'text' }] },
    });
    const block = (text: string) => [{ id: 'a', type, params: { text } }];
    const [set, id] = [await release(), await createGlobalBlock(server, { blocks: block('1') })];
    await put(set, `global_block/${id}`, { blocks: [] });
    await callOk(server, 'PUT', `/global-blocks/${id}`, { blocks: block('2') });
    expect((await publish(set)).body).toMatchObject({
      code: 'changeset.conflict',
      params: { conflicts: [{ kind: 'global_block', id, field: 'blocks' }] },
    });
  });

  it('of what was deleted live brings it back from the trash, resolved by mine', async () => {
    const id = await createPage(server, site, { title: 'Before', meta_title: 'kept' });
    const child = await createPage(server, id, { title: 'Child' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'Mine' });
    await call(server, 'DELETE', `/pages/${id}`);
    const resolve = { [`page:${id}`]: { deleted: 'mine' } };
    expect((await publish(set, { resolve, dry_run: true })).body).toEqual({ conflicts: [], faults: [] });
    expect((await call(server, 'GET', `/pages/${id}`)).status).toBe(404);
    expect((await publish(set, { resolve })).status).toBe(200);
    expect(await page(id)).toMatchObject({ title: 'Mine', meta_title: 'kept' });
    expect(await page(child)).toMatchObject({ title: 'Child', parent_id: id });
    expect((await callList(server, '/trash')).filter((entry) => entry['object_id'] === id)).toEqual([]);
  });

  it('of what was deleted with its parent is the fault parentDeleted', async () => {
    const parent = await createPage(server, site, { title: 'Parent' });
    const id = await createPage(server, parent, { title: 'Before' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'Mine' });
    await call(server, 'DELETE', `/pages/${id}`);
    await call(server, 'DELETE', `/pages/${parent}`);
    const refused = await publish(set, { resolve: { [`page:${id}`]: { deleted: 'mine' } } });
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 409,
      body: { code: 'changeset.parentDeleted', params: { by: { kind: 'page', id: parent } } },
    });
  });

  it('of what was deleted live is the conflict deleted', async () => {
    const [set, id, other] = [await release(), await createAsset(server), await createAsset(server)];
    await put(set, `asset/${id}`, { name: 'Mine' });
    await put(set, `asset/${other}`, { name: 'Other' });
    await call(server, 'DELETE', `/assets/${id}`);
    expect((await publish(set)).body).toMatchObject({
      params: { conflicts: [{ kind: 'asset', id, field: 'deleted' }] },
    });
    const answer = await publish(set, { resolve: { [`asset:${id}`]: { deleted: 'live' } } });
    expect(asRecord(answer.body)['results']).toMatchObject([{ id: other }]);
    expect((await call(server, 'GET', `/assets/${id}`)).status).toBe(404);
  });

  it.each<[string, number]>([
    ['mine', 404],
    ['live', 200],
  ])(
    'of what is deleted here and was changed live is the conflict changed, resolved by %s',
    async (choice, status) => {
      const [set, id] = [await release(), await createAsset(server)];
      await add(set, { op: 'delete', kind: 'asset', id });
      await callOk(server, 'PUT', `/assets/${id}`, { name: 'Live' });
      expect((await publish(set)).body).toMatchObject({
        params: { conflicts: [{ kind: 'asset', id, field: 'changed' }] },
      });
      await publish(set, { resolve: { [`asset:${id}`]: { changed: choice } } });
      expect((await call(server, 'GET', `/assets/${id}`)).status).toBe(status);
    },
  );
});
