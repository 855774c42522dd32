import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { check, invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

/** Page IDs by name. `site-*` are home pages; the names of other pages contain the language. */
const ids = new Map<string, number>();
let server: TestServer;

function id(name: string): number {
  const found = ids.get(name);
  if (found === undefined) throw new Error(`no page ${name}`);
  return found;
}

async function addPage(name: string, parent: string, fields: Record<string, unknown> = {}): Promise<void> {
  ids.set(name, await createPage(server, id(parent), { slug: name, published: true, ...fields }));
}

async function addSite(name: string, domains: string, lang: string): Promise<void> {
  ids.set(name, await createSite(server, { title: name, domains }));
  await callOk(server, 'PUT', `/pages/${id(name)}`, { lang });
}

function link(from: string, to: string, move?: boolean): Promise<Record<string, unknown>> {
  return check(server, linking('linked', from, to, move === undefined ? {} : { move }));
}

function linking(
  name: string,
  from: string,
  to: string,
  body: Record<string, unknown>,
  rest: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    method: 'POST',
    path: `/pages/${id(from)}/translations`,
    body: { page_id: id(to), ...body },
    status: 200,
    ...rest,
  };
}

/** `lang:name` of the other versions. */
async function versionsOf(name: string): Promise<string[]> {
  const list = await callList(server, `/pages/${id(name)}/translations`);
  return list.map(({ lang, title }) => `${lang}:${title}`);
}

async function page(name: string): Promise<Record<string, unknown>> {
  return callOk(server, 'GET', `/pages/${id(name)}`);
}

beforeAll(async () => {
  server = await startServer();
  await addSite('site-en', 'en.test', 'EN');
  await addSite('site-de', 'de.test', 'de');
  await addSite('site-none', '', '');
});
afterAll(() => server.stop());

describe('linking', () => {
  it('joins two pages, and each lists the other versions of its group', async () => {
    await addPage('a-en', 'site-en');
    await addPage('a-fr', 'site-en', { lang: 'fr', published: false });
    await addPage('a-de', 'site-de');
    const call = { page_id: id('a-fr') };
    const first = await callOk(server, 'POST', `/pages/${id('a-en')}/translations`, call);
    expect(first).toEqual({});
    await link('a-en', 'a-de');
    expect(await callList(server, `/pages/${id('a-en')}/translations`)).toEqual([
      {
        page_id: id('a-de'),
        lang: 'de',
        title: 'a-de',
        url: 'http://de.test/a-de',
        path: '/a-de',
        published: true,
      },
      { page_id: id('a-fr'), lang: 'fr', title: 'a-fr', url: '/a-fr', path: '/a-fr', published: false },
    ]);
    expect(await versionsOf('a-fr')).toEqual(['de:a-de', 'en:a-en']);
    expect(await versionsOf('a-de')).toEqual(['en:a-en', 'fr:a-fr']);
  });

  it('sets translation_group, raises updated_at and leaves local_modified false', async () => {
    await addPage('b-en', 'site-en');
    await addPage('b-fr', 'site-en', { lang: 'fr' });
    const before = await page('b-en');
    expect(before['translation_group']).toBe('');
    await link('b-en', 'b-fr');
    const [left, right] = [await page('b-en'), await page('b-fr')];
    expect(left['translation_group']).toMatch(/./);
    expect(right['translation_group']).toBe(left['translation_group']);
    expect(Number(left['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
    expect(left['local_modified']).toBe(false);
  });

  it('a second time changes nothing', async () => {
    const before = await page('b-en');
    await link('b-en', 'b-fr');
    await link('b-fr', 'b-en');
    expect(await page('b-en')).toEqual(before);
  });

  it('is not possible by a PUT of translation_group', async () => {
    const before = await page('b-en');
    const after = await callOk(server, 'PUT', `/pages/${id('b-en')}`, { translation_group: 'x' });
    expect(after['translation_group']).toBe(before['translation_group']);
  });

  it('moves a page out of its group only with move', async () => {
    await addPage('c-en', 'site-en');
    await addPage('c-fr', 'site-en', { lang: 'fr' });
    await addPage('d-en', 'site-en');
    await link('c-en', 'c-fr');
    const refused = { status: 409, code: 'translation.alreadyLinked', params: { page_id: id('c-fr') } };
    await check(server, linking('without move', 'd-en', 'c-fr', {}, refused));
    await check(server, linking('with move false', 'd-en', 'c-fr', { move: false }, refused));
    expect(await versionsOf('d-en')).toEqual([]);
    await link('d-en', 'c-fr', true);
    expect(await versionsOf('d-en')).toEqual(['fr:c-fr']);
    expect(await versionsOf('c-en')).toEqual([]);
    expect((await page('c-en'))['translation_group']).toBe('');
  });

  it('refuses a second page of a language and changes nothing', async () => {
    await addPage('e-en', 'site-en');
    await addPage('e-en2', 'site-en', { lang: 'En' });
    await check(
      server,
      linking(
        'same language',
        'e-en',
        'e-en2',
        {},
        {
          status: 409,
          code: 'translation.langTaken',
          params: { lang: 'en' },
        },
      ),
    );
    expect((await page('e-en'))['translation_group']).toBe('');
  });

  it('refuses a page when neither it nor a page above it has a language', async () => {
    await addPage('f-none', 'site-none');
    const noLang = { status: 400, code: 'translation.noLang', params: { page_id: id('f-none') } };
    await check(server, linking('target', 'e-en', 'f-none', {}, noLang));
    await check(server, linking('page itself', 'f-none', 'e-en', {}, noLang));
  });
});

describe('leaving', () => {
  it('dissolves a group that has one page left', async () => {
    await addPage('g-en', 'site-en');
    await addPage('g-fr', 'site-en', { lang: 'fr' });
    await addPage('g-it', 'site-en', { lang: 'it' });
    await link('g-en', 'g-fr');
    await link('g-en', 'g-it');
    expect(await callOk(server, 'DELETE', `/pages/${id('g-fr')}/translations`)).toEqual({});
    expect(await versionsOf('g-en')).toEqual(['it:g-it']);
    await callOk(server, 'DELETE', `/pages/${id('g-it')}/translations`);
    expect((await page('g-en'))['translation_group']).toBe('');
  });

  it('changes nothing for a page without a group', async () => {
    const before = await page('g-en');
    await callOk(server, 'DELETE', `/pages/${id('g-en')}/translations`);
    expect(await page('g-en')).toEqual(before);
  });

  it('by deletion of a page above does so too', async () => {
    await addPage('h', 'site-en');
    await addPage('h-fr', 'h', { lang: 'fr' });
    await addPage('h-en', 'site-en');
    await link('h-en', 'h-fr');
    await callOk(server, 'DELETE', `/pages/${id('h')}`);
    expect((await page('h-en'))['translation_group']).toBe('');
  });
});

describe('a change of language', () => {
  beforeAll(async () => {
    await addPage('i-en', 'site-en');
    await addPage('i-fr', 'site-en', { lang: 'fr' });
    await addPage('i-fr-below', 'i-fr');
    await addPage('i-en-below', 'i-en');
    await link('i-en', 'i-fr');
    await link('i-en-below', 'i-fr-below');
  });

  it('to a language of the group is refused', async () => {
    await check(server, {
      name: 'own language',
      method: 'PUT',
      path: `/pages/${id('i-fr')}`,
      body: { lang: 'EN', title: 'changed' },
      status: 409,
      code: 'translation.langTaken',
      params: { lang: 'en' },
    });
    expect(await page('i-fr')).toMatchObject({ lang: 'fr', title: 'i-fr' });
  });

  it('is refused when a page below inherits a language of its group', async () => {
    await callOk(server, 'DELETE', `/pages/${id('i-en')}/translations`);
    await check(server, {
      name: 'inherited language',
      method: 'PUT',
      path: `/pages/${id('i-fr')}`,
      body: { lang: 'en' },
      status: 409,
      code: 'translation.langTaken',
      params: { lang: 'en' },
    });
  });

  it('to another language shows in the list of versions', async () => {
    await callOk(server, 'PUT', `/pages/${id('i-fr')}`, { lang: 'it' });
    expect(await versionsOf('i-en-below')).toEqual(['it:i-fr-below']);
  });

  it('by a move is refused when the group has that language', async () => {
    await check(server, {
      name: 'moved',
      method: 'POST',
      path: `/pages/${id('i-fr-below')}/move`,
      body: { parent_id: id('site-en') },
      status: 409,
      code: 'translation.langTaken',
      params: { lang: 'en' },
    });
    expect((await page('i-fr-below'))['path']).toBe('/i-fr/i-fr-below');
  });

  it('to no language is refused', async () => {
    await addPage('j-none', 'site-none', { lang: 'sv' });
    await link('j-none', 'i-en');
    await check(server, {
      name: 'removed',
      method: 'PUT',
      path: `/pages/${id('j-none')}`,
      body: { lang: '' },
      status: 400,
      code: 'translation.noLang',
      params: { page_id: id('j-none') },
    });
  });
});

describe('refused', () => {
  runScenarios(
    () => server,
    [
      { name: 'the list of an unknown page', method: 'GET', path: '/pages/9999/translations', ...notFound },
      { name: 'leaving of an unknown page', method: 'DELETE', path: '/pages/9999/translations', ...notFound },
      {
        name: 'an unknown page',
        method: 'POST',
        path: '/pages/9999/translations',
        body: { page_id: 1 },
        ...notFound,
      },
      {
        name: 'an unknown version',
        method: 'POST',
        path: '/pages/1/translations',
        body: { page_id: 9999 },
        ...notFound,
      },
      {
        name: 'the page itself',
        method: 'POST',
        path: '/pages/1/translations',
        body: { page_id: 1 },
        ...invalid('page_id'),
      },
      { name: 'no page_id', method: 'POST', path: '/pages/1/translations', body: {}, ...invalid('page_id') },
      {
        name: 'a page_id that is a text',
        method: 'POST',
        path: '/pages/1/translations',
        body: { page_id: '2' },
        ...invalid('page_id'),
      },
      {
        name: 'a move that is a text',
        method: 'POST',
        path: '/pages/1/translations',
        body: { page_id: 2, move: 'yes' },
        ...invalid('move'),
      },
    ],
  );
});

describe('hreflang', () => {
  const alternates = (html: string) =>
    [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(
      ([, lang, url]) => `${lang} ${url}`,
    );

  it('is in the head of every published version, for all of them', async () => {
    const expected = ['de http://de.test/a-de', 'en http://en.test/a-en'];
    expect(alternates((await visit(server, '/a-en', { host: 'en.test' })).text)).toEqual(expected);
    expect(alternates((await visit(server, '/a-de', { host: 'de.test' })).text)).toEqual(expected);
    await callOk(server, 'PUT', `/pages/${id('a-fr')}`, { published: true });
    expect(alternates((await visit(server, '/a-fr', { host: 'en.test' })).text)).toEqual([
      ...expected,
      'fr http://en.test/a-fr',
    ]);
  });

  it('is left out when there is no other published version', async () => {
    expect(alternates((await visit(server, '/c-en', { host: 'en.test' })).text)).toEqual([]);
    await addPage('k-en', 'site-en');
    await addPage('k-fr', 'site-en', { lang: 'fr', published: false });
    await link('k-en', 'k-fr');
    expect(alternates((await visit(server, '/k-en', { host: 'en.test' })).text)).toEqual([]);
  });

  it('is left out when the head of the page has its own', async () => {
    const own = '<link rel="alternate" hreflang="en" href="/own">';
    await callOk(server, 'PUT', `/pages/${id('a-en')}`, { head: own });
    expect(alternates((await visit(server, '/a-en', { host: 'en.test' })).text)).toEqual(['en /own']);
  });

  it('is in the sitemap', async () => {
    const { text } = await visit(server, '/sitemap.xml', { host: 'de.test' });
    expect(text).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"');
    const entry = text.split('\n').find((line) => line.includes('<loc>http://de.test/a-de</loc>'));
    expect(entry).toContain(
      '<xhtml:link rel="alternate" hreflang="de" href="http://de.test/a-de"/>' +
        '<xhtml:link rel="alternate" hreflang="en" href="http://en.test/a-en"/>' +
        '<xhtml:link rel="alternate" hreflang="fr" href="http://en.test/a-fr"/>',
    );
    expect(text).toContain('<url><loc>http://de.test/</loc>');
  });

  it('has no namespace in a sitemap without versions', async () => {
    await addSite('site-plain', 'plain.test', 'en');
    const { text } = await visit(server, '/sitemap.xml', { host: 'plain.test' });
    expect(text).toContain('<loc>http://plain.test/</loc>');
    expect(text).not.toContain('xhtml');
  });
});

describe('a language that another page inherits', () => {
  it('is shown after it has changed, also by pages that were shown before', async () => {
    const html = '{% for version in page.translations %}{{ version.lang }};{% endfor %}';
    await addPage('inherits-page', 'site-en', { html });
    await addPage('inherits-section', 'site-en');
    await addPage('inherits-other', 'inherits-section', { lang: '' });
    await callOk(server, 'PUT', `/pages/${id('inherits-section')}`, { lang: 'it' });
    await link('inherits-page', 'inherits-other');
    const shown = async () => (await visit(server, '/inherits-page', { host: 'en.test' })).text;
    for (const lang of ['it', 'es', 'it']) {
      await callOk(server, 'PUT', `/pages/${id('inherits-section')}`, { lang });
      expect(await shown()).toContain(`${lang};`);
      await callOk(server, 'PUT', `/pages/${id('site-none')}`, { title: `Before ${lang}` });
      expect(await shown()).toContain(`${lang};`);
    }
  });
});
