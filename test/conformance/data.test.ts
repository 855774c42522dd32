import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { notFound } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** GET /data/{slug}, its names, and the same names on lists of entries. */

let server: TestServer;
/** IDs of the entries by their name. */
const ids = new Map<string, number>();
let tags: number[];

const entries: Record<string, Record<string, unknown>> = {
  a: { name: 'a', text: 'Apfel', number: 1, date: '2026-01-01', flag: true, kind: 'x', note: 'Öl 100%' },
  b: { name: 'b', text: 'apfel', number: 10, date: '2026-02-01', flag: false, kind: 'y', note: 'öl_x' },
  c: { name: 'c', text: 'Birne', number: 2, date: '2026-03-01', flag: true, kind: 'x' },
  d: { name: 'd', text: '', number: null, date: null, kind: null },
};

beforeAll(async () => {
  server = await startServer();
  const tagCollection = await createCollection(server, {
    slug: 'tags',
    fields: [
      { name: 'label', type: 'text' },
      { name: 'more', type: 'number' },
    ],
  });
  await createSnippet(server, { name: 'x', schema: { block: true } });
  tags = [];
  for (const label of ['t0', 't1', 't2']) tags.push(await createItem(server, 'tags', { label }));
  await createCollection(server, {
    slug: 'things',
    public_api: true,
    fields: [
      { name: 'name', type: 'text' },
      { name: 'text', type: 'text' },
      { name: 'number', type: 'number' },
      { name: 'date', type: 'date' },
      { name: 'flag', type: 'boolean' },
      { name: 'kind', type: 'select' },
      { name: 'note', type: 'markdown' },
      { name: 'tag', type: 'reference', collection: tagCollection },
      { name: 'tags', type: 'references', collection: tagCollection },
      { name: 'tree', type: 'blocks' },
      { name: 'a__b', type: 'text' },
    ],
  });
  const links: Record<string, object> = {
    a: { tag: tags[0], tags: [tags[0], tags[1]], a__b: 'x', tree: [{ type: 'x' }] },
    b: { tag: tags[1], tags: [tags[1]] },
    c: { tag: tags[0] },
  };
  for (const [name, data] of Object.entries(entries))
    ids.set(name, await createItem(server, 'things', { ...data, ...links[name] }));
});
afterAll(() => server.stop());

async function namesOf(query: string): Promise<string> {
  const list = await callList(server, `/data/things?${query}`);
  return list.map(({ name }) => name).join('');
}

describe('names of queries', () => {
  it.each([
    ['', 'abcd'],
    ['text=Apfel', 'a'],
    ['text=apfel', 'b'],
    ['text=', 'd'],
    ['text__ne=Apfel', 'bcd'],
    ['text__ne=', 'abc'],
    ['text__contains=pf', 'ab'],
    ['text__contains=PF', ''],
    ['text__icontains=PF', 'ab'],
    ['note__icontains=öL', 'ab'],
    ['note__contains=100%25', 'a'],
    ['note__contains=l_x', 'b'],
    ['text__startswith=Ap', 'a'],
    ['text__endswith=el', 'ab'],
    ['text__endswith=EL', ''],
    ['text__in=Apfel,Birne', 'ac'],
    ['text__in=', ''],
    ['text__gt=Birne', 'b'],
    ['text__isnull=true', 'd'],
    ['text__isnull=0', 'abc'],
    ['number=1', 'a'],
    ['number=1.0', 'a'],
    ['number=one', ''],
    ['number__ne=one', 'abcd'],
    ['number__ne=1', 'bcd'],
    ['number__gt=1', 'bc'],
    ['number__gte=2', 'bc'],
    ['number__lt=10', 'ac'],
    ['number__lte=1', 'a'],
    ['number__gt=x', ''],
    ['number__in=1,2,x', 'ac'],
    ['number__isnull=1', 'd'],
    ['date__gte=2026-02-01', 'bc'],
    ['date__gte=2026-02-01&date__lt=2026-03-01', 'b'],
    ['flag=true', 'ac'],
    ['flag=0', 'bd'],
    ['flag__ne=1', 'bd'],
    ['flag=maybe', ''],
    ['kind=x&flag=1', 'ac'],
    ['kind=x&number=2', 'c'],
    ['tag={t0}', 'ac'],
    ['tag__ne={t0}', 'bd'],
    ['tag__in={t0},{t1}', 'abc'],
    ['tag__isnull=1', 'd'],
    ['tags={t1}', 'ab'],
    ['tags__contains={t0}', 'a'],
    ['tags__ne={t1}', 'cd'],
    ['tags__in={t0},{t2}', 'a'],
    ['tags__isnull=1', 'cd'],
    ['tags={t2}', ''],
    ['tree__isnull=0', 'a'],
    ['a__b=x', 'a'],
    ['a__b__ne=x', 'bcd'],
    ['id={a}', 'a'],
    ['id__in={a},{c}', 'ac'],
    ['id__gt={b}', 'cd'],
    ['id=x', ''],
    ['_search=birne', 'c'],
    ['_search=ÖL', 'ab'],
    ['_search=%25', 'a'],
    ['_search=', 'abcd'],
    ['_sort=text', 'dacb'],
    ['_sort=-text', 'bcad'],
    ['_sort=-number', 'bcad'],
    ['_sort=flag,-number', 'bdca'],
    ['_sort=-id', 'dcba'],
    ['_sort=-sort', 'dcba'],
    ['_sort=_created,-_updated', 'abcd'],
    ['_sort=', 'abcd'],
    ['_limit=2', 'ab'],
    ['_limit=2&_offset=1', 'bc'],
    ['_offset=3', 'd'],
    ['_offset=9', ''],
    ['kind=x&_sort=-number&_limit=1', 'c'],
  ])('%s', async (query, expected) => {
    const filled = query.replaceAll(/\{(\w+)\}/g, (_, name) =>
      String(ids.get(name) ?? tags[Number(name.slice(1))]),
    );
    expect(await namesOf(filled)).toBe(expected);
    const list = await callList(server, `/collections/things/items?${filled || '_offset=0'}`);
    expect(list.map(({ data }) => asRecord(data)['name']).join('')).toBe(expected);
  });

  it.each([
    ['nothing=1', 'data.unknownField', { field: 'nothing' }],
    ['tex=1', 'data.unknownField', { field: 'tex', suggestion: 'text' }],
    ['published=false', 'data.unknownField', { field: 'published' }],
    ['_sort=nothing', 'data.unknownField', { field: 'nothing' }],
    ['_sort=id;DROP--', 'data.unknownField', { field: 'id;DROP--' }],
    ['_sort=(select 1)', 'data.unknownField', { field: '(select 1)' }],
    ['$."a"=1', 'data.unknownField', { field: '$."a"' }],
    ['__proto__=1', 'data.unknownField', { field: '__proto__' }],
    ['constructor=1', 'data.unknownField', { field: 'constructor' }],
    ["text__eq'=1", 'data.unknownOperator', { field: 'text', operator: "eq'" }],
    ['text__like=1', 'data.unknownOperator', { field: 'text', operator: 'like' }],
    ['number__contains=1', 'data.unknownOperator', { field: 'number', operator: 'contains' }],
    ['tags__gt=1', 'data.unknownOperator', { field: 'tags', operator: 'gt' }],
    ['tree__contains=1', 'data.unknownOperator', { field: 'tree', operator: 'contains' }],
    ['_limit=0', 'common.invalid', { field: '_limit' }],
    ['_limit=1001', 'common.invalid', { field: '_limit' }],
    ['_limit=-1', 'common.invalid', { field: '_limit' }],
    ['_limit=x', 'common.invalid', { field: '_limit' }],
    ['_offset=-1', 'common.invalid', { field: '_offset' }],
    ['text__isnull=maybe', 'common.invalid', { field: 'text__isnull' }],
  ])('%s is refused', async (query, code, params) => {
    for (const path of ['/data/things', '/collections/things/items'])
      expect(await call(server, 'GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        body: { code, params },
      });
  });

  it('treat values as values', async () => {
    for (const value of ["' OR 1=1 --", '"; DROP TABLE items', '%a'.repeat(1000), '\\', '\u0000'])
      for (const name of ['text', 'text__icontains', 'text__startswith', '_search', 'number', 'tags'])
        expect(await namesOf(`${name}=${encodeURIComponent(value)}`)).toBe('');
    expect(await namesOf('')).toBe('abcd');
  });
});

describe('GET /data/{slug}', () => {
  it('gives entries as templates see them, with references one level deep', async () => {
    const site = await createSite(server);
    const page = await createPage(server, site, { slug: 'detail', catch_all: true, published: true });
    const inner = await createCollection(server, { slug: 'inner', fields: [{ name: 'slug', type: 'text' }] });
    await callOk(server, 'PUT', '/collections/inner', {
      detail_page_id: page,
      fields: [
        { name: 'slug', type: 'text' },
        { name: 'next', type: 'reference', collection: inner },
        { name: 'all', type: 'references', collection: inner },
      ],
    });
    const first = await createItem(server, 'inner', { slug: 'a b/c' });
    const second = await createItem(server, 'inner', { slug: 'two', next: first });
    await createItem(server, 'inner', { slug: 'three', next: second, all: [first, second] });
    const system = { published: true, _created: expect.any(String), _updated: expect.any(String) };
    const one = { id: first, slug: 'a b/c', next: null, all: null, _url: '/detail/a%20b/c', ...system };
    const two = { id: second, slug: 'two', next: first, all: null, _url: '/detail/two', ...system };
    expect(await callList(server, '/data/inner?slug=three')).toEqual([
      { id: expect.any(Number), slug: 'three', next: two, all: [one, two], _url: '/detail/three', ...system },
    ]);
    await callOk(server, 'PUT', `/collections/inner/items/${second}`, { published: false });
    await callOk(server, 'PUT', '/collections/inner', { public_api: true });
    const anonymous = await call(server, 'GET', '/data/inner?slug=three', { token: null });
    expect(anonymous.body).toMatchObject([{ next: null, all: [{ id: first }] }]);
    await call(server, 'DELETE', `/collections/inner/items/${first}`);
    expect(await callList(server, '/data/inner?slug=three')).toMatchObject([
      { next: { id: second }, all: [{ id: second }] },
    ]);
  });

  it('gives the entry of a singleton, or null', async () => {
    const slug = freshName('single');
    await createCollection(server, { slug, singleton: true, fields: [{ name: 'a', type: 'text' }] });
    expect((await call(server, 'GET', `/data/${slug}`)).body).toBeNull();
    await callOk(server, 'PUT', `/collections/${slug}/item`, { data: { a: '1' } });
    expect(await callOk(server, 'GET', `/data/${slug}`)).toMatchObject({ a: '1' });
  });

  it('shows nothing of drafts and of closed collections to everyone', async () => {
    const draft = { name: 'z', text: 'secret', number: 99 };
    const { id } = await callOk(server, 'POST', '/collections/things/items', {
      data: draft,
      published: false,
    });
    const ask = (path: string) => call(server, 'GET', path, { token: null });
    const before = await ask('/collections/things/items?_limit=1');
    expect(before.headers.get('x-total-count')).toBe('4');
    for (const query of [
      '',
      'number=99',
      'text=secret',
      `id=${id}`,
      '_search=secret',
      '_sort=-number',
      'text__startswith=s',
    ]) {
      const answer = await ask(`/data/things?${query}`);
      expect([query, answer.status, JSON.stringify(answer.body).includes('secret')]).toEqual([
        query,
        200,
        false,
      ]);
    }
    for (const path of ['/data/tags', '/data/nothing', '/data/1'])
      expect(outcomeOf(await ask(path))).toEqual(notFound);
    expect((await ask('/data/things')).headers.get('access-control-allow-origin')).toBe('*');
    await call(server, 'DELETE', `/collections/things/items/${id}`);
  });

  it('is not found for other slugs', async () => {
    expect(outcomeOf(await call(server, 'GET', '/data/nothing'))).toEqual(notFound);
    expect(outcomeOf(await call(server, 'GET', '/data/1'))).toEqual(notFound);
  });

  it('shows the newest state after every change', async () => {
    const slug = freshName('c');
    await createCollection(server, { slug, fields: [{ name: 'a', type: 'number' }] });
    for (let a = 0; a < 5; a++) {
      await createItem(server, slug, { a });
      expect(await callList(server, `/data/${slug}?a__gte=0`)).toHaveLength(a + 1);
    }
  });
});

describe('lists of entries with names of queries', () => {
  it('tell how many entries there are in all', async () => {
    const answer = await call(server, 'GET', '/collections/things/items?kind=x&_limit=1&_sort=-number');
    expect(answer.headers.get('x-total-count')).toBe('2');
    expect(answer.body).toMatchObject([
      { id: ids.get('c'), collection_id: expect.any(Number), data: { tag: tags[0] } },
    ]);
    const all = await call(server, 'GET', '/collections/things/items?_offset=1&_limit=2');
    expect([all.headers.get('x-total-count'), asRecord({ list: all.body })['list']]).toMatchObject([
      '4',
      { length: 2 },
    ]);
    expect((await call(server, 'GET', '/collections/things/items')).headers.get('x-total-count')).toBeNull();
  });
});
