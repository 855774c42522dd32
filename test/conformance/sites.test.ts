import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { invalid, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let first: number;
let second: number;

beforeAll(async () => {
  server = await startServer();
  first = await createSite(server, { domains: 'first.example\nwww.first.example' });
  second = await createSite(server, { domains: 'second.example' });
});
afterAll(() => server.stop());

describe('POST /sites', () => {
  it('answers 201 with a published root page that has a default template', async () => {
    const answer = await call(server, 'POST', '/sites', { body: { title: 'New' } });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        title: 'New',
        parent_id: null,
        slug: '',
        path: '/',
        published: true,
        default_site: false,
        domains: '',
        html: expect.stringMatching(/\S/),
        warnings: [],
      },
    });
    const { id, root_id } = await callOk(server, 'POST', '/sites', { title: 'Another' });
    expect(root_id).toBe(id);
  });

  it('takes the language of the website', async () => {
    const site = await callOk(server, 'POST', '/sites', {
      title: 'English',
      lang: 'EN',
      domains: 'en.example',
    });
    expect(site).toMatchObject({ lang: 'en', effective_lang: 'en' });
    expect(await fetchWithHost('en.example', '/')).toContain('<html lang="en"');
    const body = { title: 'None', lang: '!' };
    expect(await call(server, 'POST', '/sites', { body })).toMatchObject({
      status: 400,
      body: { code: 'translation.langInvalid', params: { lang: '!' } },
    });
  });

  it('serves the new website at its domain at once', async () => {
    await createSite(server, { title: 'Visible <1>', domains: 'visible.example' });
    const response = await fetchWithHost('visible.example', '/');
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain('<h1>Visible &lt;1&gt;</h1>');
  });

  runScenarios(
    () => server,
    [
      { name: 'no title', body: { domains: '' }, ...invalid('title') },
      { name: 'empty title', body: { title: '' }, ...invalid('title') },
      { name: 'domains of a wrong type', body: { title: 'x', domains: ['a.b'] }, ...invalid('domains') },
      ...[
        'a b.example',
        'http://',
        'x@y.example',
        '-',
        'a..b',
        '.a',
        '/..',
        `${'x'.repeat(64)}.example`,
        'a\u0000b',
      ].map((domains) => ({
        name: `domain ${JSON.stringify(domains)}`,
        body: { title: 'x', domains },
        ...invalid('domains'),
      })),
    ].map((scenario) => ({ ...scenario, method: 'POST', path: '/sites' })),
  );

  it('refuses the domain of another website and creates nothing', async () => {
    const count = (await callList(server, '/pages?roots=1')).length;
    const body = { title: 'Thief', domains: 'new.example\nHTTPS://First.Example:8443/path' };
    expect(await call(server, 'POST', '/sites', { body })).toMatchObject({
      status: 409,
      body: { code: 'site.domainTaken', params: { domain: 'first.example' } },
    });
    expect((await callList(server, '/pages?roots=1')).length).toBe(count);
    // The other domain of the refused website is still free.
    await createSite(server, { domains: 'new.example' });
  });
});

describe('domains', () => {
  it.each([
    ['  Example.ORG  ', 'example.org'],
    ['https://a.example.org:443/x?y#z', 'a.example.org'],
    ['//b.example.org', 'b.example.org'],
    ['c.example.org.', 'c.example.org'],
    ['localhost:8080', 'localhost'],
    ['10.0.0.1', '10.0.0.1'],
    ['[2001:DB8::1]:80', '[2001:db8::1]'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['my_host.internal', 'my_host.internal'],
    ['d.example\r\n\r\n e.example\nD.EXAMPLE', 'd.example\ne.example'],
  ])('%j is stored as %j', async (domains, normalized) => {
    expect(await callOk(server, 'PUT', `/pages/${second}`, { domains })).toMatchObject({
      domains: normalized,
    });
  });

  it('become free when a website loses them or is deleted', async () => {
    const site = await createSite(server, { domains: 'short.example\nkept.example' });
    await callOk(server, 'PUT', `/pages/${site}`, { domains: 'kept.example' });
    const next = await createSite(server, { domains: 'short.example' });
    await callOk(server, 'DELETE', `/pages/${site}`);
    expect(
      await callOk(server, 'PUT', `/pages/${next}`, { domains: 'short.example\nkept.example' }),
    ).toMatchObject({
      domains: 'short.example\nkept.example',
    });
  });

  it('of another website are 409 on PUT, and nothing is changed', async () => {
    const before = await callOk(server, 'GET', `/pages/${second}`);
    const answer = await call(server, 'PUT', `/pages/${second}`, {
      body: { title: 'x', domains: 'www.first.example' },
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'site.domainTaken', params: { domain: 'www.first.example' } },
    });
    expect(await callOk(server, 'GET', `/pages/${second}`)).toEqual(before);
  });
});

describe('a root page', () => {
  it('keeps its empty slug when another is sent', async () => {
    expect(await callOk(server, 'PUT', `/pages/${first}`, { slug: 'x' })).toMatchObject({
      slug: '',
      path: '/',
    });
  });

  it('that becomes the default website is the only one', async () => {
    await callOk(server, 'PUT', `/pages/${first}`, { default_site: true });
    const before = await callOk(server, 'GET', `/pages/${first}`);
    await callOk(server, 'PUT', `/pages/${second}`, { default_site: true });
    const flags = (await callList(server, '/pages?roots=1')).filter((page) => page['default_site']);
    expect(flags.map((page) => page['id'])).toEqual([second]);
    // The first one has changed too, so a save based on its old state must be refused.
    const after = await callOk(server, 'GET', `/pages/${first}`);
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
    expect(await callOk(server, 'PUT', `/pages/${second}`, { default_site: false })).toMatchObject({
      default_site: false,
    });
  });

  it('stores robots_txt', async () => {
    const robots_txt = 'User-agent: *\nDisallow: /x\n';
    expect(await callOk(server, 'PUT', `/pages/${first}`, { robots_txt })).toMatchObject({ robots_txt });
  });

  it('accepts only its own subpages as 404 page', async () => {
    const own = await createPage(server, first);
    const foreign = await createPage(server, second);
    expect(await callOk(server, 'PUT', `/pages/${first}`, { notfound_page_id: own })).toMatchObject({
      notfound_page_id: own,
    });
    for (const notfound_page_id of [foreign, first, second, 99999, -1]) {
      const answer = await call(server, 'PUT', `/pages/${first}`, { body: { notfound_page_id } });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'notfound_page_id' } },
      });
    }
    expect(await callOk(server, 'PUT', `/pages/${first}`, { notfound_page_id: 0 })).toMatchObject({
      notfound_page_id: 0,
    });
  });

  it('uses the automatic 404 page when its own is deleted or moved to another website', async () => {
    const notfound = async () => (await callOk(server, 'GET', `/pages/${first}`))['notfound_page_id'];
    const deleted = await createPage(server, first);
    await callOk(server, 'PUT', `/pages/${first}`, { notfound_page_id: deleted });
    await callOk(server, 'DELETE', `/pages/${deleted}`);
    expect(await notfound()).toBe(0);
    const moved = await createPage(server, first);
    await callOk(server, 'PUT', `/pages/${first}`, { notfound_page_id: moved });
    await call(server, 'POST', `/pages/${moved}/move`, { body: { parent_id: second } });
    expect(await notfound()).toBe(0);
  });

  it('refuses an icon file that does not exist', async () => {
    const answer = await call(server, 'PUT', `/pages/${first}`, { body: { favicon_file_id: 3 } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'favicon_file_id' } },
    });
  });

  it('is deleted with the whole website, even with the last one', async () => {
    for (const { id } of await callList(server, '/pages?roots=1'))
      await callOk(server, 'DELETE', `/pages/${id}`);
    expect(await callList(server, '/pages')).toEqual([]);
    expect(await fetchWithHost('first.example', '/')).toMatch(/^HTTP\/1\.1 404 /);
  });
});

async function fetchWithHost(host: string, path: string): Promise<string> {
  return sendRaw(server.port, requestHead(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close'));
}
