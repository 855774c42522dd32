import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet, idOf } from '../support/content.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { logIn, setUp } from '../support/session.ts';
import { bodyOf, type Visited, visit } from './public-client.ts';

let server: TestServer;
let home: number;
let css: number;
let inheritedCss: number;
let js: number;
const ids = new Map<string, number>();

function id(name: string): number {
  const found = ids.get(name);
  if (found === undefined) throw new Error(`no page ${name}`);
  return found;
}

async function addPage(slug: string, fields: Record<string, unknown> = {}): Promise<number> {
  const page = await createPage(server, home, { slug, published: true, ...fields });
  ids.set(slug, page);
  return page;
}

interface Page {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(
  method: string,
  path: string,
  { body, token = masterToken }: { body?: unknown; token?: string } = {},
): Promise<Page> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/api/v1${path}`, init);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    text: await response.text(),
  };
}

function preview(name: string, body?: unknown): Promise<Page> {
  return ask('POST', `/pages/${id(name)}/preview`, { body });
}

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  css = await createAsset(server, { content: '.own { color: red } /* </style> */' });
  inheritedCss = await createAsset(server, { content: '.inherited { }' });
  js = await createAsset(server, { kind: 'js', content: 'const own = "</script><!--";' });
  await call(server, 'PUT', `/pages/${home}/assets`, { body: [{ asset_id: inheritedCss, inherit: true }] });
});
afterAll(() => server.stop());

describe('POST /pages/{id}/preview', () => {
  beforeAll(async () => {
    await addPage('draft', {
      published: false,
      html: '<p>{{ page.title }}|{{ route.query.a }}|{{ route.slug }}|{{ preview }}</p>',
      description: 'saved',
      assets: [{ asset_id: css }, { asset_id: js }],
    });
    await addPage('shop', {
      catch_all: true,
      html: '{% if route.slug == "gone" %}{{ not_found() }}{% endif %}{{ route.path }}|{{ route.rest|join:"," }}',
    });
    await addPage('menu', { html: '{% for entry in nav() %}{{ entry.slug }} {% endfor %}' });
  });

  it('without a body renders the saved page, also a draft', async () => {
    const page = await preview('draft');
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<p>draft|||True</p>');
    expect(page.text).toContain('<meta name="description" content="saved">');
  });

  it('renders unsaved values and does not save them', async () => {
    const before = await callOk(server, 'GET', `/pages/${id('draft')}`);
    const page = await preview('draft', {
      html: '<b>{{ page.title }}: {{ page.description }}</b>',
      head: '<meta name="own" content="{{ page.title }}">',
      title: 'New <title>',
      description: '{{ page.title|upper }}',
    });
    expect(page.text).toContain('<b>New &lt;title&gt;: NEW &lt;TITLE&gt;</b>');
    expect(page.text).toContain('<title>New &lt;title&gt;</title>');
    expect(page.text).toContain('<meta name="own" content="New &lt;title&gt;">');
    expect(page.text).toContain('<meta name="description" content="NEW &lt;TITLE&gt;">');
    expect(await callOk(server, 'GET', `/pages/${id('draft')}`)).toEqual(before);
  });

  it('renders unsaved contents of snippets: layouts, includes, block types and new ones; others do not see them', async () => {
    await createSnippet(server, { name: 'frame', content: 'saved {% block content %}{% endblock %}' });
    await createSnippet(server, { name: 'parts/row', content: 'saved row' });
    await createSnippet(server, {
      name: 'note',
      content: 'saved {{ text }}',
      schema: { block: true, params: [{ name: 'text', type: 'text' }] },
    });
    await addPage('framed', {
      html: '{% extends "frame" %}{% block content %}{% include "parts/row" %}{% blocks page.blocks %}{% endblock %}',
      blocks: [{ id: 'n1', type: 'note', params: { text: 'words' } }],
    });
    const saved = (await preview('framed')).text;
    const snippets = {
      frame: 'new <main>{% block content %}{% endblock %}</main>{% include "fresh" %}',
      'parts/row': 'row {{ page.title }}',
      note: '<p>{{ text }}</p>',
      fresh: 'never saved',
    };
    const { status, text } = await preview('framed', { title: 'Unsaved', snippets });
    expect(status).toBe(200);
    expect(text).toContain('new <main>row Unsaved');
    expect(text).toMatch(/<p data-ic-field="[^"]+">words<\/p>/);
    expect(text).toContain('never saved');
    expect(text).not.toContain('saved row');
    expect((await preview('framed')).text).toBe(saved);
    expect((await ask('GET', `/pages/${id('framed')}/render`)).text).toContain('saved saved row');
  });

  it('names the unsaved snippet in which an error is', async () => {
    const { status, text } = await preview('framed', { snippets: { 'parts/row': 'a\n{% if %}x' } });
    expect(status).toBe(422);
    expect(text).toContain('parts/row:2');
  });

  it('renders unsaved global blocks wherever they stand, with the overrides of their places; others do not see them', async () => {
    const note = (id: string, text: string) => ({ id, type: 'note', params: { text } });
    const global = idOf(
      await callOk(server, 'POST', '/global-blocks', { name: 'Hours', blocks: [note('g1', 'open daily')] }),
    );
    const tree = [
      { id: 'r1', global },
      { id: 'r2', global, overrides: { g1: { text: 'closed here' } } },
    ];
    await addPage('global', { html: '{% blocks page.blocks %}', blocks: tree });
    const saved = (await preview('global')).text;
    const blocks = [note('g1', 'open at night'), note('g2', 'new words')];
    const { status, text } = await preview('global', { global_blocks: { [global]: blocks } });
    expect(status).toBe(200);
    expect(text.match(/open at night|closed here|new words|open daily/g)).toEqual([
      'open at night',
      'new words',
      'closed here',
      'new words',
    ]);
    const unsavedPage = {
      blocks: [{ id: 'r3', global: 999 }],
      global_blocks: { 999: [note('g3', 'not yet stored')] },
    };
    expect((await preview('global', unsavedPage)).text).toContain('not yet stored');
    expect((await preview('global')).text).toBe(saved);
    expect((await ask('GET', `/pages/${id('global')}/render`)).text).toContain('open daily');
  });

  it('shows a notice where an unsaved global block contains itself or is no list', async () => {
    const global = idOf(await callOk(server, 'POST', '/global-blocks', { name: 'Ring', blocks: [] }));
    await addPage('ring', { html: '{% blocks page.blocks %}', blocks: [{ id: 'r1', global }] });
    const own = await preview('ring', { global_blocks: { [global]: [{ id: 'g1', global }] } });
    expect([own.status, own.text]).toEqual([200, expect.stringContaining('contains itself')]);
    const text = await preview('ring', { global_blocks: { [global]: 'words' } });
    expect([text.status, text.text]).toEqual([200, expect.stringContaining('has no list of blocks')]);
    expect((await preview('ring', { global_blocks: [1] })).status).toBe(400);
  });

  it('refuses snippets that are no texts', async () => {
    expect((await preview('framed', { snippets: { frame: 1 } })).status).toBe(400);
    expect((await preview('framed', { snippets: ['frame'] })).status).toBe(400);
  });

  it('contains CSS and JS, and they cannot end their elements', async () => {
    const { text } = await preview('draft');
    expect(text).not.toContain('/_assets/');
    expect(text.match(/<style>[\s\S]*?<\/style>/g)).toEqual([
      '<style>\n.inherited { }\n</style>',
      '<style>\n.own { color: red } /* <\\/style> */\n</style>',
    ]);
    expect(text).toContain('<script>\nconst own = "<\\/script>\\x3C!--";\n</script>\n</body>');
  });

  it('renders unsaved assignments and contents of assets', async () => {
    const { text } = await preview('draft', {
      assets: [{ asset_id: js }, { asset_id: 9999 }],
      overrides: { [js]: 'export const x = 1;', [inheritedCss]: '.changed { }' },
    });
    expect(text.match(/<style>[\s\S]*?<\/style>/g)).toEqual(['<style>\n.changed { }\n</style>']);
    expect(text).toContain('<script type="module">\nexport const x = 1;\n</script>');
  });

  it('simulates query and subpath', async () => {
    const query = { a: 'x&y=z', b: 2 };
    expect((await preview('draft', { query, rest: ['ignored'] })).text).toContain(
      '<p>draft|x&amp;y=z||True</p>',
    );
    expect(bodyOf(await preview('shop', { rest: ['a', 'b c'] }))).toBe('/shop/a/b c|a,b c');
  });

  it('explains that the template called not_found()', async () => {
    const page = await preview('shop', { rest: ['gone'] });
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('not_found()');
    expect(page.text).toContain('a path below this page that exists');
  });

  it('shows drafts in navigation', async () => {
    expect(bodyOf(await preview('menu')).split(' ')).toContain('draft');
    expect(bodyOf(await visit(server, '/menu'))).not.toContain('draft');
  });

  it('marks links to drafts, whatever the page is shown as, and only where there is a menu', async () => {
    await addPage('linked', {
      html: '{% for entry in children(page.id) %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}',
    });
    await createPage(server, id('linked'), { slug: 'shown', published: true });
    await createPage(server, id('linked'), { slug: 'hidden' });
    const mark = (path: string) => `a[href="${path}"]::after`;
    const { text } = await preview('linked');
    expect(text).toContain('<a href="/linked/hidden">hidden</a>');
    const [style = ''] = /<style data-ic-drafts>[^<]*<\/style>/.exec(text) ?? [];
    expect(style).toContain(mark('/linked/hidden'));
    expect(style).toContain(mark('http://one.test/linked/hidden'));
    expect(style).toContain('a[href^="/linked/hidden\\23 "]::after');
    expect(style).toContain('content: "Entwurf"');
    expect(style).not.toContain('/linked/shown"');
    await callOk(server, 'PUT', `/pages/${id('linked')}`, { lang: 'en' });
    expect((await preview('linked')).text).toContain('content: "Draft"');
    expect((await visit(server, '/linked')).text).not.toContain('data-ic-drafts');
    expect((await preview('shop')).text).not.toContain('data-ic-drafts');
  });

  it('shows an error with its line and a caret under the place', async () => {
    const page = await preview('draft', { html: '<p>\n\t{{ 1|wrong }}<b>\n</p>' });
    expect([page.status, page.type]).toEqual([422, 'text/html; charset=utf-8']);
    expect(page.text).toContain('/draft:2:');
    const [, excerpt = ''] = /<pre>([\s\S]*?)<\/pre>/.exec(page.text) ?? [];
    const [line = '', caret = ''] = excerpt.split('\n');
    expect(line).toBe('2 | \t{{ 1|wrong }}&lt;b&gt;');
    expect(caret).toBe('    \t     ^');
    expect(line.charAt(caret.indexOf('^'))).toBe('w');
  });

  it('shows the wrong line also of a snippet or another field', async () => {
    await createSnippet(server, { name: 'broken', content: 'one\n{% if %}' });
    expect((await preview('draft', { html: '{% include "broken" %}' })).text).toContain('2 | {% if %}');
    expect((await preview('draft', { head: '{% nope %}' })).text).toContain('1 | {% nope %}');
    expect((await preview('draft', { description: '{{ x|nope }}' })).text).toContain('1 | {{ x|nope }}');
  });

  it('shows the tags of page, layout and snippet that led to the error', async () => {
    await createSnippet(server, { name: 'chain-part', content: 'a\n{% include "chain-inner" %}' });
    await createSnippet(server, { name: 'chain-inner', content: '{{ 1 / 0 }}' });
    await createSnippet(server, { name: 'chain-layout', content: '<main>\n {% block main %}{% endblock %}' });
    const html = '{% extends "chain-layout" %}\n{% block main %}\n{% include "chain-part" %}{% endblock %}';
    const { status, text } = await preview('draft', { html });
    expect(status).toBe(422);
    const places = [...text.matchAll(/<p><code>([^<]*)<\/code><\/p>\n<pre>(.*)\n/g)];
    expect(places.map(([, place, line]) => [place, line])).toEqual([
      ['chain-inner:1:4', '1 | {{ 1 / 0 }}'],
      ['chain-part:2:1', '2 | {% include &quot;chain-inner&quot; %}'],
      ['/draft:3:1', '3 | {% include &quot;chain-part&quot; %}{% endblock %}'],
      ['chain-layout:2:2', '2 |  {% block main %}{% endblock %}'],
      ['/draft:1:1', '1 | {% extends &quot;chain-layout&quot; %}'],
    ]);
  });

  it('runs scripts in a sandbox and may not be stored', async () => {
    const { headers } = await preview('draft');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('does not clear the page cache', async () => {
    await visit(server, '/menu');
    await preview('draft');
    await callOk(server, 'POST', `/pages/${id('menu')}/template-data`);
    await callOk(server, 'POST', `/pages/${id('menu')}/sitemap-preview`);
    expect((await visit(server, '/menu')).header('x-cache')).toBe('HIT');
  });

  it('refuses read-only tokens', async () => {
    const token = await addToken(server, 'reader', false);
    const answer = await call(server, 'POST', `/pages/${id('draft')}/preview`, { token, body: {} });
    expect([answer.status, asRecord(answer.body)['error']]).toEqual([403, 'token is read-only']);
  });

  runScenarios(
    () => server,
    [
      { name: 'an unknown page', method: 'POST', path: '/pages/9999/preview', body: {}, ...notFound },
      ...[
        ['html', 1],
        ['title', 'x'.repeat(1001)],
        ['assets', {}],
        ['overrides', []],
        ['query', 'a=1'],
        ['rest', 'a/b'],
      ].map(([field, value]) => ({
        name: `${field} of a wrong form`,
        method: 'POST',
        path: () => `/pages/${id('draft')}/preview`,
        body: { [String(field)]: value },
        ...invalid(String(field)),
      })),
    ],
  );
});

describe('preview links', () => {
  const dayLong = { ttl: 86_400, note: 'for Ada' };
  let url: URL;
  let link: Record<string, unknown>;

  function follow(target = url.pathname + url.search): Promise<Visited> {
    return visit(server, target, { host: 'one.test' });
  }

  it('are created with an address; no later answer contains its token', async () => {
    await addPage('secret', { published: false, html: 'secret' });
    link = await callOk(server, 'POST', `/pages/${id('secret')}/preview-links`, dayLong);
    expect(link).toEqual({
      id: expect.any(Number),
      url: expect.stringMatching(/^http:\/\/one\.test\/secret\?ic_preview=[\w-]{43}$/),
      note: 'for Ada',
      created_at: expect.any(Number),
      expires_at: Number(link['created_at']) + 86_400,
    });
    url = new URL(String(link['url']));
    const listed = await callList(server, `/pages/${id('secret')}/preview-links`);
    expect(listed).toEqual([{ ...link, url: 'http://one.test/secret' }]);
  });

  it('are valid for a week by default', async () => {
    const other = await call(server, 'POST', `/pages/${id('secret')}/preview-links`);
    const { created_at, expires_at, note } = asRecord(other.body);
    expect([other.status, Number(expires_at) - Number(created_at), note]).toEqual([201, 604_800, '']);
  });

  it('show the draft to everybody with the token and to nobody without', async () => {
    const page = await follow();
    expect([page.status, bodyOf(page)]).toEqual([200, 'secret']);
    expect(page.header('x-cache')).toBe('BYPASS');
    expect(page.header('cache-control')).toBe('private, no-store');
    expect(page.header('x-robots-tag')).toBe('noindex, nofollow');
    expect(page.header('referrer-policy')).toBe('no-referrer');
    expect((await follow('/secret')).status).toBe(404);
    expect((await follow('/secret?ic_preview=wrong')).status).toBe(404);
    expect((await follow('/secret?ic_preview=')).status).toBe(404);
  });

  it('open only their page', async () => {
    await addPage('other-secret', { published: false, html: 'other' });
    expect((await follow(`/other-secret${url.search}`)).status).toBe(404);
    expect((await follow(`/menu${url.search}`)).status).toBe(200);
  });

  it('are revoked by deletion', async () => {
    await callOk(server, 'DELETE', `/preview-links/${link['id']}`);
    expect((await follow()).status).toBe(404);
    const left = await callList(server, `/pages/${id('secret')}/preview-links`);
    expect(left.map((entry) => entry['id'])).not.toContain(link['id']);
  });

  it('are deleted with their page', async () => {
    const page = await addPage('gone', { published: false });
    const created = await callOk(server, 'POST', `/pages/${page}/preview-links`, {});
    await callOk(server, 'DELETE', `/pages/${page}`);
    const answer = await call(server, 'DELETE', `/preview-links/${created['id']}`);
    expect(answer.status).toBe(404);
  });

  runScenarios(
    () => server,
    [
      {
        name: 'the shortest time',
        method: 'POST',
        path: () => `/pages/${home}/preview-links`,
        body: { ttl: 1 },
        status: 201,
      },
      {
        name: 'the longest time',
        method: 'POST',
        path: () => `/pages/${home}/preview-links`,
        body: { ttl: 7_776_000 },
        status: 201,
      },
      {
        name: 'no time',
        method: 'POST',
        path: () => `/pages/${home}/preview-links`,
        body: { ttl: 0 },
        ...invalid('ttl'),
      },
      {
        name: 'too long a time',
        method: 'POST',
        path: () => `/pages/${home}/preview-links`,
        body: { ttl: 7_776_001 },
        ...invalid('ttl'),
      },
      {
        name: 'a note that is a number',
        method: 'POST',
        path: () => `/pages/${home}/preview-links`,
        body: { note: 1 },
        ...invalid('note'),
      },
      { name: 'links of an unknown page', method: 'GET', path: '/pages/9999/preview-links', ...notFound },
      {
        name: 'a link to an unknown page',
        method: 'POST',
        path: '/pages/9999/preview-links',
        body: {},
        ...notFound,
      },
      { name: 'an unknown link', method: 'DELETE', path: '/preview-links/9999', ...notFound },
    ],
  );
});

describe('?preview=1', () => {
  let session: string;

  function look(target: string, cookie = `ic_session=${session}`): Promise<Visited> {
    return visit(server, target, { headers: { Cookie: cookie } });
  }

  beforeAll(async () => {
    session = await setUp(server);
  });

  it('shows drafts to administrators, also paths below a catch-all draft', async () => {
    await addPage('draft-shop', { published: false, catch_all: true, html: '[{{ route.slug }}]' });
    const page = await look('/draft?preview=1');
    expect([page.status, page.header('x-cache')]).toEqual([200, 'BYPASS']);
    expect(page.header('cache-control')).toBe('private, no-store');
    expect(bodyOf(await look('/draft-shop/a/b?preview=1'))).toBe('[a/b]');
    expect(bodyOf(await look('/menu?preview=1'))).toContain('draft');
  });

  it('does not change the answer to other visitors', async () => {
    await look('/menu?preview=1');
    expect(bodyOf(await visit(server, '/menu?preview=1'))).not.toContain('draft');
    expect(bodyOf(await visit(server, '/menu'))).not.toContain('draft');
    const [mine, theirs] = await Promise.all([look('/draft?preview=1'), visit(server, '/draft?preview=1')]);
    expect([mine.status, theirs.status]).toEqual([200, 404]);
  });

  it('is ignored without a session, with a token or with another value', async () => {
    expect((await visit(server, '/draft?preview=1')).status).toBe(404);
    expect((await look('/draft?preview=1', 'ic_session=wrong')).status).toBe(404);
    expect((await visit(server, `/draft?preview=1&token=${masterToken}`)).status).toBe(404);
    const headers = { Authorization: `Bearer ${masterToken}` };
    expect((await visit(server, '/draft?preview=1', { headers })).status).toBe(404);
    expect((await look('/draft?preview=0')).status).toBe(404);
    expect((await look('/draft?preview=true')).status).toBe(200);
    expect((await look('/draft')).status).toBe(404);
  });

  it('marks links to drafts in menus', async () => {
    await addPage('linking', { html: '{% for entry in nav() %}<a href="{{ entry.url }}"></a>{% endfor %}' });
    expect((await look('/linking?preview=1')).text).toContain('a[href="/draft"]::after');
    expect((await look('/linking')).text).not.toContain('data-ic-drafts');
  });

  it('is ignored if a bearer header stands beside a valid cookie, because only the header counts', async () => {
    for (const token of [masterToken, 'ic_wrong', '']) {
      const headers = { Cookie: `ic_session=${session}`, Authorization: `Bearer ${token}` };
      expect((await visit(server, '/draft?preview=1', { headers })).status).toBe(404);
    }
    const headers = { Cookie: `ic_session=${session}`, Authorization: 'Basic YTpi' };
    expect((await visit(server, '/draft?preview=1', { headers })).status).toBe(200);
  });

  it('shows administrators the details of an error', async () => {
    await addPage('wrong', { html: '{{ 1|nope }}' });
    const mine = await look('/wrong?preview=1');
    expect([mine.status, mine.text.includes('1 | {{ 1|nope }}')]).toEqual([500, true]);
    const theirs = await visit(server, '/wrong?preview=1');
    expect([theirs.status, theirs.text.includes('nope')]).toEqual([500, false]);
  });

  it('is not needed for the details: a session is enough, and nobody else gets them', async () => {
    const page = await addPage('broken', { html: '{{ 1|nope }}' });
    const explains = async (target: string, cookie = `ic_session=${session}`) => {
      const { status, text, header } = await visit(server, target, { headers: { Cookie: cookie } });
      return [status, text.includes('1 | {{ 1|nope }}'), header('x-cache'), header('cache-control')];
    };
    const mine = [500, true, 'BYPASS', 'private, no-store'];
    const theirs = [500, false, 'BYPASS', 'no-cache'];
    for (let time = 0; time < 2; time++) {
      expect(await explains('/broken')).toEqual(mine);
      expect(await explains('/broken?a=1')).toEqual(mine);
      expect(await explains('/broken', 'ic_session=wrong')).toEqual(theirs);
      expect(await explains('/broken', 'a=b')).toEqual(theirs);
      expect(await explains(`/broken?token=${masterToken}`, 'a=b')).toEqual(theirs);
    }
    const [together, apart] = await Promise.all([explains('/broken'), explains('/broken', '')]);
    expect([together, apart]).toEqual([mine, theirs]);
    const headers = { Cookie: `ic_session=${session}`, Authorization: `Bearer ${masterToken}` };
    expect((await visit(server, '/broken', { headers })).text).not.toContain('nope');

    await callOk(server, 'PUT', `/pages/${page}`, { html: 'mended' });
    expect(await explains('/broken')).toEqual([200, false, 'MISS', 'no-cache']);
    expect(await explains('/broken', '')).toEqual([200, false, 'HIT', 'no-cache']);

    await callOk(server, 'PUT', `/pages/${home}`, { notfound_page_id: page });
    await callOk(server, 'PUT', `/pages/${page}`, { html: '{{ 1|nope }}' });
    expect(await explains('/nowhere')).toEqual(mine);
    expect(await explains('/nowhere', '')).toEqual(theirs);
    await callOk(server, 'PUT', `/pages/${home}`, { notfound_page_id: 0 });
  });
});

describe('?_site=', () => {
  let session: string;
  let other: number;

  function look(target: string, cookies: Record<string, string>, host?: string): Promise<Visited> {
    const Cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    return visit(server, target, { headers: { Cookie }, ...(host === undefined ? {} : { host }) });
  }

  beforeAll(async () => {
    session = await logIn(server);
    other = await createSite(server);
    await callOk(server, 'PUT', `/pages/${other}`, { html: 'other {{ site.url }}' });
    await callOk(server, 'PUT', `/pages/${home}`, { html: 'first' });
  });

  it('shows administrators a website and sets a cookie for it', async () => {
    const page = await look(`/?_site=${other}`, { ic_session: session });
    expect(bodyOf(page)).toBe(`other http://127.0.0.1:${server.port}`);
    expect([page.header('x-cache'), page.header('cache-control')]).toEqual(['BYPASS', 'private, no-store']);
    expect(page.header('set-cookie')).toBe(`ic_site=${other}; Path=/; HttpOnly; SameSite=Lax`);
    const next = await look('/', { ic_session: session, ic_site: String(other) });
    expect(bodyOf(next)).toContain('other');
    expect(next.header('set-cookie')).toBeUndefined();
    expect((await look('/menu', { ic_session: session, ic_site: String(other) })).status).toBe(404);
  });

  it('works while a page of another website is cached, and leaves that page in the cache', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(bodyOf(await visit(server, '/'))).toBe('first');
      expect(bodyOf(await look('/', { ic_session: session, ic_site: String(other) }))).toContain('other');
    }
    expect((await visit(server, '/')).header('x-cache')).toBe('HIT');
  });

  it('is ignored for other visitors, who get the cached page', async () => {
    await visit(server, '/');
    const page = await look('/', { ic_site: String(other) });
    expect([bodyOf(page), page.header('x-cache')]).toEqual(['first', 'HIT']);
    const asked = await look(`/?_site=${other}`, { ic_session: 'wrong' });
    expect([bodyOf(asked), asked.header('set-cookie')]).toEqual(['first', undefined]);
  });

  it('is ignored on a domain of a website', async () => {
    const page = await look(`/?_site=${other}`, { ic_session: session }, 'one.test');
    expect([bodyOf(page), page.header('set-cookie')]).toEqual(['first', undefined]);
    expect(bodyOf(await look('/', { ic_session: session, ic_site: String(other) }, 'one.test'))).toBe(
      'first',
    );
  });

  it.each(['0', '-1', 'x', '9999', ''])('with the value %j shows the website of the host', async (value) => {
    expect(bodyOf(await look(`/?_site=${value}`, { ic_session: session }))).toBe('first');
  });

  it('shows drafts only with ?preview=1', async () => {
    await createPage(server, other, { slug: 'other-draft', html: 'draft' });
    const cookies = { ic_session: session, ic_site: String(other) };
    expect((await look('/other-draft', cookies)).status).toBe(404);
    expect(bodyOf(await look('/other-draft?preview=1', cookies))).toBe('draft');
  });
});
