import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList, callOk } from '../support/api.ts';
import { createBlockTypes, nested } from '../support/block-types.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { invalid, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let page: number;
let inner: number;
let outer: number;

const heading = { id: 'h', type: 'heading', params: { text: 'x' } };
const list = (global: number) => ({ type: 'list', slots: { default: [{ global }] } });

beforeAll(async () => {
  server = await startServer();
  await createBlockTypes(server);
  const created = await callOk(server, 'POST', '/global-blocks', { name: 'Inner', blocks: [heading] });
  inner = Number(created['id']);
  page = await createPage(server, await createSite(server), {
    title: 'Page',
    slug: 'page',
    blocks: [list(inner)],
  });
  const around = await callOk(server, 'POST', '/global-blocks', {
    name: 'Outer',
    blocks: [{ global: inner }],
  });
  outer = Number(around['id']);
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'blocks' },
  ];
  await createCollection(server, { slug: 'news', fields });
});
afterAll(() => server.stop());

const validate = (blocks: unknown, place: object) =>
  callOk(server, 'POST', '/blocks/validate', { blocks, place });

describe('POST /blocks/validate', () => {
  it('answers the tree as it would be stored, and stores nothing', async () => {
    const tree = [{ id: 'h', type: 'heading', params: { text: 7, level: '3' } }];
    const blocks = [{ id: 'h', type: 'heading', params: { text: '7', level: '3' } }];
    for (const place of [
      { kind: 'page' },
      { kind: 'page', id: page },
      { kind: 'item', collection: 'news', field: 'body' },
      { kind: 'global' },
    ])
      expect(await validate(tree, place)).toEqual({ blocks, warnings: [] });
    expect((await callOk(server, 'GET', `/pages/${page}`))['blocks']).toMatchObject([{ type: 'list' }]);
  });

  it('warns of what would not be stored', async () => {
    const overrides = { gone: {}, h: { other: 1 } };
    const sent = [
      ...nested(1, [{ ...heading, params: { text: 'x', colour: 1 } }]),
      { global: inner, overrides },
    ];
    const { warnings } = await validate(sent, { kind: 'page' });
    const of = (path: string, name: string) => ({
      code: 'block.valueDropped',
      level: 'warning',
      error: expect.stringContaining(path),
      params: { path, name },
    });
    expect(warnings).toEqual([
      of('0.slots.left.0', 'colour'),
      of('1.overrides.gone', 'gone'),
      of('1.overrides.h', 'other'),
    ]);
  });

  const body = (blocks: unknown, place: unknown) => ({ blocks, place });
  const post = { method: 'POST', path: '/blocks/validate', status: 400 };
  runScenarios(
    () => server,
    [
      {
        ...post,
        name: 'null',
        body: body(null, { kind: 'page' }),
        code: 'block.treeInvalid',
        params: { path: '' },
      },
      {
        ...post,
        name: 'a field of an entry is in the params',
        body: body([{ type: 'none' }], { kind: 'item', collection: 'news', field: 'body' }),
        code: 'block.typeUnknown',
        params: { path: '0', type: 'none', field: 'body' },
      },
      {
        ...post,
        name: 'a field of another type',
        body: body([], { kind: 'item', collection: 'news', field: 'title' }),
        ...invalid('place.field'),
      },
      {
        ...post,
        name: 'an unknown collection',
        body: body([], { kind: 'item', collection: 'none', field: 'x' }),
        status: 404,
        code: 'common.notFound',
        params: { field: 'place.collection' },
      },
      {
        ...post,
        name: 'an unknown page',
        body: body([], { kind: 'page', id: 999 }),
        status: 404,
        code: 'common.notFound',
        params: { field: 'place.id' },
      },
      {
        ...post,
        name: 'an unknown global block',
        body: body([], { kind: 'global', id: 999 }),
        status: 404,
        code: 'common.notFound',
        params: { field: 'place.id' },
      },
      { ...post, name: 'no place', body: { blocks: [] }, code: 'common.invalid' },
    ],
  );

  it('applies the rules of the global block that it names', async () => {
    const refused = (blocks: unknown) => validate(blocks, { kind: 'global', id: inner }).catch(String);
    expect(await refused([{ global: outer }])).toContain('block.globalCycle');
    expect(await refused([{ type: 'columns' }])).toContain('block.globalNowNotAllowed');
  });
});

describe('GET /blocks/types?usage=1', () => {
  it('tells for each type the pages, entries and global blocks with such blocks', async () => {
    const item = await createItem(server, 'news', { title: 'News', body: nested(1, [heading]) });
    const types = await callList(server, '/blocks/types?usage=1');
    const usage = Object.fromEntries(types.map(({ name, usage: users }) => [String(name), users]));
    expect(usage).toEqual({
      columns: [{ kind: 'item', id: item, title: 'News', path: '', collection: 'news' }],
      every: [],
      heading: [
        { kind: 'global', id: inner, title: 'Inner', path: '' },
        { kind: 'item', id: item, title: 'News', path: '', collection: 'news' },
      ],
      list: [{ kind: 'page', id: page, title: 'Page', path: '/page' }],
    });
    const plain = await callList(server, '/blocks/types');
    expect(plain.every((type) => !('usage' in type))).toBe(true);
  });
});
