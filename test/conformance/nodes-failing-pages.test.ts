import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList, callOk } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName } from '../support/content.ts';
import { startTwoNodes, type TwoNodes, until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import type { TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

/** Beyond the specifications, "Pages that fail", on several nodes: one checks for all. */

const host = 'failing.test';
/** The last test waits until the lease of a node has run out. */
const leaseSeconds = 6;
const mistake = '{{ 1|nofilter }}';

describe.skipIf(postgresFolder === undefined)('nodes of a shared database', () => {
  let nodes: TwoNodes | undefined;
  /** The node that checks, and the other one. */
  let leader: TestServer;
  let other: TestServer;
  let site: number;

  beforeAll(async () => {
    nodes = await startTwoNodes(leaseSeconds);
    const { one, two } = nodes;
    await until(async () => (await isLeader(one)) || (await isLeader(two)));
    [leader, other] = (await isLeader(one)) ? [one, two] : [two, one];
    site = await createSite(leader, { domains: host });
  });
  afterAll(() => nodes?.stop());

  const statusOf = async (node: TestServer, path: string) => (await visit(node, path, { host })).status;
  const list = (node: TestServer) => callList(node, `/sites/${site}/failing-pages`);
  /** Resolves when these nodes list exactly these pages; how long the next leader takes is up to its lease. */
  const untilListed = (paths: readonly string[], all: readonly TestServer[] = [leader, other]) =>
    until(async () => {
      for (const node of all) expect((await list(node)).map(({ path }) => path).sort()).toEqual(paths);
      return true;
    });

  /** A page that shows a snippet of its own. */
  async function createPart(slug: string): Promise<{ snippet: number; name: string }> {
    const name = freshName('part');
    const snippet = await createSnippet(other, { name, content: 'good' });
    await createPage(other, site, { slug, published: true, html: `{% include "${name}" %}` });
    return { snippet, name };
  }

  it('list on all of them what a change on one broke, though only the other one has shown it', async () => {
    const { snippet, name } = await createPart('shown');
    for (const [showing, changing] of [
      [other, leader],
      [leader, other],
    ] as const) {
      expect(await statusOf(showing, '/shown')).toBe(200);
      await callOk(changing, 'PUT', `/snippets/${snippet}`, { content: mistake });
      await untilListed(['/shown']);
      const [entry] = await list(leader);
      expect(entry).toMatchObject({
        found_by: 'check',
        change: { kind: 'snippet', id: snippet, title: name },
      });
      expect(await list(other)).toEqual([entry]);
      await callOk(showing, 'PUT', `/snippets/${snippet}`, { content: 'good' });
      await untilListed([]);
    }
  });

  it('find a page that one of them has shown just before the change', async () => {
    const { snippet, name } = await createPart('just-shown');
    const address = `/late-${freshName('x')}`;
    const page = await createPage(leader, site, {
      slug: address.slice(1),
      published: true,
      catch_all: true,
      html: `{% if route.rest %}{% include "${name}" %}{% endif %}`,
    });
    expect(await statusOf(other, `${address}/below`)).toBe(200);
    await callOk(leader, 'PUT', `/snippets/${snippet}`, { content: mistake });
    await untilListed(['/just-shown', `${address}/below`]);
    const below = (await list(other)).find(({ page_id }) => page_id === page);
    expect(below).toMatchObject({ found_by: 'check', change: { kind: 'snippet', id: snippet } });
    await callOk(other, 'PUT', `/snippets/${snippet}`, { content: 'good' });
    await untilListed([]);
  });

  it('enter a visit that fails on any of them, once for all', async () => {
    const since = (await callOk(leader, 'GET', '/changes?since=now'))['version'];
    const html = '{% if route.query.n %}{% include route.query.n %}{% endif %}';
    await createPage(leader, site, { slug: 'visited', published: true, html });
    for (const node of [other, leader]) {
      expect(await statusOf(node, '/visited?n=no-such-snippet')).toBe(500);
      for (const asked of [other, leader])
        expect(await list(asked)).toMatchObject([{ path: '/visited', found_by: 'visit' }]);
    }
    const { changes } = await callOk(other, 'GET', `/changes?since=${since}&limit=1000`);
    expect(changes).toMatchObject([{ action: 'created' }, { action: 'failed', event: 'page.failed' }]);
    await createSnippet(other, { name: 'no-such-snippet', content: '' });
    expect(await statusOf(other, '/visited?n=no-such-snippet')).toBe(200);
    await untilListed([]);
  });

  it('lose no check with the node that was to make it', async () => {
    const { snippet } = await createPart('taken-over');
    expect(await statusOf(leader, '/taken-over')).toBe(200);
    await until(async () => !(await isChecking(leader)));
    await callOk(other, 'PUT', `/snippets/${snippet}`, { content: mistake });
    await leader.end('SIGKILL');
    await untilListed(['/taken-over'], [other]);
    expect(await list(other)).toMatchObject([
      { found_by: 'check', change: { kind: 'snippet', id: snippet } },
    ]);
  });
});

async function readMetrics({ url }: TestServer): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

async function isLeader(node: TestServer): Promise<boolean> {
  return (await readMetrics(node)).includes('\nincipit_node_leader 1\n');
}

/** Also while visits of other nodes may become known. */
async function isChecking(node: TestServer): Promise<boolean> {
  return (await readMetrics(node)).includes('\nincipit_page_checks_running 1\n');
}
