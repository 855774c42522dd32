import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { SiteFixture } from './site-fixture.ts';

const site = new SiteFixture();

afterEach(() => site.reset());
afterAll(() => site.close());

/** Renders a template as a page at /a/b below a home page in English. */
async function rendered(html: string, columns: Record<string, string | number> = {}): Promise<string> {
  const root = site.addSite({ title: 'Home', lang: 'en', domains: 'one.test' });
  const a = site.addPage(root, 'a', { title: 'Section', html: 'a' });
  site.addPage(a, 'b', { title: 'Page', html: `[${html}]`, ...columns });
  const { text } = await site.get('/a/b?x=1&y=a%20b', { host: 'one.test' });
  return /\[([\s\S]*)\]\n<\/body>/.exec(text)?.[1] ?? text;
}

describe('variables of a page', () => {
  it.each([
    ['{{ page.title }}|{{ page.path }}|{{ page.url }}|{{ page.slug }}', 'Page|/a/b|/a/b|b'],
    [
      '{{ page.parent.title }}|{{ page.parent.parent.title }}|{{ page.parent.parent.parent }}',
      'Section|Home|None',
    ],
    ['{{ page.effective_lang }}|{{ page.lang }}|{{ page.published }}|{{ page.blocks|length }}', 'en||True|0'],
    ['{{ page.html }}{{ page.head }}{{ page.parent.html }}', ''],
    ['{{ site.title }}|{{ site.url }}|{{ site.domain }}|{{ site.lang }}', 'Home|http://one.test|one.test|en'],
    ['{{ route.path }}|{{ route.slug }}|{{ route.rest|length }}', '/a/b||0'],
    ['{{ route.query.x }}|{{ route.query.y }}|{{ route.query.z }}|{{ route.query.toString }}', '1|a b||'],
    [
      '{{ today }}|{{ now|date:"Y-m-d H:i" }}|{{ today|date:"j F Y" }}',
      '2024-05-06|2024-05-06 12:00|6 May 2024',
    ],
    ['{{ page.__proto__ }}{{ site.constructor }}{{ page.toString }}{{ nav.call }}', ''],
  ])('%s', async (html, expected) => {
    expect(await rendered(html)).toBe(expected);
  });

  it('have an evaluated meta_title and description', async () => {
    const columns = {
      meta_title: '{{ page.title }} & {{ route.query.x }}',
      description: 'Of {{ site.title }} <b>',
    };
    expect(await rendered('{{ page.meta_title }}|{{ page.description }}', columns)).toBe(
      'Page &amp; 1|Of Home &lt;b&gt;',
    );
    const { text } = await site.get('/a/b?x=1', { host: 'one.test' });
    expect(text).toContain('<title>Page &amp; 1</title>');
    expect(text).toContain('<meta name="description" content="Of Home &lt;b&gt;">');
    expect(text).toContain('<meta property="og:title" content="Page &amp; 1">');
  });

  it('use the title as meta_title when it is empty', async () => {
    expect(await rendered('{{ page.meta_title }}|{{ page.parent.meta_title }}')).toBe('Page|Section');
  });
});

describe('fields of a page that are read by need', () => {
  it('assets are those of the page itself, in loading order', async () => {
    const root = site.addSite({ domains: 'one.test' });
    const html =
      '[{% for a in page.assets %}{{ a.asset_id }} {{ a.kind }} {{ a.name }} {{ a.inherit }}|{% endfor %}]';
    const page = site.addPage(root, 'p', { html });
    const ids = [site.addAsset('js', 'var a', 1), site.addAsset('css', 'a{}', 2)];
    site.change((db) => {
      const assign = db.prepare(
        'INSERT INTO page_assets (page_id, asset_id, position, inherit) VALUES (?, ?, ?, ?)',
      );
      assign.run(page, ids[1], 0, 1);
      assign.run(page, ids[0], 1, 0);
      assign.run(root, ids[0], 0, 1);
    });
    const { text } = await site.get('/p', { host: 'one.test' });
    expect(text).toMatch(new RegExp(`\\[${ids[1]} css \\S+ True\\|${ids[0]} js \\S+ False\\|\\]`));
  });

  it('sitemap_source is a map, or none', async () => {
    const source = JSON.stringify({ type: 'workflow', path: 'list' });
    const html = '{{ page.sitemap_source.path }} {{ page.parent.sitemap_source }}';
    expect(await rendered(html, { catch_all: 1, sitemap_source: source })).toBe('list None');
  });

  it('translations are the other published versions, in order of language', async () => {
    const root = site.addSite({ domains: 'one.test', lang: 'en' });
    const group = { translation_group: 'g' };
    const list =
      '[{% for t in page.translations %}{{ t.lang }} {{ t.title }} {{ t.url }} {{ t.path }}|{% endfor %}]';
    site.addPage(root, 'p', { ...group, html: list });
    const french = site.addPage(root, 'fr', { ...group, lang: 'fr', title: 'Bonjour' });
    site.addPage(root, 'it', { ...group, lang: 'it', published: 0 });
    const other = site.addSite({ domains: 'two.test\nsecond.test', lang: 'de' });
    site.addPage(other, 'hallo', { ...group, title: 'Hallo' });
    const shown = async () => /\[(.*)\]/.exec((await site.get('/p', { host: 'one.test' })).text)?.[1];
    expect(await shown()).toBe('de Hallo http://two.test/hallo /hallo|fr Bonjour /fr /fr|');
    site.change((db) => db.prepare("UPDATE pages SET title = 'Salut' WHERE id = ?").run(french));
    expect(await shown()).toBe('de Hallo http://two.test/hallo /hallo|fr Salut /fr /fr|');
  });

  it('translations of a page without versions, and of the page above', async () => {
    expect(await rendered('{{ page.translations|length }}{{ page.parent.translations|length }}')).toBe('00');
  });

  it('site.languages are those of its published pages, inherited ones too', async () => {
    const root = site.addSite({ domains: 'one.test', lang: 'en' });
    site.addPage(root, 'p', { html: '[{{ site.languages|join:" " }}]' });
    const french = site.addPage(root, 'fr', { lang: 'fr', published: 0 });
    site.addPage(root, 'it', { lang: 'it', published: 0 });
    const shown = async () => /\[(.*)\]/.exec((await site.get('/p', { host: 'one.test' })).text)?.[1];
    expect(await shown()).toBe('en');
    const below = site.addPage(french, 'x', { published: 0 });
    site.change((db) => db.prepare('UPDATE pages SET published = 1 WHERE id = ?').run(below));
    expect(await shown()).toBe('en fr');
  });
});

describe('template functions', () => {
  it.each([
    [
      '{% for n in nav() %}{{ n.title }}:{{ n.url }}:{{ n.active }}:{{ n.current }}{% endfor %}',
      'Section:/a:True:False',
    ],
    [
      '{% for n in nav() %}{% for m in n.children %}{{ m.title }}:{{ m.current }}:{{ m.lang }}{% endfor %}{% endfor %}',
      'Page:True:en',
    ],
    ['{% for n in children(page.parent_id) %}{{ n.slug }}{% endfor %}', 'b'],
    ['{% for n in children() %}{{ n.slug }}{% endfor %}', ''],
    ['{% for n in children("x") %}x{% endfor %}{% for n in children(missing) %}x{% endfor %}', ''],
    [
      '{{ asset_url(99) }}|{{ asset_url("x") }}|{{ asset_url(missing) }}|{{ asset_url(99)|default:"-" }}',
      '|||-',
    ],
  ])('%s', async (html, expected) => {
    expect(await rendered(html)).toBe(expected);
  });

  it('asset_url() returns the public address', async () => {
    const id = site.addAsset('css', 'a{}', 77);
    expect(await rendered(`{{ asset_url(${id}) }}`)).toBe(`/_assets/css/${id}.css?v=77`);
  });

  it('nav() contains hidden pages only on request', async () => {
    const html =
      '{% for n in nav() %}{{ n.slug }}{% endfor %}|{% for n in nav(true) %}{{ n.slug }}{% endfor %}';
    const root = site.addSite({ html });
    site.addPage(root, 'x', { hide_in_nav: 1 });
    site.addPage(root, 'y');
    expect((await site.get('/')).text).toContain('y|xy');
  });
});

describe('reportOnTemplates', () => {
  it('reports the syntax error of each source with its place', async () => {
    const reports = await site.reportOn([
      { name: 'fine', source: '{{ nav()|length }}' },
      { name: '/page', source: 'a\n  {{ x|nosuch }}' },
      { name: 'open', source: '{% if x %}' },
    ]);
    expect(reports.map(({ warnings }) => warnings)).toEqual([
      [],
      [
        {
          code: 'template.syntax',
          error: expect.stringMatching(/^\/page:2:\d+: .*nosuch/),
          params: { template: '/page', line: 2, column: 8, message: expect.stringContaining('nosuch') },
        },
      ],
      [
        {
          code: 'template.syntax',
          error: expect.stringMatching(/^open:1:1: /),
          params: { template: 'open', line: 1, column: 1, message: expect.any(String) },
        },
      ],
    ]);
  });

  it('reports snippets and assets that do not exist', async () => {
    const [report] = await site.reportOn([
      { name: '/page', source: '{% include "nowhere" %}\n{{ asset_url(4711) }}' },
    ]);
    expect(report?.warnings).toEqual([
      {
        code: 'template.unknownSnippet',
        error: '/page:1:1: there is no snippet "nowhere"',
        params: { template: '/page', line: 1, column: 1, name: 'nowhere' },
      },
      {
        code: 'template.unknownAsset',
        error: '/page:2:14: there is no asset 4711',
        params: { template: '/page', line: 2, column: 14, id: 4711 },
      },
    ]);
  });

  it('reports slots, and whether the template outputs the block tree of the page', async () => {
    site.addSnippet('with-blocks', '{% block main %}{% blocks page.blocks %}{% endblock %}');
    const reports = await site.reportOn([
      { name: 'a', source: '{% extends "with-blocks" %}{% block main %}over{% endblock %}' },
      {
        name: 'b',
        source: '{# {% blocks page.blocks %} #}{% slot %}{% endslot %}{% if slots.footer %}x{% endif %}',
      },
    ]);
    expect(reports.map(({ rendersBlocks, slots }) => [rendersBlocks, slots])).toEqual([
      [true, []],
      [false, ['default', 'footer']],
    ]);
  });
});
