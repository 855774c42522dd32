import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
/** A fresh website per test. */
let site: number;
let serial = 0;
let host: string;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `site-${serial++}.example`;
  site = await id('POST', '/sites', { title: 'Site', domains: host });
});

async function id(method: string, path: string, body: unknown): Promise<number> {
  return Number((await callOk(server, method, path, body))['id']);
}

function createPage(parent_id: number, slug: string, published = true, fields: object = {}): Promise<number> {
  return id('POST', '/pages', { parent_id, title: slug, slug, published, ...fields });
}

function createRedirect(source: string, target: string): Promise<number> {
  return id('POST', '/redirects', { root_id: site, source, target });
}

function rename(page: number, slug: string): Promise<unknown> {
  return callOk(server, 'PUT', `/pages/${page}`, { slug });
}

async function move(page: number, parent_id: number, index?: number): Promise<void> {
  const answer = await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id, index } });
  expect(answer.status).toBe(200);
}

/** The redirects of the website as `source > target`, with `*` for automatic ones. */
async function redirects(root = site): Promise<string[]> {
  const list = await callList(server, `/redirects?root_id=${root}`);
  return list.map((entry) => `${entry['source']} > ${entry['target']}${entry['auto'] === true ? ' *' : ''}`);
}

describe('renaming a page', () => {
  it('leads from its old address with an automatic 301', async () => {
    const page = await createPage(site, 'old');
    await rename(page, 'new');
    const [entry] = await callList(server, `/redirects?root_id=${site}`);
    expect(entry).toMatchObject({ source: '/old', target: '/new', status: 301, auto: true, hits: 0 });
    const answer = await visit(server, '/old', { host });
    expect([answer.status, answer.header('location')]).toEqual([301, '/new']);
  });

  it('leads from the addresses of its published subpages', async () => {
    const page = await createPage(site, 'old');
    const child = await createPage(page, 'child');
    await createPage(child, 'deep');
    await createPage(page, 'draft', false);
    await createPage(site, 'older');
    await rename(page, 'new');
    expect(await redirects()).toEqual([
      '/old > /new *',
      '/old/child > /new/child *',
      '/old/child/deep > /new/child/deep *',
    ]);
  });

  it('of a draft gives it none, but its published subpages', async () => {
    const page = await createPage(site, 'old', false);
    await createPage(page, 'child');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old/child > /new/child *']);
  });

  it('to the same slug, or saving without slug, makes none', async () => {
    const page = await createPage(site, 'same');
    await rename(page, 'same');
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'Other' });
    expect(await redirects()).toEqual([]);
  });

  it('that publishes a draft at the same time makes none', async () => {
    const page = await createPage(site, 'old', false);
    await callOk(server, 'PUT', `/pages/${page}`, { slug: 'new', published: true });
    expect(await redirects()).toEqual([]);
  });

  it('that is refused makes none', async () => {
    const page = await createPage(site, 'old');
    await createPage(site, 'taken');
    await expect(rename(page, 'taken')).rejects.toThrow('409');
    expect(await redirects()).toEqual([]);
  });

  it('twice leads from both old addresses straight to the new one', async () => {
    const page = await createPage(site, 'one');
    await rename(page, 'two');
    await rename(page, 'three');
    expect(await redirects()).toEqual(['/one > /three *', '/two > /three *']);
  });

  it('and back removes the redirect from the address that is in use again', async () => {
    const page = await createPage(site, 'one');
    await rename(page, 'two');
    await rename(page, 'one');
    expect(await redirects()).toEqual(['/two > /one *']);
    expect((await visit(server, '/one', { host })).status).toBe(200);
  });

  it('of two pages that change places leaves no loop', async () => {
    const first = await createPage(site, 'a');
    const second = await createPage(site, 'b');
    await rename(first, 'tmp');
    await rename(second, 'a');
    await rename(first, 'b');
    expect(await redirects()).toEqual(['/tmp > /b *']);
  });

  it('onto a manual source removes that redirect', async () => {
    const page = await createPage(site, 'old');
    await createRedirect('/new', '/elsewhere');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old > /new *']);
  });

  it('removes redirects from the new addresses of its subpages, drafts too', async () => {
    const page = await createPage(site, 'old');
    await createPage(page, 'draft', false);
    await createRedirect('/new/draft', '/elsewhere');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old > /new *']);
  });
});

describe('redirects that point to a renamed page', () => {
  it('are repointed with query and fragment, and stay manual', async () => {
    const page = await createPage(site, 'old');
    await createPage(page, 'child');
    await createRedirect('/r1', '/old');
    await createRedirect('/r2', '/Old/?x=1#y');
    await createRedirect('/r3', '/old/child#part');
    await createRedirect('/r4', `https://${host}/old?z`);
    await createRedirect('/r5', 'https://elsewhere.example/old');
    await createRedirect('/r6', '/older');
    await rename(page, 'new');
    const manual = (await redirects()).filter((line) => !line.endsWith('*'));
    expect(manual).toEqual([
      '/r1 > /new',
      '/r2 > /new/?x=1#y',
      '/r3 > /new/child#part',
      `/r4 > https://${host}/new?z`,
      '/r5 > https://elsewhere.example/old',
      '/r6 > /older',
    ]);
  });

  it('follow what lies below a catch-all page in its own spelling', async () => {
    const page = await createPage(site, 'blog', true, { catch_all: true });
    await createRedirect('/r', '/blog/Post-1/?a');
    await rename(page, 'news');
    expect(await redirects()).toContain('/r > /news/Post-1/?a');
  });

  it('stay where another redirect leads on from their target', async () => {
    const page = await createPage(site, 'blog', true, { catch_all: true });
    await createRedirect('/blog/post', '/elsewhere');
    await createRedirect('/r', '/blog/post');
    await rename(page, 'news');
    expect(await redirects()).toEqual(['/blog > /news *', '/blog/post > /elsewhere', '/r > /blog/post']);
  });

  it('never come to lead to themselves', async () => {
    const page = await createPage(site, 'blog', true, { catch_all: true });
    await createRedirect('/news/post', '/blog/post');
    await rename(page, 'news');
    expect(await redirects()).toEqual(['/blog > /news *', '/news/post > /blog/post']);
  });
});

describe('moving a page', () => {
  it('within its website leads from the old addresses', async () => {
    const target = await createPage(site, 'target');
    const page = await createPage(site, 'page');
    await createPage(page, 'child');
    await move(page, target);
    expect(await redirects()).toEqual(['/page > /target/page *', '/page/child > /target/page/child *']);
  });

  it('to another position below the same parent makes none', async () => {
    await createPage(site, 'a');
    const page = await createPage(site, 'b');
    await move(page, site, 0);
    expect(await redirects()).toEqual([]);
  });

  it('to another website makes none, and frees its new address there', async () => {
    const other = await id('POST', '/sites', { title: 'Other' });
    await callOk(server, 'POST', '/redirects', { root_id: other, source: '/page', target: '/x' });
    await callOk(server, 'POST', '/redirects', { root_id: other, source: '/page/child', target: '/x' });
    const page = await createPage(site, 'page');
    await createPage(page, 'child');
    await createRedirect('/r', '/page');
    await move(page, other);
    expect(await redirects()).toEqual(['/r > /page']);
    expect(await redirects(other)).toEqual([]);
  });
});

describe('a redirect and the pages', () => {
  it('creating a page, a draft too, on a source removes the redirect', async () => {
    await createRedirect('/page', '/x');
    await createRedirect('/page/deep', '/x');
    const page = await createPage(site, 'page', false);
    expect(await redirects()).toEqual(['/page/deep > /x']);
    await createPage(page, 'deep');
    expect(await redirects()).toEqual([]);
  });

  it('editing an automatic redirect makes it a manual one', async () => {
    const page = await createPage(site, 'old');
    await rename(page, 'new');
    const [entry] = await callList(server, `/redirects?root_id=${site}`);
    expect(await callOk(server, 'PUT', `/redirects/${entry?.['id']}`, { status: 302 })).toMatchObject({
      auto: false,
      status: 302,
    });
    expect(await redirects()).toEqual(['/old > /new']);
  });

  it('an automatic redirect closes the entry of the 404 log', async () => {
    const page = await createPage(site, 'old', false);
    await visit(server, '/old', { host });
    await callOk(server, 'PUT', `/pages/${page}`, { published: true });
    await rename(page, 'new');
    expect(await callList(server, `/notfound?root_id=${site}`)).toEqual([]);
  });
});
