import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { Origin } from '../support/origin.ts';
import { visit } from './public-client.ts';

/** Beyond the specifications, "Pages that fail": `?check=pages`. */

let server: InProcessServer;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  // A busy machine may need more than two seconds.
  server = await startInProcess({ pageCheckMs: 60_000 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { domains: host });
});

const bad = '{{ 1|nofilter }}';
const statusOf = async (path: string) => (await visit(server, path, { host })).status;

/** A published page below the home page that a visitor has asked for. */
async function visited(slug: string, html: string, fields: object = {}): Promise<number> {
  const id = await createPage(server, site, { slug, html, published: true, ...fields });
  await statusOf(`/${slug}`);
  return id;
}

/** The paths that a refusal names, and what is wrong there. */
async function refusalOf(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, body: answer } = await call(server, method, path, { body });
  expect(answer).toMatchObject({ code: 'content.breaksPages', error: expect.stringContaining('would fail') });
  return { status, pages: Object(answer)['params']['pages'] };
}

const refused = (path: string, error: string) => ({
  status: 422,
  pages: [{ path, error: expect.stringContaining(error) }],
});

/** A collection whose only entry names a snippet that a page includes. */
async function entryThatNamesSnippet() {
  const slug = freshName('parts');
  const fields = [{ name: 'part', type: 'text' }];
  const { id } = await callOk(server, 'POST', '/collections', { name: slug, slug, fields });
  const part = freshName('part');
  await createSnippet(server, { name: part, content: 'drawn' });
  const items = `/collections/${id}/items`;
  const item = `${items}/${idOf(await callOk(server, 'POST', items, { data: { part }, published: true }))}`;
  await visited('list', `{% for entry in data("${slug}") %}{% include entry.part %}{% endfor %}`);
  expect(await statusOf('/list')).toBe(200);
  return { items, item };
}

describe('a save with check=pages', () => {
  it.each([
    ['html', 'html', bad],
    ['head', 'head', bad],
  ])('of a page whose %s fails is refused, and nothing is written', async (_name, field, value) => {
    const id = await visited('shown', 'good');
    const before = await callOk(server, 'GET', `/pages/${id}`);
    const newest = await callOk(server, 'GET', '/changes?since=0');
    expect(await refusalOf('PUT', `/pages/${id}?check=pages`, { [field]: value })).toEqual(
      refused('/shown', 'nofilter'),
    );
    expect(await callOk(server, 'GET', `/pages/${id}`)).toEqual(before);
    expect(await callOk(server, 'GET', '/changes?since=0')).toEqual(newest);
    expect(await statusOf('/shown')).toBe(200);
    expect(await callList(server, `/sites/${site}/failing-pages`)).toEqual([]);
  });

  it('of a snippet names all pages that would fail, with the error of each', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'good' });
    for (const slug of ['first', 'second']) await visited(slug, `{% include "${name}" %}`);
    await visited('other', 'nothing');
    const { pages } = Object(await refusalOf('PUT', `/snippets/${snippet}?check=pages`, { content: bad }));
    expect(pages.map(({ path }: { path: string }) => path).sort()).toEqual(['/first', '/second']);
    expect(pages[0].error).toContain('nofilter');
    expect((await visit(server, '/first', { host })).text).toContain('good');
  });

  it('that breaks nothing is done, and says that all was checked', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'good' });
    const id = await visited('shown', `{% include "${name}" %}`);
    const checked = { pages_checked: true };
    expect(await callOk(server, 'PUT', `/snippets/${snippet}?check=pages`, { content: 'new' })).toMatchObject(
      checked,
    );
    expect((await visit(server, '/shown', { host })).text).toContain('new');
    expect(await callOk(server, 'PUT', `/pages/${id}?check=pages`, { title: 'x' })).toMatchObject(checked);
    // Nothing is written.
    expect(await callOk(server, 'PUT', `/pages/${id}?check=pages`, {})).toMatchObject(checked);
    expect(await callOk(server, 'PUT', `/pages/${id}`, { title: 'y' })).not.toHaveProperty('pages_checked');
  });

  it('of a page that fails now is done', async () => {
    const id = await visited('shown', bad);
    expect(await callOk(server, 'PUT', `/pages/${id}?check=pages`, { title: 'x' })).toMatchObject({
      pages_checked: true,
    });
    expect(await statusOf('/shown')).toBe(500);
  });

  it('of a draft is done', async () => {
    const id = await createPage(server, site, { slug: 'draft', html: 'x' });
    await callOk(server, 'PUT', `/pages/${id}?check=pages`, { html: bad });
    expect(await refusalOf('PUT', `/pages/${id}?check=pages`, { published: true })).toEqual(
      refused('/draft', 'nofilter'),
    );
  });

  it('fetches nothing: a page counts up to such a call', async () => {
    const origin = await new Origin().listen();
    try {
      const slug = freshName('rates');
      await callOk(server, 'POST', '/sources', { name: slug, slug, url: origin.url(), list_path: 'list' });
      const id = await createPage(server, site, { slug: 'rates', html: 'x', published: true });
      const html = `{% for rate in data("${slug}") %}{% endfor %}{% include route.query.none|default:"no" %}`;
      expect(await callOk(server, 'PUT', `/pages/${id}?check=pages`, { html })).toMatchObject({
        pages_checked: true,
      });
      expect(origin.requests).toEqual([]);
    } finally {
      await origin.close();
    }
  });
});

describe('the check sees', () => {
  it('a new page', async () => {
    const body = { parent_id: site, title: 'New', slug: 'new', html: bad, published: true };
    expect(await refusalOf('POST', '/pages?check=pages', body)).toEqual(refused('/new', 'nofilter'));
    expect(await statusOf('/new')).toBe(404);
    const done = await callOk(server, 'POST', '/pages?check=pages', { ...body, html: 'good' });
    expect(done).toMatchObject({ path: '/new', pages_checked: true });
  });

  it('a deleted snippet', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'good' });
    await visited('shown', `{% include route.query.part|default:"${name}" %}`);
    expect(await statusOf('/shown')).toBe(200);
    expect(await refusalOf('DELETE', `/snippets/${snippet}?check=pages`)).toEqual(refused('/shown', name));
    expect((await call(server, 'GET', `/snippets/${snippet}`)).status).toBe(200);
  });

  it('a new value of an entry, a new entry and a deleted one', async () => {
    const { items, item } = await entryThatNamesSnippet();
    const data = { part: 'no-such-part' };
    const whole = refused('/list', 'no-such-part');
    expect(await refusalOf('PUT', `${item}?check=pages`, { data })).toEqual(whole);
    expect(await refusalOf('POST', `${items}?check=pages`, { data, published: true })).toEqual(whole);
    expect(await callOk(server, 'POST', `${items}?check=pages`, { data, published: false })).toMatchObject({
      pages_checked: true,
    });
    expect((await call(server, 'DELETE', `${item}?check=pages`)).status).toBe(204);
    expect((await visit(server, '/list', { host })).status).toBe(200);
  });

  it('all operations of a batch together', async () => {
    const name = freshName('part');
    const page = await visited('shown', 'nothing');
    const html = `{% include "${name}" %}`;
    const update = { op: 'update', kind: 'page', id: page, data: { html } };
    const create = (content: string) => ({ op: 'create', kind: 'snippet', data: { name, content } });
    expect(await refusalOf('POST', '/batch?check=pages', { ops: [create(bad), update] })).toEqual(
      refused('/shown', 'nofilter'),
    );
    expect(await refusalOf('POST', '/batch?check=pages', { ops: [update] })).toEqual(refused('/shown', name));
    const done = await callOk(server, 'POST', '/batch?check=pages', { ops: [update, create('good')] });
    expect(done).toMatchObject({ pages_checked: true, results: [{}, {}] });
    expect((await visit(server, '/shown', { host })).text).toContain('good');
  });
});

describe('the publication of a change set with check=pages', () => {
  const prepare = async (content: string) => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'good' });
    await visited('shown', `{% include "${name}" %}`);
    const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
    await callOk(server, 'PUT', `/change-sets/${set}/items/snippet/${snippet}`, { content });
    return { set, snippet };
  };

  it('is refused if a page would fail, and nothing is published', async () => {
    const { set, snippet } = await prepare(bad);
    const path = `/change-sets/${set}/publish?check=pages`;
    expect(await refusalOf('POST', path)).toEqual(refused('/shown', 'nofilter'));
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ state: 'open' });
    expect(await callOk(server, 'GET', `/snippets/${snippet}`)).toMatchObject({ content: 'good' });
  });

  it('is done if none would, and says that all was checked', async () => {
    const { set } = await prepare('new');
    expect(await callOk(server, 'POST', `/change-sets/${set}/publish?check=pages`)).toMatchObject({
      state: 'published',
      pages_checked: true,
    });
    expect((await visit(server, '/shown', { host })).text).toContain('new');
  });

  it('holds for a working copy', async () => {
    const id = await visited('shown', 'good');
    await callOk(server, 'PUT', `/pages/${id}/copy`, { html: bad });
    const path = `/pages/${id}/copy/publish?check=pages`;
    expect(await refusalOf('POST', path)).toEqual(refused('/shown', 'nofilter'));
    await callOk(server, 'PUT', `/pages/${id}/copy`, { html: 'better' });
    expect(await callOk(server, 'POST', path)).toMatchObject({ pages_checked: true });
  });
});

it('refuses another value of check', async () => {
  const answer = await call(server, 'PUT', `/pages/${site}?check=all`, { body: { title: 'x' } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field: 'check' } } });
});

it('lets other saves through meanwhile', async () => {
  const name = freshName('part');
  const snippet = await createSnippet(server, { name, content: 'good' });
  await visited('shown', `{% include "${name}" %}`);
  const id = await createPage(server, site, { slug: 'busy', html: 'x', published: true });
  const checked = Array.from({ length: 5 }, (_, n) =>
    callOk(server, 'PUT', `/snippets/${snippet}?check=pages`, { content: `content ${n}` }),
  );
  const others = Array.from({ length: 20 }, (_, n) =>
    callOk(server, 'PUT', `/pages/${id}`, { title: `title ${n}` }),
  );
  for (const answer of await Promise.all(checked)) expect(answer).toHaveProperty('pages_checked');
  await Promise.all(others);
});

it('saves what could not be checked in time, and says so', async () => {
  const hasty = await startInProcess({ pageCheckMs: 0 });
  try {
    const home = await createSite(hasty, { domains: 'hasty.example' });
    const id = await createPage(hasty, home, { slug: 'shown', html: 'good', published: true });
    expect(await callOk(hasty, 'PUT', `/pages/${id}?check=pages`, { html: bad })).toMatchObject({
      pages_checked: false,
      html: bad,
    });
  } finally {
    await hasty.stop();
  }
});
