import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, freshSlug } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Core, "General rules" and "Limits", for every kind of object. */

let server: TestServer;
let siteId: number;
let document: Record<string, unknown>;

beforeAll(async () => {
  server = await startServer();
  document = asRecord((await call(server, 'GET', '/openapi.json')).body);
});
afterAll(() => server.stop());

describe('lists of an empty instance', () => {
  it('are [] and never null', async () => {
    const paths = Object.entries(asRecord(document['paths'])).flatMap(([path, methods]) =>
      isOpenList(path, asRecord(asRecord(methods)['get'])) ? [path] : [],
    );
    expect(paths).toEqual(expect.arrayContaining(['/pages', '/assets', '/snippets']));
    for (const path of paths) expect([path, (await call(server, 'GET', path)).body]).toEqual([path, []]);
  });
});

/** Lists of the program itself. */
const fixedLists: ReadonlySet<string> = new Set(['/workflow-node-types']);

/** Whether GET answers any token with a list and needs no parameters. */
function isOpenList(path: string, operation: Record<string, unknown>): boolean {
  const { parameters, responses, security } = operation;
  if (path.includes('{') || fixedLists.has(path) || !JSON.stringify(security ?? []).includes('bearer'))
    return false;
  if (Array.isArray(parameters) && parameters.some((parameter) => asRecord(parameter)['required']))
    return false;
  const content = asRecord(asRecord(asRecord(responses)['200'])['content']);
  return asRecord(asRecord(content['application/json'])['schema'])['type'] === 'array';
}

describe('with a website', () => {
  beforeAll(async () => {
    siteId = await createSite(server);
  });

  /** For each kind a body that creates a new object with the given fields. */
  const kinds = [
    {
      kind: 'page',
      path: '/pages',
      body: (fields: object) => ({ parent_id: siteId, title: 'Page', slug: freshSlug(), ...fields }),
    },
    { kind: 'asset', path: '/assets', body: (fields: object) => ({ name: 'a', kind: 'css', ...fields }) },
    {
      kind: 'snippet',
      path: '/snippets',
      body: (fields: object) => ({ name: freshName('snippet'), ...fields }),
    },
  ];

  describe.each(kinds)('a $kind', ({ path, body }) => {
    it('is created with 201, and the answer contains the same object as GET', async () => {
      const created = await call(server, 'POST', path, { body: body({}) });
      expect(created.status).toBe(201);
      const { warnings: _warnings, ...object } = asRecord(created.body);
      expect(await callOk(server, 'GET', `${path}/${object['id']}`)).toEqual(object);
    });

    it('has an integer id and times in whole Unix seconds', async () => {
      const before = Math.floor(Date.now() / 1000);
      const { id, created_at, updated_at } = await callOk(server, 'POST', path, body({}));
      expect(Number.isInteger(id)).toBe(true);
      for (const time of [created_at, updated_at]) {
        expect(Number.isInteger(time)).toBe(true);
        expect(Number(time)).toBeGreaterThanOrEqual(before);
        expect(Number(time)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
      }
    });

    it('stays the same after a PUT that changes nothing', async () => {
      const { warnings: _warnings, ...before } = await callOk(server, 'POST', path, body({}));
      for (const same of [{}, before]) {
        expect(await callOk(server, 'PUT', `${path}/${before['id']}`, same)).toMatchObject(before);
      }
      expect(await callList(server, `/revisions?kind=${path.slice(1, -1)}&id=${before['id']}`)).toEqual([]);
    });

    it('is deleted permanently, with 204 and no body', async () => {
      const { id } = await callOk(server, 'POST', path, body({}));
      const { status, headers, body: answer } = await call(server, 'DELETE', `${path}/${id}`);
      expect([status, answer, headers.get('content-type'), headers.get('content-length')]).toEqual([
        204,
        undefined,
        null,
        null,
      ]);
      for (const method of ['GET', 'DELETE'])
        expect((await call(server, method, `${path}/${id}`)).status).toBe(404);
      expect((await callList(server, path)).map((object) => object['id'])).not.toContain(id);
    });

    it('ignores unknown fields, also those that name prototypes', async () => {
      const known = JSON.stringify(body({})).slice(0, -1);
      const raw = `${known},"nonsense":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
      const headers = { 'Content-Type': 'application/json' };
      const { status, body: created } = await call(server, 'POST', path, { raw, headers });
      expect(status).toBe(201);
      expect(Object.keys(asRecord(created))).not.toContain('nonsense');
      expect(Reflect.get(asRecord(created), 'polluted')).toBeUndefined();
      expect(await callOk(server, 'GET', '/cache')).not.toHaveProperty('polluted');
    });
  });

  const count = (characters: number) => ({ characters });
  const mebi2 = 2 * 2 ** 20;
  describe.each([
    { at: '/pages', field: 'title', ...count(1000) },
    { at: '/pages', field: 'meta_title', ...count(1000) },
    { at: '/pages', field: 'html', ...count(mebi2) },
    { at: '/pages', field: 'head', ...count(mebi2) },
    { at: '/pages', field: 'description', ...count(10_000) },
    { at: '/pages', field: 'html_attrs', ...count(10_000) },
    { at: '/pages', field: 'body_attrs', ...count(10_000) },
    { at: '/assets', field: 'name', ...count(200) },
    { at: '/assets', field: 'folder', ...count(200) },
    { at: '/assets', field: 'content', ...count(mebi2) },
    { at: '/snippets', field: 'description', ...count(10_000) },
    { at: '/snippets', field: 'folder', ...count(200) },
    { at: '/snippets', field: 'content', ...count(mebi2) },
  ])('$field of $at', ({ at, field, characters }) => {
    const bodyOf = kinds.find(({ path }) => path === at)?.body ?? ((fields: object) => fields);

    it(`accepts ${characters} characters, counted as code points`, async () => {
      const text = `${'x'.repeat(characters - 2)}💡ä`;
      const created = await callOk(server, 'POST', at, bodyOf({ [field]: text }));
      expect(created[field] === text).toBe(true);
      await callOk(server, 'DELETE', `${at}/${created['id']}`);
    });

    it('refuses one more', async () => {
      const answer = await call(server, 'POST', at, {
        body: bodyOf({ [field]: 'x'.repeat(characters + 1) }),
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
    });

    it.each([1, true, null, [], {}])('refuses %j', async (value) => {
      const answer = await call(server, 'POST', at, { body: bodyOf({ [field]: value }) });
      expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
    });
  });

  describe('a text is stored exactly', () => {
    it.each([
      ['quotes and markup', `"'<>&\\/`],
      ['white space', ' \t\r\n\u00a0\u2028\u2029 '],
      ['beyond the basic plane', '💡👨‍👩‍👧‍👦\u{10FFFF}'],
      ['combining characters, not composed', 'e\u0301\u00e9'],
      ['a byte order mark inside', 'a\uFEFFb'],
      ['control characters', '\u0001\u001f\u007f\u0085'],
      ['a statement of SQL', `'; DROP TABLE pages; --`],
    ])('%s', async (_name, text) => {
      const { id } = await callOk(server, 'POST', '/assets', { name: `n${text}`, kind: 'js', content: text });
      expect(await callOk(server, 'GET', `/assets/${id}`)).toMatchObject({ name: `n${text}`, content: text });
    });
  });

  describe('query parameters', () => {
    it.each([
      ['/pages?roots=1&roots=0', true],
      ['/pages?roots=0&roots=1', false],
      ['/pages?ROOTS=1', false],
      ['/pages?roots[]=1', false],
      ['/pages?roots=1&nonsense=x&__proto__=y', true],
      ['/pages?%72oots=%31', true],
      ['/pages?roots=true', true],
      ['/pages?roots=false', false],
    ])('%s uses the first of equal names and no unknown names (roots: %s)', async (path, rootsOnly) => {
      await createPage(server, siteId);
      const parents = (await callList(server, path)).map((page) => page['parent_id']);
      expect(parents.every((parent) => parent === null)).toBe(rootsOnly);
    });

    it.each(['', '=', '=01', '=yes', '=TRUE', '=2', '=%ff%'])(
      'a flag is 1, true, 0 or false: roots%s is refused',
      async (value) => {
        const answer = await call(server, 'GET', `/pages?roots${value}`);
        const params = { field: 'roots', reason: 'must be 1, true, 0 or false' };
        expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params } });
      },
    );

    it('in a wrong encoding are read as text', async () => {
      expect((await call(server, 'GET', '/pages?x=%zz')).status).toBe(200);
      const answer = await call(server, 'GET', '/assets?kind=%ff');
      expect(answer).toMatchObject({ status: 400, body: { params: { field: 'kind' } } });
    });
  });

  describe('numbers and flags', () => {
    it.each([
      ['parent_id', '1'],
      ['parent_id', 1.5],
      ['parent_id', true],
      ['parent_id', [1]],
      ['og_image_file_id', '0'],
      ['og_image_file_id', 0.5],
      ['layout_id', 'x'],
      ['published', 1],
      ['published', 'true'],
      ['published', null],
      ['catch_all', 0],
      ['noindex', 'yes'],
      ['assets', null],
      ['assets', '[]'],
    ])('%s refuses %j and converts nothing', async (field, value) => {
      const body = { parent_id: siteId, title: 'x', slug: freshSlug(), [field]: value };
      const answer = await call(server, 'POST', '/pages', { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
    });

    it.each(['9007199254740993', '99999999999999999999', '1e3', '0x1', '１', '-0', ' 1', '1.0', 'NaN'])(
      'the id %s in a path is 404',
      async (id) => {
        for (const path of ['/pages', '/assets', '/snippets'])
          expect((await call(server, 'GET', `${path}/${encodeURIComponent(id)}`)).status).toBe(404);
      },
    );
  });
});

/** Texts that the schema does not limit, because their length has an error code of its own. */
const ownCodes = new Set([
  '.slug',
  '.page_layout.label',
  '.page_layout.description',
  '.username',
  '.password',
  '.current_password',
  '.new_password',
  '.setup_token',
  '.source',
  '.target',
]);

describe('texts that are far too long', () => {
  const long = 'x'.repeat(8 * 2 ** 20);
  it.each([
    ['POST', '/pages', () => ({ parent_id: siteId, title: 'x', slug: long }), 'page.slugInvalid'],
    ['POST', '/snippets', () => ({ name: 'x', page_layout: { label: long } }), 'snippet.layoutTooLong'],
    ['POST', '/auth/login', () => ({ username: 'x', password: long }), 'common.tooLarge'],
  ])('in %s %s are refused with an error code of their own', async (method, path, body, code) => {
    const answer = await call(server, method, path, { body: body() });
    expect(asRecord(answer.body)['code']).toBe(code);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2000);
  });
});

describe('every text and list of a body', () => {
  it('has a maximum length in the OpenAPI document', () => {
    const open: string[] = [];
    for (const [path, methods] of Object.entries(asRecord(document['paths']))) {
      for (const [method, operation] of Object.entries(asRecord(methods))) {
        const content = asRecord(asRecord(asRecord(operation)['requestBody'])['content']);
        const schema = asRecord(asRecord(content['application/json'])['schema']);
        const fields = unbounded(schema).filter((field) => !ownCodes.has(field));
        open.push(...fields.map((field) => `${method.toUpperCase()} ${path} ${field}`));
      }
    }
    expect(open).toEqual([]);
  });
});

/** The fields of a schema whose text or list has no maximum length. */
function unbounded(schema: unknown, field = ''): string[] {
  const node = asRecord(schema);
  if (node['type'] === 'string')
    return 'maxLength' in node || 'const' in node || 'enum' in node ? [] : [field];
  const open = node['type'] === 'array' && !('maxItems' in node) ? [`${field}[]`] : [];
  const children: [string, unknown][] = [
    ...Object.entries(asRecord(node['properties'])),
    ...Object.entries(asRecord(node['patternProperties'])),
    ...(node['items'] === undefined ? [] : [['[]', node['items']] as [string, unknown]]),
    ...(Array.isArray(node['anyOf']) ? node['anyOf'].map((part): [string, unknown] => ['', part]) : []),
  ];
  return [
    ...open,
    ...children.flatMap(([name, child]) => unbounded(child, name === '' ? field : `${field}.${name}`)),
  ];
}
