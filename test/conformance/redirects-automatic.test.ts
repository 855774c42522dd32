import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { domains: host });
});

function addPage(parentId: number, slug: string, fields = {}): Promise<number> {
  return createPage(server, parentId, { slug, published: true, ...fields });
}

function addRedirect(source: string, target: string): Promise<number> {
  return createRedirect(server, site, { source, target });
}

function rename(page: number, slug: string): Promise<unknown> {
  return callOk(server, 'PUT', `/pages/${page}`, { slug });
}

async function move(page: number, parent_id: number, index?: number): Promise<void> {
  const answer = await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id, index } });
  expect(answer.status).toBe(200);
}

/** Where an address leads, without the origin; undefined if it does not redirect. */
async function locationOf(path: string): Promise<string | undefined> {
  return (await visit(server, path, { host })).header('location');
}

/** The redirects of the website as `source > target`, with `*` for automatic ones. */
async function redirects(root = site): Promise<string[]> {
  const list = await callList(server, `/redirects?root_id=${root}`);
  return list.map((entry) => `${entry['source']} > ${entry['target']}${entry['auto'] === true ? ' *' : ''}`);
}

describe('renaming a page', () => {
  it('creates an automatic 301 from the old address', async () => {
    const page = await addPage(site, 'old');
    await rename(page, 'new');
    const [entry] = await callList(server, `/redirects?root_id=${site}`);
    expect(entry).toMatchObject({ source: '/old', target: '/new', status: 301, auto: true, hits: 0 });
    const answer = await visit(server, '/old', { host });
    expect([answer.status, answer.header('location')]).toEqual([301, '/new']);
  });

  it('creates redirects for its published subpages too', async () => {
    const page = await addPage(site, 'old');
    const child = await addPage(page, 'child');
    await addPage(child, 'deep');
    await addPage(page, 'draft', { published: false });
    await addPage(site, 'older');
    await rename(page, 'new');
    expect(await redirects()).toEqual([
      '/old > /new *',
      '/old/child > /new/child *',
      '/old/child/deep > /new/child/deep *',
    ]);
  });

  it('that is a draft creates redirects only for its published subpages', async () => {
    const page = await addPage(site, 'old', { published: false });
    await addPage(page, 'child');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old/child > /new/child *']);
  });

  it('to the same slug, or saving it without a slug, creates none', async () => {
    const page = await addPage(site, 'same');
    await rename(page, 'same');
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'Other' });
    expect(await redirects()).toEqual([]);
  });

  it('that the same save publishes creates none', async () => {
    const page = await addPage(site, 'old', { published: false });
    await callOk(server, 'PUT', `/pages/${page}`, { slug: 'new', published: true });
    expect(await redirects()).toEqual([]);
  });

  it('creates none when the save is refused', async () => {
    const page = await addPage(site, 'old');
    await addPage(site, 'taken');
    await expect(rename(page, 'taken')).rejects.toThrow('409');
    expect(await redirects()).toEqual([]);
  });

  it('twice redirects both old addresses to the newest one', async () => {
    const page = await addPage(site, 'one');
    await rename(page, 'two');
    await rename(page, 'three');
    expect(await redirects()).toEqual(['/one > /three *', '/two > /three *']);
  });

  it('and back again removes the redirect from its address', async () => {
    const page = await addPage(site, 'one');
    await rename(page, 'two');
    await rename(page, 'one');
    expect(await redirects()).toEqual(['/two > /one *']);
    expect((await visit(server, '/one', { host })).status).toBe(200);
  });

  it('creates no loop when two pages exchange their slugs', async () => {
    const first = await addPage(site, 'a');
    const second = await addPage(site, 'b');
    await rename(first, 'tmp');
    await rename(second, 'a');
    await rename(first, 'b');
    expect(await redirects()).toEqual(['/tmp > /b *']);
  });

  it('to the source of a manual redirect removes that redirect', async () => {
    const page = await addPage(site, 'old');
    await addRedirect('/new', '/elsewhere');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old > /new *']);
  });

  it('removes redirects from the new addresses of its subpages, also of drafts', async () => {
    const page = await addPage(site, 'old');
    await addPage(page, 'draft', { published: false });
    await addRedirect('/new/draft', '/elsewhere');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old > /new *']);
  });
});

describe('redirects that point to a renamed page', () => {
  it('get its new address with their query and fragment, and stay manual', async () => {
    const page = await addPage(site, 'old');
    await addPage(page, 'child');
    await addRedirect('/r1', '/old');
    await addRedirect('/r2', '/Old/?x=1#y');
    await addRedirect('/r3', '/old/child#part');
    await addRedirect('/r4', `https://${host}/old?z`);
    await addRedirect('/r5', 'https://elsewhere.example/old');
    await addRedirect('/r6', '/older');
    await addRedirect('/r7', '/x/../old/child?a');
    await rename(page, 'new');
    const manual = (await redirects()).filter((line) => !line.endsWith('*'));
    expect(manual).toEqual([
      '/r1 > /new',
      '/r2 > /new/?x=1#y',
      '/r3 > /new/child#part',
      `/r4 > https://${host}/new?z`,
      '/r5 > https://elsewhere.example/old',
      '/r6 > /older',
      '/r7 > /new/child?a',
    ]);
  });

  it('get the new address of a catch-all page and keep the rest of the path as written', async () => {
    const page = await addPage(site, 'blog', { catch_all: true });
    await addRedirect('/r', '/blog/Post-1/?a');
    await rename(page, 'news');
    expect(await redirects()).toContain('/r > /news/Post-1/?a');
  });

  it('stay unchanged when their target is the source of another redirect', async () => {
    const page = await addPage(site, 'blog', { catch_all: true });
    await addRedirect('/blog/post', '/elsewhere');
    await addRedirect('/r', '/blog/post');
    await rename(page, 'news');
    expect(await redirects()).toEqual(['/blog > /news *', '/blog/post > /elsewhere', '/r > /blog/post']);
  });

  it('stay unchanged when they would point to themselves', async () => {
    const page = await addPage(site, 'blog', { catch_all: true });
    await addRedirect('/news/post', '/blog/post');
    await rename(page, 'news');
    expect(await redirects()).toEqual(['/blog > /news *', '/news/post > /blog/post']);
  });
});

describe('moving a page', () => {
  it('within its website creates redirects from the old addresses', async () => {
    const target = await addPage(site, 'target');
    const page = await addPage(site, 'page');
    await addPage(page, 'child');
    await move(page, target);
    expect(await redirects()).toEqual(['/page > /target/page *', '/page/child > /target/page/child *']);
  });

  it('to another position below the same parent creates none', async () => {
    await addPage(site, 'a');
    const page = await addPage(site, 'b');
    await move(page, site, 0);
    expect(await redirects()).toEqual([]);
  });

  it('to another website creates none, and removes redirects from its new addresses there', async () => {
    const other = await createSite(server);
    await createRedirect(server, other, { source: '/page' });
    await createRedirect(server, other, { source: '/page/child' });
    const page = await addPage(site, 'page');
    await addPage(page, 'child');
    await addRedirect('/r', '/page');
    await move(page, other);
    expect(await redirects()).toEqual(['/r > /page']);
    expect(await redirects(other)).toEqual([]);
  });
});

describe('chains', () => {
  it('of renames and moves lead every old address to the page in one step', async () => {
    const target = await addPage(site, 'target');
    const page = await addPage(site, 'a', { html: 'found' });
    await addPage(page, 'child', { html: 'child' });
    await rename(page, 'b');
    await move(page, target);
    await rename(page, 'c');
    await rename(target, 'goal');
    for (const old of ['/a', '/b', '/target/b', '/target/c']) {
      expect([old, await locationOf(old)]).toEqual([old, '/goal/c']);
      expect([old, await locationOf(`${old}/child`)]).toEqual([old, '/goal/c/child']);
    }
    expect(await locationOf('/target')).toBe('/goal');
    expect((await redirects()).every((line) => line.endsWith(' *'))).toBe(true);
  });

  it('that begin with a manual redirect end at the newest address', async () => {
    const page = await addPage(site, 'a');
    await addRedirect('/short', '/a');
    await rename(page, 'b');
    await rename(page, 'c');
    expect(await locationOf('/short')).toBe('/c');
    expect(await redirects()).toEqual(['/a > /c *', '/b > /c *', '/short > /c']);
  });
});

describe('circles', () => {
  it('of three pages that pass on their slugs leave no redirect at an address in use', async () => {
    const ids = [await addPage(site, 'a'), await addPage(site, 'b'), await addPage(site, 'c')];
    const [a = 0, b = 0, c = 0] = ids;
    await rename(a, 'tmp');
    await rename(c, 'a');
    await rename(b, 'c');
    await rename(a, 'b');
    expect(await redirects()).toEqual(['/tmp > /b *']);
    for (const path of ['/a', '/b', '/c']) expect((await visit(server, path, { host })).status).toBe(200);
  });

  it('of moves there and back leave only the way back, and never a loop', async () => {
    const target = await addPage(site, 'target');
    const page = await addPage(site, 'page');
    await addPage(page, 'child');
    for (let round = 0; round < 3; round++) {
      await move(page, target);
      expect(await redirects()).toEqual(['/page > /target/page *', '/page/child > /target/page/child *']);
      await move(page, site);
      expect(await redirects()).toEqual(['/target/page > /page *', '/target/page/child > /page/child *']);
    }
    expect(await locationOf('/target/page/child')).toBe('/page/child');
    expect((await visit(server, '/page/child', { host })).status).toBe(200);
  });

  it('of a rename onto the target of a manual redirect leave no loop', async () => {
    const page = await addPage(site, 'old');
    await addRedirect('/new', '/old');
    await rename(page, 'new');
    expect(await redirects()).toEqual(['/old > /new *']);
    expect((await visit(server, '/new', { host })).status).toBe(200);
  });
});

describe('a redirect and the pages', () => {
  it('creating a page at a source, also a draft, removes the redirect', async () => {
    await addRedirect('/page', '/x');
    await addRedirect('/page/deep', '/x');
    const page = await addPage(site, 'page', { published: false });
    expect(await redirects()).toEqual(['/page/deep > /x']);
    await addPage(page, 'deep');
    expect(await redirects()).toEqual([]);
  });

  it('editing an automatic redirect makes it a manual one', async () => {
    const page = await addPage(site, 'old');
    await rename(page, 'new');
    const [entry] = await callList(server, `/redirects?root_id=${site}`);
    expect(await callOk(server, 'PUT', `/redirects/${entry?.['id']}`, { status: 302 })).toMatchObject({
      auto: false,
      status: 302,
    });
    expect(await redirects()).toEqual(['/old > /new']);
  });

  it('an automatic redirect removes its source from the 404 log', async () => {
    const page = await addPage(site, 'old', { published: false });
    await visit(server, '/old', { host });
    await callOk(server, 'PUT', `/pages/${page}`, { published: true });
    await rename(page, 'new');
    expect(await callList(server, `/notfound?root_id=${site}`)).toEqual([]);
  });
});
