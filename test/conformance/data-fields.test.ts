import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { createCollection, createItem, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `_fields` and `X-Total-Count` of GET /data/{slug} (Beyond, "The program", `types`). */

let server: TestServer;
let slug: string;
let topics: string;

beforeAll(async () => {
  server = await startServer();
  topics = freshName('topics');
  const topicId = await createCollection(server, {
    slug: topics,
    public_api: true,
    fields: [{ name: 'label', type: 'text' }],
  });
  slug = freshName('news');
  await createCollection(server, {
    slug,
    public_api: true,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'markdown' },
      { name: 'topic', type: 'reference', collection: topicId },
    ],
  });
  const topic = await createItem(server, topics, { label: 'Sea' });
  for (const title of ['one', 'two', 'three'])
    await createItem(server, slug, { title, body: `*${title}*`, topic });
});
afterAll(() => server.stop());

const ask = (query: string, token?: null) =>
  call(server, 'GET', `/data/${slug}?${query}`, token === null ? { token } : {});

describe('_fields', () => {
  it.each<[query: string, expected: object]>([
    ['_fields=title&_limit=1', [{ title: 'one' }]],
    ['_fields=title,body&_limit=1', [{ title: 'one', body: '*one*' }]],
    ['_fields=%20title%20,&_limit=1', [{ title: 'one' }]],
    ['_fields=id,published&_limit=1', [{ id: expect.any(Number), published: true }]],
    [
      '_fields=_url,_created,_updated&_limit=1',
      [{ _url: '', _created: expect.any(String), _updated: expect.any(String) }],
    ],
    ['_fields=title&_sort=-title', [{ title: 'two' }, { title: 'three' }, { title: 'one' }]],
    ['_fields=title&body__contains=two', [{ title: 'two' }]],
    ['_fields=title&title=none', []],
  ])('%s', async (query, expected) => {
    for (const token of [undefined, null] as const) {
      const { status, body } = await ask(query, token);
      expect([status, body]).toEqual([200, expected]);
    }
  });

  it('gives the linked entry whole', async () => {
    expect((await ask('_fields=topic&_limit=1')).body).toEqual([
      { topic: expect.objectContaining({ label: 'Sea', published: true }) },
    ]);
  });

  it('gives everything if it names nothing', async () => {
    expect((await ask('_fields=')).body).toEqual((await ask('')).body);
  });

  it('refuses a field that is not there, with the nearest one', async () => {
    expect(await ask('_fields=title,bodi')).toMatchObject({
      status: 400,
      body: { code: 'data.unknownField', params: { field: 'bodi', suggestion: 'body' } },
    });
  });

  it('holds for the entry of a singleton', async () => {
    const single = freshName('single');
    await createCollection(server, {
      slug: single,
      singleton: true,
      fields: [
        { name: 'a', type: 'text' },
        { name: 'b', type: 'text' },
      ],
    });
    expect((await call(server, 'GET', `/data/${single}?_fields=a`)).body).toBeNull();
    await callOk(server, 'PUT', `/collections/${single}/item`, { data: { a: '1', b: '2' } });
    expect((await call(server, 'GET', `/data/${single}?_fields=a`)).body).toEqual({ a: '1' });
  });

  it('has tags that differ from those of whole entries', async () => {
    const [whole, part] = [await ask(''), await ask('_fields=title')];
    expect(part.headers.get('etag')).not.toBe(whole.headers.get('etag'));
  });
});

describe('X-Total-Count', () => {
  it.each([
    ['', '3'],
    ['_limit=1', '3'],
    ['_limit=1&_offset=2', '3'],
    ['_offset=9', '3'],
    ['title=two', '1'],
    ['title=none', '0'],
    ['title__ne=two&_limit=1&_fields=title', '2'],
  ])('of "%s" is %s', async (query, count) => {
    expect((await ask(query)).headers.get('x-total-count')).toBe(count);
    const open = await ask(query, null);
    expect(open.headers.get('x-total-count')).toBe(count);
    expect(open.headers.get('access-control-expose-headers')).toContain('X-Total-Count');
  });

  it('counts no drafts for everyone', async () => {
    const { id } = await callOk(server, 'POST', `/collections/${topics}/items`, {
      data: { label: 'Draft' },
      published: false,
    });
    const count = async (token?: null) =>
      (await call(server, 'GET', `/data/${topics}`, token === null ? { token } : {})).headers.get(
        'x-total-count',
      );
    expect([await count(), await count(null)]).toEqual(['2', '1']);
    await callOk(server, 'DELETE', `/collections/${topics}/items/${id}`);
  });
});
