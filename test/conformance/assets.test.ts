import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createAsset, createSite, createSnippet } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

function create(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', '/assets', { name: 'x.css', kind: 'css', ...fields });
}

describe('POST /assets', () => {
  it('answers 201 with the whole asset', async () => {
    const answer = await call(server, 'POST', '/assets', {
      body: { name: 'a.js', kind: 'js', content: 'x()', folder: 'f' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'a.js',
      kind: 'js',
      content: 'x()',
      folder: 'f',
      created_at: expect.any(Number),
      updated_at: asRecord(answer.body)['created_at'],
      warnings: [],
    });
  });

  it('needs neither content nor folder', async () => {
    expect(await create({})).toMatchObject({ content: '', folder: '' });
  });

  const refused = (name: string, body: object, field: string): Scenario => ({
    name,
    method: 'POST',
    path: '/assets',
    body,
    ...invalid(field),
  });
  runScenarios(
    () => server,
    [
      refused('no name', { kind: 'css' }, 'name'),
      refused('empty name', { name: ' ', kind: 'css' }, 'name'),
      refused('name over 200 characters', { name: 'x'.repeat(201), kind: 'css' }, 'name'),
      refused('no kind', { name: 'x' }, 'kind'),
      refused('unknown kind', { name: 'x', kind: 'ts' }, 'kind'),
      refused('content of a wrong type', { name: 'x', kind: 'js', content: {} }, 'content'),
    ],
  );
});

describe('GET /assets', () => {
  it('lists by name, without content, with the pages and snippets that use each', async () => {
    const id = await createAsset(server, { name: 'Used.css', content: 'a{}' });
    const assets = [{ asset_id: id, inherit: true }];
    const site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { assets });
    const snippet = await createSnippet(server, { assets: [{ asset_id: id }] });
    const list = await callList(server, '/assets');
    const entry = list.find((asset) => asset['id'] === id);
    expect(entry).toMatchObject({ name: 'Used.css', page_ids: [site], snippet_ids: [snippet] });
    for (const asset of list) expect(asset).not.toHaveProperty('content');
    expect(list.find((asset) => asset['id'] !== id)).toMatchObject({ page_ids: [], snippet_ids: [] });
  });

  it('sorts by code point, ignoring case', async () => {
    for (const name of ['b', 'A', '\u{1F4A1}', 'a', '\uFFFD', 'C'])
      await createAsset(server, { name, folder: 'sorted' });
    const names = (await callList(server, '/assets')).filter((asset) => asset['folder'] === 'sorted');
    expect(names.map((asset) => asset['name'])).toEqual(['A', 'a', 'b', 'C', '\uFFFD', '\u{1F4A1}']);
  });

  it('lists only one kind with ?kind', async () => {
    await createAsset(server, { kind: 'js' });
    const kinds = async (kind: string) =>
      new Set((await callList(server, `/assets?kind=${kind}`)).map((asset) => asset['kind']));
    expect(await kinds('css')).toEqual(new Set(['css']));
    expect(await kinds('js')).toEqual(new Set(['js']));
    expect(await call(server, 'GET', '/assets?kind=html')).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'kind' } },
    });
  });
});

describe('PUT /assets/{id}', () => {
  it('changes only the fields that are sent, and ignores the kind', async () => {
    const asset = await create({ content: 'a{}', folder: 'f' });
    const updated = await callOk(server, 'PUT', `/assets/${asset['id']}`, {
      content: 'b{}',
      kind: 'js',
      id: 7,
      created_at: 1,
    });
    expect(updated).toEqual({ ...asset, content: 'b{}', updated_at: expect.any(Number) });
    expect(Number(updated['updated_at'])).toBeGreaterThan(Number(asset['updated_at']));
    const { warnings: _warnings, ...stored } = updated;
    expect(await callOk(server, 'GET', `/assets/${asset['id']}`)).toEqual(stored);
    expect(await callOk(server, 'PUT', `/assets/${asset['id']}`, { name: 'n', folder: '' })).toMatchObject({
      name: 'n',
      folder: '',
      content: 'b{}',
    });
  });

  it('refuses a change based on an old state, and answers the current updated_at', async () => {
    const { id, updated_at } = await create({});
    const body = { content: 'lost', base_updated_at: Number(updated_at) - 1 };
    expect(await call(server, 'PUT', `/assets/${id}`, { body })).toMatchObject({
      status: 409,
      body: { code: 'common.conflict', conflict: true, updated_at },
    });
    expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject({ content: '', updated_at });
  });

  runScenarios(
    () => server,
    [
      { name: 'empty name', method: 'PUT', path: '/assets/1', body: { name: '' }, ...invalid('name') },
      { name: 'unknown', method: 'PUT', path: '/assets/99999', body: {}, ...notFound },
      { name: 'unknown', method: 'GET', path: '/assets/99999', ...notFound },
      { name: 'unknown', method: 'DELETE', path: '/assets/99999', ...notFound },
    ],
  );
});

describe('DELETE /assets/{id}', () => {
  it('removes the asset from all pages and snippets', async () => {
    const id = await createAsset(server);
    const assets = [{ asset_id: id }];
    const site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { assets });
    const snippet = await createSnippet(server, { assets });
    expect(await call(server, 'DELETE', `/assets/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await callOk(server, 'GET', `/pages/${site}`)).toMatchObject({ assets: [] });
    expect(await callOk(server, 'GET', `/snippets/${snippet}`)).toMatchObject({ assets: [] });
    expect((await call(server, 'GET', `/assets/${id}`)).status).toBe(404);
  });
});
