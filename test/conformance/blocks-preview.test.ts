import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { bodyOf, visit } from './public-client.ts';

/** The marks of previews (Core, "Rendering of blocks"). */

let server: TestServer;
let home: number;
let page: number;
let image: number;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  home = await createSite(server, { domains: 'one.test' });
  page = await createPage(server, home, { slug: 'page', published: true, html: '{% blocks page.blocks %}' });
  image = Number((await uploadOne(server, 'a.jpg', await draw({ width: 20, height: 10 })))['id']);
});
afterAll(() => server.stop());

let types = 0;

/** A block type with text parameters `x` and `y` unless others are given; resolves with its name. */
async function addType(
  content: string,
  params?: readonly object[],
  slots: readonly string[] = [],
): Promise<string> {
  types++;
  const name = `type-${types}`;
  const both = ['x', 'y'].map((param) => ({ name: param, type: 'text' }));
  const schema = { block: true, params: params ?? both, slots: slots.map((slot) => ({ name: slot })) };
  await createSnippet(server, { name, content, schema });
  return name;
}

/** The body of a preview with unsaved fields. */
async function previewed(fields: object, id = page): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/pages/${id}/preview`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(response.status).toBe(200);
  return bodyOf({ text: await response.text() });
}

/** What stands between the marks of the list of the page. */
function inList(body: string): string {
  return (
    /^<!--ic-blocks:page\.blocks-->([\s\S]*)<!--\/ic-blocks:page\.blocks-->$/.exec(body)?.[1] ??
    `no list: ${body}`
  );
}

/** What stands between the marks of the only block of the page. */
function inBlock(body: string): string {
  return (
    /^<!--ic-block:page\.blocks\/0:\w*:[\w-]*-->([\s\S]*)<!--\/ic-block:\w*-->$/.exec(inList(body))?.[1] ??
    `no block: ${body}`
  );
}

describe('marks of blocks, lists and slots', () => {
  it('name the place of each block, down to slots in slots', async () => {
    const text = await addType('t');
    const box = await addType('({% slot %}{% endslot %}|{% slot b %}{% endslot %})', [], ['default', 'b']);
    const inner = { id: 'in', type: box, slots: { b: [{ id: 'deep', type: text }] } };
    const blocks = [
      { id: 'a', type: text },
      { id: 'c', type: box, slots: { default: [inner] } },
    ];
    const slot = (path: string, content: string) => `<!--ic-slot:${path}-->${content}<!--/ic-slot:${path}-->`;
    const block = (path: string, id: string, type: string, content: string) =>
      `<!--ic-block:${path}:${id}:${type}-->${content}<!--/ic-block:${id}-->`;
    const [one, two] = ['page.blocks/1', 'page.blocks/1/slots/default/0'];
    const deep = block(`${two}/slots/b/0`, 'deep', text, 't');
    const within = block(
      two,
      'in',
      box,
      `(${slot(`${two}/slots/default`, '')}|${slot(`${two}/slots/b`, deep)})`,
    );
    expect(inList(await previewed({ blocks }))).toBe(
      block('page.blocks/0', 'a', text, 't') +
        block(one, 'c', box, `(${slot(`${one}/slots/default`, within)}|${slot(`${one}/slots/b`, '')})`),
    );
  });

  it('enclose empty lists and fallbacks, but no slot inside of an if', async () => {
    expect(inList(await previewed({ blocks: [] }))).toBe('');
    const box = await addType(
      '{% slot a %}fall{% endslot %}{% if slots.b %}{% slot b %}{% endslot %}{% endif %}',
      [],
      ['a', 'b'],
    );
    expect(inBlock(await previewed({ blocks: [{ id: 'i', type: box }] }))).toBe(
      '<!--ic-slot:page.blocks/0/slots/a-->fall<!--/ic-slot:page.blocks/0/slots/a-->',
    );
  });

  it('keep blocks of white space and the fallback that live pages show', async () => {
    const space = await addType(' \n ');
    const box = await addType('[{% slot a %}fall{% endslot %}]', [], ['a']);
    const blocks = [{ id: 'i', type: box, slots: { a: [{ id: 's', type: space }] } }];
    expect(inBlock(await previewed({ blocks }))).toBe(
      `[<!--ic-slot:page.blocks/0/slots/a--><!--ic-block:page.blocks/0/slots/a/0:s:${space}--><!--/ic-block:s-->fall<!--/ic-slot:page.blocks/0/slots/a-->]`,
    );
  });

  it('of a reference to a global block have its own list inside', async () => {
    const text = await addType('<b>{{ x }}</b>');
    const { id } = await callOk(server, 'POST', '/global-blocks', {
      name: 'g',
      blocks: [{ id: 'k', type: text }],
    });
    const blocks = [{ id: 'r', global: id, overrides: { k: { x: 'X' } } }];
    expect(inList(await previewed({ blocks }))).toBe(
      `<!--ic-block:page.blocks/0:r:global:${id}--><!--ic-blocks:global:${id}-->` +
        `<!--ic-block:global:${id}/0:k:${text}--><b data-ic-field="global:${id}/0/x">X</b><!--/ic-block:k-->` +
        `<!--/ic-blocks:global:${id}--><!--/ic-block:r-->`,
    );
  });

  it('of trees of entries name the entry, also of empty, unsaved and new ones', async () => {
    const text = await addType('{{ x }}');
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'blocks' },
    ];
    await createCollection(server, { slug: 'news', fields });
    const full = await createItem(server, 'news', {
      title: 'full',
      body: [{ id: 'a', type: text, params: { x: 'saved' } }],
    });
    const empty = await createItem(server, 'news', { title: 'empty' });
    const html = '{% for n in data("news", _sort="title") %}{% blocks n.body %}{% endfor %}';
    const list = (id: number, content: string) =>
      `<!--ic-blocks:item:news:${id}:body-->${content}<!--/ic-blocks:item:news:${id}:body-->`;
    const block = (id: number, x: string) =>
      `<!--ic-block:item:news:${id}:body/0:a:${text}-->${x}<!--/ic-block:a-->`;
    expect(await previewed({ html })).toBe(list(empty, '') + list(full, block(full, 'saved')));
    const unsaved = (id: number) => ({
      collection: 'news',
      id,
      data: { title: 'full', body: [{ id: 'a', type: text, params: { x: 'unsaved' } }] },
    });
    expect(await previewed({ html, item: unsaved(full) })).toBe(
      list(empty, '') + list(full, block(full, 'unsaved')),
    );
    expect(await previewed({ html, item: unsaved(0) })).toContain(list(0, block(0, 'unsaved')));
  });

  it('of a tree without a known origin begin with blocks', async () => {
    const text = await addType('t');
    const body = await previewed({
      html: '{% blocks page.blocks|slice:":1" %}{% blocks none %}',
      blocks: [{ id: 'a', type: text }, {}],
    });
    expect(body).toBe(
      `<!--ic-blocks:blocks--><!--ic-block:blocks/0:a:${text}-->t<!--/ic-block:a--><!--/ic-blocks:blocks-->` +
        '<!--ic-blocks:blocks--><!--/ic-blocks:blocks-->',
    );
  });

  it('are left out of attributes, scripts and comments', async () => {
    const text = await addType('t');
    const blocks = [{ id: 'a', type: text }];
    const use = '{% blocks page.blocks %}';
    const html = `<p title="${use}"><script>"${use}"</script><!-- ${use} --><textarea>${use}</textarea>`;
    expect(await previewed({ html, blocks })).toBe(
      '<p title="t"><script>"t"</script><!-- t --><textarea>t</textarea>',
    );
  });
});

describe('the mark of a field', () => {
  const text = (name: string) => ({ name, type: 'text' });
  const field = (name: string) => `data-ic-field="page.blocks/0/${name}"`;
  const marked: readonly (readonly [
    template: string,
    params: readonly object[],
    values: object,
    output: string,
  ])[] = [
    ['<h2>{{ x }}</h2>', [text('x')], { x: 'a & b' }, `<h2 ${field('x')}>a &amp; b</h2>`],
    ['<h2 class="c">\n {{ x }}\n</h2>', [text('x')], { x: 'a' }, `<h2 class="c" ${field('x')}>\n a\n</h2>`],
    [
      '<p>{{ x|linebreaksbr }}</p>',
      [{ name: 'x', type: 'textarea' }],
      { x: 'a<\nb' },
      `<p ${field('x')}>a&lt;<br>b</p>`,
    ],
    [
      '<div>{{ x }}</div>',
      [{ name: 'x', type: 'markdown' }],
      { x: '*a*' },
      `<div ${field('x')}><p><em>a</em></p></div>`,
    ],
    ['{% with y=x %}<b>{{ y }}</b>{% endwith %}', [text('x')], { x: 'a' }, `<b ${field('x')}>a</b>`],
    ['<b>{{ x|default:"none" }}</b>', [text('x')], { x: 'a' }, `<b ${field('x')}>a</b>`],
    ['<b>{{ x }}</b>', [{ ...text('x'), default: 'd' }], {}, `<b ${field('x')}>d</b>`],
    // Not the whole content, changed, or not in an element.
    ['<p>a {{ x }}</p>', [text('x')], { x: 'b' }, '<p>a b</p>'],
    ['<p>{{ x }}{{ y }}</p>', [text('x'), text('y')], { x: 'a', y: 'b' }, '<p>ab</p>'],
    ['<p>{{ x|upper }}</p>', [text('x')], { x: 'a' }, '<p>A</p>'],
    ['<p>{{ x|truncatechars:3 }}|{{ x|length }}</p>', [text('x')], { x: 'abcdef' }, '<p>ab…|6</p>'],
    [
      '<a href="/{{ x|urlencode }}" title="{{ x }}">l</a>',
      [text('x')],
      { x: 'a b' },
      '<a href="/a%20b" title="a b">l</a>',
    ],
    ['<script>"{{ x|escapejs }}{{ x }}"</script>', [text('x')], { x: 'a' }, '<script>"aa"</script>'],
    ['<!--{{ x }}-->', [text('x')], { x: 'a' }, '<!--a-->'],
    ['{{ x }}', [text('x')], { x: 'a' }, 'a'],
    ['<p>{{ x }}</p>', [{ name: 'x', type: 'number' }], { x: 7 }, '<p>7</p>'],
    ['<p>{{ x }}</p>', [{ name: 'x', type: 'html' }], { x: '<b>a</b>' }, '<p><b>a</b></p>'],
    // Values in expressions are what they are on live pages.
    ['{% if x == "a" and "a" in x and x < "b" %}yes{% endif %}{{ x.0 }}', [text('x')], { x: 'a' }, 'yesa'],
    ['{{ {"k": x}|json|safe }}', [text('x')], { x: 'a' }, '{"k":"a"}'],
    // What the template says itself.
    ['<h2 {{ block_field("x") }}>{{ x|upper }}</h2>', [text('x')], { x: 'a' }, `<h2 ${field('x')}>A</h2>`],
    [
      '<h2{{ block_field("x") }}>{{ y }}</h2>',
      [text('x'), text('y')],
      { y: 'b' },
      `<h2 ${field('x')}>b</h2>`,
    ],
    ['<h2 {{ block_field("other") }}>a</h2>', [text('x')], {}, '<h2 >a</h2>'],
    ['{{ block_field("x") }}<p title="{{ block_field("x") }}">', [text('x')], {}, '<p title="">'],
  ];
  it.each(marked)('%s', async (template, params, values, output) => {
    const type = await addType(template, params);
    expect(inBlock(await previewed({ blocks: [{ id: 'a', type, params: values }] }))).toBe(output);
  });

  it('stands on images: those of image(x.id), and elements with the address in an attribute', async () => {
    const type = await addType(
      '{{ image(x.id) }}|<div style="background: url({{ x.url }})"></div>|<p>{{ x.url }}</p>|{{ image(y.id) }}',
      [
        { name: 'x', type: 'image' },
        { name: 'y', type: 'file' },
      ],
    );
    const parts = inBlock(
      await previewed({ blocks: [{ id: 'a', type, params: { x: image, y: image } }] }),
    ).split('|');
    expect(parts[0]).toMatch(/<img src="\/media\/a\.jpg"[^>]* data-ic-field="page\.blocks\/0\/x">/);
    expect(parts[1]).toBe(`<div style="background: url(/media/a.jpg)" ${field('x')}></div>`);
    expect(parts[2]).toBe('<p>/media/a.jpg</p>');
  });
});

describe('unsaved trees', () => {
  it('show what is wrong as a notice, and nothing else of it', async () => {
    const type = await addType('t');
    const blocks = [{ id: 'a', type: 'none' }, { id: 'b', global: 999 }, 'x', { id: 'c', type }];
    const notice = (text: string) => `<div class="ic-block-problem">${text}</div>`;
    expect(inList(await previewed({ blocks }))).toBe(
      `<!--ic-block:page.blocks/0:a:none-->${notice('there is no block type &quot;none&quot;')}<!--/ic-block:a-->` +
        `<!--ic-block:page.blocks/1:b:global:999-->${notice('there is no global block &quot;999&quot;')}<!--/ic-block:b-->` +
        `<!--ic-block:page.blocks/2::-->${notice('a block is no object')}<!--/ic-block:-->` +
        `<!--ic-block:page.blocks/3:c:${type}-->t<!--/ic-block:c-->`,
    );
  });

  it.each([[null], ['x'], [7], [{ a: 1 }]])('that are %j show nothing', async (blocks) => {
    expect(inList(await previewed({ blocks }))).toBe('');
  });

  it('are not stored, and the stored tree shows without them', async () => {
    const type = await addType('stored');
    await callOk(server, 'PUT', `/pages/${page}`, { blocks: [{ id: 's', type }] });
    expect(inList(await previewed({ blocks: [] }))).toBe('');
    expect(inBlock(await previewed({}))).toBe('stored');
    await callOk(server, 'PUT', `/pages/${page}`, { blocks: [] });
  });
});

describe('no text from outside becomes a mark', () => {
  it('comments, attributes and characters of that form are harmless', async () => {
    const type = await addType('<p>{{ x }}</p>{{ y }}', [
      { name: 'x', type: 'text' },
      { name: 'y', type: 'html' },
    ]);
    const y =
      '<!--ic-block:page.blocks/9:z:evil--><!--/ic-block:z--><b data-ic-field="page.blocks/9/x" DATA-IC-FIELD = y>b</b><!--\u{F0001}ic-slot:x-->';
    const body = inBlock(
      await previewed({
        blocks: [{ id: 'a', type, params: { x: '\u{F0000}<!--/ic-block:a-->\u{F0101}\x80\x82', y } }],
      }),
    );
    expect(body).toBe(
      '<p data-ic-field="page.blocks/0/x">' +
        `&lt;!--/ic-block:a--&gt;</p><!-- ic-block:page.blocks/9:z:evil--><!-- /ic-block:z--><b data-x-ic-field="page.blocks/9/x" data-x-ic-field = y>b</b><!-- ic-slot:x-->`,
    );
  });

  it('names in an unsaved tree cannot end a comment', async () => {
    const type = await addType('t{% slot a %}{% endslot %}', [], ['a']);
    const blocks = [
      { id: '--><script>', type, slots: { 'a--><b>': [] } },
      { id: 'b', type: '--><i>' },
    ];
    const body = await previewed({ blocks });
    expect(body).not.toMatch(/<script>|<b>|<i>/);
    expect(body).toContain('<!--ic-block:page.blocks/0:--%3E%3Cscript%3E:');
  });
});

describe('pages with and without marks', () => {
  it('have marks for administrators with ?preview=1, and none with a preview link, in /render and in /mhtml', async () => {
    const type = await addType('<p>{{ x }}</p>');
    const blocks = [{ id: 'a', type, params: { x: 'text' } }];
    const id = await createPage(server, home, {
      slug: 'marked',
      published: true,
      html: '{% blocks page.blocks %}',
      blocks,
    });
    const headers = { Cookie: `ic_session=${session}` };
    const of = async (target: string, withSession = false) =>
      bodyOf(await visit(server, target, { host: 'one.test', ...(withSession ? { headers } : {}) }));
    const { url } = await callOk(server, 'POST', `/pages/${id}/preview-links`, {});
    const link = new URL(String(url));
    expect(await of('/marked?preview=1', true)).toContain('<p data-ic-field="page.blocks/0/x">text</p>');
    expect(await of('/marked?preview=1')).toBe('<p>text</p>');
    expect(await of('/marked', true)).toBe('<p>text</p>');
    expect(await of(link.pathname + link.search)).toBe('<p>text</p>');
    const rendered = await fetch(`${server.url}/api/v1/pages/${id}/render`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    expect(bodyOf({ text: await rendered.text() })).toBe('<p>text</p>');
    const archive = await fetch(`${server.url}/api/v1/pages/${id}/mhtml`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    expect(await archive.text()).not.toContain('ic-block');
    expect((await call(server, 'GET', `/pages/${id}`)).status).toBe(200);
  });
});
