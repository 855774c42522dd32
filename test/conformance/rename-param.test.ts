import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;
let type: number;

const params = [
  { name: 'headline', type: 'text', label: 'headline', required: true },
  { name: 'size', type: 'number' },
];

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  const content = '<h2>{{ headline }}</h2>\n{% include "x" with a=headline %}';
  type = await createSnippet(server, {
    name: 'card',
    content,
    schema: { block: true, params, slots: [{ name: 'default' }] },
  });
  await createSnippet(server, { name: 'plain' });
});
afterAll(() => server.stop());

describe('POST /snippets/{id}/rename-param', () => {
  it('keeps the values in all trees, also in overrides, and tells where the template reads the old name', async () => {
    const tree = (inner: readonly object[] = []) => [
      {
        id: 'c',
        type: 'card',
        params: { headline: 'H', size: 3 },
        ...(inner.length > 0 ? { slots: { default: inner } } : {}),
      },
    ];
    const { id: global } = await callOk(server, 'POST', '/global-blocks', { name: 'g', blocks: tree() });
    const reference = { id: 'r', global, overrides: { c: { headline: 'O' } } };
    const page = await createPage(server, site, {
      blocks: [...tree([...tree().map((block) => ({ ...block, id: 'd' })), reference])],
    });
    const fields = [{ name: 'body', type: 'blocks' }];
    await createCollection(server, { slug: 'news', fields });
    const item = await createItem(server, 'news', { body: [reference] });
    const before = await callOk(server, 'GET', `/pages/${page}`);

    const renamed = await callOk(server, 'POST', `/snippets/${type}/rename-param`, {
      from: 'headline',
      to: 'title',
    });
    expect(renamed['schema']).toMatchObject({
      params: [{ name: 'title', label: 'title', required: true }, { name: 'size' }],
    });
    const at = (line: number, column: number) => ({
      kind: 'snippet',
      id: type,
      name: 'card',
      line,
      column,
      field: 'headline',
    });
    expect(renamed['templates']).toEqual([at(1, 8), at(2, 23)]);

    const moved = { title: 'H', size: 3 };
    const changed = { ...reference, overrides: { c: { title: 'O' } } };
    const after = await callOk(server, 'GET', `/pages/${page}`);
    expect(after['blocks']).toEqual([
      {
        id: 'c',
        type: 'card',
        params: moved,
        slots: { default: [{ id: 'd', type: 'card', params: moved }, changed] },
      },
    ]);
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
    expect((await callOk(server, 'GET', `/global-blocks/${global}`))['blocks']).toEqual([
      { id: 'c', type: 'card', params: moved },
    ]);
    expect((await callOk(server, 'GET', `/collections/news/items/${item}`))['data']).toEqual({
      body: [changed],
    });
  });

  const post = (name: string, body: object, rest: object, path = () => `/snippets/${type}/rename-param`) => ({
    name,
    method: 'POST',
    path,
    body,
    status: 400,
    ...rest,
  });
  runScenarios(
    () => server,
    [
      post(
        'an unknown parameter',
        { from: 'none', to: 'x' },
        { code: 'common.invalid', params: { field: 'from' } },
      ),
      post(
        'a taken name',
        { from: 'size', to: 'title' },
        { status: 409, code: 'common.nameTaken', params: { name: 'title' } },
      ),
      post(
        'a name that is not valid',
        { from: 'size', to: 'slots' },
        { code: 'block.paramNameInvalid', params: { name: 'slots', type: 'number' } },
      ),
      post(
        'a snippet that is no block type',
        { from: 'a', to: 'b' },
        { code: 'common.invalid', params: { field: 'from' } },
        () => `/snippets/${type + 1}/rename-param`,
      ),
      post('an unknown snippet', { from: 'a', to: 'b' }, notFound, () => '/snippets/999/rename-param'),
    ],
  );
});
