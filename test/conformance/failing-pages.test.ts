import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { until } from '../support/nodes.ts';
import { Origin } from '../support/origin.ts';
import { Receiver } from '../support/receiver.ts';
import { notFound } from '../support/scenarios.ts';
import { masterToken } from '../support/server.ts';
import { visit } from './public-client.ts';

/** Beyond the specifications, "Pages that fail". */

let server: InProcessServer;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { domains: host });
});

const list = () => callList(server, `/sites/${site}/failing-pages`);
const paths = async () => (await list()).map(({ path }) => path);
const statusOf = async (path: string) => (await visit(server, path, { host })).status;
const untilListed = (wanted: readonly string[]) =>
  until(async () => {
    expect((await paths()).sort()).toEqual(wanted);
    return true;
  });

/** A published page below the home page. */
const page = (slug: string, html: string, fields: object = {}) =>
  createPage(server, site, { slug, html, published: true, ...fields });

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^incipit_${name} (\\d+)`, 'm').exec(text)?.[1]);
}

/** Resolves when no page is checked any more. */
const untilChecked = () => until(async () => (await figure('page_checks_running')) === 0);

describe('GET /sites/{id}/failing-pages', () => {
  it('is empty while every page renders, and 404 for what is no website', async () => {
    expect(await list()).toEqual([]);
    const below = await page('below', 'x');
    expect(outcomeOf(await call(server, 'GET', '/sites/999999/failing-pages'))).toEqual(notFound);
    expect((await call(server, 'GET', `/sites/${below}/failing-pages`)).status).toBe(400);
  });

  it('has the page, the place of the error and the change that broke it', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'good' });
    const id = await page('shows', `line\n{% include "${name}" %}`);
    expect(await statusOf('/shows')).toBe(200);
    const before = Math.floor(Date.now() / 1000);
    await callOk(server, 'PUT', `/snippets/${snippet}`, { content: 'text\n  {{ 1|nofilter }}' });
    await untilListed(['/shows']);
    const [entry] = await list();
    expect(entry).toEqual({
      path: '/shows',
      page_id: id,
      error: expect.stringContaining('nofilter'),
      template: name,
      line: 2,
      column: expect.any(Number),
      since: expect.any(Number),
      change: { version: expect.any(Number), kind: 'snippet', id: snippet, title: name, by: 'Master-Token' },
      found_by: 'check',
    });
    expect(Number(entry?.['since'])).toBeGreaterThanOrEqual(before);
    expect(await statusOf('/shows')).toBe(500);
    expect(await list()).toEqual([entry]);
  });

  it('lists the newest first, by itself for pages that nobody has asked for but the change itself', async () => {
    await page('never-asked', '{{ 1|nofilter }}');
    await untilListed(['/never-asked']);
    const [entry] = await list();
    expect(entry).toMatchObject({ found_by: 'check', change: { kind: 'page', title: 'never-asked' } });
  });

  it('names the entry whose value broke a page', async () => {
    const slug = freshName('spoons');
    const collection = await callOk(server, 'POST', '/collections', {
      name: slug,
      slug,
      fields: [{ name: 'art', type: 'text', required: true }],
    });
    const drawing = freshName('drawing');
    await createSnippet(server, { name: drawing, content: 'drawn' });
    const items = `/collections/${idOf(collection)}/items`;
    const item = idOf(await callOk(server, 'POST', items, { data: { art: drawing }, published: true }));
    await page('collection', `{% for entry in data("${slug}") %}{% include entry.art %}{% endfor %}`);
    expect(await statusOf('/collection')).toBe(200);
    await callOk(server, 'PUT', `${items}/${item}`, { data: { art: 'spoon' } });
    await untilListed(['/collection']);
    expect((await list())[0]).toMatchObject({
      error: expect.stringContaining('spoon'),
      change: { kind: 'item', id: item },
    });
    await callOk(server, 'PUT', `${items}/${item}`, { data: { art: drawing } });
    await untilListed([]);
  });

  it('enters a failing visit', async () => {
    await page('visited', '{% if route.query.n %}{% include route.query.n %}{% endif %}');
    expect(await statusOf('/visited')).toBe(200);
    await untilChecked();
    expect(await list()).toEqual([]);
    expect(await statusOf('/visited?n=no-such-snippet')).toBe(500);
    expect(await list()).toMatchObject([{ path: '/visited', found_by: 'visit', change: null }]);
    expect(await statusOf('/visited')).toBe(200);
    expect(await paths()).toEqual(['/visited']);
    await createSnippet(server, { name: 'no-such-snippet', content: '' });
    await untilListed([]);
  });

  it('enters no preview', async () => {
    await createPage(server, site, { slug: 'draft', html: '{{ 1|nofilter }}', published: false });
    const id = await page('fine', 'x');
    const preview = await fetch(`${server.url}/api/v1/pages/${id}/preview`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ html: '{{ 1|nofilter }}' }),
    });
    expect(preview.status).toBe(422);
    await untilChecked();
    expect(await list()).toEqual([]);
  });
});

describe('a page leaves the list', () => {
  let id: number;
  beforeEach(async () => {
    id = await page('broken', '{{ 1|nofilter }}');
    await untilListed(['/broken']);
  });

  it('when it renders again', async () => {
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'good' });
    await untilListed([]);
  });

  it('when it is deleted', async () => {
    expect((await call(server, 'DELETE', `/pages/${id}`)).status).toBe(204);
    expect(await paths()).toEqual([]);
  });

  it('when it is no longer published', async () => {
    await callOk(server, 'PUT', `/pages/${id}`, { published: false });
    expect(await paths()).toEqual([]);
  });

  it('at its old path when it moves, and is listed at the new one', async () => {
    await callOk(server, 'PUT', `/pages/${id}`, { slug: 'elsewhere' });
    await untilListed(['/elsewhere']);
  });
});

describe('a check', () => {
  /** A workflow that answers a call of a page. */
  async function createFlow(): Promise<number> {
    const nodes = [
      { id: 'in', type: 'http-in', config: { path: freshName('input'), public: true } },
      { id: 'out', type: 'http-response', config: {} },
    ];
    const flow = { nodes, wires: [{ from: 'in', to: 'out' }] };
    return idOf(await callOk(server, 'POST', '/workflows', { name: freshName('Flow'), enabled: true, flow }));
  }

  const countRuns = async (flow: number) => (await callList(server, `/workflows/${flow}/runs`)).length;

  it('fetches nothing and starts no workflow: such a page is checked up to the call', async () => {
    const origin = await new Origin({ '/list': { type: 'application/json', body: '[1]' } }).listen();
    try {
      const slug = freshName('rest');
      await callOk(server, 'POST', '/sources', { slug, url: origin.url('/list'), cache_seconds: 0 });
      const flow = await createFlow();
      const first = freshName('first');
      const before = await createSnippet(server, { name: first, content: 'a' });
      const last = freshName('last');
      const after = await createSnippet(server, { name: last, content: 'a' });
      const calls = {
        '/rest': `{% for x in data("${slug}") %}{{ x }}{% endfor %}`,
        '/runs': `{{ workflow(${flow}) }}`,
      };
      for (const [path, html] of Object.entries(calls)) {
        await page(path.slice(1), `{% include "${first}" %}${html}{% include "${last}" %}`);
        expect(await statusOf(path)).toBe(200);
      }
      await untilChecked();
      const asked = origin.requests.length;
      const runs = await countRuns(flow);
      expect([asked > 0, runs > 0]).toEqual([true, true]);
      await callOk(server, 'PUT', `/snippets/${after}`, { content: '{{ 1|nofilter }}' });
      await untilChecked();
      expect(await paths()).toEqual([]);
      await callOk(server, 'PUT', `/snippets/${before}`, { content: '{{ 1|nofilter }}' });
      await untilListed(['/rest', '/runs']);
      expect([origin.requests.length, await countRuns(flow)]).toEqual([asked, runs]);
    } finally {
      await origin.close();
    }
  });

  it('does not take back what a visit has found behind a call', async () => {
    const gone = await new Origin({}).listen();
    const slug = freshName('rest');
    await callOk(server, 'POST', '/sources', { slug, url: gone.url('/list'), cache_seconds: 0 });
    await gone.close();
    const first = freshName('first');
    const snippet = await createSnippet(server, { name: first, content: '{{ 1|nofilter }}' });
    await page('rest', `{% include "${first}" %}{% for x in data("${slug}") %}{{ x }}{% endfor %}`);
    await untilListed(['/rest']);
    expect(await list()).toEqual([expect.objectContaining({ template: first, found_by: 'check' })]);
    await untilChecked();
    // The visit comes before the next check: the entry has its error then.
    const saved = callOk(server, 'PUT', `/snippets/${snippet}`, { content: 'good' });
    expect(await saved.then(() => statusOf('/rest'))).toBe(500);
    await untilChecked();
    const ofVisit = expect.objectContaining({ error: expect.stringContaining(slug), found_by: 'visit' });
    expect(await list()).toEqual([ofVisit]);
  });

  it('leaves the page cache as it is', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'one' });
    await page('cached', `{% include "${name}" %}`);
    expect(await statusOf('/cached')).toBe(200);
    await callOk(server, 'PUT', `/snippets/${snippet}`, { content: 'two' });
    await untilChecked();
    const seen = [];
    for (let round = 0; round < 2; round++) {
      const answer = await visit(server, '/cached', { host });
      seen.push([answer.header('x-cache'), answer.text.includes('two')]);
    }
    expect(seen).toEqual([
      ['MISS', true],
      ['HIT', true],
    ]);
  });
});

describe('event page.failed', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.listen();
  });
  afterEach(async () => {
    for (const { id } of await callList(server, '/webhooks')) await call(server, 'DELETE', `/webhooks/${id}`);
    await receiver.close();
  });

  const feed = async (since: unknown) =>
    (await callOk(server, 'GET', `/changes?since=${since}&limit=1000`))['changes'];
  const now = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];

  it('comes once for each page until it renders again, in the feed and to webhooks that name it', async () => {
    await callOk(server, 'POST', '/webhooks', { url: receiver.url, events: ['page.failed'] });
    const id = await page('told', 'good');
    expect(await statusOf('/told')).toBe(200);
    const since = await now();
    const failed = async () => {
      const changes = await feed(since);
      return Array.isArray(changes) ? changes.filter(({ action }) => action === 'failed') : [];
    };
    await callOk(server, 'PUT', `/pages/${id}`, { html: '{{ 1|nofilter }}' });
    await untilListed(['/told']);
    const [entry] = await list();
    const told = { site_id: site, path: '/told', error: entry?.['error'], change: entry?.['change'] };
    expect(await failed()).toMatchObject([{ kind: 'page', id, event: 'page.failed', ...told }]);
    await until(async () => {
      expect(receiver.received.map(({ body }) => body)).toMatchObject([{ event: 'page.failed', ...told }]);
      return true;
    });
    await callOk(server, 'PUT', `/pages/${id}`, { html: '{{ 2|nofilter }}' });
    await statusOf('/told');
    await untilChecked();
    expect(await failed()).toHaveLength(1);
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'good' });
    await untilListed([]);
    await callOk(server, 'PUT', `/pages/${id}`, { html: '{{ 3|nofilter }}' });
    await untilListed(['/told']);
    expect(await failed()).toHaveLength(2);
  });

  it('is no default of webhooks, no change of content and no change in the audit', async () => {
    const webhook = await callOk(server, 'POST', '/webhooks', { url: receiver.url });
    expect(webhook['events']).toEqual(['content.changed', 'schema.changed', 'batch.applied']);
    const id = await page('quiet', '{{ 1|nofilter }}');
    await untilListed(['/quiet']);
    const { changes } = await callOk(server, 'GET', `/audit?kind=page&id=${id}`);
    expect(changes).toMatchObject([{ action: 'created' }]);
  });
});

it('counts failing pages in /metrics', async () => {
  const before = await figure('failing_pages');
  await page('counted', '{{ 1|nofilter }}');
  await untilListed(['/counted']);
  expect(await figure('failing_pages')).toBe(before + 1);
});
