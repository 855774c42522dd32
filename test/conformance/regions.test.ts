/** Regions: words of template pages without code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, createSnippet } from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { bodyOf, visit } from './public-client.ts';

let server: TestServer;
let home: number;
let image: number;
let readToken: string;

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  image = Number((await uploadOne(server, 'harbour.jpg', await draw({ width: 20, height: 10 })))['id']);
  readToken = await addToken(server, 'reader', false);
  await createSnippet(server, {
    name: 'layout',
    content:
      '<header>{% region top type="text" label="Top" %}Top{% endregion %}</header>{% block main %}{% region inner %}{% endregion %}{% endblock %}',
  });
  await createSnippet(server, {
    name: 'part',
    content: '<aside>{% region side %}Side{% endregion %}</aside>',
  });
});
afterAll(() => server.stop());

const newPage = (html: string, fields: object = {}) =>
  createPage(server, home, { html, published: true, ...fields });
const get = (id: number) => callOk(server, 'GET', `/pages/${id}`);
const put = (id: number, regions: unknown, rest: object = {}) =>
  callOk(server, 'PUT', `/pages/${id}`, { regions, ...rest });
const refused = async (id: number, regions: unknown, rest: object = {}) => {
  const { status, body } = await call(server, 'PUT', `/pages/${id}`, { body: { regions, ...rest } });
  const { code, params } = asRecord(body);
  return { status, code, field: asRecord(params ?? {})['field'] };
};

async function shown(id: number): Promise<string> {
  const { path } = await get(id);
  return bodyOf(await visit(server, String(path), { host: 'one.test' }));
}

async function previewed(id: number, body: object): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/pages/${id}/preview`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.text();
}

function schemaOf(page: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const list = page['region_schema'];
  if (!Array.isArray(list)) throw new Error('no region_schema');
  return list.map(asRecord);
}

function codesOf(answer: Readonly<Record<string, unknown>>): string[] {
  const list = answer['warnings'];
  if (!Array.isArray(list)) throw new Error('no warnings');
  return list.map(asRecord).map(({ code, level }) => `${String(level)} ${String(code)}`);
}

/** A page with one region, what it stores for a value, and what it shows. */
async function withValue(tag: string, value: unknown): Promise<{ stored: unknown; shown: string }> {
  const page = await newPage(`[{% region a ${tag} %}default{% endregion %}]`);
  const saved = await put(page, { a: value });
  return { stored: asRecord(saved['regions'])['a'], shown: await shown(page) };
}

describe('a region shows', () => {
  it('its default, rendered as template text', async () => {
    const page = await newPage('{% region a %}<b>{{ page.title }}</b>{% endregion %}', { title: 'A & B' });
    expect(await shown(page)).toBe('<b>A &amp; B</b>');
  });

  it('the stored text in place of the default', async () => {
    expect(await withValue('type="text"', 'words')).toEqual({ stored: 'words', shown: '[words]' });
  });

  it.each([
    ['text', '<script>alert(1)</script>', '[&lt;script&gt;alert(1)&lt;/script&gt;]'],
    ['textarea', 'a & "b"\nc', '[a &amp; &quot;b&quot;\nc]'],
    ['html', '<p class="x">a &amp; b</p>', '[<p class="x">a &amp; b</p>]'],
    ['markdown', '**a** <b>', '[<p><strong>a</strong> <b></p>]'],
  ])(
    'a value of the type %s converted and escaped as a parameter of that type',
    async (type, value, expected) => {
      expect((await withValue(`type="${type}"`, value)).shown).toBe(expected);
    },
  );

  it('the same as a block whose parameter has that type', async () => {
    for (const type of ['text', 'textarea', 'html', 'markdown']) {
      await createSnippet(server, {
        name: `of-${type}`,
        content: '[{{ a }}]',
        schema: { block: true, params: [{ name: 'a', type }] },
      });
      const value = '# <i>a</i> {{ page.title }} & "b"\n\n* c';
      const block = await newPage('{% blocks page.blocks %}', {
        blocks: [{ type: `of-${type}`, params: { a: value } }],
      });
      expect((await withValue(`type="${type}"`, value)).shown).toBe(await shown(block));
    }
  });

  it('html by default', async () => {
    expect((await withValue('', '<i>x</i>')).shown).toBe('[<i>x</i>]');
  });

  it('no template tags of a value', async () => {
    expect((await withValue('', '{{ page.title }}{% include "part" %}')).shown).toBe(
      '[{{ page.title }}{% include "part" %}]',
    );
  });

  it('nothing for an empty text, which is a value', async () => {
    for (const type of ['text', 'html', 'markdown', 'image'])
      expect(await withValue(`type="${type}"`, '')).toEqual({ stored: '', shown: '[]' });
  });

  it('an image as image(id)', async () => {
    const page = await newPage(`[{{ image(${image}) }}]`);
    expect(await withValue('type="image"', image)).toEqual({ stored: image, shown: await shown(page) });
    expect((await withValue('type="image"', String(image))).stored).toBe(image);
  });

  it('nothing for a missing image', async () => {
    const id = Number((await uploadOne(server, 'gone.png', await draw({ width: 5, height: 5 })))['id']);
    const page = await newPage('[{% region a type="image" %}default{% endregion %}]');
    await put(page, { a: id });
    await callOk(server, 'DELETE', `/files/${id}`);
    expect(await shown(page)).toBe('[]');
    // What GET answers can be sent back.
    expect(asRecord((await put(page, { a: id }, { title: 'New' }))['regions'])).toEqual({ a: id });
  });

  it('its default again after null', async () => {
    const page = await newPage('[{% region a %}default{% endregion %}]');
    await put(page, { a: 'x' });
    expect(await shown(page)).toBe('[x]');
    expect((await put(page, { a: null }))['regions']).toEqual({});
    expect(await shown(page)).toBe('[default]');
  });

  it('in the head, in layouts and in includes', async () => {
    const page = await newPage('{% extends "layout" %}{% block main %}{% include "part" %}{% endblock %}', {
      head: '<meta name="x" content="{% region meta type="text" %}M{% endregion %}">',
    });
    await put(page, { meta: '"><script>', top: '<top>', side: '<em>s</em>' });
    expect(await shown(page)).toBe('<header>&lt;top&gt;</header><aside><em>s</em></aside>');
    const { path } = await get(page);
    const { text } = await visit(server, String(path), { host: 'one.test' });
    expect(text).toContain('<meta name="x" content="&quot;&gt;&lt;script&gt;">');
  });

  it('the new words to visitors at once', async () => {
    const page = await newPage('{% region a type="text" %}{% endregion %}');
    for (const words of ['one', 'two']) {
      await put(page, { a: words });
      expect(await shown(page)).toBe(words);
    }
  });
});

describe('a region of the type link', () => {
  const tag = '[{% region a type="link" %}/default{% endregion %}]';

  it('prints the address of what it leads to, also after a move', async () => {
    const target = await newPage('', { slug: 'target' });
    const page = await newPage(tag, { regions: { a: { page: target, text: 'Go' } } });
    expect(asRecord((await get(page))['regions'])['a']).toEqual({ page: target, text: 'Go' });
    expect(await shown(page)).toBe('[/target]');
    await callOk(server, 'PUT', `/pages/${target}`, { slug: 'moved' });
    expect(await shown(page)).toBe('[/moved]');
  });

  it('prints nothing for drafts and what is gone', async () => {
    const target = await newPage('');
    const page = await newPage(tag, { regions: { a: { page: target } } });
    await callOk(server, 'PUT', `/pages/${target}`, { published: false });
    expect(await shown(page)).toBe('[]');
    await callOk(server, 'DELETE', `/pages/${target}`);
    expect(await shown(page)).toBe('[]');
  });

  it('escapes an address, and takes none that is a script', async () => {
    const page = await newPage('<a href="{% region a type="link" %}/x{% endregion %}">x</a>');
    await put(page, { a: { url: 'https://example.org/?a=1&b="2"' } });
    expect(await shown(page)).toBe('<a href="https://example.org/?a=1&amp;b=&quot;2&quot;">x</a>');
    for (const value of [
      'javascript:alert(1)',
      { url: 'javascript:alert(1)' },
      {},
      { page: 999_999 },
      { file: 0 },
    ])
      expect(await refused(page, { a: value })).toEqual({
        status: 400,
        code: 'common.invalid',
        field: 'regions.a',
      });
    expect(codesOf(await put(page, {}))).toEqual([]);
  });

  it('counts as use of its target', async () => {
    const uploaded = await uploadOne(server, 'linked.png', await draw({ width: 7, height: 7 }));
    const id = Number(uploaded['id']);
    const page = await newPage(tag, { regions: { a: { file: id } } });
    expect(JSON.stringify((await callOk(server, 'GET', `/files/${id}`))['usage'])).toContain(`"id":${page}`);
    expect(await shown(page)).toBe(`[${String(uploaded['url'])}]`);
  });

  it('shows the default after null and nothing for an empty text', async () => {
    const page = await newPage(tag, { regions: { a: { url: '#x' } } });
    expect(await shown(page)).toBe('[#x]');
    await put(page, { a: '' });
    expect(await shown(page)).toBe('[]');
    await put(page, { a: null });
    expect(await shown(page)).toBe('[/default]');
  });
});

describe('region_schema', () => {
  it('has the regions in order of rendering', async () => {
    const page = await newPage(
      '{% extends "layout" %}{% block main %}{% region own type="textarea" label="Own" help="Short." %}a{% endregion %}{% include "part" %}{% endblock %}',
      { head: '{% region meta type="markdown" richtext="bold link" %}{{ page.title }}{% endregion %}' },
    );
    const none = { help: '', richtext: [] };
    expect(schemaOf(await get(page))).toEqual([
      { ...none, name: 'top', label: 'Top', type: 'text', default: 'Top', template: 'layout' },
      {
        ...none,
        name: 'own',
        label: 'Own',
        type: 'textarea',
        help: 'Short.',
        default: 'a',
        template: 'page',
      },
      { ...none, name: 'side', label: 'side', type: 'html', default: 'Side', template: 'part' },
      { ...none, name: 'inner', label: 'inner', type: 'html', default: '', template: 'layout' },
      {
        ...none,
        name: 'meta',
        label: 'meta',
        type: 'markdown',
        richtext: ['bold', 'link'],
        default: null,
        template: 'page',
      },
    ]);
  });

  it('is in the answers to POST and PUT, and in no list', async () => {
    const created = await callOk(server, 'POST', '/pages', {
      parent_id: home,
      title: 'New',
      slug: 'new-one',
      html: '{% region a type="text" %}{% endregion %}',
      regions: { a: 'words' },
    });
    expect(created['regions']).toEqual({ a: 'words' });
    expect(schemaOf(created).map(({ name }) => name)).toEqual(['a']);
    const saved = await put(Number(created['id']), {}, { html: '{% region b %}{% endregion %}' });
    expect(schemaOf(saved).map(({ name }) => name)).toEqual(['b']);
    const [listed] = (await callList(server, '/pages')).filter(({ id }) => id === created['id']);
    expect(listed).toBeDefined();
    expect(listed).not.toHaveProperty('regions');
    expect(listed).not.toHaveProperty('region_schema');
  });

  it('follows the snippets', async () => {
    const snippet = await createSnippet(server, { name: 'follow', content: '{% region a %}{% endregion %}' });
    const page = await newPage('{% include "follow" %}');
    expect(schemaOf(await get(page)).map(({ name }) => name)).toEqual(['a']);
    await callOk(server, 'PUT', `/snippets/${snippet}`, { content: '{% region b %}{% endregion %}' });
    expect(schemaOf(await get(page)).map(({ name }) => name)).toEqual(['b']);
  });

  it('is empty without regions, and cannot be written', async () => {
    const page = await newPage('<p>x</p>');
    expect(await get(page)).toMatchObject({ regions: {}, region_schema: [] });
    const saved = await put(page, {}, { region_schema: [{ name: 'x' }] });
    expect(saved['region_schema']).toEqual([]);
  });
});

describe('findings of level error', () => {
  it.each([
    [
      'a second region of a name',
      '{% region a %}{% endregion %}{% region a %}{% endregion %}',
      'regionTaken',
    ],
    ['a name of an include', '{% region side %}{% endregion %}{% include "part" %}', 'regionTaken'],
    ['a bad name', '{% region 1a %}{% endregion %}', 'regionInvalid'],
    ['a bad type', '{% region a type="number" %}{% endregion %}', 'regionInvalid'],
    ['a bad key', '{% region a size="1" %}{% endregion %}', 'regionInvalid'],
    ['a key that is not literal', '{% region a label=page.title %}{% endregion %}', 'regionInvalid'],
    ['a region in a macro', '{% macro m() %}{% region a %}{% endregion %}{% endmacro %}', 'regionInvalid'],
    ['a region of a component', '{% component "part" / %}', 'regionInvalid'],
    ['a loop', '{% for x in nav() %}{% region a %}{% endregion %}{% endfor %}', 'regionRepeated'],
    ['a computed include', '{% include "part" if page.title else "layout" %}', 'regionRepeated'],
  ])('%s', async (_name, html, code) => {
    const page = await newPage('');
    const saved = await callOk(server, 'PUT', `/pages/${page}`, { html });
    expect(codesOf(saved)).toContain(`error template.${code}`);
    const strict = await call(server, 'PUT', `/pages/${page}?strict=1`, { body: { html: `${html} ` } });
    expect({ status: strict.status, code: asRecord(strict.body)['code'] }).toEqual({
      status: 422,
      code: 'template.invalid',
    });
  });

  it('a name in the content and in the head', async () => {
    const page = await newPage('{% region a %}{% endregion %}');
    const saved = await callOk(server, 'PUT', `/pages/${page}`, { head: '{% region a %}{% endregion %}' });
    expect(codesOf(saved)).toEqual(['error template.regionTaken']);
    const [warning] = Array.isArray(saved['warnings']) ? saved['warnings'].map(asRecord) : [];
    const { path } = await get(page);
    expect(warning?.['params']).toEqual({
      template: `${String(path)} (head)`,
      line: 1,
      column: 1,
      name: 'a',
    });
  });

  it('a region in a block type', async () => {
    const schema = { block: true, params: [] };
    const content = '{% region a %}{% endregion %}';
    const saved = await callOk(server, 'POST', '/snippets', { name: 'typed', content, schema });
    expect(codesOf(saved)).toEqual(['error template.regionInvalid']);
    const plain = await callOk(server, 'PUT', `/snippets/${String(saved['id'])}`, { schema: null });
    expect(codesOf(plain)).toEqual([]);
  });

  it('none for a name in a block and in the one that it replaces, unless it shows both', async () => {
    const page = await newPage('');
    const html = (more: string) =>
      `{% extends "layout" %}{% block main %}{% region inner %}{% endregion %}${more}{% endblock %}`;
    expect(codesOf(await callOk(server, 'PUT', `/pages/${page}`, { html: html('') }))).toEqual([]);
    expect(
      codesOf(await callOk(server, 'PUT', `/pages/${page}`, { html: html('{{ block.super }}') })),
    ).toEqual(['error template.regionTaken']);
  });
});

describe('PUT of regions', () => {
  it('merges name by name', async () => {
    const page = await newPage('{% region a %}{% endregion %}{% region b %}{% endregion %}');
    await put(page, { a: 'A', b: 'B' });
    expect((await put(page, { b: 'C' }))['regions']).toEqual({ a: 'A', b: 'C' });
    expect((await put(page, {}))['regions']).toEqual({ a: 'A', b: 'C' });
    expect((await put(page, { a: null, c: null }))['regions']).toEqual({ b: 'C' });
    expect((await callOk(server, 'PUT', `/pages/${page}`, { title: 'T' }))['regions']).toEqual({ b: 'C' });
  });

  it.each([
    ['text', []],
    ['html', { a: 1 }],
    ['markdown', [1]],
    ['image', 'x'],
    ['image', 999_999],
    ['image', { id: 1 }],
  ])('refuses a value that a parameter of the type %s does not take: %j', async (type, value) => {
    const page = await newPage(`{% region a type="${type}" %}{% endregion %}`);
    expect(await refused(page, { a: value })).toEqual({
      status: 400,
      code: 'common.invalid',
      field: 'regions.a',
    });
    expect((await get(page))['regions']).toEqual({});
  });

  it('refuses what is no object', async () => {
    const page = await newPage('{% region a %}{% endregion %}');
    for (const value of [[], 'x', 1, null]) expect(await refused(page, value)).toMatchObject({ status: 400 });
  });

  it('names all faults', async () => {
    const page = await newPage(
      '{% region a type="image" %}{% endregion %}{% region b type="text" %}{% endregion %}',
    );
    const { body } = await call(server, 'PUT', `/pages/${page}`, { body: { regions: { a: 'x', b: [] } } });
    expect(JSON.stringify(body)).toContain('regions.a');
    expect(JSON.stringify(body)).toContain('regions.b');
  });

  it('converts as parameters are converted', async () => {
    expect((await withValue('type="text"', 5)).stored).toBe('5');
    expect((await withValue('type="image"', 0)).stored).toBeUndefined();
  });

  it('checks by the templates as they are after the save', async () => {
    const page = await newPage('{% region a type="image" %}{% endregion %}');
    const html = '{% region a type="text" %}{% endregion %}';
    expect((await put(page, { a: 'words' }, { html }))['regions']).toEqual({ a: 'words' });
    expect(
      await refused(page, { a: 'other' }, { html: '{% region a type="image" %}{% endregion %}' }),
    ).toMatchObject({
      field: 'regions.a',
    });
  });

  it('keeps unknown names unchecked, and warns', async () => {
    const page = await newPage('{% region a type="image" %}{% endregion %}');
    const saved = await put(page, { other: { any: ['thing'] } });
    expect(saved['regions']).toEqual({ other: { any: ['thing'] } });
    expect(codesOf(saved)).toEqual(['warning template.unknownRegion']);
    const [warning] = Array.isArray(saved['warnings']) ? saved['warnings'].map(asRecord) : [];
    expect(warning?.['params']).toEqual({ name: 'other' });
    expect(codesOf(await put(page, { other: null }))).toEqual([]);
  });

  it('keeps the value of a region that a template loses, and shows it when it comes back', async () => {
    const page = await newPage('{% region a %}d{% endregion %}', { regions: { a: 'kept' } });
    const saved = await callOk(server, 'PUT', `/pages/${page}`, { html: 'none' });
    expect(saved['regions']).toEqual({ a: 'kept' });
    expect(codesOf(saved)).toEqual(['warning template.unknownRegion']);
    await callOk(server, 'PUT', `/pages/${page}`, { html: '{% region a %}d{% endregion %}' });
    expect(await shown(page)).toBe('kept');
  });

  it('shows the default for a stored value that does not fit the type any more', async () => {
    const page = await newPage('{% region a %}{% endregion %}', { regions: { a: 'words' } });
    await callOk(server, 'PUT', `/pages/${page}`, { html: '[{% region a type="image" %}d{% endregion %}]' });
    expect(await shown(page)).toBe('[d]');
  });

  it('takes names of objects as plain names', async () => {
    const page = await newPage('{% region constructor %}d{% endregion %}');
    expect(await shown(page)).toBe('d');
    const raw = '{"regions":{"__proto__":{"a":1},"constructor":"x"}}';
    const options: ApiCall = { raw, headers: { 'Content-Type': 'application/json' } };
    expect((await call(server, 'PUT', `/pages/${page}`, options)).status).toBeLessThan(500);
    expect(await shown(page)).toBe('x');
  });

  it('takes at most 1,000 names and 4 MB', async () => {
    const page = await newPage('');
    const names = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`n${index}`, 'x']));
    expect(await refused(page, names)).toEqual({ status: 400, code: 'common.invalid', field: 'regions' });
    const large = { a: 'x'.repeat(2 * 2 ** 20), b: 'x'.repeat(2 * 2 ** 20) };
    expect(await refused(page, large)).toEqual({ status: 400, code: 'common.invalid', field: 'regions' });
    const { n1000: _, ...most } = names;
    expect(Object.keys(asRecord((await put(page, most))['regions']))).toHaveLength(1_000);
  });

  it('changes nothing with the same values', async () => {
    const page = await newPage('{% region a %}{% endregion %}', { regions: { a: 'x' } });
    const before = await get(page);
    expect((await put(page, { a: 'x' }))['updated_at']).toBe(before['updated_at']);
  });
});

describe('regions are content', () => {
  it('with versions, which bring all words back', async () => {
    const page = await newPage('{% region a %}{% endregion %}{% region b %}{% endregion %}', {
      regions: { a: '1' },
    });
    await put(page, { a: '2', b: 'new' });
    const [version] = await callList(server, `/revisions?kind=page&id=${page}`);
    const state = await callOk(server, 'GET', `/revisions/${String(version?.['id'])}`);
    expect(asRecord(state['data'])['regions']).toEqual({ a: '1' });
    await callOk(server, 'POST', `/revisions/${String(version?.['id'])}/restore`);
    expect((await get(page))['regions']).toEqual({ a: '1' });
  });

  it('in batches', async () => {
    const page = await newPage('{% region a type="image" %}{% endregion %}');
    const create = {
      op: 'create',
      kind: 'page',
      data: {
        parent_id: home,
        title: 'B',
        slug: 'in-batch',
        html: '{% region a type="text" %}{% endregion %}',
        regions: { a: 7 },
      },
    };
    const update = (a: unknown) => ({ op: 'update', kind: 'page', id: page, data: { regions: { a } } });
    const wrong = await call(server, 'POST', '/batch', { body: { ops: [create, update('x')] } });
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(wrong.body)).toContain('regions.a');
    const { results } = await callOk(server, 'POST', '/batch', { ops: [create, update(image)] });
    const [created] = Array.isArray(results) ? results.map(asRecord) : [];
    expect((await get(Number(created?.['id'])))['regions']).toEqual({ a: '7' });
    expect((await get(page))['regions']).toEqual({ a: image });
  });

  it('that use images', async () => {
    const uploaded = await uploadOne(server, 'used.png', await draw({ width: 6, height: 6 }));
    const id = Number(uploaded['id']);
    const page = await newPage('{% region a type="image" %}{% endregion %}{% region b %}{% endregion %}');
    const users = async () => {
      const { body } = await call(server, 'GET', `/files/${id}`);
      return JSON.stringify(asRecord(body)['usage']);
    };
    expect(await users()).not.toContain(`"id":${page}`);
    await put(page, { a: id });
    expect(await users()).toContain(`"id":${page}`);
    await put(page, { a: null });
    expect(await users()).not.toContain(`"id":${page}`);
    await put(page, { b: `<img src="${String(uploaded['url'])}">` });
    expect(await users()).toContain(`"id":${page}`);
  });

  it('that make a page count as edited', async () => {
    const page = await newPage('{% region a %}{% endregion %}');
    expect((await put(page, { a: 'x' }))['local_modified']).toBe(true);
  });

  it('that read tokens see and cannot write', async () => {
    const page = await newPage('{% region a %}{% endregion %}', { regions: { a: 'x' } });
    const read = await call(server, 'GET', `/pages/${page}`, { token: readToken });
    expect(asRecord(read.body)['regions']).toEqual({ a: 'x' });
    const write = await call(server, 'PUT', `/pages/${page}`, {
      token: readToken,
      body: { regions: { a: 'y' } },
    });
    expect(write.status).toBe(403);
  });
});

describe('a preview', () => {
  const html = '<p>{% region a type="text" %}d{% endregion %}</p>';

  it('takes unsaved words over the stored ones', async () => {
    const page = await newPage(
      '{% region a type="text" %}d{% endregion %}|{% region b type="text" %}e{% endregion %}',
      {
        regions: { a: 'A', b: 'B' },
      },
    );
    const text = await previewed(page, { regions: { a: '<unsaved>' } });
    expect(text).toContain('<!--ic-region:a-->&lt;unsaved&gt;<!--/ic-region:a-->|<!--ic-region:b-->B');
    expect(await previewed(page, { regions: { a: null } })).toContain(
      '<!--ic-region:a-->d<!--/ic-region:a-->',
    );
    expect(await shown(page)).toBe('A|B');
  });

  it('shows the default for unsaved words that do not fit', async () => {
    const page = await newPage(html);
    expect(await previewed(page, { regions: { a: { x: 1 } } })).toContain(
      '<p><!--ic-region:a-->d<!--/ic-region:a--></p>',
    );
  });

  it('marks default and value', async () => {
    const page = await newPage(html);
    expect(await previewed(page, {})).toContain('<p><!--ic-region:a-->d<!--/ic-region:a--></p>');
    await put(page, { a: 'w' });
    expect(await previewed(page, {})).toContain('<p><!--ic-region:a-->w<!--/ic-region:a--></p>');
    expect(await shown(page)).toBe('<p>w</p>');
  });

  it('marks regions in attributes on the element', async () => {
    const page = await newPage(
      '<a href="{% region to type="text" %}/x{% endregion %}" title="{% region tip type="text" %}t{% endregion %}">x</a><img alt="{% region alt type="text" %}{% endregion %}"/>',
    );
    const text = await previewed(page, {});
    expect(text).toContain('<a href="/x" title="t" data-ic-region="to tip">x</a>');
    expect(text).toContain('<img alt="" data-ic-region="alt"/>');
    expect(text).not.toContain('<!--ic-region');
  });

  it('leaves titles, scripts and text areas without marks', async () => {
    const page = await newPage('<textarea>{% region a type="text" %}d{% endregion %}</textarea>');
    expect(await previewed(page, {})).toContain('<textarea>d</textarea>');
  });

  it('has no mark that comes from words', async () => {
    const page = await newPage('<div>{% region a %}{% endregion %}</div>');
    const forged = '<!--ic-region:b--><i data-ic-region="c">x</i><!--/ic-region:b-->';
    const text = await previewed(page, { regions: { a: forged } });
    expect(text).not.toContain('<!--ic-region:b-->');
    expect(text).not.toContain('data-ic-region="c"');
    expect(text).toContain('<!--ic-region:a-->');
  });
});

describe('POST /snippets/{id}/impact', () => {
  it('tells what would be lost', async () => {
    const snippet = await createSnippet(server, {
      name: 'footer',
      content: '{% region imprint type="text" %}{% endregion %}{% region hours %}{% endregion %}',
    });
    await createSnippet(server, {
      name: 'frame',
      content: '{% include "footer" %}{% block b %}{% endblock %}',
    });
    const one = await newPage('{% extends "frame" %}', { regions: { imprint: 'x', other: 'y' } });
    const two = await newPage('{% include "footer" %}', { regions: { hours: 'x', imprint: 'z' } });
    await newPage('{% include "footer" %}');
    const paths = [(await get(one))['path'], (await get(two))['path']];
    const impact = (content: string, token = masterToken) =>
      call(server, 'POST', `/snippets/${snippet}/impact`, { body: { content }, token });
    const without = await impact('{% region hours %}{% endregion %}', readToken);
    expect(without.status).toBe(200);
    expect(without.body).toEqual({
      templates: 4,
      regions: [
        { page_id: one, path: paths[0], name: 'imprint' },
        { page_id: two, path: paths[1], name: 'imprint' },
      ],
    });
    const same = await impact('{% region hours %}{% endregion %}<b>{% region imprint %}{% endregion %}</b>');
    expect(same.body).toEqual({ templates: 4, regions: [] });
    const broken = await impact('{% if %}');
    expect(asRecord(broken.body)['regions']).toHaveLength(3);
    // Nothing has changed.
    expect(await shown(two)).toBe('zx');
  });

  it('answers 404 for unknown snippets, 400 without content, 401 without token', async () => {
    const post = (path: string, options: ApiCall) => call(server, 'POST', path, options);
    expect((await post('/snippets/99999/impact', { body: { content: '' } })).status).toBe(404);
    const id = await createSnippet(server);
    expect((await post(`/snippets/${id}/impact`, { body: {} })).status).toBe(400);
    expect((await post(`/snippets/${id}/impact`, { body: { content: '' }, token: null })).status).toBe(401);
    expect((await post(`/snippets/${id}/impact`, { body: { content: 'x' } })).body).toEqual({
      templates: 0,
      regions: [],
    });
  });
});
