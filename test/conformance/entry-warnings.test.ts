/** What a save of an entry refuses and warns of: unknown names, dates, addresses (Core, "General rules"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let detail: number;
let home: number;

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  detail = await createPage(server, home, {
    slug: 'articles',
    catch_all: true,
    published: true,
    lang: 'en',
    html: '{% set a = item("articles", "slug", route.slug) %}{% if not a %}{{ not_found() }}{% endif %}{{ a.title }}|{% for v in page.translations %}{{ v.url }} {% endfor %}',
  });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
    { name: 'day', type: 'date' },
  ];
  await createCollection(server, { slug: 'articles', lang: 'en', fields, detail_page_id: detail });
  await createCollection(server, { slug: 'notes', fields });
});
afterAll(() => server.stop());

const post = (data: object, query = '') =>
  call(server, 'POST', `/collections/notes/items${query}`, { body: { data } });
const codesOf = (answer: unknown) => {
  const list = asRecord(answer)['warnings'];
  return (Array.isArray(list) ? list : []).map((warning) => {
    const { code, level, params } = asRecord(warning);
    return { code, level, ...asRecord(params) };
  });
};

describe('unknown names in data', () => {
  const unknown = { code: 'item.unknownField', level: 'warning', field: 'titel', suggestion: 'title' };

  it('are a warning, with POST, a list, PUT and the entry of a singleton', async () => {
    const answer = await post({ titel: 'A', title: 'B' });
    expect(answer.status).toBe(201);
    expect(codesOf(answer.body)).toEqual([unknown]);
    const body = [{ data: { title: 'A' } }, { data: { titel: 'B' } }];
    const list = await call(server, 'POST', '/collections/notes/items', { body });
    expect((Array.isArray(list.body) ? list.body : []).map(codesOf)).toEqual([[], [unknown]]);
    const id = await createItem(server, 'notes', { title: 'C' });
    const put = (data: object, query = '') =>
      call(server, 'PUT', `/collections/notes/items/${id}${query}`, { body: { data } });
    expect(codesOf((await put({ titel: 'D' })).body)).toEqual([unknown]);
    expect((await put({ title: 'D' })).body).toEqual(
      await callOk(server, 'GET', `/collections/notes/items/${id}`),
    );
    expect(await put({ titel: 'D' }, '?strict=1')).toMatchObject({
      status: 400,
      body: { code: 'common.unknownField', params: { field: 'data.titel', suggestion: 'title' } },
    });
    await createCollection(server, {
      slug: 'one',
      singleton: true,
      fields: [{ name: 'title', type: 'text' }],
    });
    const single = await call(server, 'PUT', '/collections/one/item', { body: { data: { titel: 'A' } } });
    expect(codesOf(single.body)).toEqual([unknown]);
  });

  it('are refused with strict=1, in a list and a batch too, and nothing is written', async () => {
    const before = (await callList(server, '/collections/notes/items')).length;
    expect(await post({ titel: 'A' }, '?strict=1')).toMatchObject({
      status: 400,
      body: { code: 'common.unknownField', params: { field: 'data.titel', suggestion: 'title' } },
    });
    const list = await call(server, 'POST', '/collections/notes/items?strict=1', {
      body: [{ data: { title: 'A' } }, { data: { titel: 'B' } }],
    });
    expect(list).toMatchObject({ status: 400, body: { code: 'common.unknownField' } });
    expect(asRecord(list.body)['error']).toMatch(/^item 1: /);
    const ops = [{ op: 'create', kind: 'item', collection: 'notes', data: { titel: 'A' } }];
    const batch = await call(server, 'POST', '/batch?strict=1', { body: { ops } });
    expect(outcomeOf(batch)).toEqual({ status: 400, code: 'common.unknownField' });
    expect(await callList(server, '/collections/notes/items')).toHaveLength(before);
  });

  it('of fields that are gone but still stored may be sent back', async () => {
    const fields = [{ name: 'a', type: 'text' }];
    await createCollection(server, { slug: 'gone', fields: [...fields, { name: 'old', type: 'text' }] });
    const id = await createItem(server, 'gone', { a: '1', old: '2' });
    await callOk(server, 'PUT', '/collections/gone', { fields });
    const entry = await callOk(server, 'GET', `/collections/gone/items/${id}`);
    const answer = await call(server, 'PUT', `/collections/gone/items/${id}?strict=1`, { body: entry });
    // The save drops the value, and says so.
    expect([answer.status, codesOf(answer.body)]).toMatchObject([200, [{ field: 'old' }]]);
  });
});

describe('a date', () => {
  it.each(['2026-02-28', '2026-12-24T18:00:00Z', '2026-12-24 18:00', '', null])('may be %j', async (day) => {
    expect((await post({ day })).status).toBe(201);
  });

  it.each(['soon', '2026-02-30', '24.12.2026', '2026', '12/24/2026', ' 2026-01-01'])(
    'is not %j',
    async (day) => {
      expect(await post({ day })).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'day' } },
      });
      const id = await createItem(server, 'notes', { day: '2026-01-01' });
      const put = await call(server, 'PUT', `/collections/notes/items/${id}`, { body: { data: { day } } });
      expect(outcomeOf(put)).toEqual({ status: 400, code: 'common.invalid' });
    },
  );

  it('that is stored may be sent back, and a version with it restored', async () => {
    const field = (type: string) => ({
      fields: [
        { name: 'day', type },
        { name: 'n', type: 'text' },
      ],
    });
    await createCollection(server, { slug: 'days', ...field('text') });
    const id = await createItem(server, 'days', { day: 'soon', n: 'a' });
    await callOk(server, 'PUT', '/collections/days', field('date'));
    const put = (data: object) => call(server, 'PUT', `/collections/days/items/${id}`, { body: { data } });
    expect((await put({ day: 'soon', n: 'b' })).status).toBe(200);
    expect((await put({ day: 'later' })).status).toBe(400);
    expect((await put({ n: 'c' })).status).toBe(200);
    expect((await put({ day: '2026-01-01' })).status).toBe(200);
    const versions = await callList(server, `/revisions?kind=item&id=${id}`);
    await callOk(server, 'POST', `/revisions/${versions[0]?.['id']}/restore`);
    expect(await callOk(server, 'GET', `/collections/days/items/${id}`)).toMatchObject({
      data: { day: 'soon' },
    });
  });
});

describe('an address below a detail page', () => {
  const create = async (slug: string) =>
    codesOf(
      (await call(server, 'POST', '/collections/articles/items', { body: { data: { title: slug, slug } } }))
        .body,
    );

  it('that another entry has, or that cannot be requested, is a warning', async () => {
    expect(await create('first')).toEqual([]);
    const taken = { code: 'item.addressTaken', level: 'warning', field: 'slug', path: '/articles/first' };
    expect(await create('first')).toEqual([{ ...taken, id: expect.any(Number) }]);
    for (const slug of ['Ümlaut / x?y', '..', 'a//b', 'a\\b', 'two words'])
      expect(await create(slug)).toMatchObject([
        { code: 'item.addressInvalid', level: 'warning', field: 'slug' },
      ]);
    const body = [{ data: { slug: 'twice' } }, { data: { slug: 'twice' } }];
    const both = await call(server, 'POST', '/collections/articles/items', { body });
    expect((Array.isArray(both.body) ? both.body : []).map(codesOf)).toMatchObject([
      [{ code: 'item.addressTaken' }],
      [{ code: 'item.addressTaken' }],
    ]);
    const id = await createItem(server, 'articles', { slug: 'own', title: 'Own' });
    const put = (data: object) => callOk(server, 'PUT', `/collections/articles/items/${id}`, { data });
    expect(codesOf(await put({ slug: 'own', title: 'Own 2' }))).toEqual([]);
    expect(codesOf(await put({ slug: 'first' }))).toMatchObject([{ code: 'item.addressTaken' }]);
    expect(codesOf(await put({ title: 'Own 3' }))).toEqual([]);
  });

  it('is all that the sitemap lists: the page itself answers 404', async () => {
    const { text } = await visit(server, '/sitemap.xml', { host: 'one.test' });
    const paths = [...text.matchAll(/<loc>http:\/\/one\.test([^<]*)</g)].map(([, path]) => path ?? '');
    expect(paths).toContain('/articles/first');
    expect(paths).not.toContain('/articles');
    for (const path of paths)
      expect([path, (await visit(server, path, { host: 'one.test' })).status]).toEqual([path, 200]);
  });

  it('is no language version of an entry that has none', async () => {
    const german = await createPage(server, home, {
      slug: 'artikel',
      catch_all: true,
      published: true,
      lang: 'de',
      html: '{% set a = item("artikel", "slug", route.slug) %}{% if not a %}{{ not_found() }}{% endif %}{{ a.title }}',
    });
    await createCollection(server, {
      slug: 'artikel',
      lang: 'de',
      fields: [{ name: 'slug', type: 'text' }],
      detail_page_id: german,
    });
    await call(server, 'POST', `/pages/${detail}/translations`, { body: { page_id: german } });
    const path = '/articles/own';
    await createItem(server, 'articles', { slug: 'lone', title: 'Lone' });
    const { text } = await visit(server, '/articles/lone', { host: 'one.test' });
    expect(text).toContain('Lone|');
    expect(text).not.toContain('/artikel');
    expect((await visit(server, '/sitemap.xml', { host: 'one.test' })).text).not.toContain('/artikel<');
    // A page that shows a list where it shows no entry stays the version of all entries that have none.
    await callOk(server, 'PUT', `/pages/${german}`, {
      html: '{% if route.slug %}{{ not_found() }}{% endif %}Liste',
    });
    expect((await visit(server, path.replace('own', 'lone'), { host: 'one.test' })).text).toContain(
      '/artikel ',
    );
    expect((await visit(server, '/sitemap.xml', { host: 'one.test' })).text).toContain('/artikel<');
  });
});

describe('a body that does not fit', () => {
  it.each([
    [{}, 'data is required'],
    [{ titel: 'A' }, 'data is required'],
    [[], 'body must not have fewer than 1 items'],
    [[{}], 'item 0: 0.data is required'],
    ['text', 'body must be object or array'],
  ])('is told in one sentence that helps: %j', async (body, error) => {
    const answer = await call(server, 'POST', '/collections/notes/items', { body });
    expect([answer.status, asRecord(answer.body)['error']]).toEqual([400, error]);
  });
});

it('a collection is linked by ID or slug', async () => {
  const linked = Number((await callOk(server, 'GET', '/collections/notes'))['id']);
  const field = (collection: unknown) => ({ fields: [{ name: 'note', type: 'reference', collection }] });
  const made = await callOk(server, 'POST', '/collections', { slug: 'links', ...field('notes') });
  expect(made['fields']).toMatchObject([{ name: 'note', collection: linked }]);
  expect(await callOk(server, 'PUT', '/collections/links', field('links'))).toMatchObject({
    fields: [{ collection: made['id'] }],
  });
  const impact = await callOk(server, 'POST', '/collections/links/impact', field('links'));
  expect(impact).toMatchObject({ templates: [], entries: {} });
  expect(await call(server, 'PUT', '/collections/links', { body: field('nothing') })).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'fields.0.collection' } },
  });
});
