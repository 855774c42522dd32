import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;
let otherSite: number;
let subpage: number;
let taken: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { domains: 'one.example\nwww.one.example' });
  otherSite = await createSite(server);
  subpage = await createPage(server, site, { slug: 'draft' });
  await createPage(server, site, { slug: 'all', catch_all: true, published: true });
  taken = await createRedirect(server, site, { source: '/taken', target: '/draft' });
  await createRedirect(server, site, { source: '/a', target: '/b' });
  await createRedirect(server, site, { source: '/b', target: '/c' });
});
afterAll(() => server.stop());

/** A POST /redirects that is valid but for the given fields. */
function create(
  name: string,
  fields: object,
  outcome: Pick<Scenario, 'status'> & Partial<Scenario>,
): Scenario {
  return {
    name,
    method: 'POST',
    path: '/redirects',
    body: () => ({ root_id: site, source: `/${freshName('old')}`, target: '/x', ...fields }),
    ...outcome,
  };
}

describe('POST /redirects', () => {
  it('answers with all fields', async () => {
    const before = Math.floor(Date.now() / 1000);
    const redirect = await callOk(server, 'POST', '/redirects', {
      root_id: site,
      source: '/f',
      target: '/t',
    });
    expect(redirect).toEqual({
      id: expect.any(Number),
      root_id: site,
      source: '/f',
      target: '/t',
      status: 301,
      auto: false,
      hits: 0,
      last_hit_at: 0,
      created_at: expect.any(Number),
    });
    expect(Number(redirect['created_at'])).toBeGreaterThanOrEqual(before);
  });

  describe('normalises the source', () => {
    it.each([
      ['/Old/Path', '/old/path'],
      ['no-slash', '/no-slash'],
      ['/trailing/', '/trailing'],
      ['/twice//', '/twice'],
      ['/query?x=1', '/query'],
      ['/fragment#x', '/fragment'],
      ['/Caf%C3%A9', '/café'],
      ['/alte%20seite', '/alte seite'],
      ['https://elsewhere.example/from/URL/?a=b#c', '/from/url'],
      ['  /spaces  ', '/spaces'],
      ['/100%25', '/100%25'],
      ['/50%', '/50%25'],
      ['/bad%ff', '/bad%ff'],
      ['/null%00byte', '/null%00byte'],
    ])('%s is %s', async (source, normalised) => {
      const redirect = await callOk(server, 'POST', '/redirects', { root_id: site, source, target: '/t' });
      expect(redirect['source']).toBe(normalised);
      const again = await callOk(server, 'PUT', `/redirects/${redirect['id']}`, { source: normalised });
      expect(again['source']).toBe(normalised);
    });
  });

  describe('stores the target as sent', () => {
    it.each([
      ['/Target', '/Target'],
      ['no-slash', '/no-slash'],
      ['/page?x=1#part', '/page?x=1#part'],
      ['https://elsewhere.example/A?b#c', 'https://elsewhere.example/A?b#c'],
      ['HTTP://elsewhere.example', 'HTTP://elsewhere.example'],
      ['/späte#teil', '/späte#teil'],
    ])('%s as %s', async (target, stored) => {
      const source = `/${freshName('old')}`;
      const redirect = await callOk(server, 'POST', '/redirects', { root_id: site, source, target });
      expect(redirect['target']).toBe(stored);
    });
  });

  runScenarios(
    () => server,
    [
      ...[
        '/',
        '',
        '   ',
        '/?x=1',
        'https://one.example/',
        '/cms-admin',
        '/cms-admin/login',
        '/API/v1',
        '/media/x.jpg',
        '/_assets/css/1.css',
        '/sitemap.xml',
        '/healthz',
        '/favicon.ico',
        '/robots.txt',
        '/%61pi/x',
        '/draft',
        '/DRAFT/',
        `/${'x'.repeat(2000)}`,
      ].map((source) => create(`source ${source.slice(0, 30)}`, { source }, invalid('source'))),
      ...['/apis', '/media-kit', '/robots.txt.old', '/all/detail'].map((source) =>
        create(`source ${source}`, { source }, { status: 201, fields: { source } }),
      ),
      ...[
        '',
        ' ',
        '//evil.example',
        '/\\evil.example',
        '\\evil.example',
        ' //evil.example',
        'javascript:alert(1)',
        'mailto:a@example.org',
        'ftp://example.org/',
        'https:evil.example',
        'https://',
        'https://user:secret@example.org/',
        'https://a.example/%0d%0aSet-Cookie:x',
        '/a\r\nSet-Cookie: x',
        '/\t/evil.example',
        `/${'x'.repeat(2000)}`,
      ].map((target) =>
        create(`target ${JSON.stringify(target).slice(0, 40)}`, { target }, invalid('target')),
      ),
      ...[0, 200, 303, 308, '301', null].map((status) =>
        create(`status ${JSON.stringify(status)}`, { status }, invalid('status')),
      ),
      create('status 302', { status: 302 }, { status: 201, fields: { status: 302 } }),
      create('without source', { source: undefined }, invalid('source')),
      create('without target', { target: undefined }, invalid('target')),
      create('without root_id', { root_id: undefined }, invalid('root_id')),
      create('unknown website', { root_id: 999_999 }, notFound),
      {
        ...create('subpage as website', {}, invalid('root_id')),
        body: () => ({ root_id: subpage, source: '/s', target: '/x' }),
      },
      create(
        'taken source',
        { source: '/TAKEN/' },
        { status: 409, code: 'redirect.sourceTaken', params: { source: '/taken' } },
      ),
      {
        ...create('the same source on another website', {}, { status: 201 }),
        body: () => ({ root_id: otherSite, source: '/taken', target: '/x' }),
      },
      create(
        'to itself',
        { source: '/self', target: '/Self/?x=1#y' },
        { status: 400, code: 'redirect.loop', params: { source: '/self' } },
      ),
      create(
        'to itself by URL',
        { source: '/self', target: 'https://www.one.example/self' },
        { status: 400, code: 'redirect.loop' },
      ),
      ...['/x/../self', '/./Self', '/x/%2E%2e/self?a', '/x\\..\\self', 'https://ONE.example./self'].map(
        (target) =>
          create(
            `to itself by ${target}`,
            { source: '/self', target },
            { status: 400, code: 'redirect.loop' },
          ),
      ),
      create(
        'the same path of another host',
        { source: '/moved-host', target: 'https://x.example/moved-host' },
        { status: 201 },
      ),
      create(
        'loop through two others',
        { source: '/c', target: '/a' },
        { status: 400, code: 'redirect.loop', params: { source: '/c' } },
      ),
      create('chain without loop', { source: '/d', target: '/a' }, { status: 201 }),
      create(
        'read-only fields are ignored',
        { auto: true, hits: 7, id: 12345 },
        { status: 201, fields: { auto: false, hits: 0 } },
      ),
    ],
  );
});

describe('PUT /redirects/{id}', () => {
  const put = (
    name: string,
    body: object,
    outcome: Pick<Scenario, 'status'> & Partial<Scenario>,
  ): Scenario => ({
    name,
    method: 'PUT',
    path: () => `/redirects/${taken}`,
    body,
    ...outcome,
  });
  runScenarios(
    () => server,
    [
      put(
        'changes the status only',
        { status: 302 },
        { status: 200, fields: { source: '/taken', target: '/draft', status: 302 } },
      ),
      put(
        'changes the target only',
        { target: '/elsewhere' },
        { status: 200, fields: { source: '/taken', target: '/elsewhere', status: 302 } },
      ),
      put('keeps its own source', { source: '/Taken' }, { status: 200, fields: { source: '/taken' } }),
      put(
        'ignores root_id, id and created_at',
        { root_id: 999_999, id: 1, created_at: 1 },
        { status: 200, fields: { source: '/taken' } },
      ),
      put('source of another redirect', { source: '/a' }, { status: 409, code: 'redirect.sourceTaken' }),
      put('source of a page', { source: '/draft' }, invalid('source')),
      put('to itself', { target: '/taken' }, { status: 400, code: 'redirect.loop' }),
      put('target of another scheme', { target: 'data:x' }, invalid('target')),
      put('bad status', { status: 307 }, invalid('status')),
      { name: 'unknown', method: 'PUT', path: '/redirects/999999', body: {}, ...notFound },
    ],
  );

  it('refuses a loop that the new target closes, and changes nothing', async () => {
    const source = `/${freshName('ring')}`;
    const first = await createRedirect(server, site, { source, target: '/out' });
    await createRedirect(server, site, { source: `${source}-2`, target: source });
    const answer = await call(server, 'PUT', `/redirects/${first}`, { body: { target: `${source}-2` } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'redirect.loop', params: { source } } });
    const stored = (await callList(server, `/redirects?root_id=${site}`)).find(
      (entry) => entry['id'] === first,
    );
    expect(stored?.['target']).toBe('/out');
  });
});

describe('DELETE /redirects/{id}', () => {
  it('deletes it', async () => {
    const redirect = await createRedirect(server, site);
    expect(await call(server, 'DELETE', `/redirects/${redirect}`)).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await call(server, 'DELETE', `/redirects/${redirect}`)).toMatchObject({
      status: 404,
      body: { code: 'common.notFound' },
    });
  });
});

describe('GET /redirects', () => {
  runScenarios(
    () => server,
    [
      { name: 'without root_id', method: 'GET', path: '/redirects', ...invalid('root_id') },
      { name: 'unknown website', method: 'GET', path: '/redirects?root_id=99999', ...notFound },
      { name: 'subpage', method: 'GET', path: () => `/redirects?root_id=${subpage}`, ...invalid('root_id') },
    ],
  );

  it('lists the redirects of one website sorted by path', async () => {
    const sources = (await callList(server, `/redirects?root_id=${site}`)).map((entry) => entry['source']);
    expect(sources.length).toBeGreaterThan(5);
    expect(sources).toEqual(sources.toSorted());
    const others = await callList(server, `/redirects?root_id=${otherSite}`);
    expect(others.map((entry) => entry['source'])).toEqual(['/taken']);
  });

  it.each([
    ['/nowhere', true],
    ['/draft', false],
    ['/draft?x=1#y', false],
    ['/', false],
    ['/a', false],
    ['/all/any/detail', false],
    ['/media/file.pdf', false],
    ['https://elsewhere.example/nowhere', false],
    ['https://one.example/nowhere', false],
  ])('target %s: target_missing %s', async (target, missing) => {
    const created = await createRedirect(server, site, { target });
    const entry = (await callList(server, `/redirects?root_id=${site}`)).find(
      (item) => item['id'] === created,
    );
    expect(entry).toMatchObject({ target, target_missing: missing });
  });

  it('no longer has the redirects of a deleted website', async () => {
    const gone = await createSite(server);
    const redirect = await createRedirect(server, gone);
    await call(server, 'DELETE', `/pages/${gone}`);
    expect((await call(server, 'PUT', `/redirects/${redirect}`, { body: {} })).status).toBe(404);
  });
});

describe('calls at the same time', () => {
  async function statuses(bodies: readonly object[]): Promise<number[]> {
    const answers = await Promise.all(
      bodies.map((body) => call(server, 'POST', '/redirects', { body: { root_id: site, ...body } })),
    );
    return answers.map((answer) => answer.status).sort();
  }

  it('create only one of twenty redirects from one source', async () => {
    const bodies = Array.from({ length: 20 }, (_, index) => ({ source: '/race', target: `/race-${index}` }));
    expect(await statuses(bodies)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('create no loop: one of ten redirects that would form it is refused', async () => {
    const places = Array.from({ length: 10 }, (_, index) => index);
    const bodies = places.map((index) => ({
      source: `/circle-${index}`,
      target: `/circle-${(index + 1) % 10}`,
    }));
    expect(await statuses(bodies)).toEqual([...Array.from({ length: 9 }, () => 201), 400]);
  });

  it('never give a page and a redirect the same path', async () => {
    const page = { parent_id: site, title: 'shared', slug: 'shared' };
    const [created] = await Promise.all([
      call(server, 'POST', '/pages', { body: page }),
      call(server, 'POST', '/redirects', { body: { root_id: site, source: '/shared', target: '/x' } }),
    ]);
    expect(created.status).toBe(201);
    const sources = (await callList(server, `/redirects?root_id=${site}`)).map((entry) => entry['source']);
    expect(sources).not.toContain('/shared');
  });
});
