import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callList, callOk } from '../support/api.ts';
import { type BlockTargets, createBlockTypes, nested } from '../support/block-types.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { check } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The rules of block trees, in every place where a tree can be stored. */

let server: TestServer;
let targets: BlockTargets;
let globalHeading: number;
let globalColumns: number;
let globalOfGlobal: number;
let globalDeep: number;
let entries: number;

/** A place of a tree: how it is sent and read, and what errors add. */
interface Place {
  readonly name: string;
  readonly request: (blocks: unknown) => { method: string; path: string; body: unknown };
  readonly treeIn: (answer: Record<string, unknown>) => unknown;
  readonly params: Record<string, unknown>;
}

let pageId: number;
let itemId: number;
let globalId: number;

const ofBlocks = (answer: Record<string, unknown>) => answer['blocks'];
const places: readonly Place[] = [
  {
    name: 'PUT of a page',
    request: (blocks) => ({ method: 'PUT', path: `/pages/${pageId}`, body: { blocks } }),
    treeIn: ofBlocks,
    params: {},
  },
  {
    name: 'PUT of an entry',
    request: (blocks) => ({
      method: 'PUT',
      path: `/collections/articles/items/${itemId}`,
      body: { data: { body: blocks } },
    }),
    treeIn: (answer) => asRecord(answer['data'])['body'],
    params: { field: 'body' },
  },
  {
    name: 'PUT of a global block',
    request: (blocks) => ({ method: 'PUT', path: `/global-blocks/${globalId}`, body: { blocks } }),
    treeIn: ofBlocks,
    params: {},
  },
];

async function createGlobal(blocks: unknown): Promise<number> {
  const { id } = await callOk(server, 'POST', '/global-blocks', { name: 'Global', blocks });
  return Number(id);
}

const heading = (text = 'x') => ({ type: 'heading', params: { text } });

beforeAll(async () => {
  server = await startServer();
  targets = await createBlockTypes(server);
  const site = await createSite(server);
  pageId = await createPage(server, site);
  entries = await createCollection(server, { slug: 'articles', fields: [{ name: 'body', type: 'blocks' }] });
  itemId = await createItem(server, entries, {});
  globalId = await createGlobal([]);
  globalHeading = await createGlobal([heading()]);
  globalColumns = await createGlobal([heading(), { type: 'columns' }]);
  globalOfGlobal = await createGlobal([{ global: globalColumns }]);
  globalDeep = await createGlobal(nested(8));
});
afterAll(() => server.stop());

type Refusal = readonly [
  name: string,
  blocks: () => unknown,
  code: string,
  params: () => Record<string, unknown>,
];

const anything = expect.anything();
const refusals: readonly Refusal[] = [
  ['a block that is no object', () => ['x'], 'block.treeInvalid', () => ({ path: '0' })],
  ['a list as block', () => [[]], 'block.treeInvalid', () => ({ path: '0' })],
  [
    'params that are a list',
    () => [{ ...heading(), params: [] }],
    'block.treeInvalid',
    () => ({ path: '0' }),
  ],
  [
    'slots that are a text',
    () => [{ type: 'columns', slots: 'x' }],
    'block.treeInvalid',
    () => ({ path: '0' }),
  ],
  [
    'a slot that is no list',
    () => [{ type: 'columns', slots: { left: {} } }],
    'block.treeInvalid',
    () => ({ path: '0.slots.left' }),
  ],
  ['a type that is a number', () => [{ type: 7 }], 'block.treeInvalid', () => ({ path: '0' })],
  ['global as text', () => [{ global: 'x' }], 'block.treeInvalid', () => ({ path: '0' })],
  ['global as fraction', () => [{ global: 1.5 }], 'block.treeInvalid', () => ({ path: '0' })],
  [
    'overrides that are a list',
    () => [{ global: globalHeading, overrides: [] }],
    'block.treeInvalid',
    () => ({ path: '0' }),
  ],
  [
    'overrides of a block that are no object',
    () => [{ global: globalHeading, overrides: { x: 1 } }],
    'block.treeInvalid',
    () => ({ path: '0.overrides.x' }),
  ],
  ['a block without type', () => [heading(), {}], 'block.typeMissing', () => ({ path: '1' })],
  ['an empty type', () => [{ type: '' }], 'block.typeMissing', () => ({ path: '0' })],
  ['an unknown type', () => [{ type: 'none' }], 'block.typeUnknown', () => ({ path: '0', type: 'none' })],
  [
    'an unknown type in a slot',
    () => [{ type: 'columns', slots: { right: [heading(), { type: 'none' }] } }],
    'block.typeUnknown',
    () => ({ path: '0.slots.right.1', type: 'none' }),
  ],
  [
    'a snippet without schema',
    () => [{ type: 'plain' }],
    'block.notABlock',
    () => ({ path: '0', type: 'plain' }),
  ],
  [
    'a type that is switched off',
    () => [{ type: 'off' }],
    'block.notABlock',
    () => ({ path: '0', type: 'off' }),
  ],
  [
    'no value of a required parameter',
    () => [{ type: 'heading' }],
    'block.paramRequired',
    () => ({ path: '0', param: 'text' }),
  ],
  [
    'an empty value of a required parameter',
    () => [{ type: 'heading', params: { text: '' } }],
    'block.paramRequired',
    () => ({ path: '0', param: 'text' }),
  ],
  ...(
    [
      ['number', 'three'],
      ['number', []],
      ['boolean', 'maybe'],
      ['date', '2026-02-30'],
      ['date', '1.2.2026'],
      ['select', 'c'],
      ['text', {}],
      ['image', 'x'],
      ['image', 999],
      ['file', 999],
      ['reference', -1],
      ['reference', 999],
      ['references', [999]],
      ['references', 'x'],
    ] as const
  ).map(
    ([param, value]): Refusal => [
      `${JSON.stringify(value)} as ${param}`,
      () => [{ type: 'every', params: { [param]: value } }],
      'block.paramInvalid',
      () => ({ path: '0', param, error: anything }),
    ],
  ),
  [
    'a slot that the type does not have',
    () => [{ type: 'columns', slots: { middle: [] } }],
    'block.slotUnknown',
    () => ({ path: '0', slot: 'middle', type: 'columns' }),
  ],
  [
    'a type that the slot does not take',
    () => [{ type: 'list', slots: { default: [heading(), { type: 'columns' }] } }],
    'block.slotNotAllowed',
    () => ({ path: '0.slots.default.1', slot: 'default', type: 'columns' }),
  ],
  [
    'more blocks than the slot takes',
    () => [{ type: 'list', slots: { default: [heading(), { global: globalHeading }, heading()] } }],
    'block.slotMax',
    () => ({ path: '0', slot: 'default', max: 2 }),
  ],
  [
    'eleven levels',
    () => nested(11),
    'block.tooDeep',
    () => ({ path: `0${'.slots.left.0'.repeat(10)}`, max: 10 }),
  ],
  [
    'ten levels with those of a global block',
    () => nested(3, [{ global: globalDeep }]),
    'block.tooDeep',
    () => ({ path: `0${'.slots.left.0'.repeat(3)}`, max: 10 }),
  ],
  [
    'more than 1 MB',
    () => [{ type: 'every', params: { text: 'x'.repeat(2 ** 20) } }],
    'block.tooLarge',
    () => ({ max: 2 ** 20 }),
  ],
  ['an unknown global block', () => [{ global: 999 }], 'block.globalUnknown', () => ({ path: '0', id: 999 })],
  [
    'a global block that the slot does not take',
    () => [{ type: 'list', slots: { default: [{ global: globalColumns }] } }],
    'block.globalNotAllowed',
    () => ({ path: '0.slots.default.0', slot: 'default', id: globalColumns, type: 'columns' }),
  ],
  [
    'a global block that the slot does not take because of another one in it',
    () => [{ type: 'list', slots: { default: [{ global: globalOfGlobal }] } }],
    'block.globalNotAllowed',
    () => ({ path: '0.slots.default.0', slot: 'default', id: globalOfGlobal, type: 'columns' }),
  ],
  [
    'a value that does not fit in overrides',
    async () => [{ global: globalHeading, overrides: { [await headingId()]: { level: '9' } } }],
    'block.paramInvalid',
    () => ({ path: expect.stringMatching(/^0\.overrides\.b\w{6}$/), param: 'level', error: anything }),
  ],
  [
    'an override that clears a required parameter without default',
    async () => [{ global: globalHeading, overrides: { [await headingId()]: { text: null } } }],
    'block.paramRequired',
    () => ({ path: expect.stringMatching(/^0\.overrides\.b\w{6}$/), param: 'text' }),
  ],
];

/** The ID of the block in `globalHeading`. */
async function headingId(): Promise<string> {
  const { blocks } = await callOk(server, 'GET', `/global-blocks/${globalHeading}`);
  return String(asRecord(Array.isArray(blocks) ? blocks[0] : undefined)['id']);
}

/** Stores a tree in a place and answers with the stored tree. */
async function stored(place: Place, blocks: unknown): Promise<unknown> {
  const { method, path, body } = place.request(blocks);
  const answer = await callOk(server, method, path, body);
  const again = await callOk(server, 'GET', path);
  expect(place.treeIn(again)).toEqual(place.treeIn(answer));
  return place.treeIn(answer);
}

describe.each(places)('$name', (place) => {
  it.each(refusals)('refuses %s', async (name, blocks, code, params) => {
    const before = await stored(place, [heading('before')]);
    const { method, path, body } = place.request(await blocks());
    await check(server, {
      name,
      method,
      path,
      body,
      status: 400,
      code,
      params: { ...params(), ...place.params },
      freeParams: [],
    });
    expect(place.treeIn(await callOk(server, 'GET', path))).toEqual(before);
  });

  it('converts values like those of entries', async () => {
    const params = {
      text: 7,
      number: ' 3.5 ',
      boolean: '1',
      date: '2024-02-29',
      url: '/x',
      select: 'b',
      reference: String(targets.entry),
      references: `${targets.entry},${targets.entry}`,
      html: '',
      image: 0,
      unknown: 1,
    };
    expect(await stored(place, [{ id: 'e', type: 'every', params }])).toEqual([
      {
        id: 'e',
        type: 'every',
        params: {
          text: '7',
          number: 3.5,
          boolean: true,
          date: '2024-02-29',
          url: '/x',
          select: 'b',
          reference: targets.entry,
          references: [targets.entry],
          html: null,
          image: null,
        },
      },
    ]);
  });

  it('assigns IDs where they are missing, not valid or not unique', async () => {
    const ids = ['a', 'a', '', 'ä', 'x'.repeat(65), 7, undefined, 'b'];
    const tree = await stored(
      place,
      ids.map((id) => ({ id, type: 'columns' })),
    );
    const made = (Array.isArray(tree) ? tree : []).map((block) => String(asRecord(block)['id']));
    expect(made).toEqual([
      'a',
      ...Array.from({ length: 6 }, () => expect.stringMatching(/^b[a-z0-9]{6}$/)),
      'b',
    ]);
    expect(new Set(made).size).toBe(ids.length);
  });

  it('keeps what is valid as it is, down to the last level', async () => {
    const first = await stored(place, [
      ...nested(10),
      { type: 'list', slots: { default: [heading(), { global: globalHeading }] } },
    ]);
    expect(await stored(place, first)).toEqual(first);
  });

  it('always has params, and only slots with content', async () => {
    expect(
      await stored(place, [
        {
          id: 'c',
          type: 'columns',
          params: null,
          slots: { left: [], right: [{ id: 'd', type: 'columns' }] },
        },
      ]),
    ).toEqual([
      { id: 'c', type: 'columns', params: {}, slots: { right: [{ id: 'd', type: 'columns', params: {} }] } },
    ]);
  });

  it('keeps of a reference only its ID and overrides of blocks and parameters that exist', async () => {
    const inner = await headingId();
    const reference = {
      id: 'r',
      global: globalHeading,
      type: 'heading',
      params: { text: 'x' },
      slots: { a: [] },
      overrides: { [inner]: { text: 9, level: null, other: 1 }, gone: { text: 'x' }, __proto__x: {} },
    };
    expect(await stored(place, [reference])).toEqual([
      { id: 'r', global: globalHeading, overrides: { [inner]: { text: '9', level: null } } },
    ]);
    expect(await stored(place, [{ id: 'r', global: globalHeading, overrides: { gone: {} } }])).toEqual([
      { id: 'r', global: globalHeading },
    ]);
  });

  it('takes keys that name prototypes as ordinary keys', async () => {
    const tree = JSON.parse(
      '[{"id":"__proto__","type":"every","params":{"__proto__":{"x":1},"constructor":1,"text":"a"}}]',
    );
    expect(await stored(place, tree)).toEqual([{ id: '__proto__', type: 'every', params: { text: 'a' } }]);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('a tree that is not sent', () => {
  it.each(places)('stays as it is although its types are gone: $name', async (place) => {
    const id = await createSnippet(server, { name: 'fleeting', schema: { block: true } });
    const tree = await stored(place, [{ type: 'fleeting' }]);
    await callOk(server, 'DELETE', `/snippets/${id}`);
    const { path } = place.request([]);
    const body = path.startsWith('/collections') ? { published: false } : { description: 'changed' };
    const answer = await callOk(server, 'PUT', path, body);
    expect(place.treeIn(answer)).toEqual(tree);
    await stored(place, []);
  });
});

describe('pages', () => {
  it.each([[null], ['[]'], [{}], [7]])('refuse %j in place of a tree', async (blocks) => {
    const request = { name: '', method: 'PUT', path: `/pages/${pageId}`, body: { blocks } };
    await check(server, { ...request, status: 400, code: 'block.treeInvalid', params: { path: '' } });
  });

  it('are created with a tree, which lists of pages leave out', async () => {
    const { parent_id } = await callOk(server, 'GET', `/pages/${pageId}`);
    const body = { parent_id, title: 'Built', slug: 'built', blocks: [{ id: 'h', ...heading() }] };
    const { id, blocks } = await callOk(server, 'POST', '/pages', body);
    expect(blocks).toEqual([{ id: 'h', type: 'heading', params: { text: 'x' } }]);
    const list = await callList(server, '/pages');
    expect(list.find((page) => page['id'] === id)).not.toHaveProperty('blocks');
  });
});

describe('entries', () => {
  const put = (body: unknown) => ({
    name: '',
    method: 'PUT',
    path: `/collections/articles/items/${itemId}`,
    body: { data: { body } },
  });

  it('take a tree as JSON text', async () => {
    const { path, body } = put(JSON.stringify([{ id: 'h', ...heading() }]));
    const { data } = await callOk(server, 'PUT', path, body);
    expect(asRecord(data)['body']).toEqual([{ id: 'h', type: 'heading', params: { text: 'x' } }]);
  });

  it.each([['no JSON'], [7], [{}], [true]])('refuse %j as block.fieldInvalid', async (value) => {
    await check(server, {
      ...put(value),
      status: 400,
      code: 'block.fieldInvalid',
      params: { field: 'body' },
    });
  });

  it('refuse JSON text of something else than a list', async () => {
    const params = { path: '', field: 'body' };
    await check(server, { ...put('{"a":1}'), status: 400, code: 'block.treeInvalid', params });
  });

  it.each([[''], [null], [[]], ['[]']])('have no tree after %j', async (value) => {
    const { path, body } = put(value);
    expect((await callOk(server, 'PUT', path, body))['data']).toEqual({ body: null });
  });
});
