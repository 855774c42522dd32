import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet, freshSlug, idOf } from '../support/content.ts';
import { check, invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let siteId: number;
let pageId: number;
let assetId: number;

beforeAll(async () => {
  server = await startServer();
  siteId = await createSite(server);
  pageId = await createPage(server, siteId, { slug: 'first' });
  assetId = await createAsset(server, { name: 'a.css' });
});
afterAll(() => server.stop());

describe('POST /pages', () => {
  it('answers 201 with every field of a page, flags false', async () => {
    const slug = freshSlug();
    const page = await callOk(server, 'POST', '/pages', { parent_id: siteId, title: 'All', slug });
    expect(page).toEqual({
      id: expect.any(Number),
      parent_id: siteId,
      root_id: siteId,
      slug,
      path: `/${slug}`,
      sort: expect.any(Number),
      title: 'All',
      meta_title: '',
      html: '',
      head: '',
      description: '',
      html_attrs: '',
      body_attrs: '',
      lang: '',
      effective_lang: 'de',
      translation_group: '',
      published: false,
      catch_all: false,
      no_cache: false,
      sitemap_exclude: false,
      noindex: false,
      nofollow: false,
      hide_in_nav: false,
      sitemap_source: null,
      source_url: '',
      import_root: 0,
      local_modified: false,
      renders_blocks: false,
      regions: {},
      region_schema: [],
      domains: '',
      default_site: false,
      notfound_page_id: 0,
      og_image_file_id: 0,
      favicon_file_id: 0,
      robots_txt: '',
      zone: '',
      assets: [],
      blocks: [],
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      warnings: [],
    });
    const answer = await call(server, 'POST', '/pages', {
      body: { parent_id: siteId, title: 'x', slug: freshSlug() },
    });
    expect(answer.status).toBe(201);
  });

  it('stores every writable field', async () => {
    const fields = {
      title: 'Ä "title" <b>',
      meta_title: 'm {{ page.title }}',
      html: '<p>\u2028 💡</p>',
      head: '<meta name="x">',
      description: 'd',
      html_attrs: 'data-a="1"',
      body_attrs: 'class="b"',
      lang: 'en-GB',
      published: true,
      catch_all: true,
      no_cache: true,
      sitemap_exclude: true,
      noindex: true,
      nofollow: true,
      hide_in_nav: true,
      sitemap_source: { type: 'workflow', path: 'x/y', column: 'c', lastmod: 'l' },
      assets: [{ asset_id: assetId, inherit: true }],
    };
    const id = await createPage(server, siteId, fields);
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({
      ...fields,
      lang: 'en-gb',
      effective_lang: 'en-gb',
      assets: [{ asset_id: assetId, inherit: true, name: 'a.css', kind: 'css' }],
    });
  });

  it('adds the page after its siblings', async () => {
    const parent = await createPage(server, siteId);
    for (const slug of ['a', 'b', 'c']) await createPage(server, parent, { slug });
    const children = (await callList(server, '/pages')).filter((page) => page['parent_id'] === parent);
    expect(children.map(({ slug, sort }) => [slug, sort])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('ignores read-only and unknown fields', async () => {
    const slug = freshSlug();
    const sent = {
      id: 4711,
      path: '/evil',
      root_id: 99,
      sort: 77,
      import_root: 5,
      source_url: 'x',
      created_at: 1,
    };
    const page = await callOk(server, 'POST', '/pages', {
      parent_id: siteId,
      title: 'x',
      slug,
      ...sent,
      nonsense: {},
    });
    expect(page).toMatchObject({ path: `/${slug}`, root_id: siteId, import_root: 0, source_url: '' });
    expect(page['id']).not.toBe(4711);
    expect(page['created_at']).not.toBe(1);
    expect(page).not.toHaveProperty('nonsense');
  });

  it('ignores the fields of a website', async () => {
    const site = {
      domains: 'ignored.example',
      default_site: true,
      notfound_page_id: 999,
      favicon_file_id: 999,
      robots_txt: 'x',
    };
    const page = await callOk(server, 'POST', '/pages', {
      parent_id: siteId,
      title: 'x',
      slug: freshSlug(),
      ...site,
    });
    expect(page).toMatchObject({
      domains: '',
      default_site: false,
      notfound_page_id: 0,
      favicon_file_id: 0,
      robots_txt: '',
    });
  });

  const post = (name: string, body: object, outcome: Partial<Scenario>): Scenario => ({
    name,
    method: 'POST',
    path: '/pages',
    body: () => ({ parent_id: siteId, title: 'T', slug: 'refused', ...body }),
    status: 400,
    ...outcome,
  });

  describe('refuses and writes nothing', () => {
    let before: number;
    beforeEach(async () => {
      before = (await callList(server, '/pages')).length;
    });
    runScenarios(
      () => server,
      [
        post('no parent', { parent_id: undefined }, invalid('parent_id')),
        post('parent null', { parent_id: null }, invalid('parent_id')),
        post('parent of a wrong type', { parent_id: '1' }, invalid('parent_id')),
        post('unknown parent', { parent_id: 99999 }, notFound),
        post('no title', { title: undefined }, invalid('title')),
        post('empty title', { title: '' }, invalid('title')),
        post('blank title', { title: ' \n' }, invalid('title')),
        post('title of a wrong type', { title: 7 }, invalid('title')),
        post('title over 1,000 characters', { title: 'x'.repeat(1001) }, invalid('title')),
        post('no slug', { slug: undefined }, invalid('slug')),
        ...['', 'Upper', 'a b', 'ä', '-a', '.a', '_a', 'a/b', 'a\n', 'a%20b', 'x'.repeat(201)].map((slug) =>
          post(
            `slug ${JSON.stringify(slug.slice(0, 10))}`,
            { slug },
            {
              code: 'page.slugInvalid',
              params: { slug: slug.slice(0, 200) },
            },
          ),
        ),
        post(
          'taken slug',
          { slug: 'first' },
          { status: 409, code: 'page.slugTaken', params: { slug: 'first' } },
        ),
        post('flag of a wrong type', { published: 'yes' }, invalid('published')),
        post('text null', { html: null }, invalid('html')),
        post('template over 2 MB', { html: 'x'.repeat(2 * 2 ** 20 + 1) }, invalid('html')),
        ...['de_DE', 'english language', 'd', '1', 'de-', 'de--at', '-'].map((lang) =>
          post(
            `lang ${JSON.stringify(lang)}`,
            { lang },
            { code: 'translation.langInvalid', params: { lang } },
          ),
        ),
        post('assets that are no list', { assets: {} }, invalid('assets')),
        post('an asset without id', { assets: [{}] }, invalid('assets.0.asset_id')),
        post('an unknown asset', { assets: [{ asset_id: 99999 }] }, invalid('assets.0.asset_id')),
        post('a file that does not exist', { og_image_file_id: 1 }, invalid('og_image_file_id')),
        post('a negative file', { og_image_file_id: -1 }, invalid('og_image_file_id')),
        post(
          'a sitemap source without catch_all',
          { sitemap_source: { type: 'workflow', path: 'x' } },
          invalid('sitemap_source'),
        ),
        ...[
          ['of an unknown type', { type: 'x' }, 'sitemap_source'],
          ['without type', {}, 'sitemap_source'],
          ['that is a text', 'x', 'sitemap_source'],
          ['extdb without table', { type: 'extdb', connection: 'c' }, 'sitemap_source.table'],
          ['extdb without connection', { type: 'extdb', table: 't' }, 'sitemap_source.connection'],
          ['workflow without path', { type: 'workflow' }, 'sitemap_source.path'],
          [
            'with an unknown operator',
            { type: 'extdb', connection: 'c', table: 't', rules: [{ col: 'a', op: '=', val: 1 }] },
            'sitemap_source.rules.0.op',
          ],
        ].map(([name, sitemap_source, field]) =>
          post(`a sitemap source ${name}`, { catch_all: true, sitemap_source }, invalid(String(field))),
        ),
        post(
          'layout_id that does not exist',
          { layout_id: 99999 },
          { code: 'page.layoutUnknown', params: { id: 99999 } },
        ),
      ],
    );
    it.each([[[]], ['text'], [7], [null]])('a body that is %j', async (body) => {
      const answer = await call(server, 'POST', '/pages', { body });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'body' } },
      });
    });
    afterAll(async () => {
      expect((await callList(server, '/pages')).length).toBe(before);
    });
  });

  it('allows slugs on lower levels that are reserved or taken on the top level', async () => {
    for (const slug of ['api', 'media', 'sitemap.xml', 'first', '0', 'a.b_c-d']) {
      await createPage(server, pageId, { slug });
    }
    const refused = {
      method: 'POST',
      path: '/pages',
      body: { parent_id: pageId, title: 'x', slug: '_assets' },
    };
    await check(server, {
      name: '_assets is never valid',
      ...refused,
      status: 400,
      code: 'page.slugInvalid',
    });
  });

  it.each([
    ['de', 'de'],
    ['DE-at', 'de-at'],
    ['zh-cmn-Hans-CN', 'zh-cmn-hans-cn'],
    ['de-CH-1996', 'de-ch-1996'],
    ['en-u-ca-gregory', 'en-u-ca-gregory'],
    ['x-private', 'x-private'],
    ['', ''],
  ])('stores the language %j as %j', async (lang, normalized) => {
    const id = await createPage(server, siteId, { lang });
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ lang: normalized });
  });

  describe('with layout_id', () => {
    let layoutId: number;
    let plainId: number;
    beforeAll(async () => {
      const page_layout = { label: 'Article' };
      layoutId = await createSnippet(server, { name: 'layout/article', page_layout });
      plainId = await createSnippet(server);
    });

    it('extends the layout', async () => {
      const id = await createPage(server, siteId, { layout_id: layoutId, html: '' });
      expect((await callOk(server, 'GET', `/pages/${id}`))['html']).toBe('{% extends "layout/article" %}');
    });
    it('refuses html beside it', async () => {
      const body = { parent_id: siteId, title: 'x', slug: freshSlug(), layout_id: layoutId, html: 'x' };
      await check(server, {
        name: '',
        method: 'POST',
        path: '/pages',
        body,
        status: 400,
        code: 'page.layoutWithHTML',
      });
    });
    it('refuses a snippet that is no page layout', async () => {
      const body = { parent_id: siteId, title: 'x', slug: freshSlug(), layout_id: plainId };
      const outcome = { status: 400, code: 'page.layoutUnknown', params: { id: plainId } };
      await check(server, { name: '', method: 'POST', path: '/pages', body, ...outcome });
    });
    it('is ignored when null', async () => {
      const id = await createPage(server, siteId, { layout_id: null, html: 'own' });
      expect((await callOk(server, 'GET', `/pages/${id}`))['html']).toBe('own');
    });
  });
});

describe('GET /pages', () => {
  it('lists by parent and position, without html, head, blocks and renders_blocks', async () => {
    const pages = await callList(server, '/pages');
    const keys = pages.map((page) => [Number(page['parent_id'] ?? 0), Number(page['sort'])]);
    expect(keys).toEqual([...keys].sort(([p1 = 0, s1 = 0], [p2 = 0, s2 = 0]) => p1 - p2 || s1 - s2));
    for (const page of pages) {
      expect(page).toMatchObject({ assets: expect.any(Array), effective_lang: expect.any(String) });
      for (const name of ['html', 'head', 'blocks', 'renders_blocks']) expect(page).not.toHaveProperty(name);
    }
  });

  it('lists only websites with roots=1', async () => {
    const roots = await callList(server, '/pages?roots=1');
    expect(roots.map((page) => page['parent_id'])).toEqual([null]);
    expect((await callList(server, '/pages?roots=0')).length).toBeGreaterThan(1);
  });

  it('includes the assets of each page in loading order', async () => {
    const second = await createAsset(server, { name: 'b.js', kind: 'js' });
    const assets = [{ asset_id: second }, { asset_id: assetId, inherit: true }];
    const id = await createPage(server, siteId, { assets });
    const listed = (await callList(server, '/pages')).find((page) => page['id'] === id);
    expect(listed?.['assets']).toEqual([
      { asset_id: second, inherit: false, name: 'b.js', kind: 'js' },
      { asset_id: assetId, inherit: true, name: 'a.css', kind: 'css' },
    ]);
  });
});

describe('GET /pages/{id}', () => {
  runScenarios(
    () => server,
    ['0', '-1', 'abc', '1.5', '01', '1e0', '99999', '9007199254740993', '%00', '+1', '1%20'].map((id) => ({
      name: `id ${id}`,
      method: 'GET',
      path: `/pages/${id}`,
      ...notFound,
    })),
  );

  it('reads an id that is percent-encoded', async () => {
    const encoded = [...String(siteId)].map((digit) => `%3${digit}`).join('');
    expect(await callOk(server, 'GET', `/pages/${encoded}`)).toMatchObject({ id: siteId });
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await call(server, 'GET', `/pages/${pageId}`);
    const head = await call(server, 'HEAD', `/pages/${pageId}`);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('effective_lang', () => {
  it('is the language of the page, or of the nearest page above, or de', async () => {
    const a = await createPage(server, siteId, { lang: 'fr' });
    const b = await createPage(server, a);
    const c = await createPage(server, b, { lang: 'it' });
    const d = await createPage(server, c);
    const e = await createPage(server, siteId);
    const listed = new Map(
      (await callList(server, '/pages')).map((page) => [page['id'], page['effective_lang']]),
    );
    for (const [id, lang] of [
      [a, 'fr'],
      [b, 'fr'],
      [c, 'it'],
      [d, 'it'],
      [e, 'de'],
    ] as const) {
      expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ effective_lang: lang });
      expect(listed.get(id)).toBe(lang);
    }
  });
});

describe('PUT /pages/{id}', () => {
  it('changes only the fields that are sent', async () => {
    const fields = {
      title: 'x',
      html: 'h',
      head: 'hd',
      lang: 'fr',
      published: true,
      assets: [{ asset_id: assetId }],
    };
    const id = await createPage(server, siteId, fields);
    const before = await callOk(server, 'GET', `/pages/${id}`);
    const after = await callOk(server, 'PUT', `/pages/${id}`, { description: 'new' });
    const { updated_at, local_modified, description, warnings, ...rest } = after;
    expect(before).toMatchObject(rest);
    expect({ local_modified, description, warnings }).toEqual({
      local_modified: true,
      description: 'new',
      warnings: [],
    });
    expect(Number(updated_at)).toBeGreaterThan(Number(before['updated_at']));
    expect(await callOk(server, 'GET', `/pages/${id}`)).toEqual({
      ...before,
      updated_at,
      local_modified,
      description,
    });
  });

  it('a changed slug alone leaves local_modified false, and does not take it back', async () => {
    const id = await createPage(server, siteId);
    const rename = (fields = {}) => callOk(server, 'PUT', `/pages/${id}`, { slug: freshSlug(), ...fields });
    expect(await rename()).toMatchObject({ local_modified: false });
    expect(await rename({ title: 'edited' })).toMatchObject({ local_modified: true });
    expect(await rename()).toMatchObject({ local_modified: true });
  });

  it('changes nothing when its own answer is sent back', async () => {
    const id = await createPage(server, siteId, { html: 'h', catch_all: true });
    const before = await callOk(server, 'PUT', `/pages/${id}`, {});
    const { updated_at: _before, ...same } = before;
    expect(await callOk(server, 'PUT', `/pages/${id}`, before)).toMatchObject(same);
  });

  it('raises updated_at by at least one second with every change', async () => {
    const id = await createPage(server, siteId);
    let last = Number((await callOk(server, 'GET', `/pages/${id}`))['updated_at']);
    for (let round = 0; round < 5; round++) {
      const updatedAt = Number(
        (await callOk(server, 'PUT', `/pages/${id}`, { title: `x${round}` }))['updated_at'],
      );
      expect(updatedAt).toBeGreaterThan(last);
      last = updatedAt;
    }
  });

  it('ignores id, created_at, parent_id, sort and other read-only fields', async () => {
    const id = await createPage(server, siteId);
    const before = await callOk(server, 'GET', `/pages/${id}`);
    const sent = { id: 1, created_at: 1, updated_at: 1, parent_id: pageId, sort: 99, path: '/x', root_id: 7 };
    const readOnly = { effective_lang: 'xx', local_modified: false, translation_group: 'g', import_root: 9 };
    const after = await callOk(server, 'PUT', `/pages/${id}`, { ...sent, ...readOnly });
    const kept = [
      'id',
      'created_at',
      'parent_id',
      'sort',
      'path',
      'root_id',
      'effective_lang',
      'translation_group',
    ];
    for (const name of kept) expect([name, after[name]]).toEqual([name, before[name]]);
    expect(after).toMatchObject({ local_modified: false, updated_at: before['updated_at'] });
  });

  it('changes the paths of all subpages with the slug', async () => {
    const slug = freshSlug();
    const top = await createPage(server, siteId, { slug });
    // A sibling whose slug begins with the same text must keep its path.
    const neighbour = await createPage(server, siteId, { slug: `${slug}-more` });
    const child = await createPage(server, top, { slug: 'child' });
    const grandchild = await createPage(server, child, { slug: 'grand' });
    const renamed = await callOk(server, 'PUT', `/pages/${top}`, { slug: `${slug}.new` });
    expect(renamed).toMatchObject({ slug: `${slug}.new`, path: `/${slug}.new` });
    const path = async (id: number) => (await callOk(server, 'GET', `/pages/${id}`))['path'];
    expect(await path(child)).toBe(`/${slug}.new/child`);
    expect(await path(grandchild)).toBe(`/${slug}.new/child/grand`);
    expect(await path(neighbour)).toBe(`/${slug}-more`);
  });

  it('sets sitemap_source to null when catch_all becomes false', async () => {
    const sitemap_source = {
      type: 'extdb',
      connection: 'c',
      table: 't',
      match: 'or',
      rules: [{ col: 'a', op: 'eq', val: 1 }],
    };
    const id = await createPage(server, siteId, { catch_all: true, sitemap_source });
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ sitemap_source });
    expect(await callOk(server, 'PUT', `/pages/${id}`, { catch_all: false })).toMatchObject({
      sitemap_source: null,
    });
  });

  const put = (name: string, body: object, outcome: Partial<Scenario>): Scenario => ({
    name,
    method: 'PUT',
    path: () => `/pages/${pageId}`,
    body: () => body,
    status: 400,
    ...outcome,
  });
  describe('refuses and changes nothing', () => {
    let before: Record<string, unknown>;
    beforeEach(async () => {
      before = await callOk(server, 'GET', `/pages/${pageId}`);
      await createPage(server, siteId, { slug: 'taken' }).catch(() => undefined);
    });
    afterAll(async () => {
      expect(await callOk(server, 'GET', `/pages/${pageId}`)).toEqual(before);
    });
    runScenarios(
      () => server,
      [
        put('empty title', { title: '' }, invalid('title')),
        put('slug', { slug: 'A' }, { code: 'page.slugInvalid', params: { slug: 'A' } }),
        put(
          'taken slug',
          { slug: 'taken' },
          { status: 409, code: 'page.slugTaken', params: { slug: 'taken' } },
        ),
        put('lang', { lang: '?' }, { code: 'translation.langInvalid', params: { lang: '?' } }),
        put('assets', { title: 'no', assets: [{ asset_id: 0 }] }, invalid('assets.0.asset_id')),
        put('wrong base', { title: 'no', base_updated_at: 1 }, { status: 409, code: 'common.conflict' }),
        {
          ...put('unknown page', { title: 'x' }, notFound),
          path: '/pages/99999',
        },
      ],
    );
  });

  it('answers a conflict with the current updated_at', async () => {
    const id = await createPage(server, siteId);
    const { updated_at } = await callOk(server, 'GET', `/pages/${id}`);
    const base_updated_at = Number(updated_at) - 1;
    const answer = await call(server, 'PUT', `/pages/${id}`, { body: { title: 'lost', base_updated_at } });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: expect.any(String), code: 'common.conflict', conflict: true, updated_at },
    });
    const accepted = await call(server, 'PUT', `/pages/${id}`, {
      body: { title: 'won', base_updated_at: updated_at },
    });
    expect(accepted).toMatchObject({ status: 200, body: { title: 'won' } });
  });
});

describe('PUT /pages/{id}/assets', () => {
  it('replaces the assignments and marks the page as modified', async () => {
    const id = await createPage(server, siteId, { assets: [{ asset_id: assetId }] });
    const before = await callOk(server, 'GET', `/pages/${id}`);
    const page = await callOk(server, 'PUT', `/pages/${id}/assets`, []);
    expect(page).toMatchObject({ id, assets: [], local_modified: true });
    expect(Number(page['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });

  it('keeps the first of two equal assets', async () => {
    const id = await createPage(server, siteId);
    const twice = [{ asset_id: assetId, inherit: true }, { asset_id: assetId }];
    expect(await callOk(server, 'PUT', `/pages/${id}/assets`, twice)).toMatchObject({
      assets: [{ asset_id: assetId, inherit: true }],
    });
  });

  runScenarios(
    () => server,
    [
      { name: 'no list', body: {}, field: 'body' },
      { name: 'unknown asset', body: [{ asset_id: 99999 }], field: '0.asset_id' },
      { name: 'wrong type', body: [{ asset_id: 'x' }], field: '0.asset_id' },
    ].map(({ name, body, field }) => ({
      name,
      method: 'PUT',
      path: () => `/pages/${pageId}/assets`,
      body,
      ...invalid(field),
    })),
  );
});

describe('DELETE /pages/{id}', () => {
  it('deletes the subpages too and no other pages', async () => {
    const slug = freshSlug();
    const top = await createPage(server, siteId, { slug });
    const neighbour = await createPage(server, siteId, { slug: `${slug}0` });
    const child = await createPage(server, top);
    const answer = await call(server, 'DELETE', `/pages/${top}`);
    expect(answer).toMatchObject({ status: 204, body: undefined });
    for (const id of [top, child]) expect((await call(server, 'GET', `/pages/${id}`)).status).toBe(404);
    expect((await call(server, 'GET', `/pages/${neighbour}`)).status).toBe(200);
    expect((await call(server, 'DELETE', `/pages/${top}`)).status).toBe(404);
  });

  it('never gives an id a second time', async () => {
    const id = await createPage(server, siteId);
    await callOk(server, 'DELETE', `/pages/${id}`);
    expect(await createPage(server, siteId)).toBeGreaterThan(id);
  });
});

describe('warnings', () => {
  it('name the template, line and column of a syntax error, and the page is saved', async () => {
    const slug = freshSlug();
    const html = 'line\n{{ a | }}';
    const answer = await call(server, 'POST', '/pages', {
      body: { parent_id: siteId, title: 'x', slug, html },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        html,
        warnings: [
          {
            code: 'template.syntax',
            error: expect.stringContaining(`/${slug}:2:`),
            params: {
              template: `/${slug}`,
              line: 2,
              column: expect.any(Number),
              message: expect.any(String),
            },
          },
        ],
      },
    });
    const id = idOf(asRecord(answer.body));
    expect(await callOk(server, 'PUT', `/pages/${id}`, { html: 'good' })).toMatchObject({ warnings: [] });
  });

  it('name the field of the page', async () => {
    const slug = freshSlug();
    const wrong = '{{ a | }}';
    const templates = { html: wrong, head: wrong, meta_title: wrong, description: wrong };
    const answer = await call(server, 'POST', '/pages', {
      body: { parent_id: siteId, title: 'x', slug, ...templates },
    });
    const names = [`/${slug}`, `/${slug} (head)`, `/${slug} (meta_title)`, `/${slug} (description)`];
    expect(answer).toMatchObject({
      status: 201,
      body: {
        warnings: names.map((template) => ({
          code: 'template.syntax',
          error: expect.stringContaining(`${template}:1:8: `),
          params: { template, line: 1, column: 8 },
        })),
      },
    });
  });

  it('suggest what was probably meant, in a page with the variables of the system', async () => {
    const layout = `layout-${freshSlug()}`;
    const content = '<main>{% block main %}{% endblock %}</main>{{ colour }}';
    expect(await call(server, 'POST', '/snippets', { body: { name: layout, content } })).toMatchObject({
      status: 201,
      body: { warnings: [] },
    });
    const slug = freshSlug();
    const html = `{% extends "${layout}" %}\n{% block mian %}{{ pgae.title }}{% endblock %}`;
    const page = await call(server, 'POST', '/pages', {
      body: { parent_id: siteId, title: 'x', slug, html, meta_title: `{% include "${layout}s" %}` },
    });
    const template = `/${slug}`;
    expect(page).toMatchObject({
      status: 201,
      body: {
        warnings: [
          {
            code: 'template.unknownBlock',
            error: `${template}:2:1: no layout has a block "mian", so it never shows (did you mean "main"?)`,
            params: { template, line: 2, column: 1, name: 'mian', suggestion: 'main' },
          },
          {
            code: 'template.unknownVariable',
            params: { template, line: 2, column: 20, name: 'pgae', suggestion: 'page' },
          },
          {
            code: 'template.unknownSnippet',
            params: { template: `${template} (meta_title)`, name: `${layout}s`, suggestion: layout },
          },
        ],
      },
    });
  });

  it('report values in places where escaping is not enough, in a layout and in a page that extends it', async () => {
    const layout = `layout-${freshSlug()}`;
    const snippet = await call(server, 'POST', '/snippets', {
      body: { name: layout, content: '<script>{% block data %}{% endblock %}</script><a href="{{ u }}">' },
    });
    const unsafe = (template: string, line: number, column: number, place: string, name: string) => ({
      code: 'template.unsafeContext',
      error: expect.stringContaining(`${template}:${line}:${column}: `),
      params: { template, line, column, place, name },
    });
    expect(snippet).toMatchObject({
      status: 201,
      body: { warnings: [unsafe(layout, 1, 60, 'address', 'href')] },
    });
    const slug = freshSlug();
    const html = `{% extends "${layout}" %}\n{% block data %}v = "{{ page.title }}"{% endblock %}`;
    const page = await call(server, 'POST', '/pages', {
      body: { parent_id: siteId, title: 'x', slug, html, head: '<p {{ page.title }}>' },
    });
    expect(page).toMatchObject({
      status: 201,
      body: {
        warnings: [
          unsafe(`/${slug}`, 2, 25, 'script', 'script'),
          unsafe(`/${slug} (head)`, 1, 7, 'tag', 'p'),
        ],
      },
    });
  });
});
