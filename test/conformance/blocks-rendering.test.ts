import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
} from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { bodyOf, visit } from './public-client.ts';

let server: TestServer;
let home: number;
let image: number;
let news: number;
let entry: number;
let draft: number;

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  image = Number((await uploadOne(server, 'a.jpg', await draw({ width: 400, height: 300 })))['id']);
  news = await createCollection(server, {
    slug: 'news',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'blocks' },
    ],
  });
  entry = await createItem(server, news, { title: 'Spring & more' });
  draft = Number(
    (await callOk(server, 'POST', '/collections/news/items', { data: { title: 'Draft' }, published: false }))[
      'id'
    ],
  );
});
afterAll(() => server.stop());

let types = 0;
/** IDs of the snippets by name. */
const ids = new Map<string, number>();

/** A block type with these parameters and slots; resolves with its name. */
async function addType(content: string, schema: object = {}, fields: object = {}): Promise<string> {
  types++;
  const name = `type-${types}`;
  ids.set(
    name,
    await createSnippet(server, { name, content, schema: { block: true, ...schema }, ...fields }),
  );
  return name;
}

let pages = 0;

/** What a visitor gets as the body of a page with this tree. */
async function shown(
  blocks: unknown,
  html = '{% blocks page.blocks %}',
  fields: object = {},
): Promise<string> {
  pages++;
  const slug = `p${pages}`;
  await createPage(server, home, { slug, html, blocks, published: true, ...fields });
  return bodyOf(await visit(server, `/${slug}`, { host: 'one.test' }));
}

describe('the parameters of a block', () => {
  const cases: readonly (readonly [
    type: string,
    value: () => unknown,
    template: string,
    output: () => string,
  ])[] = [
    ['text', () => '<b>', '{{ x }}', () => '&lt;b&gt;'],
    ['textarea', () => 'a\nb', '{{ x|linebreaksbr }}', () => 'a<br>b'],
    ['url', () => '/a?b&c', '<a href="{{ x }}">', () => '<a href="/a?b&amp;c">'],
    ['select', () => 's', '{{ x|upper }}', () => 'S'],
    ['date', () => '2026-03-01', '{{ x|date:"j.n.Y" }}', () => '1.3.2026'],
    ['number', () => '3.50', '{{ x }}', () => '3.5'],
    ['boolean', () => 'true', '{% if x %}yes{% else %}no{% endif %}', () => 'yes'],
    ['markdown', () => '*a*', '{{ x }}', () => '<p><em>a</em></p>'],
    ['html', () => '<i>&amp;</i>', '{{ x }}', () => '<i>&amp;</i>'],
    [
      'image',
      () => image,
      '{{ x.id == 0 }}|{{ x.width }}x{{ x.height }}|{{ x.url }}|{{ x.kind }}',
      () => 'False|400x300|/media/a.jpg|image',
    ],
    ['file', () => image, '{{ x.name }}', () => 'a.jpg'],
    ['reference', () => entry, '{{ x.title }}', () => 'Spring &amp; more'],
    [
      'references',
      () => [entry, draft],
      '{% for e in x %}{{ e.title }};{% endfor %}',
      () => 'Spring &amp; more;',
    ],
    ['reference', () => draft, '[{{ x.title }}]', () => '[]'],
  ];
  it.each(cases)('of type %s (case %#)', async (type, value, template, output) => {
    const name = await addType(template, { params: [{ name: 'x', type, collection: news, options: [] }] });
    expect((await shown([{ type: name, params: { x: value() } }])).trim()).toBe(output());
  });

  const empty: readonly (readonly [type: string, output: string])[] = [
    ['text', '[]no'],
    ['number', '[]no'],
    ['boolean', '[False]no'],
    ['markdown', '[]no'],
    ['image', '[]no'],
    ['reference', '[]no'],
    ['references', '[[]]no'],
  ];
  it.each(empty)('of type %s are empty without a value', async (type, output) => {
    const name = await addType('[{{ x }}]{% if x %}yes{% else %}no{% endif %}', {
      params: [{ name: 'x', type, collection: news }],
    });
    expect(await shown([{ type: name }])).toBe(output);
  });

  it('take the default of the schema if they are empty or left out', async () => {
    const name = await addType('{{ a }}{{ b }}{{ c }};', {
      params: [
        { name: 'a', type: 'text', default: 'A' },
        { name: 'b', type: 'number', default: 7 },
        { name: 'c', type: 'boolean', default: true },
      ],
    });
    const blocks = [{}, { a: '', b: null, c: null }, { a: 'x', b: 0, c: false }];
    expect(await shown(blocks.map((params) => ({ type: name, params })))).toBe('A7True;A7True;x0False;');
  });

  it('are all that the template sees, with the global variables, block and slots', async () => {
    const name = await addType('{{ block.id }}-{{ block.type }}-{{ page.slug }}-{{ outer }}-{{ title }}', {
      params: [{ name: 'title', type: 'text' }],
    });
    const html = '{% set outer = "o" %}{% set title = "page" %}{% blocks page.blocks %}';
    expect(await shown([{ id: 'i', type: name }], html)).toBe(`i-${name}-p${pages}--`);
  });

  it('win over global variables of the same name', async () => {
    const name = await addType('{{ page }}', { params: [{ name: 'page', type: 'text' }] });
    expect(await shown([{ type: name, params: { page: 'mine' } }])).toBe('mine');
  });

  it('reach what the template includes, also by a computed name', async () => {
    await createSnippet(server, { name: 'inner', content: '<i>{{ title }}</i>' });
    const params = [
      { name: 'title', type: 'text' },
      { name: 'which', type: 'text' },
    ];
    const name = await addType('{% include "inner" %}{% include which %}', { params });
    expect(await shown([{ type: name, params: { title: 't', which: 'inner' } }])).toBe('<i>t</i><i>t</i>');
  });
});

describe('slots', () => {
  it('hold the child blocks, to the last level', async () => {
    const box = await addType('({% slot %}-{% endslot %})', { slots: [{ name: 'default' }] });
    let blocks: unknown[] = [];
    for (let level = 0; level < 10; level++) blocks = [{ type: box, slots: { default: blocks } }];
    expect(await shown(blocks)).toBe(`${'('.repeat(10)}-${')'.repeat(10)}`);
  });

  it('show their fallback, and are false, without content or with white space only', async () => {
    const space = await addType(' \n');
    const text = await addType('t');
    const box = await addType(
      '{% if slots.a %}yes{% else %}no{% endif %}:{% slot a %}fallback{% endslot %};',
      {
        slots: [{ name: 'a' }],
      },
    );
    const blocks = [undefined, [{ type: space }], [{ type: text }, { type: space }]];
    expect(await shown(blocks.map((a) => ({ type: box, slots: a === undefined ? {} : { a } })))).toBe(
      'no:fallback;no:fallback;yes:t \n;',
    );
  });

  it('may be shown twice', async () => {
    const text = await addType('t');
    const box = await addType('{% slot a %}{% endslot %}{% slot a %}{% endslot %}', {
      slots: [{ name: 'a' }],
    });
    expect(await shown([{ type: box, slots: { a: [{ type: text }] } }])).toBe('tt');
  });
});

describe('a tree', () => {
  it.each(['', '7', '"text"', 'none', '{"a": 1}', 'page'])('that is %s outputs nothing', async (value) => {
    expect(await shown([], `[{% blocks ${value || '""'} %}]`)).toBe('[]');
  });

  it('of an entry is rendered like that of a page', async () => {
    const name = await addType('<b>{{ x }}</b>', { params: [{ name: 'x', type: 'text' }] });
    const id = await createItem(server, news, { title: 'Built', body: [{ type: name, params: { x: 'e' } }] });
    expect(await shown([], `{% blocks item("news", "id", ${id}).body %}`)).toBe('<b>e</b>');
  });

  it('shows nothing for types and global blocks that are gone, and other blocks as before', async () => {
    const text = await addType('t');
    const gone = await addType('gone');
    const off = await addType('off');
    const { id: global } = await callOk(server, 'POST', '/global-blocks', {
      name: 'g',
      blocks: [{ type: text }],
    });
    const blocks = [{ type: text }, { type: gone }, { global }, { type: off }, { type: text }];
    expect(await shown(blocks)).toBe('tgonetofft');
    const path = `/p${pages}`;
    await call(server, 'DELETE', `/snippets/${ids.get(gone)}`);
    await callOk(server, 'PUT', `/snippets/${ids.get(off)}`, { schema: { block: false } });
    expect(bodyOf(await visit(server, path, { host: 'one.test' }))).toBe('ttt');
  });
});

describe('global blocks', () => {
  let text: string;
  let box: string;

  beforeAll(async () => {
    const params = [
      { name: 'x', type: 'text', default: 'd' },
      { name: 'y', type: 'text' },
    ];
    text = await addType('<b>{{ x }}{{ y }}</b>', { params });
    box = await addType('({% slot %}{% endslot %})', { slots: [{ name: 'default' }] });
  });

  async function createGlobal(blocks: unknown): Promise<number> {
    return Number((await callOk(server, 'POST', '/global-blocks', { name: 'g', blocks }))['id']);
  }

  it('are inserted with the overrides of the reference, in slots too', async () => {
    const inner = { id: 'deep', type: text, params: { x: '2', y: 'y' } };
    const global = await createGlobal([
      { id: 'top', type: text, params: { x: '1' } },
      { type: box, slots: { default: [inner] } },
    ]);
    const overrides = { top: { x: 'A', y: 'B' }, deep: { x: null } };
    expect(await shown([{ global, overrides }, { global }])).toBe('<b>AB</b>(<b>dy</b>)<b>1</b>(<b>2y</b>)');
  });

  it('show their newest blocks at once', async () => {
    const global = await createGlobal([{ id: 'a', type: text, params: { x: 'old' } }]);
    const outer = await createGlobal([{ global }]);
    expect(await shown([{ global: outer }])).toBe('<b>old</b>');
    const path = `/p${pages}`;
    await callOk(server, 'PUT', `/global-blocks/${global}`, {
      blocks: [{ type: text, params: { x: 'new' } }],
    });
    expect(bodyOf(await visit(server, path, { host: 'one.test' }))).toBe('<b>new</b>');
  });
});

describe('CSS and JS of block types', () => {
  it('load on pages that use the type, also in a global block, and on no other', async () => {
    const assetOf = (content: string) => createAsset(server, { content });
    const direct = await assetOf('.direct{}');
    const below = await assetOf('.below{}');
    const unused = await assetOf('.unused{}');
    const one = await addType('1', {}, { assets: [{ asset_id: direct }] });
    const two = await addType('2', {}, { assets: [{ asset_id: below }] });
    await addType('3', {}, { assets: [{ asset_id: unused }] });
    const { id: global } = await callOk(server, 'POST', '/global-blocks', {
      name: 'g',
      blocks: [{ type: two }],
    });
    await shown([{ type: one }, { global }]);
    const { text } = await visit(server, `/p${pages}`, { host: 'one.test' });
    const loaded = [...text.matchAll(/_assets\/css\/(\d+)\.css/g)].map(([, id]) => Number(id));
    expect(loaded).toEqual([direct, below]);
  });
});

describe('marks of previews', () => {
  it('are not on live pages, whatever a text contains', async () => {
    const name = await addType('<p>{{ x }}</p>{{ y }}<i {{ block_field("x") }}>{{ x|upper }}</i>', {
      params: [
        { name: 'x', type: 'text' },
        { name: 'y', type: 'html' },
      ],
    });
    const x = '\u{F0000}\u{F0101} <!--/ic-block:x-->';
    const body = await shown([{ type: name, params: { x, y: '\u{F0001}<b>y</b>' } }]);
    const escaped = '\u{F0000}\u{F0101} &lt;!--/ic-block:x--&gt;';
    expect(body).toBe(
      `<p>${escaped}</p>\u{F0001}<b>y</b><i >${escaped.replace(/&.*/, '&lt;!--/IC-BLOCK:X--&gt;')}</i>`,
    );
  });
});

describe('what is wrong with blocks', () => {
  it('is in the log', async () => {
    const name = await addType('x');
    await shown([{ type: name }]);
    await call(server, 'DELETE', `/snippets/${ids.get(name)}`);
    await visit(server, `/p${pages}`, { host: 'one.test' });
    expect(server.log()).toContain(`there is no block type \\"${name}\\"`);
  });
});
