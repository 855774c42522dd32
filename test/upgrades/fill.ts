/** Fills an empty server with every kind of object, and with what visits and background work leave behind. */
import { setTimeout as pause } from 'node:timers/promises';
import { visit } from '../conformance/public-client.ts';
import { call } from '../support/api.ts';
import { BundleParts, download, importWithTrueHash } from '../support/bundles.ts';
import { idOf } from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { Origin, runJob } from '../support/origin.ts';
import { Receiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { Admin, type Fields, nobody } from './admin.ts';
import { addTypedEntries } from './fill-fields.ts';
import { addPeople } from './fill-people.ts';
import { addReleases, addTrash } from './fill-releases.ts';
import type { Access } from './state.ts';

const access = {
  username: 'ada',
  password: 'analytical engine',
  secret: 'a very secret value',
} as const;

/** Resolves with what must be known to read what was written. */
export async function fill(server: TestServer): Promise<Access> {
  const session = await setUp(server);
  const admin = new Admin(server, session);
  // A website in two languages with blocks, collections, media, workflows and a source.
  await admin.post('/demo');
  for (const { id } of await admin.list('/sources'))
    await admin.put(`/sources/${id}`, { url: `${nobody}/x` });
  await shrinkPictures(admin);
  const tokens = await addAccess(admin);
  const site = await addPages(admin, tokens.writeToken);
  const files = await addFiles(admin);
  await addEntries(admin, site, files.picture);
  await addWorkflows(admin);
  await addServices(admin);
  await addSettings(admin);
  await importClash(admin);
  await importWebsite(admin);
  await addTypedEntries(admin, site, files.picture);
  await addPeople(admin, site.home);
  await addTrash(admin, site.home);
  await addReleases(admin, site.home);
  const draft = await admin.post(`/pages/${site.draft}/preview-links`, { ttl: 7_776_000, note: 'printer' });
  await visitPages(admin, site.home);
  await breakPage(admin, site.home);
  await admin.post('/bundle/backups');
  await deliver(admin, site.home);
  const { pathname, search } = new URL(String(draft['url']));
  return { ...access, ...tokens, session, signedPaths: [files.signedPath, pathname + search] };
}

/** The photographs of the website would be most of a state. */
async function shrinkPictures(admin: Admin): Promise<void> {
  const { server } = admin;
  for (const { id, name } of await admin.list('/files')) {
    if (!String(name).endsWith('.jpg')) continue;
    const bytes = await draw({ width: 330, height: 220 });
    const answer = await upload(
      server,
      [{ name: String(name), bytes }],
      {},
      { method: 'PUT', path: `/files/${id}` },
    );
    if (answer.status !== 200) throw new Error(`PUT /files/${id}: ${JSON.stringify(answer.body)}`);
  }
}

async function addAccess(admin: Admin): Promise<{ writeToken: string; readToken: string }> {
  await admin.post('/users', { username: 'grace', password: 'compiler of compilers' });
  const write = await admin.post('/tokens', { name: 'writer', can_write: true });
  const read = await admin.post('/tokens', { name: 'reader', can_write: false });
  const tokens = { writeToken: String(write['secret']), readToken: String(read['secret']) };
  // Its last use is noted.
  await call(admin.server, 'GET', '/pages', { token: tokens.writeToken });
  return tokens;
}

async function addPages(admin: Admin, writeToken: string): Promise<{ home: number; draft: number }> {
  const asset = await admin.create('/assets', {
    name: 'odd.css',
    kind: 'css',
    folder: 'odd/deep',
    content: '.a { color: red } /* ä € 😀 */',
  });
  const script = await admin.create('/assets', {
    name: 'odd.js',
    kind: 'js',
    content: 'console.log("</x>");',
  });
  await admin.put(`/assets/${script}`, { content: 'console.log(1);' });
  await admin.create('/snippets', {
    name: 'odd/layout',
    description: 'A layout',
    page_layout: { label: 'Odd', description: 'Odd pages', default: false },
    assets: [{ asset_id: asset }],
    content:
      '<nav>{% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav>' +
      '{% for t in page.translations %}<a href="{{ t.url }}" lang="{{ t.lang }}">{{ t.title }}</a>{% endfor %}' +
      '<main>{% block content %}{% endblock %}</main>',
  });
  const card = await admin.create('/snippets', {
    name: 'odd/card',
    content: '<section><h2>{{ title }}</h2>{{ count }}</section>',
    schema: {
      block: true,
      params: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'count', type: 'number', default: 1.5 },
      ],
    },
  });
  await admin.put(`/snippets/${card}`, { description: 'changed once' });
  await admin.put(`/snippets/${card}`, { description: 'changed twice' });
  const block = { type: 'odd/card', params: { title: 'A block ä', count: 0.1 } };
  const shared = await admin.create('/global-blocks', {
    name: 'odd-shared',
    folder: 'odd',
    description: 'On several pages',
    blocks: [{ id: 'g1', ...block }],
  });
  const home = await admin.create('/sites', { title: 'Odd', domains: 'odd.test\nwww.odd.test' });
  const html = '{% extends "odd/layout" %}{% block content %}<h1>{{ page.title }}</h1>{% endblock %}';
  await admin.put(`/pages/${home}`, { lang: 'en', html, published: true });
  await admin.put(`/pages/${home}/assets`, [{ asset_id: asset, inherit: true }, { asset_id: script }]);
  const page = (fields: Fields) =>
    admin.create('/pages', { parent_id: home, published: true, html, ...fields });
  const missing = await page({ title: 'Not there', slug: 'missing', hide_in_nav: true, noindex: true });
  await admin.put(`/pages/${home}`, {
    notfound_page_id: missing,
    robots_txt: 'User-agent: *\nDisallow: /private',
    meta_title: 'Odd & even',
    description: 'A "description"',
    head: '<meta name="odd" content="1">',
    html_attrs: 'data-a="1"',
    body_attrs: 'class="odd"',
  });
  const english = await page({ title: 'Time', slug: 'time' });
  const german = await page({ title: 'Zeit', slug: 'zeit', lang: 'de' });
  const arabic = await page({ title: 'وقت', slug: 'waqt', lang: 'ar' });
  await admin.post(`/pages/${english}/translations`, { page_id: german });
  await admin.post(`/pages/${english}/translations`, { page_id: arabic });
  await admin.put(`/pages/${english}`, { html: `${html}second version` });
  // A version for each author, because saves of one are put together.
  await call(admin.server, 'PUT', `/pages/${english}`, { token: writeToken, body: { html: `${html}third` } });
  await admin.put(`/pages/${english}`, { html: `${html}fourth version`, title: 'Time itself' });
  await admin.put(`/pages/${german}`, { slug: 'die-zeit' });
  await page({
    title: 'Blocks',
    slug: 'blocks',
    sitemap_exclude: true,
    blocks: [
      { id: 'b1', ...block },
      { id: 'b2', global: shared },
    ],
  });
  await page({ title: 'Catch all', slug: 'all', catch_all: true, no_cache: true, nofollow: true });
  const draft = await page({ title: 'Draft', slug: 'draft', published: false });
  for (const [source, target, status] of [
    ['/old', '/time', 301],
    ['/away', 'https://elsewhere.test/ä?q=1', 302],
  ] as const)
    await admin.create('/redirects', { root_id: home, source, target, status });
  return { home, draft };
}

async function addFiles(admin: Admin): Promise<{ picture: number; signedPath: string }> {
  const folder = await admin.create('/folders', { name: 'Odd files' });
  const inner = await admin.create('/folders', { name: 'Inner', parent_id: folder });
  const { server } = admin;
  const picture = await uploadOne(
    server,
    'odd ä.png',
    await draw({ width: 400, height: 300, format: 'png' }),
    {
      alt: 'Red and blue',
      folder_id: String(inner),
    },
  );
  await admin.put(`/files/${picture['id']}`, { focus_x: 0.25, focus_y: 0.75 });
  await uploadOne(server, 'words.txt', 'Ein Text: ä € 😀\n');
  await uploadOne(server, 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>');
  const secret = await uploadOne(server, 'secret.txt', 'only with a signature', { private: '1' });
  const signed = await admin.post(`/files/${secret['id']}/signed-url`, { ttl: 604_800 });
  return { picture: idOf(picture), signedPath: String(signed['url']) };
}

const oddDates = [
  '0001-01-01',
  '9999-12-31',
  '1582-10-10',
  '1900-02-28',
  '2000-02-29',
  '2024-02-29',
  '2024-02-29T23:59:59Z',
  '2024-03-31T02:30:00+01:00',
  '2026-01-01T00:00:00-12:00',
  '',
];

async function addEntries(admin: Admin, site: { home: number }, picture: number): Promise<void> {
  const things = await admin.create('/collections', {
    slug: 'things',
    name: 'Things ä',
    folder: 'odd',
    public_api: true,
    fields: [{ name: 'title', type: 'text', required: true }],
  });
  const types = ['textarea', 'html', 'markdown', 'number', 'boolean', 'date', 'url', 'image', 'file'];
  const odd = await admin.create('/collections', {
    slug: 'odd',
    public_api: true,
    lang: 'en',
    fields: [
      { name: 'title', label: 'Title', type: 'text', required: true },
      ...types.map((type) => ({ name: type, type })),
      { name: 'select', type: 'select', options: ['a', 'b ä'] },
      { name: 'reference', type: 'reference', collection: things },
      { name: 'references', type: 'references', collection: things },
      { name: 'blocks', type: 'blocks' },
    ],
  });
  const german = await admin.create('/collections', {
    slug: 'odd-de',
    lang: 'de',
    fields: [{ name: 'title', type: 'text' }],
  });
  const items = (collection: number, data: Fields, published = true) =>
    admin.create(`/collections/${collection}/items`, { data, published });
  const first = await items(things, { title: 'First' });
  const second = await items(things, { title: 'Second' }, false);
  for (const [index, date] of oddDates.entries())
    await items(odd, { title: `Date ${index}`, ...(date === '' ? {} : { date }) });
  const full = await items(odd, {
    title: 'Everything',
    textarea: 'a\nb',
    html: '<p>ä &amp; <b>b</b></p>',
    markdown: '# Head\n\n*text*',
    number: -0.1,
    boolean: true,
    date: '2024-12-31',
    url: 'https://a.test/?b=c&d=ä',
    image: picture,
    file: picture,
    select: 'b ä',
    reference: first,
    references: [second, first],
    blocks: [{ id: 'e1', type: 'odd/card', params: { title: 'In an entry' } }],
  });
  await admin.put(`/collections/odd/items/${full}`, { data: { number: 12_345_678.9 } });
  const translated = await items(german, { title: 'Alles' });
  await admin.post(`/collections/odd/items/${full}/translations`, {
    collection: 'odd-de',
    item_id: translated,
  });
  const single = { slug: 'single', singleton: true, fields: [{ name: 'note', type: 'text' }] };
  await admin.create('/collections', single);
  await admin.put('/collections/single/item', { data: { note: 'only one' } });
  const live = { slug: 'live', live: true, fields: [{ name: 'n', type: 'number' }] };
  await admin.create('/collections', live);
  for (const n of [1, 2, 3]) await admin.post('/collections/live/items', { data: { n } });
  const html =
    '{% for x in data("odd") %}<p>{{ x.title }} {{ x.date|date:"j F Y H:i" }} {{ x.number }}</p>{% endfor %}';
  await admin.create('/pages', {
    parent_id: site.home,
    title: 'Dates',
    slug: 'dates',
    published: true,
    html,
  });
}

const node = (id: string, type: string, config: Fields = {}) => ({ id, type, config });
const wire = (from: string, to: string) => ({ from, to });

async function addWorkflows(admin: Admin): Promise<void> {
  await admin.put('/workflow-secrets/KEY', { value: access.secret });
  await admin.create('/flow-nodes', {
    key: 'add_tax',
    name: 'Add tax',
    description: 'd',
    color: '#123456',
    inputs: 1,
    outputs: ['gross'],
    params: [{ name: 'rate', label: 'Rate', type: 'number', default: 19, help: 'in %' }],
    code: 'msg.payload *= 1 + params.rate / 100;\nreturn msg;',
  });
  const workflow = (name: string, nodes: readonly object[], wires: readonly object[]) =>
    admin.create('/workflows', { name, description: 'odd', flow: { nodes, wires } });
  await workflow(
    'secret out',
    [
      node('in', 'http-in', { path: 'secret-out', public: true }),
      node('ask', 'http-request', {
        url: 'http://127.0.0.1:{{ msg.payload.port }}/',
        headers: [{ name: 'X-Key', value: '{{ secret.KEY }}' }],
      }),
      node('out', 'http-response'),
    ],
    [wire('in', 'ask'), wire('ask', 'out')],
  );
  const taxed = await workflow(
    'taxed',
    [
      node('start', 'inject', { payload: '100' }),
      node('tax', 'custom', { node: 'add_tax', params: { rate: 7 } }),
      node('keep', 'function', {
        code: 'await store.set("n", msg.payload);\nconsole.log("ä");\nreturn msg;',
      }),
    ],
    [wire('start', 'tax'), wire('tax', 'keep')],
  );
  await admin.post(`/workflows/${taxed}/run`, { node: 'start' });
  // Due on leap days only, so never while a test runs at the time of the state.
  await workflow(
    'scheduled',
    [node('start', 'inject', { cron: 'CRON_TZ=UTC 0 3 29 2 *', payload: '1' })],
    [],
  );
  const steady = [
    node('in', 'http-in', { path: 'steady', public: true }),
    node('code', 'function', { code: 'msg.payload = { steady: true };\nreturn msg;' }),
    node('out', 'http-response'),
  ];
  await workflow('steady', steady, [wire('in', 'code'), wire('code', 'out')]);
}

async function addServices(admin: Admin): Promise<void> {
  await admin.create('/sources', {
    slug: 'odd-source',
    url: `${nobody}/rows`,
    name: 'Odd source',
    method: 'POST',
    headers: { 'X-Key': 'k' },
    body: '{"a":1}',
    list_path: 'data.rows',
    cache_ttl: 0,
    timeout: 5,
  });
  await admin.create('/pens', {
    title: 'Pen',
    html: '<p>{{ 1|add:2 }}</p>',
    css: 'p { color: red }',
    js: 'let a = 1;',
    public: true,
    show_code: false,
  });
  await admin.put('/extdb', [{ name: 'Shop', url: nobody, token: 'token of the shop' }]);
  await admin.post('/connections', { name: 'Live', url: `${nobody}/api/v1`, token: 'ic_of_the_other' });
  await admin.post('/batch', {
    idempotency_key: 'first-batch',
    on_behalf_of: 'Somebody ä',
    ops: [
      { op: 'create', kind: 'snippet', ref: 's', data: { name: 'batched', content: 'x' } },
      { op: 'create', kind: 'item', collection: 'things', data: { title: 'Batched' } },
    ],
  });
}

async function addSettings(admin: Admin): Promise<void> {
  const mail = { host: '127.0.0.1', port: 9, user: 'u', from: 'a@odd.test', password: 'of the mailbox' };
  await admin.put('/system/mail', mail);
  await admin.put('/security', {
    referrer_policy: 'no-referrer',
    framing: 'domains',
    frame_domains: ['https://frames.test'],
    permissions_policy: true,
    csp: "default-src 'self' 'unsafe-inline' data:",
    csp_report_only: true,
  });
  await admin.put('/geo', { enabled: true });
}

/** Content of another server with an entry whose ID a live entry has here: the other ID that it gets is remembered. */
async function importClash(admin: Admin): Promise<void> {
  const parts = await BundleParts.of(await download(admin.server));
  const [live] = await admin.list('/collections/live/items');
  const things = parts.rows('collections').find(({ slug }) => slug === 'things');
  const items = parts
    .rows('items')
    .map((row) =>
      row['id'] === live?.['id']
        ? { ...row, collection_id: things?.['id'], data: JSON.stringify({ title: 'Elsewhere' }) }
        : row,
    );
  const { status, body } = await importWithTrueHash(admin.server, parts.withRows('items', items).zip());
  if (status !== 200) throw new Error(`POST /bundle: ${status} ${JSON.stringify(body)}`);
}

async function importWebsite(admin: Admin): Promise<void> {
  const origin = await new Origin({
    '/': '<html lang="en"><title>Old</title><link rel="stylesheet" href="/a.css"><p>Old home <a href="/b">b</a>',
    '/b': '<html><title>B</title><p>b <img src="/c.png" alt="c">',
    '/a.css': 'p { color: green }',
    '/c.png': await draw({ width: 8, height: 8, format: 'png' }),
  }).listen();
  const base = origin.url();
  await runJob(admin.server, '/import/scan', { url: base });
  await runJob(admin.server, '/import/run', {
    base,
    urls: [origin.url('/'), origin.url('/b')],
    new_site: { title: 'Imported', domains: 'imported.test' },
    publish: true,
  });
  await origin.close();
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

/** Leaves statistics, a 404 log, hits of redirects, and runs of workflows. */
async function visitPages(admin: Admin, home: number): Promise<void> {
  const paths = ['/', '/time', '/die-zeit', '/nowhere', '/nowhere?x=1', '/gone/ä', '/old', '/words.txt'];
  for (const path of paths)
    for (const client of ['198.51.100.7', '2001:db8::7']) {
      const headers = {
        'User-Agent': firefox,
        'X-Forwarded-For': client,
        Referer: 'https://search.test/a?b',
      };
      await visit(admin.server, encodeURI(path), { host: 'odd.test', headers });
    }
  await visit(admin.server, '/api/v1/flows/steady');
  await admin.put(`/notfound?root_id=${home}&path=/nowhere`, { ignored: true });
}

/** Leaves a page that visitors cannot see since a change of another object. */
async function breakPage(admin: Admin, home: number): Promise<void> {
  const part = await admin.create('/snippets', { name: 'odd/part', content: 'good' });
  const html = '{% include "odd/part" %}';
  await admin.create('/pages', { parent_id: home, title: 'Fragile', slug: 'fragile', published: true, html });
  await visit(admin.server, '/fragile', { host: 'odd.test' });
  await admin.put(`/snippets/${part}`, { content: '{{ 1|nofilter }}' });
  while ((await admin.list(`/sites/${home}/failing-pages`)).length === 0) await pause(50);
}

/** Comes last, so that no event waits for an answer when the server is stopped. */
async function deliver(admin: Admin, home: number): Promise<void> {
  const receiver = new Receiver();
  await receiver.listen();
  const { id } = await admin.post('/webhooks', {
    url: receiver.url,
    name: 'Hook',
    events: ['content.changed', 'schema.changed', 'batch.applied'],
    enabled: true,
    secret: 'a secret of a webhook',
  });
  await admin.post(`/webhooks/${id}/test`);
  await admin.put(`/pages/${home}`, { title: 'Odd at last' });
  await receiver.until(2);
  await admin.put(`/webhooks/${id}`, { enabled: false, url: `${nobody}/hook` });
  await receiver.close();
}
