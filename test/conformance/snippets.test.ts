import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createAsset, createSite, freshName } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let css: number;
let js: number;

beforeAll(async () => {
  server = await startServer();
  css = await createAsset(server, { name: 'a.css' });
  js = await createAsset(server, { name: 'b.js', kind: 'js' });
});
afterAll(() => server.stop());

function create(fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', '/snippets', { name: freshName('snippet'), ...fields });
}

describe('POST /snippets', () => {
  it('answers 201 with the whole snippet and warnings', async () => {
    const fields = {
      name: 'cards/Teaser.v2_a-b',
      description: 'd',
      content: '<b>{{ title }}</b>',
      assets: [{ asset_id: js }, { asset_id: css }],
      schema: { block: true, params: [{ name: 'title', type: 'text' }] },
      page_layout: { label: 'L', description: 'D', default: true },
    };
    const answer = await call(server, 'POST', '/snippets', { body: fields });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...fields,
      id: expect.any(Number),
      folder: 'cards',
      assets: [
        { asset_id: js, name: 'b.js', kind: 'js' },
        { asset_id: css, name: 'a.css', kind: 'css' },
      ],
      created_at: expect.any(Number),
      updated_at: asRecord(answer.body)['created_at'],
      warnings: [],
    });
    const { warnings: _warnings, ...snippet } = asRecord(answer.body);
    expect(await callOk(server, 'GET', `/snippets/${snippet['id']}`)).toEqual(snippet);
  });

  it.each([
    ['plain', undefined, ''],
    ['a/b/c', undefined, 'a'],
    ['x/y', 'own', 'own'],
    ['x/z', '', ''],
  ])('%s with folder %j is in folder %j', async (name, folder, expected) => {
    expect(await create({ name, ...(folder === undefined ? {} : { folder }) })).toMatchObject({
      folder: expected,
    });
  });

  it('skips assets that do not exist and keeps the first of equal ones', async () => {
    const assets = [99999, js, css, js].map((asset_id) => ({ asset_id }));
    const created = await create({ assets });
    expect(created['assets']).toMatchObject([{ asset_id: js }, { asset_id: css }]);
  });

  it('fills in the missing fields of a page layout', async () => {
    expect(await create({ page_layout: {} })).toMatchObject({
      page_layout: { label: '', description: '', default: false },
    });
    const longest = { label: '💡'.repeat(200), description: 'ä'.repeat(2000) };
    expect(await create({ page_layout: longest })).toMatchObject({ page_layout: longest });
  });

  it('stores keys of a schema that name prototypes as data', async () => {
    const raw =
      '{"name":"proto","schema":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"block":true}}';
    const answer = await call(server, 'POST', '/snippets', {
      raw,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(201);
    const other = await create({ schema: {} });
    expect(asRecord(other['schema'])['polluted']).toBeUndefined();
    expect(await callOk(server, 'GET', '/cache')).not.toHaveProperty('polluted');
  });

  const refused = (name: string, body: object, outcome: Partial<Scenario>): Scenario => ({
    name,
    method: 'POST',
    path: '/snippets',
    body: () => ({ name: 'refused', ...body }),
    status: 400,
    code: 'common.invalid',
    ...outcome,
  });
  runScenarios(
    () => server,
    [
      refused('no name', { name: undefined }, invalid('name')),
      ...['', '.a', '/a', '-a', 'a b', 'ä', 'a"b', 'a\n', 'x'.repeat(201)].map((name) =>
        refused(`name ${JSON.stringify(name.slice(0, 9))}`, { name }, invalid('name')),
      ),
      refused('schema of a wrong type', { schema: [] }, invalid('schema')),
      refused('schema of a wrong type', { schema: 'x' }, invalid('schema')),
      refused('page_layout of a wrong type', { page_layout: 'x' }, invalid('page_layout')),
      refused(
        'long label',
        { page_layout: { label: 'x'.repeat(201) } },
        { code: 'snippet.layoutTooLong', params: { field: 'label', max: 200 } },
      ),
      refused(
        'long description',
        { page_layout: { description: 'x'.repeat(2001) } },
        { code: 'snippet.layoutTooLong', params: { field: 'description', max: 2000 } },
      ),
      refused('assets without id', { assets: [{ id: 1 }] }, invalid('assets.0.asset_id')),
    ],
  );

  it('refuses a taken name', async () => {
    const { name } = await create();
    const answer = await call(server, 'POST', '/snippets', { body: { name } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'snippet.nameTaken', params: { name } } });
  });
});

describe('GET /snippets', () => {
  it('lists all with content, by name, ignoring case', async () => {
    await create({ name: 'Zebra', content: 'z' });
    await create({ name: 'yak', content: 'y' });
    const list = await callList(server, '/snippets');
    const names = list.map((snippet) => String(snippet['name']).toLowerCase());
    expect(names).toEqual([...names].sort());
    expect(list.find((snippet) => snippet['name'] === 'Zebra')).toMatchObject({ content: 'z', assets: [] });
  });
});

describe('PUT /snippets/{id}', () => {
  it('changes only the fields that are sent', async () => {
    const fields = {
      description: 'd',
      content: 'c',
      folder: 'f',
      assets: [{ asset_id: css }],
      schema: { block: false },
      page_layout: { label: 'L' },
    };
    const before = await create(fields);
    const after = await callOk(server, 'PUT', `/snippets/${before['id']}`, {});
    expect(after).toEqual(before);
  });

  it('removes assets with an empty list, schema and page_layout with null', async () => {
    const { id } = await create({ assets: [{ asset_id: css }], schema: {}, page_layout: {} });
    const emptied = { assets: [], schema: null, page_layout: null };
    expect(await callOk(server, 'PUT', `/snippets/${id}`, emptied)).toMatchObject(emptied);
  });

  it('renames a snippet without changing its folder', async () => {
    const { id } = await create({ name: 'old/name' });
    expect(await callOk(server, 'PUT', `/snippets/${id}`, { name: 'new/name' })).toMatchObject({
      name: 'new/name',
      folder: 'old',
    });
    expect(await callOk(server, 'PUT', `/snippets/${id}`, { name: 'new/name' })).toMatchObject({
      name: 'new/name',
    });
  });

  it('refuses a name that another snippet has', async () => {
    const { name } = await create();
    const { id, updated_at } = await create();
    expect(await call(server, 'PUT', `/snippets/${id}`, { body: { name, content: 'lost' } })).toMatchObject({
      status: 409,
      body: { code: 'snippet.nameTaken', params: { name } },
    });
    expect(await callOk(server, 'GET', `/snippets/${id}`)).toMatchObject({ content: '', updated_at });
  });

  it('refuses a change based on an old state', async () => {
    const { id, updated_at } = await create();
    const body = { content: 'lost', base_updated_at: Number(updated_at) - 5 };
    expect(await call(server, 'PUT', `/snippets/${id}`, { body })).toMatchObject({
      status: 409,
      body: { code: 'common.conflict', conflict: true, updated_at },
    });
  });

  it('warns of a syntax error with the name of the snippet', async () => {
    const { id, name } = await create();
    const answer = await callOk(server, 'PUT', `/snippets/${id}`, { content: 'a\n\n  {% if %}' });
    expect(answer['warnings']).toMatchObject([
      { code: 'template.syntax', error: expect.any(String), params: { template: name, line: 3 } },
    ]);
  });

  runScenarios(
    () => server,
    ['GET', 'PUT', 'DELETE'].map((method) => ({
      name: `unknown ${method}`,
      method,
      path: '/snippets/99999',
      body: method === 'PUT' ? {} : undefined,
      ...notFound,
    })),
  );
});

describe('DELETE /snippets/{id}', () => {
  it('answers 204, and a page that includes it fails to render', async () => {
    const { id } = await create({ name: 'gone', content: 'still here' });
    const site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { html: '{% include "gone" %}' });
    expect(await (await fetch(`${server.url}/`)).text()).toContain('still here');
    expect(await call(server, 'DELETE', `/snippets/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await fetch(`${server.url}/`)).status).toBe(500);
  });
});
