import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createPage, createSite, freshName, idOf } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "REST source" and "REST sources". */

let server: TestServer;
let upstream: Server;
let base: string;
let readToken: string;
let site: number;
/** Requests that the other service got: method, address, chosen headers and body. */
let asked: {
  line: string;
  accept: string | undefined;
  key: string | undefined;
  type: string | undefined;
  body: string;
}[];
/** What it answers. */
let answer: (request: IncomingMessage) => { status?: number; text: string; delay?: Promise<void> };

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { headers, method, url } = request;
      asked.push({
        line: `${method} ${url}`,
        accept: headers.accept,
        key: headers['x-key']?.toString(),
        type: headers['content-type'],
        body: Buffer.concat(chunks).toString(),
      });
      const { status = 200, text, delay } = answer(request);
      await delay;
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  server = await startServer({ env: { SHOP_KEY: 'secret-value', IC_HIDDEN: 'never' } });
  readToken = await addToken(server, 'reader', false);
  site = await createSite(server);
});
afterAll(async () => {
  await server.stop();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  asked = [];
  answer = () => ({ text: JSON.stringify({ result: { items: [{ n: 1 }, { n: 2 }] } }) });
});

async function source(fields: object = {}): Promise<{ id: number; slug: string }> {
  const slug = freshName('src');
  const id = idOf(
    await callOk(server, 'POST', '/sources', {
      slug,
      url: `${base}/list`,
      list_path: 'result.items',
      ...fields,
    }),
  );
  return { id, slug };
}

describe('sources', () => {
  it('have defaults, are listed by name, changed and deleted', async () => {
    const { id, slug } = await source({ url: `${base}/x` });
    expect(await callOk(server, 'GET', `/sources/${id}`)).toEqual({
      id,
      slug,
      name: slug,
      method: 'GET',
      url: `${base}/x`,
      headers: {},
      body: '',
      list_path: 'result.items',
      cache_ttl: 300,
      timeout: 10,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(await callOk(server, 'PUT', `/sources/${id}`, { timeout: 5, method: 'POST' })).toMatchObject({
      slug,
      timeout: 5,
      method: 'POST',
    });
    expect((await callList(server, '/sources')).some((entry) => entry['id'] === id)).toBe(true);
    expect((await call(server, 'DELETE', `/sources/${id}`)).status).toBe(204);
    expect(outcomeOf(await call(server, 'GET', `/sources/${id}`))).toEqual(notFound);
  });

  it('show the values of headers only to those who may write', async () => {
    const { id } = await source({ headers: { 'X-Key': 'abc' } });
    for (const path of [`/sources/${id}`, '/sources']) {
      const seen = JSON.stringify((await call(server, 'GET', path, { token: readToken })).body);
      expect([seen.includes('X-Key'), seen.includes('abc')]).toEqual([true, false]);
      expect(JSON.stringify((await call(server, 'GET', path)).body)).toContain('abc');
    }
  });

  it('share their slugs with collections', async () => {
    const { slug } = await source();
    expect(outcomeOf(await call(server, 'POST', '/collections', { body: { slug } }))).toEqual({
      status: 409,
      code: 'collection.slugTaken',
    });
    const collection = freshName('c');
    await createCollection(server, { slug: collection });
    const body = { slug: collection, url: base };
    expect(outcomeOf(await call(server, 'POST', '/sources', { body }))).toEqual({
      status: 409,
      code: 'collection.slugTaken',
    });
  });

  const refused = (name: string, body: object, field: string): Scenario => ({
    name,
    method: 'POST',
    path: '/sources',
    body: { slug: 'refused', url: 'https://a.test/', ...body },
    ...invalid(field),
  });
  runScenarios(
    () => server,
    [
      refused('no slug', { slug: undefined }, 'slug'),
      refused('a wrong slug', { slug: 'A b' }, 'slug'),
      refused('no address', { url: undefined }, 'url'),
      ...['', '/x', 'ftp://a', 'file:///etc/passwd', 'http://169.254.169.254/'].map((url) =>
        refused(`the address ${url}`, { url }, 'url'),
      ),
      refused('another method', { method: 'PUT' }, 'method'),
      refused('a header with a line break', { headers: { a: 'b\r\nc: d' } }, 'headers'),
      refused('a wrong name of a header', { headers: { 'a b': 'c' } }, 'headers'),
      ...[-1, 31_536_001, 1.5].map((ttl) => refused(`cache_ttl ${ttl}`, { cache_ttl: ttl }, 'cache_ttl')),
      ...[0, 61].map((timeout) => refused(`timeout ${timeout}`, { timeout }, 'timeout')),
    ],
  );
});

describe('GET /data/{slug}', () => {
  it('gives the list, with parameters in address, headers and body', async () => {
    const { slug } = await source({
      method: 'POST',
      url: `${base}/list?q={q}&key={env.SHOP_KEY}&none={none}&hidden={env.IC_HIDDEN}`,
      headers: { 'X-Key': 'k-{q}' },
      body: '{"q": "{q}"}',
    });
    const list = await call(server, 'GET', `/data/${slug}?q=${encodeURIComponent('a "b"&c')}`);
    expect(list.body).toEqual([{ n: 1 }, { n: 2 }]);
    expect(asked).toEqual([
      {
        line: 'POST /list?q=a%20%22b%22%26c&key=secret-value&none=&hidden=',
        accept: 'application/json',
        key: 'k-a "b"&c',
        type: 'application/json',
        body: '{"q": "a \\"b\\"&c"}',
      },
    ]);
  });

  it('keeps answers, once for equal requests, until the source is changed', async () => {
    const { id, slug } = await source({ url: `${base}/list?p={p}` });
    await Promise.all(Array.from({ length: 8 }, () => callList(server, `/data/${slug}?p=1`)));
    await callList(server, `/data/${slug}?p=1`);
    expect(asked).toHaveLength(1);
    await callList(server, `/data/${slug}?p=2`);
    expect(asked).toHaveLength(2);
    await callOk(server, 'PUT', `/sources/${id}`, { name: 'new' });
    await callList(server, `/data/${slug}?p=1`);
    expect(asked).toHaveLength(3);
    const uncached = await source({ cache_ttl: 0 });
    for (let count = 0; count < 2; count++) await callList(server, `/data/${uncached.slug}`);
    expect(asked).toHaveLength(5);
  });

  it.each([
    ['a status of 400 or above', () => ({ status: 404, text: '[]' }), {}],
    ['what is no JSON', () => ({ text: '<html>' }), {}],
    [
      'more than 10 MB',
      () => ({ text: JSON.stringify({ result: { items: ['x'.repeat(10 * 2 ** 20)] } }) }),
      {},
    ],
    ['no list at the path', () => ({ text: '{"result": {}}' }), {}],
    [
      'a path through a text',
      () => ({ text: '{"result": {"items": "abc"}}' }),
      { list_path: 'result.items.length' },
    ],
    ['no answer at all', () => ({ text: '' }), { url: 'http://127.0.0.1:1/' }],
  ] as const)('is 502 for %s', async (_name, answers, fields) => {
    answer = answers;
    const { slug } = await source(fields);
    const failed = await call(server, 'GET', `/data/${slug}`);
    expect(failed).toMatchObject({
      status: 502,
      body: { code: 'data.sourceFailed', params: { source: slug, reason: expect.any(String) } },
    });
  });

  it.each(['..', '.', '%2e%2e', '../admin', '..\\admin', '.\t.', '%252e'])(
    'never leaves the path for a parameter %j',
    async (value) => {
      const { slug } = await source({ url: `${base}/v1/items/{id}` });
      expect(await call(server, 'GET', `/data/${slug}?id=${encodeURIComponent(value)}`)).toMatchObject({
        status: 502,
        body: { code: 'data.sourceFailed' },
      });
      const tried = await callOk(server, 'POST', '/sources/test', {
        url: `${base}/v1/items/{id}/x`,
        params: { id: value },
      });
      expect(tried).toMatchObject({
        result: { status: 0, url: `${base}/v1/items/{id}/x`, data: null },
        error_code: 'source.unreachable',
      });
      expect(asked).toEqual([]);
    },
  );

  it('keeps a parameter in its segment and its part of the query, and out of the host', async () => {
    const { slug } = await source({ url: `${base}/v1/{id}/x?q={q}` });
    await callList(
      server,
      `/data/${slug}?id=${encodeURIComponent('a/b?c#d')}&q=${encodeURIComponent('1&r=2')}`,
    );
    expect(asked.map(({ line }) => line)).toEqual(['GET /v1/a%2Fb%3Fc%23d/x?q=1%26r%3D2']);
    const free = await source({ url: 'http://{host}/' });
    const refused = await call(server, 'GET', `/data/${free.slug}?host=${base.slice('http://'.length)}`);
    expect([refused.status, asked.length]).toEqual([502, 1]);
  });

  it('follows numbers in the path, and is not there for everyone', async () => {
    const { slug } = await source({ list_path: 'result.items.1' });
    expect((await call(server, 'GET', `/data/${slug}`)).body).toEqual({ n: 2 });
    expect(outcomeOf(await call(server, 'GET', `/data/${slug}`, { token: null }))).toEqual(notFound);
  });
});

describe('POST /sources/test', () => {
  const test = async (body: object) => asRecord((await call(server, 'POST', '/sources/test', { body })).body);

  it('answers 200 with the result, and hides values of the environment', async () => {
    answer = ({ url }) => ({ text: JSON.stringify({ list: [url] }) });
    const body = { url: `${base}/a?k={env.SHOP_KEY}&p={p}`, list_path: 'list', params: { p: 5 } };
    expect(await test(body)).toEqual({
      result: {
        status: 200,
        url: `${base}/a?k=***&p=5`,
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        duration_ms: expect.any(Number),
        data: ['/a?k=***&p=5'],
        raw: { list: ['/a?k=***&p=5'] },
        cached: false,
      },
    });
    expect(asked[0]?.line).toContain('secret-value');
  });

  it('answers 200 with an error if the source fails', async () => {
    answer = () => ({ status: 500, text: '{}' });
    expect(await test({ url: base })).toMatchObject({
      result: { status: 500, data: null, raw: {} },
      error: 'it answered 500',
      error_code: 'source.status',
      error_params: { status: 500 },
    });
    answer = () => ({ text: 'no json' });
    expect(await test({ url: base })).toMatchObject({
      result: { status: 200, raw: 'no json' },
      error: expect.stringContaining('JSON'),
      error_code: 'source.notJson',
    });
    answer = () => ({ text: '{"a": 1}' });
    expect(await test({ url: base, list_path: 'b.c' })).toMatchObject({
      result: { status: 200, data: null, raw: { a: 1 } },
      error: 'its answer has no "b.c"',
      error_code: 'source.listMissing',
      error_params: { path: 'b.c' },
    });
    expect(await test({ url: 'http://127.0.0.1:1/{env.SHOP_KEY}' })).toMatchObject({
      result: { status: 0, headers: {}, data: null, raw: null },
      error: expect.not.stringContaining('secret-value'),
      error_code: 'source.unreachable',
    });
    expect(await test({ url: 'http://169.254.169.254/' })).toMatchObject({
      error: expect.stringContaining('refused'),
    });
  });
});

describe('data() in a template', () => {
  const visit = async (path: string) => {
    const response = await fetch(server.url + path);
    return { status: response.status, cache: response.headers.get('x-cache'), text: await response.text() };
  };
  const page = (html: string) => createPage(server, site, { html, published: true });
  const pathOf = async (id: number) => String((await callOk(server, 'GET', `/pages/${id}`))['path']);

  it('reads the list, with values for placeholders', async () => {
    const first = await source({ url: `${base}/list?p={p}` });
    const second = await source();
    const path = await pathOf(
      await page(
        `<i>{% for e in data("${first.slug}", "p", route.query.p) %}{{ e.n }}{% endfor %}{{ data("${second.slug}")|length }}</i>`,
      ),
    );
    expect(await visit(`${path}?p=7`)).toMatchObject({
      status: 200,
      cache: 'MISS',
      text: expect.stringContaining('<i>122</i>'),
    });
    expect(asked.map(({ line }) => line)).toEqual(['GET /list?p=7', 'GET /list']);
    expect(await visit(`${path}?p=7`)).toMatchObject({ cache: 'HIT' });
    answer = () => ({ text: '{"result": {"items": [{"n": 9}]}}' });
    await callOk(server, 'PUT', `/sources/${first.id}`, { name: 'x' });
    expect((await visit(`${path}?p=7`)).text).toContain('<i>91</i>');
  });

  it('asks nothing above its path for what a visitor sends', async () => {
    const { slug } = await source({ url: `${base}/v1/items/{id}` });
    const path = await pathOf(await page(`{{ data("${slug}", "id", route.query.id)|length }}`));
    for (const id of ['..', '.', '%2e%2e', '%252e%252e', '..%5c', '..%2fadmin'])
      expect((await visit(`${path}?id=${id}`)).status).toBe(500);
    expect(asked).toEqual([]);
    expect((await visit(`${path}?id=7`)).status).toBe(200);
  });

  it('is not cached without cache_ttl, and fails with its source', async () => {
    const { slug } = await source({ cache_ttl: 0 });
    const path = await pathOf(await page(`{{ data("${slug}")|length }}`));
    for (let count = 1; count <= 2; count++) {
      expect((await visit(path)).cache).toBe('BYPASS');
      expect(asked).toHaveLength(count);
    }
    answer = () => ({ status: 503, text: '' });
    expect((await visit(path)).status).toBe(500);
    const shown = await call(
      server,
      'GET',
      `/pages/${idOf(await callOk(server, 'POST', '/pages', { parent_id: site, title: 'x', slug: freshName('x'), html: `{{ data("${slug}") }}` }))}/render`,
    );
    expect(shown).toMatchObject({ status: 422, body: { error: expect.stringContaining('it answered 503') } });
  });

  it('names sources in template-data, and finds no fault with their fields', async () => {
    const { slug } = await source({ name: 'Shop' });
    const saved = await callOk(server, 'POST', '/pages', {
      parent_id: site,
      title: 'x',
      slug: freshName('x'),
      html: `{% for e in data("${slug}", p=1) %}{{ e.anything }}{% endfor %}`,
    });
    expect(saved['warnings']).toEqual([]);
    const data = await callOk(server, 'POST', `/pages/${saved['id']}/template-data`, {});
    expect(data['sources']).toEqual(expect.arrayContaining([{ slug, name: 'Shop', url: `${base}/list` }]));
  });
});
