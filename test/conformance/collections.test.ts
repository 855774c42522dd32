import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "Collection" and "Collections and entries". */

let server: TestServer;
let readToken: string;
let taken: number;

beforeAll(async () => {
  server = await startServer();
  readToken = await addToken(server, 'reader', false);
  taken = await createCollection(server, { slug: 'taken' });
});
afterAll(() => server.stop());

describe('POST /collections', () => {
  it('answers 201 with the whole collection', async () => {
    const answer = await call(server, 'POST', '/collections', {
      body: {
        slug: 'news',
        name: 'News',
        folder: 'f',
        public_api: true,
        live: true,
        lang: 'EN',
        detail_field: 'title',
        fields: [
          { name: 'title', type: 'text', required: true },
          { name: 'kind', label: 'Kind', type: 'select', options: ['a', 'b'] },
          { name: 'other', type: 'reference', collection: taken },
        ],
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      slug: 'news',
      name: 'News',
      folder: 'f',
      public_api: true,
      live: true,
      singleton: false,
      detail_page_id: 0,
      detail_field: 'title',
      lang: 'en',
      fields: [
        { name: 'title', label: 'title', type: 'text', required: true, options: [], collection: null },
        {
          name: 'kind',
          label: 'Kind',
          type: 'select',
          required: false,
          options: ['a', 'b'],
          collection: null,
        },
        { name: 'other', label: 'other', type: 'reference', required: false, options: [], collection: taken },
      ],
      item_count: 0,
      created_at: expect.any(Number),
      updated_at: asRecord(answer.body)['created_at'],
    });
  });

  it('needs only a slug', async () => {
    const slug = freshName('c');
    expect(await callOk(server, 'POST', '/collections', { slug })).toMatchObject({
      slug,
      name: slug,
      folder: '',
      public_api: false,
      live: false,
      singleton: false,
      detail_page_id: 0,
      detail_field: 'slug',
      lang: '',
      fields: [],
    });
  });

  it('may be sent back as it was answered', async () => {
    const slug = freshName('c');
    await createCollection(server, { slug, fields: [{ name: 'title', type: 'text' }] });
    const before = await callOk(server, 'GET', `/collections/${slug}`);
    expect(await callOk(server, 'PUT', `/collections/${slug}`, before)).toEqual(before);
    const put = (body: object) => call(server, 'PUT', `/collections/${slug}`, { body });
    expect(outcomeOf(await put({ detail_field: 'other' }))).toEqual({ status: 400, code: 'common.invalid' });
    const named = { detail_field: 'title' };
    expect((await put(named)).status).toBe(200);
    expect(outcomeOf(await put({ ...named, fields: [] }))).toEqual({ status: 400, code: 'common.invalid' });
  });

  const refused = (
    name: string,
    body: object,
    outcome: Pick<Scenario, 'status'> & Partial<Scenario>,
  ): Scenario => ({
    name,
    method: 'POST',
    path: '/collections',
    body: { slug: 'refused', ...body },
    ...outcome,
  });
  const field = (fields: object) => ({ fields: [{ name: 'a', type: 'text', ...fields }] });
  runScenarios(
    () => server,
    [
      refused('no slug', { slug: undefined }, invalid('slug')),
      ...['', 'News', '1a', '_a', 'a b', 'ä', 'a.b', 'import', 'x'.repeat(101)].map((slug) =>
        refused(`slug ${JSON.stringify(slug).slice(0, 20)}`, { slug }, invalid('slug')),
      ),
      refused('a taken slug', { slug: 'taken' }, { status: 409, code: 'collection.slugTaken' }),
      refused('a language that is none', { lang: 'x y' }, { status: 400, code: 'translation.langInvalid' }),
      refused(
        'an unknown detail page',
        { detail_page_id: 9999 },
        { status: 400, code: 'collection.detailPageInvalid' },
      ),
      refused('a detail field that is no field', { detail_field: 'a' }, invalid('detail_field')),
      ...['', '1a', 'a-b', 'id', '__proto__', 'constructor', 'toString', 'a b'].map((name) =>
        refused(`a field called ${JSON.stringify(name)}`, field({ name }), invalid('fields.0.name')),
      ),
      refused('an unknown type', field({ type: 'json' }), invalid('fields.0.type')),
      refused(
        'a reference without a collection',
        field({ type: 'reference' }),
        invalid('fields.0.collection'),
      ),
      refused(
        'references to an unknown collection',
        field({ type: 'references', collection: 9999 }),
        invalid('fields.0.collection'),
      ),
      refused(
        'two fields of one name',
        {
          fields: [
            { name: 'a', type: 'text' },
            { name: 'a', type: 'url' },
          ],
        },
        invalid('fields.1.name'),
      ),
    ],
  );
});

describe('a collection', () => {
  it('is found by its ID and its slug, listed by name, changed and deleted', async () => {
    const slug = freshName('c');
    const id = await createCollection(server, { slug, name: ' aaa first' });
    expect(await callOk(server, 'GET', `/collections/${id}`)).toEqual(
      await callOk(server, 'GET', `/collections/${slug}`),
    );
    expect((await callList(server, '/collections'))[0]).toMatchObject({ id, item_count: 0 });
    expect(
      await callOk(server, 'PUT', `/collections/${slug}`, { name: 'Other', id: 3, created_at: 1 }),
    ).toMatchObject({
      id,
      slug,
      name: 'Other',
    });
    await createItem(server, slug, {});
    expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({ item_count: 1 });
    expect((await call(server, 'DELETE', `/collections/${slug}`)).status).toBe(204);
    for (const path of [`/collections/${slug}`, `/collections/${id}`, `/collections/${id}/items`])
      expect(outcomeOf(await call(server, 'GET', path))).toEqual(notFound);
  });

  it('gets a new list of fields as a whole, and keeps the stored values until entries are saved', async () => {
    const slug = await withFields([
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ]);
    const id = await createItem(server, slug, { a: 'A', b: 'B' });
    await callOk(server, 'PUT', `/collections/${slug}`, { fields: [{ name: 'c', type: 'boolean' }] });
    expect(await callOk(server, 'GET', `/collections/${slug}/items/${id}`)).toMatchObject({
      data: { a: 'A', b: 'B', c: false },
    });
    await callOk(server, 'PUT', `/collections/${slug}`, {
      fields: [
        { name: 'a', type: 'textarea' },
        { name: 'c', type: 'boolean' },
      ],
    });
    const saved = await callOk(server, 'PUT', `/collections/${slug}/items/${id}`, { data: {} });
    expect(saved['data']).toEqual({ a: 'A', c: false });
  });

  it('may refer to itself', async () => {
    const slug = freshName('c');
    const id = await createCollection(server, { slug });
    const fields = [{ name: 'up', type: 'reference', collection: id }];
    expect(await callOk(server, 'PUT', `/collections/${slug}`, { fields })).toMatchObject({
      fields: [{ name: 'up', collection: id }],
    });
  });

  it('has entries below a catch-all page', async () => {
    const site = await createSite(server);
    const plain = await createPage(server, site);
    const page = await createPage(server, site, { catch_all: true });
    const slug = freshName('c');
    await createCollection(server, { slug, detail_page_id: page });
    expect(
      outcomeOf(await call(server, 'PUT', `/collections/${slug}`, { body: { detail_page_id: plain } })),
    ).toEqual({
      status: 400,
      code: 'collection.detailPageInvalid',
    });
    expect((await call(server, 'DELETE', `/pages/${page}`)).status).toBe(204);
    expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({ detail_page_id: 0 });
  });

  it('is not deleted with if_unused as long as a template, a block type or another collection names it', async () => {
    const slug = freshName('c');
    const id = await createCollection(server, { slug });
    const site = await createSite(server);
    const page = await createPage(server, site, {
      html: `{% for e in data("${slug}") %}{% endfor %}`,
      title: 'List',
    });
    const other = await createCollection(server, {
      slug: freshName('c'),
      name: 'Other',
      fields: [{ name: 'r', type: 'reference', collection: id }],
    });
    const type = await createSnippet(server, {
      name: slug,
      schema: { block: true, params: [{ name: 'r', type: 'references', collection: id }] },
    });
    const answer = await call(server, 'DELETE', `/collections/${slug}?if_unused=1`);
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'common.inUse',
        params: {
          usage: expect.arrayContaining([
            { kind: 'collection', id: other, title: 'Other' },
            { kind: 'page', id: page, title: 'List' },
            { kind: 'snippet', id: type, title: slug },
          ]),
        },
      },
    });
    await call(server, 'DELETE', `/pages/${page}`);
    await call(server, 'DELETE', `/collections/${other}`);
    await callOk(server, 'PUT', `/snippets/${type}`, { schema: null });
    expect((await call(server, 'DELETE', `/collections/${slug}?if_unused=1`)).status).toBe(204);
  });

  runScenarios(
    () => server,
    [
      { name: 'unknown ID', method: 'PUT', path: '/collections/99999', body: {}, ...notFound },
      { name: 'unknown slug', method: 'DELETE', path: '/collections/nothing', ...notFound },
      { name: 'a number that is no ID', method: 'GET', path: '/collections/01', ...notFound },
      {
        name: 'a slug of another',
        method: 'PUT',
        path: '/collections/news',
        body: { slug: 'taken' },
        status: 409,
        code: 'collection.slugTaken',
      },
      { name: 'its own slug', method: 'PUT', path: '/collections/news', body: { slug: 'news' }, status: 200 },
      {
        name: 'reserved slug',
        method: 'PUT',
        path: '/collections/news',
        body: { slug: 'import' },
        ...invalid('slug'),
      },
    ],
  );
});

describe('a singleton', () => {
  it('has one entry, which lists answer as object or null', async () => {
    const slug = freshName('c');
    await createCollection(server, { slug, singleton: true, fields: [{ name: 'a', type: 'text' }] });
    expect((await call(server, 'GET', `/collections/${slug}/items`)).body).toBeNull();
    const created = await call(server, 'PUT', `/collections/${slug}/item`, { body: { data: { a: '1' } } });
    expect(created).toMatchObject({ status: 200, body: { data: { a: '1' }, published: true } });
    expect(await callOk(server, 'PUT', `/collections/${slug}/item`, { published: false })).toMatchObject({
      id: asRecord(created.body)['id'],
      data: { a: '1' },
      published: false,
    });
    expect((await call(server, 'GET', `/collections/${slug}/items`)).body).toMatchObject({
      published: false,
    });
    for (const body of [{ data: {} }, [{ data: {} }]])
      expect(outcomeOf(await call(server, 'POST', `/collections/${slug}/items`, { body }))).toEqual({
        status: 409,
        code: 'collection.hasEntry',
      });
    const conflict = await call(server, 'PUT', `/collections/${slug}/item`, { body: { base_updated_at: 1 } });
    expect(outcomeOf(conflict)).toEqual({ status: 409, code: 'common.conflict' });
  });

  it('is refused a second entry of a batch, which then creates none', async () => {
    const slug = freshName('c');
    await createCollection(server, { slug, singleton: true });
    const answer = await call(server, 'POST', `/collections/${slug}/items`, {
      body: [{ data: {} }, { data: {} }],
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'collection.hasEntry', error: /^item 1: / } });
    expect((await call(server, 'GET', `/collections/${slug}/items`)).body).toBeNull();
  });

  it('accepts one of a hundred entries sent at the same time', async () => {
    const slug = freshName('c');
    await createCollection(server, { slug, singleton: true });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        call(server, 'POST', `/collections/${slug}/items`, { body: { data: {} } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
  });

  it('begins and ends with at most one entry', async () => {
    const slug = await withFields([]);
    await createItem(server, slug, {});
    const put = (singleton: boolean) => call(server, 'PUT', `/collections/${slug}`, { body: { singleton } });
    expect((await put(true)).status).toBe(200);
    expect((await put(false)).status).toBe(200);
    await createItem(server, slug, {});
    expect(await put(true)).toMatchObject({
      status: 409,
      body: { code: 'collection.manyEntries', params: { count: 2 } },
    });
  });

  it('is no other collection', async () => {
    const slug = await withFields([]);
    expect(outcomeOf(await call(server, 'PUT', `/collections/${slug}/item`, { body: { data: {} } }))).toEqual(
      {
        status: 400,
        code: 'collection.notSingleton',
      },
    );
  });
});

describe('access', () => {
  let open: string;
  let closed: string;
  let draft: number;
  let shown: number;

  beforeAll(async () => {
    open = freshName('open');
    closed = freshName('closed');
    const fields = [{ name: 'a', type: 'text' }];
    await createCollection(server, { slug: open, public_api: true, fields });
    await createCollection(server, { slug: closed, fields });
    shown = await createItem(server, open, { a: 'shown' });
    draft = idOf(
      await callOk(server, 'POST', `/collections/${open}/items`, { data: { a: 'draft' }, published: false }),
    );
    await createItem(server, closed, { a: 'x' });
  });

  it('everyone reads published entries of a public collection, from any origin', async () => {
    for (const path of ['', '/items', `/items/${shown}`]) {
      const answer = await call(server, 'GET', `/collections/${open}${path}`, { token: null });
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        path,
        200,
        '*',
      ]);
    }
    const list = await call(server, 'GET', `/collections/${open}/items`, { token: null });
    expect(list.body).toMatchObject([{ id: shown }]);
    expect(await callList(server, `/collections/${open}/items`)).toMatchObject([
      { id: shown },
      { id: draft },
    ]);
    expect(await call(server, 'GET', `/collections/${open}`, { token: null })).not.toHaveProperty(
      'body.item_count',
    );
  });

  it('an answer that the client has is not sent again, and drafts do not change it', async () => {
    for (const path of [`/collections/${open}`, `/collections/${open}/items`, `/data/${open}?a=shown`]) {
      const first = await call(server, 'GET', path, { token: null });
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      await callOk(server, 'PUT', `/collections/${open}/items/${draft}`, { data: { a: freshName('draft') } });
      const headers = { 'If-None-Match': `"x", ${tag}` };
      const response = await fetch(`${server.url}/api/v1${path}`, { headers });
      expect([path, response.status, await response.text()]).toEqual([path, 304, '']);
    }
    const before = await fetch(`${server.url}/api/v1/collections/${open}/items`);
    await callOk(server, 'PUT', `/collections/${open}/items/${shown}`, { data: { a: 'shown again' } });
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    expect((await fetch(`${server.url}/api/v1/collections/${open}/items`, { headers })).status).toBe(200);
  });

  it('drafts are not there for everyone', async () => {
    const get = (token: string | null) =>
      call(server, 'GET', `/collections/${open}/items/${draft}`, { token });
    expect(outcomeOf(await get(null))).toEqual(notFound);
    expect((await get(readToken)).status).toBe(200);
  });

  it('nothing of another collection is there for everyone', async () => {
    for (const path of ['', '/items', '/items/1']) {
      const answer = await call(server, 'GET', `/collections/${closed}${path}`, { token: null });
      expect(outcomeOf(answer)).toEqual(notFound);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  const below = [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/items'],
    ['GET', '/items/1'],
    ['PUT', '/items/1'],
    ['DELETE', '/items/1'],
    ['POST', '/items/reorder'],
    ['PUT', '/item'],
    ['GET', '/items/1/translations'],
    ['POST', '/items/1/translations'],
    ['DELETE', '/items/1/translations'],
    ['GET', '/export'],
    ['POST', '/import'],
    ['POST', '/impact'],
    ['POST', '/rename-field'],
    ['PATCH', '/items'],
    ['OPTIONS', '/items'],
    ['GET', '/items?nothing=1'],
    ['GET', '/items/x'],
  ] as const;

  it.each(below)(
    '%s %s of another collection, and of none, is the same 404 for everyone',
    async (method, path) => {
      for (const token of [null, 'ic_wrong']) {
        const ask = (name: string) =>
          call(server, method, `/collections/${name}${path}`, {
            token,
            ...(method === 'GET' || method === 'OPTIONS' ? {} : { body: { data: {} } }),
          });
        const hidden = await ask(closed);
        const missing = await ask('nowhere-at-all');
        expect([outcomeOf(hidden), outcomeOf(missing)]).toEqual([notFound, notFound]);
        expect(hidden.body).toEqual(missing.body);
        for (const name of ['access-control-allow-origin', 'www-authenticate', 'allow'])
          expect([hidden.headers.get(name), missing.headers.get(name)]).toEqual([null, null]);
      }
    },
  );

  it('a write to a public collection needs a credential, and its export too', async () => {
    for (const [method, path] of [
      ['POST', '/items'],
      ['DELETE', ''],
      ['GET', '/export'],
      ['GET', `/items/${shown}/translations`],
    ] as const)
      expect((await call(server, method, `/collections/${open}${path}`, { token: null })).status).toBe(401);
    expect((await call(server, 'POST', '/collections/import', { token: null })).status).toBe(401);
  });

  it.each(['/collections/{ref}', '/collections/{ref}/items', '/collections/{ref}/items/1', '/data/{ref}'])(
    'a preflight for %s is answered if the collection is public',
    async (path) => {
      const ask = (name: string) =>
        fetch(`${server.url}/api/v1${path.replace('{ref}', name)}`, {
          method: 'OPTIONS',
          headers: {
            Origin: 'https://shop.example',
            'Access-Control-Request-Method': 'GET',
            'Access-Control-Request-Headers': 'authorization, if-none-match',
          },
        });
      const answer = await ask(open);
      expect(answer.status).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'authorization, if-none-match',
        'access-control-max-age': '86400',
      });
      expect((await ask(closed)).status).toBe(404);
    },
  );

  it('pages of all origins may read why a request to a public collection fails', async () => {
    for (const [path, status] of [
      [`/collections/${open}/items/999999`, 404],
      [`/collections/${open}/items/${draft}`, 404],
      [`/collections/${open}/items?nothing=1`, 400],
      [`/data/${open}?nothing=1`, 400],
      [`/data/${open}?_limit=0`, 400],
      [`/collections/${open}/export`, 401],
    ] as const)
      for (const token of path.endsWith('export') ? [null] : [null, readToken]) {
        if (token !== null && path.endsWith(`/${draft}`)) continue;
        const answer = await call(server, 'GET', path, { token });
        expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
          path,
          status,
          '*',
        ]);
      }
    const closedOne = await call(server, 'GET', `/collections/${closed}/items?nothing=1`);
    expect([closedOne.status, closedOne.headers.get('access-control-allow-origin')]).toEqual([400, null]);
  });

  it('pages of all origins may read that a request to a public collection is too large', async () => {
    const large = { data: { title: 'x'.repeat(17 * 2 ** 20) } };
    for (const [method, path, body, status] of [
      ['GET', `/collections/${open}/items?_search=${'x'.repeat(9000)}`, undefined, 414],
      ['GET', `/data/${open}?_search=${'x'.repeat(9000)}`, undefined, 414],
      ['POST', `/collections/${open}/items`, large, 413],
    ] as const) {
      const answer = await call(server, method, path, { body });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    }
    const closedOne = await call(server, 'POST', `/collections/${closed}/items`, { body: large });
    expect([closedOne.status, closedOne.headers.get('access-control-allow-origin')]).toEqual([413, null]);
  });

  it('values of fields that are gone are not shown to everyone', async () => {
    const slug = freshName('open');
    await createCollection(server, { slug, public_api: true, fields: [{ name: 'mail', type: 'text' }] });
    const id = await createItem(server, slug, { mail: 'a@b' });
    await callOk(server, 'PUT', `/collections/${slug}`, { fields: [] });
    const answer = await call(server, 'GET', `/collections/${slug}/items/${id}`, { token: null });
    expect(answer.body).toMatchObject({ data: {} });
    expect(JSON.stringify(answer.body)).not.toContain('a@b');
  });
});

async function withFields(fields: readonly object[]): Promise<string> {
  const slug = freshName('c');
  await createCollection(server, { slug, fields });
  return slug;
}
