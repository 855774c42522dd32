import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createAsset,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
} from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `?strict=1` on POST and PUT: what is otherwise saved with warnings is refused, and nothing is written. */

let server: TestServer;
let siteId: number;

beforeAll(async () => {
  server = await startServer();
  siteId = await createSite(server);
});
afterAll(() => server.stop());

/** The kinds with a text, each with bodies of a new object and with a text that cannot work. */
const kinds = [
  {
    kind: 'page',
    path: '/pages',
    body: () => ({ parent_id: siteId, title: 'Page', slug: freshSlug() }),
    create: () => createPage(server, siteId, { title: 'Page', html: 'good' }),
    broken: { html: 'a\n{% if %}' },
    warning: { code: 'template.syntax', params: { line: 2 } },
  },
  {
    kind: 'snippet',
    path: '/snippets',
    body: () => ({ name: freshName('snippet') }),
    create: () => createSnippet(server, { content: 'good' }),
    broken: { content: '{{ x|nothing }}' },
    warning: { code: 'template.syntax', params: { line: 1, column: 6 } },
  },
  {
    kind: 'asset',
    path: '/assets',
    body: () => ({ name: 'x.js', kind: 'js' }),
    create: () => createAsset(server, { kind: 'js', content: 'good()' }),
    broken: { content: '\n\nif (' },
    warning: { code: 'asset.syntax', params: { line: 3, column: 5, name: expect.any(String) } },
  },
];

async function statistics(): Promise<unknown> {
  return (await call(server, 'GET', '/cache')).body;
}

describe.each(kinds)('a $kind', ({ kind, path, body, create, broken, warning }) => {
  const refusal = {
    status: 422,
    body: {
      error: expect.stringContaining('nothing was saved'),
      code: 'template.invalid',
      params: { count: 1 },
      warnings: [{ ...warning, level: 'error', error: expect.stringMatching(/:\d+:\d+: ./) }],
    },
  };

  it('with a text that cannot work is saved by default, with a warning of level error', async () => {
    const answer = await call(server, 'POST', path, { body: { ...body(), ...broken } });
    expect(answer).toMatchObject({ status: 201, body: { ...broken, warnings: refusal.body.warnings } });
  });

  it('with a text that cannot work is not created', async () => {
    const before = await callList(server, path);
    const answer = await call(server, 'POST', `${path}?strict=1`, { body: { ...body(), ...broken } });
    expect(answer).toMatchObject(refusal);
    expect(await callList(server, path)).toEqual(before);
  });

  it('does not get a text that cannot work', async () => {
    const id = await create();
    const before = await callOk(server, 'GET', `${path}/${id}`);
    await fetch(server.url);
    const cache = await statistics();
    expect(await call(server, 'PUT', `${path}/${id}?strict=true`, { body: broken })).toMatchObject(refusal);
    expect(await callOk(server, 'GET', `${path}/${id}`)).toEqual(before);
    expect(await callList(server, `/revisions?kind=${kind}&id=${id}`)).toEqual([]);
    expect(await statistics()).toEqual(cache);
  });

  it('that cannot work already is refused too, until its text is mended', async () => {
    const id = await create();
    await callOk(server, 'PUT', `${path}/${id}`, broken);
    const [field = ''] = Object.keys(broken);
    expect((await call(server, 'PUT', `${path}/${id}?strict=1`, { body: {} })).status).toBe(422);
    expect((await call(server, 'PUT', `${path}/${id}?strict=1`, { body: { [field]: '' } })).status).toBe(200);
  });

  it('that works is saved', async () => {
    const created = await call(server, 'POST', `${path}?strict=1`, { body: body() });
    expect(created).toMatchObject({ status: 201, body: { warnings: [] } });
    const { id } = asRecord(created.body);
    expect((await call(server, 'PUT', `${path}/${id}?strict=1`, { body: {} })).status).toBe(200);
  });

  it('with an unknown field is refused, with the field that was probably meant', async () => {
    const before = await callList(server, path);
    const [field = ''] = Object.keys(broken);
    const misspelled = { [`${field}s`]: 'x' };
    const refused = {
      status: 400,
      body: { code: 'common.unknownField', params: { field: `${field}s`, suggestion: field } },
    };
    const created = await call(server, 'POST', `${path}?strict=1`, { body: { ...body(), ...misspelled } });
    expect(created).toMatchObject(refused);
    expect(await callList(server, path)).toEqual(before);
    const id = await create();
    expect(await call(server, 'PUT', `${path}/${id}?strict=1`, { body: misspelled })).toMatchObject(refused);
    expect((await call(server, 'PUT', `${path}/${id}?strict=0`, { body: misspelled })).status).toBe(200);
  });

  it('may be sent back as it was read', async () => {
    const id = await create();
    const whole = await callOk(server, 'GET', `${path}/${id}`);
    expect((await call(server, 'PUT', `${path}/${id}?strict=1`, { body: whole })).status).toBe(200);
  });

  it('is not saved when the flag is none', async () => {
    const answer = await call(server, 'POST', `${path}?strict=yes`, { body: body() });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'strict' } },
    });
  });
});

describe('an unknown field', () => {
  const asset = { name: 'x', kind: 'css' };
  it.each([
    ['with no field near', '/assets', () => ({ ...asset, nonsense: 1 }), { field: 'nonsense' }],
    ['of a prototype', '/assets', () => ({ ...asset, constructor: 1 }), { field: 'constructor' }],
    [
      'in a list',
      '/snippets',
      () => ({ name: freshName('s'), assets: [{ asset_id: 1, asset_ids: 2 }] }),
      { field: 'assets.0.asset_ids', suggestion: 'asset_id' },
    ],
    [
      'in an object that may be null',
      '/snippets',
      () => ({ name: freshName('s'), page_layout: { lable: 'x' } }),
      { field: 'page_layout.lable', suggestion: 'label' },
    ],
    [
      'of a redirect',
      '/redirects',
      () => ({ root_id: siteId, source: '/a', targt: '/b', target: '/b' }),
      { field: 'targt', suggestion: 'target' },
    ],
  ])('%s is named', async (_name, path, body, params) => {
    const answer = await call(server, 'POST', `${path}?strict=1`, { body: body() });
    expect(answer).toMatchObject({ status: 400, body: { code: 'common.unknownField' } });
    expect(asRecord(answer.body)['params']).toEqual(params);
  });

  it('inside of what is stored as it is sent is no fault', async () => {
    const body = { name: freshName('s'), schema: { block: false, note: 'mine' } };
    expect((await call(server, 'POST', '/snippets?strict=1', { body })).status).toBe(201);
  });
});

describe('the texts of a page', () => {
  it.each(['head', 'meta_title', 'description'])('include %s', async (field) => {
    const body = { parent_id: siteId, title: 'x', slug: freshSlug(), [field]: '{% nothing %}' };
    expect((await call(server, 'POST', '/pages?strict=1', { body })).status).toBe(422);
  });

  it('that name a snippet that does not exist are refused, and accepted once it exists', async () => {
    const name = freshName('later');
    const body = { parent_id: siteId, title: 'x', slug: freshSlug(), html: `{% include "${name}" %}` };
    const refused = await call(server, 'POST', '/pages?strict=1', { body });
    expect(refused).toMatchObject({
      status: 422,
      body: { warnings: [{ code: 'template.unknownSnippet', level: 'error' }] },
    });
    await createSnippet(server, { name });
    expect((await call(server, 'POST', '/pages?strict=1', { body })).status).toBe(201);
  });

  it('may have findings that do not keep them from being rendered', async () => {
    const html = '<a href="{{ page.title }}">x</a>{{ asset_url(999999) }}';
    const body = { parent_id: siteId, title: 'x', slug: freshSlug(), html };
    const answer = await call(server, 'POST', '/pages?strict=1', { body });
    expect(answer.status).toBe(201);
    expect(asRecord(answer.body)['warnings']).toEqual([
      expect.objectContaining({ code: 'template.unsafeContext', level: 'warning' }),
      expect.objectContaining({ code: 'template.unknownAsset', level: 'warning' }),
    ]);
  });
});

describe('CSS and JS', () => {
  it.each([
    ['css', 'a { color: red', 'asset.syntax', 1, 15],
    ['css', '/* no end', 'asset.syntax', 1, 10],
    ['css', 'a { *zoom: 1 }', 'asset.ignored', 1, 5],
    ['js', 'let a;\nlet a;', 'asset.syntax', 2, 5],
    ['js', 'const ä = "x" +;', 'asset.syntax', 1, 16],
  ] as const)('%s %j gives %s at %i:%i', async (kind, content, code, line, column) => {
    const { warnings } = await callOk(server, 'POST', '/assets', { name: 'x', kind, content });
    const message = expect.any(String);
    expect(warnings).toEqual([
      {
        code,
        level: code === 'asset.syntax' ? 'error' : 'warning',
        error: expect.stringContaining(`x:${line}:${column}: `),
        params: { name: 'x', line, column, message },
      },
    ]);
  });

  it.each([
    ['css', '.new:has(> a) { & b { color: color-mix(in oklch, red, blue) } }\n@layer x { }'],
    ['js', 'import x from "./x.js"; await x;'],
    ['js', 'with (document) { title }'],
  ] as const)('%s %j gives none', async (kind, content) => {
    const created = await call(server, 'POST', '/assets?strict=1', { body: { name: 'x', kind, content } });
    expect(created).toMatchObject({ status: 201, body: { warnings: [] } });
  });

  it('of which browsers ignore a part are accepted', async () => {
    const body = { name: 'x', kind: 'css', content: 'a { *zoom: 1 }' };
    expect((await call(server, 'POST', '/assets?strict=1', { body })).status).toBe(201);
  });
});

describe('a refusal for another reason', () => {
  it('comes first', async () => {
    const id = await createPage(server, siteId);
    const cases: [object, number, string][] = [
      [{ html: '{% if %}', title: 5 }, 400, 'common.invalid'],
      [{ html: '{% if %}', base_updated_at: 1 }, 409, 'common.conflict'],
      [{ html: '{% if %}', htm: '' }, 400, 'common.unknownField'],
    ];
    for (const [body, status, code] of cases)
      expect(await call(server, 'PUT', `/pages/${id}?strict=1`, { body })).toMatchObject({
        status,
        body: { code },
      });
  });
});
