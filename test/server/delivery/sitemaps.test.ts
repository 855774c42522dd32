import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressesPerFile } from '../../../runtime/tasks/sitemap.ts';
import { type Received, SiteFixture } from './site-fixture.ts';

let site: SiteFixture;
/** Kinds of the tasks that workers got. */
const tasks: string[] = [];

beforeAll(() => {
  site = new SiteFixture();
  const run = site.pool.run.bind(site.pool);
  vi.spyOn(site.pool, 'run').mockImplementation((task) => {
    tasks.push(task.kind);
    return run(task);
  });
});
afterAll(() => site.close());
beforeEach(() => {
  site.reset();
  tasks.length = 0;
});

const gzip = { 'accept-encoding': 'gzip' };

function locations({ text }: Pick<Received, 'text'>): (string | undefined)[] {
  return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
}

function addPages(rootId: number, count: number): void {
  site.change((db) => {
    const insert = db.prepare(
      `INSERT INTO pages (parent_id, root_id, slug, path, title, sort, published, created_at, updated_at)
       VALUES (@rootId, @rootId, @slug, '/' || @slug, 'x', 0, 1, 1, 1)`,
    );
    for (let number = 1; number <= count; number++) insert.run({ rootId, slug: `p${number}` });
  });
}

describe('the sitemap of a website with domains', () => {
  beforeEach(() => {
    site.addPage(site.addSite({ domains: 'one.test\ntwo.test' }), 'ä&b');
  });

  it('is made once for all hosts that no website lists, and names the first domain', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `invented-${index}.test`);
    const answers = await Promise.all(hosts.map((host) => site.get('/sitemap.xml', { host, headers: gzip })));
    expect(tasks).toEqual(['sitemap']);
    for (const { bytes, headers } of answers) {
      expect(headers.get('content-encoding')).toBe('gzip');
      expect(locations({ text: gunzipSync(bytes).toString() })).toEqual([
        'http://one.test/',
        'http://one.test/ä&amp;b',
      ]);
    }
  });

  it('has each listed host in its own sitemap', async () => {
    expect(locations(await site.get('/sitemap.xml', { host: 'two.test' }))).toContain('http://two.test/');
    expect(locations(await site.get('/sitemap.xml', { host: 'one.test' }))).toContain('http://one.test/');
  });

  it('is answered at once, compressed or not, after the first time', async () => {
    for (const headers of [gzip, {}]) {
      const first = await site.get('/sitemap.xml', { headers });
      const again = await site.get('/sitemap.xml', { headers });
      expect([first.sync, again.sync]).toEqual([false, true]);
      expect(again.bytes).toEqual(first.bytes);
      expect(again.headers).toEqual(first.headers);
    }
    expect(tasks).toEqual(['sitemap', 'sitemap-copy']);
  });

  it('has one tag for each form, and needs no work to tell that nothing has changed', async () => {
    const tagOf = async (headers: Record<string, string>) =>
      (await site.get('/sitemap.xml', { headers })).headers.get('etag') ?? '';
    const [compressed, plain] = [await tagOf(gzip), await tagOf({})];
    expect(compressed).not.toBe(plain);
    tasks.length = 0;
    for (const tag of [compressed, plain, '*']) {
      const answer = await site.get('/sitemap.xml', { headers: { 'if-none-match': tag }, host: 'x.test' });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', plain]);
    }
    expect(await site.get('/sitemap.xml', { headers: { 'if-none-match': '"other"' } })).toMatchObject({
      status: 200,
    });
    expect(tasks).toEqual([]);
  });

  it('needs no work after a change that it does not show', async () => {
    for (const headers of [gzip, {}]) await site.get('/sitemap.xml', { headers });
    tasks.length = 0;
    site.addSnippet('menu', 'text');
    for (const headers of [gzip, {}]) expect((await site.get('/sitemap.xml', { headers })).sync).toBe(true);
    expect(tasks).toEqual([]);
  });

  it('shows a change at once, also to a request that came before it', async () => {
    const host = 'two.test';
    const early = site.get('/sitemap.xml', { host });
    site.change((db) => db.exec("UPDATE pages SET domains = 'one.test' WHERE parent_id IS NULL"));
    const other = site.addSite({ domains: 'two.test' });
    site.addPage(other, 'other');
    const expected = ['http://two.test/', 'http://two.test/other'];
    expect(locations(await early)).toEqual(expected);
    expect(locations(await site.get('/sitemap.xml', { host }))).toEqual(expected);
  });
});

describe('the sitemap of a website without domains', () => {
  beforeEach(() => {
    site.addPage(site.addSite(), 'a');
  });

  const inventedHosts = Array.from({ length: 12 }, (_, index) => `invented-${index}.test:81`);
  const expectedOf = (host: string) => [`http://${host}/`, `http://${host}/a`];

  it('is made once for all hosts at the same time, and names the host of each', async () => {
    const answers = await Promise.all(inventedHosts.map((host) => site.get('/sitemap.xml', { host })));
    expect(answers.map(locations)).toEqual(inventedHosts.map(expectedOf));
    expect(tasks.filter((kind) => kind === 'sitemap')).toHaveLength(1);
  });

  it('is kept for as many hosts as pages are, and is filled in for all others', async () => {
    for (const host of inventedHosts) await site.get('/sitemap.xml', { host });
    tasks.length = 0;
    const kept = await Promise.all(inventedHosts.map((host) => site.get('/sitemap.xml', { host })));
    expect(kept.map(({ sync }) => sync)).toEqual([...Array(8).fill(true), ...Array(4).fill(false)]);
    expect(kept.map(locations)).toEqual(inventedHosts.map(expectedOf));
    expect(tasks).toEqual(Array(4).fill('sitemap-copy'));
  });

  it('is compressed for the hosts that are kept', async () => {
    const { bytes, headers } = await site.get('/sitemap.xml', { host: 'a.test', headers: gzip });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(locations({ text: gunzipSync(bytes).toString() })).toEqual(expectedOf('a.test'));
  });

  it('needs no work to tell a client that nothing has changed', async () => {
    const tag = (await site.get('/sitemap.xml', { host: 'a.test' })).headers.get('etag') ?? '';
    tasks.length = 0;
    const headers = { 'if-none-match': tag };
    expect((await site.get('/sitemap.xml', { host: 'new.test', headers })).status).toBe(304);
    expect(tasks).toEqual([]);
  });
});

describe('parts that do not exist', () => {
  it.each([{ domains: 'one.test' }, {}])('cost one sitemap for all of them, with %j', async (columns) => {
    site.addSite(columns);
    const ask = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          site.get(`/sitemap-${index + 1}.xml`, { host: `invented-${index}.test` }),
        ),
      );
    for (const answers of [await ask(30), await ask(30)])
      expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(404));
    expect(tasks).toEqual(['sitemap']);
    expect((await site.get('/sitemap-7.xml')).sync).toBe(true);
    expect((await site.get('/sitemap.xml', { headers: gzip })).status).toBe(200);
    expect(tasks.filter((kind) => kind === 'sitemap')).toHaveLength(1);
  });

  it('exist as soon as a change makes the website large enough, and then have their addresses', async () => {
    const root = site.addSite({ domains: 'one.test' });
    expect((await site.get('/sitemap-2.xml')).status).toBe(404);
    addPages(root, addressesPerFile);
    expect(locations(await site.get('/sitemap-2.xml'))).toEqual([`http://one.test/p${addressesPerFile}`]);
    expect(locations(await site.get('/sitemap-1.xml'))).toHaveLength(addressesPerFile);
    expect(locations(await site.get('/sitemap.xml'))).toEqual([
      'http://one.test/sitemap-1.xml',
      'http://one.test/sitemap-2.xml',
    ]);
    expect((await site.get('/sitemap-3.xml')).status).toBe(404);
    expect(tasks.filter((kind) => kind === 'sitemap')).toHaveLength(4);
    site.change((db) => db.exec('DELETE FROM pages WHERE parent_id IS NOT NULL'));
    expect((await site.get('/sitemap-1.xml')).status).toBe(404);
  });
});

it('a host that is none gets 400', async () => {
  site.addSite();
  for (const path of ['/sitemap.xml', '/sitemap-1.xml', '/robots.txt'])
    expect((await site.get(path, { host: 'a b"><x' })).status).toBe(400);
  expect(tasks).toEqual([]);
});
