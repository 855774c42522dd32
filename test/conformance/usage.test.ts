import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet } from '../support/content.ts';
import { runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** GET /usage: what refers to an object, and what is inside of it. */

let server: TestServer;
let home: number;

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server);
});
afterAll(() => server.stop());

async function usageOf(kind: string, id: number): Promise<Record<string, unknown>> {
  return asRecord((await call(server, 'GET', `/usage?kind=${kind}&id=${id}`)).body);
}

runScenarios(
  () => server,
  [
    {
      name: 'without a credential',
      method: 'GET',
      path: '/usage?kind=page&id=1',
      token: null,
      status: 401,
      code: 'auth.required',
    },
    {
      name: 'of an unknown kind',
      method: 'GET',
      path: '/usage?kind=cat&id=1',
      status: 400,
      code: 'common.invalid',
    },
    { name: 'without an id', method: 'GET', path: '/usage?kind=page', status: 400, code: 'common.invalid' },
    {
      name: 'of an object that does not exist',
      method: 'GET',
      path: '/usage?kind=page&id=999',
      status: 404,
      code: 'common.notFound',
    },
  ],
);

it('of an asset: the pages and snippets that load it', async () => {
  const asset = await createAsset(server);
  const page = await createPage(server, home, { title: 'Loads it', assets: [{ asset_id: asset }] });
  const snippet = await createSnippet(server, { name: 'loads-it', assets: [{ asset_id: asset }] });
  expect(await usageOf('asset', asset)).toEqual({
    usage: [
      { kind: 'page', id: page, title: 'Loads it' },
      { kind: 'snippet', id: snippet, title: 'loads-it' },
    ],
    contents: [],
    complete: true,
  });
});

it('of a page: subpages on all levels, and what links to any of them from outside', async () => {
  const top = await createPage(server, home, { title: 'Top', slug: 'top' });
  const middle = await createPage(server, top, {
    title: 'Middle',
    slug: 'middle',
    html: '<a href="/top">up</a>',
  });
  const leaf = await createPage(server, middle, { title: 'Leaf', slug: 'leaf' });
  const linking = await createPage(server, home, {
    title: 'Links',
    html: '<a href="/top/middle/leaf">leaf</a>',
  });
  expect(await usageOf('page', top)).toEqual({
    usage: [{ kind: 'page', id: linking, title: 'Links' }],
    contents: [
      { kind: 'page', id: middle, title: 'Middle' },
      { kind: 'page', id: leaf, title: 'Leaf' },
    ],
    complete: true,
  });
});

it('is cut at 100 objects and says so', async () => {
  const top = await createPage(server, home, { title: 'Many' });
  for (let count = 0; count < 101; count += 1) await createPage(server, top, {});
  const { contents, complete } = await usageOf('page', top);
  expect(contents).toHaveLength(100);
  expect(complete).toBe(false);
  await callOk(server, 'DELETE', `/pages/${top}`).catch(() => {});
});
