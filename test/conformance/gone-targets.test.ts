import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createSite,
  createSnippet,
} from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** What GET answers can always be sent back, whatever was deleted meanwhile. Answers and exports name nothing that is gone. */

let server: TestServer;
const ids = {
  people: 0,
  gone: 0,
  works: 0,
  ada: 0,
  bob: 0,
  picture: 0,
  work: 0,
  page: 0,
  global: 0,
  type: 0,
};

beforeAll(async () => {
  server = await startServer();
  ids.people = await createCollection(server, { slug: 'people', fields: [{ name: 'name', type: 'text' }] });
  ids.gone = await createCollection(server, { slug: 'gone', fields: [{ name: 'name', type: 'text' }] });
  ids.works = await createCollection(server, {
    slug: 'works',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'picture', type: 'image', required: true },
      { name: 'author', type: 'reference', collection: ids.people, required: true },
      { name: 'makers', type: 'references', collection: ids.people },
      { name: 'other', type: 'reference', collection: ids.gone },
      { name: 'body', type: 'blocks' },
    ],
  });
  [ids.ada, ids.bob] = [
    await createItem(server, 'people', { name: 'Ada' }),
    await createItem(server, 'people', { name: 'Bob' }),
  ];
  const other = await createItem(server, 'gone', { name: 'x' });
  ids.picture = Number((await uploadOne(server, 'a.jpg', await draw({ width: 40, height: 30 })))['id']);
  ids.type = await createSnippet(server, {
    name: 'card',
    content: '<p>{{ author.name }}</p>',
    schema: {
      block: true,
      params: [
        { name: 'picture', type: 'image', required: true },
        { name: 'author', type: 'reference', collection: ids.people, required: true },
        { name: 'other', type: 'reference', collection: ids.gone },
      ],
    },
  });
  await createSnippet(server, { name: 'passing', content: '<p></p>', schema: { block: true } });
  const card = { id: 'card1', type: 'card', params: { picture: ids.picture, author: ids.ada, other } };
  const blocks = [card, { id: 'gone1', type: 'passing', params: {} }];
  ids.work = await createItem(server, 'works', {
    title: 'Work',
    picture: ids.picture,
    author: ids.ada,
    makers: [ids.ada, ids.bob],
    other,
    body: blocks,
  });
  const site = await createSite(server);
  ids.page = await createPage(server, site, { og_image_file_id: ids.picture, blocks });
  ids.global = await createGlobalBlock(server, { blocks });
  for (const path of [
    `/collections/people/items/${ids.ada}`,
    '/collections/gone',
    `/files/${ids.picture}`,
    `/snippets/${(await callList(server, '/snippets')).find(({ name }) => name === 'passing')?.['id']}`,
  ])
    expect((await call(server, 'DELETE', path)).status).toBe(204);
});
afterAll(() => server.stop());

const shown = { picture: null, author: null, makers: [2], other: null };

describe('an entry whose targets are gone', () => {
  it.each(['items/{id}', 'items', 'items?title=Work'])('names none of them in GET %s', async (path) => {
    const { body } = await call(
      server,
      'GET',
      `/collections/works/${path.replace('{id}', String(ids.work))}`,
    );
    const [entry] = [body].flat().map(asRecord);
    expect(asRecord(entry?.['data'])).toMatchObject({ ...shown, makers: [ids.bob] });
  });

  it('can be sent back as it is, and with a change', async () => {
    const path = `/collections/works/items/${ids.work}`;
    const before = await callOk(server, 'GET', path);
    const { data } = before;
    expect(await callOk(server, 'PUT', path, { data })).toEqual(before);
    const changed = { ...asRecord(data), title: 'Changed' };
    expect(await callOk(server, 'PUT', path, { data: changed })).toMatchObject({ data: changed });
    for (const wrong of [{ author: 999 }, { picture: 999 }, { makers: [ids.ada] }, { title: '' }])
      expect((await call(server, 'PUT', path, { body: { data: wrong } })).status).toBe(400);
  });

  it('is exported so that it can be imported again', async () => {
    const response = await fetch(`${server.url}/api/v1/collections/works/export`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    const csv = await response.text();
    const before = await callOk(server, 'GET', `/collections/works/items/${ids.work}`);
    const form = { method: 'POST', path: '/collections/works/import' };
    const answer = await upload(server, [{ name: 'works.csv', bytes: csv }], { key: '_id' }, form);
    expect(answer).toMatchObject({ status: 200, body: { error_count: 0, warning_count: 0 } });
    const after = await callOk(server, 'GET', `/collections/works/items/${ids.work}`);
    expect(after['data']).toEqual(before['data']);
  });
});

it.each([
  ['a page', () => `/pages/${ids.page}`, ['blocks', 'og_image_file_id']],
  ['a global block', () => `/global-blocks/${ids.global}`, ['blocks']],
  ['a block type', () => `/snippets/${ids.type}`, ['schema']],
] as const)('%s can be sent back', async (_what, path, fields) => {
  const before = await callOk(server, 'GET', path());
  const body = Object.fromEntries(fields.map((field) => [field, before[field]]));
  const after = await callOk(server, 'PUT', path(), body);
  for (const field of fields) expect(after[field]).toEqual(before[field]);
});

it('a tree keeps what is gone only where it was', async () => {
  const { blocks } = await callOk(server, 'GET', `/pages/${ids.page}`);
  const [card, passing] = [blocks].flat().map(asRecord);
  const put = (tree: unknown) => call(server, 'PUT', `/pages/${ids.page}`, { body: { blocks: tree } });
  expect(outcomeOf(await put([{ ...card, id: 'new1' }]))).toEqual({
    status: 400,
    code: 'block.paramInvalid',
  });
  expect(outcomeOf(await put([{ ...passing, id: 'new2' }]))).toEqual({
    status: 400,
    code: 'block.typeUnknown',
  });
  expect((await put([passing, card])).status).toBe(200);
  expect((await put([card])).status).toBe(200);
});

it('a collection with fields that refer to one that is gone can be sent back', async () => {
  const find = async () => (await callList(server, '/collections')).find(({ slug }) => slug === 'works');
  const before = await find();
  const fields = [before?.['fields']].flat().map(asRecord);
  expect(fields.find(({ name }) => name === 'other')).toMatchObject({ collection: null });
  expect(await callOk(server, 'PUT', '/collections/works', { ...before })).toMatchObject({ fields });
  expect((await find())?.['fields']).toEqual(fields);
  const dangling = [{ name: 'new', type: 'reference', collection: ids.gone }];
  expect((await call(server, 'PUT', '/collections/works', { body: { fields: dangling } })).status).toBe(400);
});
