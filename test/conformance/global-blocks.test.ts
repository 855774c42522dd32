import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createBlockTypes, nested } from '../support/block-types.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { check, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  await createBlockTypes(server);
  site = await createSite(server);
});
afterAll(() => server.stop());

const heading = { id: 'h', type: 'heading', params: { text: 'x' } };

async function create(blocks: unknown = [], fields: object = {}): Promise<number> {
  const { id } = await callOk(server, 'POST', '/global-blocks', { name: 'Global', blocks, ...fields });
  return Number(id);
}

function refused(method: string, path: string, body: unknown, code: string, params: object, status = 400) {
  return check(server, { name: '', method, path, body, status, code, params: { ...params } });
}

describe('a global block', () => {
  it('is created, read, changed and deleted', async () => {
    const body = { name: 'Hours', folder: 'foot', description: 'd', blocks: [heading] };
    const created = await callOk(server, 'POST', '/global-blocks', body);
    const times = { created_at: expect.any(Number), updated_at: expect.any(Number) };
    expect(created).toEqual({ id: expect.any(Number), ...body, ...times });
    const path = `/global-blocks/${created['id']}`;
    expect(await callOk(server, 'GET', path)).toEqual(created);
    const renamed = await callOk(server, 'PUT', path, { name: 'Opening' });
    expect(renamed).toMatchObject({ ...body, name: 'Opening' });
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    await check(server, { name: '', method: 'GET', path, ...notFound });
  });

  it('has no blocks, folder and description unless they are given', async () => {
    const { name, folder, description, blocks } = await callOk(server, 'POST', '/global-blocks', {
      name: 'n',
    });
    expect({ name, folder, description, blocks }).toEqual({
      name: 'n',
      folder: '',
      description: '',
      blocks: [],
    });
  });

  it('stays as it is if it was changed meanwhile', async () => {
    const id = await create();
    const { updated_at } = await callOk(server, 'GET', `/global-blocks/${id}`);
    const path = `/global-blocks/${id}`;
    await callOk(server, 'PUT', path, { name: 'Other' });
    const { conflict } = await refused(
      'PUT',
      path,
      { name: 'x', base_updated_at: updated_at },
      'common.conflict',
      {
        updated_at: Number(updated_at) + 1,
      },
      409,
    );
    expect(conflict).toBe(true);
  });

  it('is listed by folder and name', async () => {
    for (const [folder, name] of [
      ['zz', 'b'],
      ['zz', 'A'],
      ['ZA', 'z'],
    ])
      await create([], { folder, name });
    const list = (await callList(server, '/global-blocks')).filter(({ folder }) =>
      /^z/i.test(String(folder)),
    );
    expect(list.map(({ folder, name }) => `${folder} ${name}`)).toEqual(['ZA z', 'zz A', 'zz b']);
  });

  runScenarios(
    () => server,
    [
      {
        name: 'without name',
        method: 'POST',
        path: '/global-blocks',
        body: {},
        status: 400,
        code: 'common.invalid',
        params: { field: 'name' },
      },
      {
        name: 'with an empty name',
        method: 'POST',
        path: '/global-blocks',
        body: { name: ' ' },
        status: 400,
        code: 'common.invalid',
        params: { field: 'name' },
      },
      { name: 'unknown', method: 'GET', path: '/global-blocks/999', ...notFound },
      { name: 'usage of an unknown one', method: 'GET', path: '/global-blocks/999/usage', ...notFound },
    ],
  );
});

describe('a global block never contains itself', () => {
  it('directly', async () => {
    const id = await create();
    await refused(
      'PUT',
      `/global-blocks/${id}`,
      { blocks: nested(2, [{ global: id }]) },
      'block.globalCycle',
      { id },
    );
  });

  it('through others', async () => {
    const inner = await create();
    const middle = await create([{ global: inner }]);
    const outer = await create(nested(1, [{ global: middle }]));
    const body = { blocks: [{ global: outer }] };
    await refused('PUT', `/global-blocks/${inner}`, body, 'block.globalCycle', { id: inner });
  });

  it('by a restore', async () => {
    const other = await create([heading]);
    const one = await create([{ id: 'r', global: other }]);
    await callOk(server, 'PUT', `/global-blocks/${one}`, { blocks: [] });
    await callOk(server, 'PUT', `/global-blocks/${other}`, { blocks: [{ global: one }] });
    const [version] = await callList(server, `/revisions?kind=globalblock&id=${one}`);
    const path = `/revisions/${version?.['id']}/restore`;
    await refused('POST', path, undefined, 'block.globalCycle', { id: one });
  });
});

describe('global blocks that multiply', () => {
  it('end a render at its limits, and the server goes on', async () => {
    let id = await create([heading]);
    for (let level = 0; level < 22; level++) id = await create([{ global: id }, { global: id }]);
    const html = '{% blocks page.blocks %}';
    const page = await createPage(server, site, {
      slug: 'many',
      published: true,
      html,
      blocks: [{ global: id }],
    });
    const answer = await call(server, 'GET', `/pages/${page}/render`);
    expect([answer.status, String(asRecord(answer.body)['error'])]).toEqual([
      422,
      expect.stringContaining('more than 1,000,000 loop rounds'),
    ]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('a change of a global block', () => {
  it('is refused if a slot does not take its new blocks, also through another global block', async () => {
    const id = await create([heading]);
    const outer = await create([{ global: id }]);
    const inList = (global: number) => ({ blocks: [{ type: 'list', slots: { default: [{ global }] } }] });
    await createPage(server, site, inList(id));
    await createPage(server, site, inList(outer));
    await createPage(server, site, { blocks: [{ global: id }] });
    const collection = await createCollection(server, { fields: [{ name: 'body', type: 'blocks' }] });
    await createItem(server, collection, { body: nested(2, inList(id).blocks) });
    const blocks = [heading, { type: 'columns' }];
    await refused('PUT', `/global-blocks/${id}`, { blocks }, 'block.globalNowNotAllowed', { count: 3 });
    await callOk(server, 'PUT', `/global-blocks/${id}`, { blocks: [heading, { ...heading, id: 'i' }] });
  });

  it('is refused if a tree that uses it would get too many levels', async () => {
    const id = await create(nested(2));
    await createPage(server, site, { blocks: nested(7, [{ global: id }]) });
    const params = { path: '', max: 10 };
    await refused('PUT', `/global-blocks/${id}`, { blocks: nested(4) }, 'block.tooDeep', params);
    await callOk(server, 'PUT', `/global-blocks/${id}`, { blocks: nested(3) });
  });
});

describe('the usage of a global block', () => {
  it('names pages, entries and global blocks, each once', async () => {
    const id = await create([heading]);
    const tree = [{ global: id }, ...nested(3, [{ global: id }])];
    const page = await createPage(server, site, { slug: 'using', title: 'Using', blocks: tree });
    const global = await create(tree, { name: 'Around' });
    await createPage(server, site, { blocks: [{ global }] });
    const detail = await createPage(server, site, { slug: 'detail', catch_all: true });
    const fields = [
      { name: 'intro', type: 'text' },
      { name: 'titel', type: 'text' },
      { name: 'slug', type: 'text' },
      { name: 'body', type: 'blocks' },
    ];
    const collection = await createCollection(server, { slug: 'with-page', fields, detail_page_id: detail });
    const data = { intro: 'I', titel: 'T', slug: 'a b', body: tree };
    const item = await createItem(server, collection, data);
    const plain = await createCollection(server, {
      slug: 'plain',
      fields: [
        { name: 'a', type: 'text' },
        { name: 'b', type: 'blocks' },
      ],
    });
    const other = await createItem(server, plain, { a: 'first text', b: tree });
    expect(await callList(server, `/global-blocks/${id}/usage`)).toEqual([
      { kind: 'global', id: global, title: 'Around', path: '' },
      { kind: 'item', id: item, title: 'T', path: '/detail/a%20b', collection: 'with-page' },
      { kind: 'item', id: other, title: 'first text', path: '', collection: 'plain' },
      { kind: 'page', id: page, title: 'Using', path: '/using' },
    ]);
  });

  it.each(['', '?if_unused=1'])('keeps it from being deleted%s', async (query) => {
    const id = await create([heading]);
    const page = await createPage(server, site, { title: 'Uses it', blocks: [{ global: id }] });
    const usage = [{ kind: 'page', id: page, title: 'Uses it' }];
    const path = `/global-blocks/${id}${query}`;
    await refused('DELETE', path, undefined, 'block.globalInUse', { count: 1, usage }, 409);
    await callOk(server, 'PUT', `/pages/${page}`, { blocks: [] });
    expect((await call(server, 'DELETE', path)).status).toBe(204);
  });

  it('shows in /usage, and block types count as used', async () => {
    const id = await create([heading]);
    const global = await create([{ global: id }], { name: 'Outer' });
    const { usage } = await callOk(server, 'GET', `/usage?kind=global_block&id=${id}`);
    expect(usage).toEqual([{ kind: 'global', id: global, title: 'Outer' }]);
    const snippets = await callList(server, '/snippets');
    const type = snippets.find(({ name }) => name === 'heading');
    const answer = await call(server, 'DELETE', `/snippets/${type?.['id']}?if_unused=1`);
    expect([answer.status, asRecord(answer.body)['code']]).toEqual([409, 'common.inUse']);
    const { snippets: unused } = await callOk(server, 'GET', '/cleanup');
    const names = (Array.isArray(unused) ? unused : []).map((snippet) => asRecord(snippet)['name']);
    expect([names.includes('plain'), names.includes('heading')]).toEqual([true, false]);
  });
});

describe('versions of a global block', () => {
  it('restore blocks and description, and keep name and folder', async () => {
    const before = { name: 'One', folder: 'a', description: 'first', blocks: [heading] };
    const { id } = await callOk(server, 'POST', '/global-blocks', before);
    const after = { name: 'Two', folder: 'b', description: 'second', blocks: [] };
    await callOk(server, 'PUT', `/global-blocks/${id}`, after);
    const [version] = await callList(server, `/revisions?kind=globalblock&id=${id}`);
    const { data } = await callOk(server, 'GET', `/revisions/${version?.['id']}`);
    expect(data).toMatchObject(before);
    const restored = await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
    const { description, blocks } = before;
    expect(restored).toMatchObject({ ...after, description, blocks });
    await callOk(server, 'DELETE', `/global-blocks/${id}`);
    expect(await callList(server, `/revisions?kind=globalblock&id=${id}`)).toEqual([]);
  });

  it('of pages restore a tree whose type is gone', async () => {
    const { id: type } = await callOk(server, 'POST', '/snippets', { name: 'old', schema: { block: true } });
    const page = await createPage(server, site, { blocks: [{ id: 'o', type: 'old' }] });
    await callOk(server, 'PUT', `/pages/${page}`, { blocks: [] });
    await callOk(server, 'DELETE', `/snippets/${type}`);
    const [version] = await callList(server, `/revisions?kind=page&id=${page}`);
    const { blocks } = await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(blocks).toEqual([{ id: 'o', type: 'old', params: {} }]);
  });
});

describe('in a batch', () => {
  it('global blocks are created, changed and deleted', async () => {
    const id = await create([heading]);
    const { results } = await callOk(server, 'POST', '/batch', {
      ops: [
        { op: 'create', kind: 'global_block', data: { name: 'New', blocks: [heading] } },
        { op: 'update', kind: 'global_block', id, data: { name: 'Changed' } },
        { op: 'delete', kind: 'global_block', id },
      ],
    });
    expect(results).toHaveLength(3);
    await check(server, { name: '', method: 'GET', path: `/global-blocks/${id}`, ...notFound });
  });

  it('a tree that is not valid names the operation', async () => {
    const data = { name: 'x', blocks: [{ type: 'none' }] };
    const answer = await call(server, 'POST', '/batch', {
      body: { ops: [{ op: 'create', kind: 'global_block', data }] },
    });
    expect(asRecord(answer.body)).toMatchObject({
      code: 'block.typeUnknown',
      params: { path: '0', type: 'none' },
      error: expect.stringContaining('none'),
    });
  });
});
