import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { fakeCode } from '../support/code-runner.ts';
import { createCollection, createItem, createPage, createSite, freshName } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { ManualTimers, Receiver } from '../support/receiver.ts';

/** Data, Automation and Operations: schedules, "Collection events", hops of webhooks; Core: `workflow()`, sitemap. */

type Fields = Readonly<Record<string, unknown>>;

let server: InProcessServer;
let timers: ManualTimers;
const answers: { goods: unknown } = { goods: [] };
/** What the workflows have said about runs to come. */
const expected: boolean[] = [];
const databaseCalls: unknown[] = [];
let now = Date.UTC(2026, 0, 5, 12, 0, 30);

beforeAll(async () => {
  timers = new ManualTimers();
  server = await startInProcess({
    clock: () => now,
    later: (ms, task) => timers.later(ms, task),
    workflowParts: {
      code: {
        ...fakeCode({ goods: () => ({ payload: answers.goods }) }),
        expectRuns: (areExpected) => expected.push(areExpected),
      },
      databases: {
        async call(connection, action, args) {
          databaseCalls.push({ connection, action, args });
          return { records: answers.goods };
        },
      },
    },
  });
});
afterAll(() => server.stop());

const node = (id: string, type: string, config: Fields = {}) => ({ id, type, config });
const wire = (from: string, to: string) => ({ from, to });

async function create(
  nodes: readonly object[],
  wires: readonly object[] = [],
  name = freshName('Flow'),
): Promise<number> {
  return Number((await callOk(server, 'POST', '/workflows', { name, flow: { nodes, wires } }))['id']);
}

async function runsOf(id: number): Promise<Record<string, unknown>[]> {
  return callList(server, `/workflows/${id}/runs`);
}

/** Resolves with the runs of a workflow once there are as many. */
async function untilRuns(id: number, count: number): Promise<Record<string, unknown>[]> {
  for (;;) {
    const runs = await runsOf(id);
    if (runs.length >= count) return runs;
  }
}

/** What the start node of a run has sent on. */
function messageOf(run: Fields | undefined): Record<string, unknown> {
  const [first] = Array.isArray(run?.['trace']) ? run['trace'] : [];
  return asRecord(JSON.parse(String(asRecord(first)['out']).replace(/^\[|\]$/g, '')));
}

describe('schedules', () => {
  const minute = 60_000;
  const scheduled = () => create([node('a', 'inject', { cron: 'CRON_TZ=UTC * * * * *', payload: '7' })]);

  beforeEach(() => {
    // The whole minute and a half.
    now = Math.floor(now / minute) * minute + minute / 2;
  });

  /** Moves the clock, and lets the schedules look at it. */
  function pass(ms: number): void {
    now += ms;
    timers.fire();
  }

  it('start what is due', async () => {
    const id = await scheduled();
    pass(20_000);
    expect(await runsOf(id)).toEqual([]);
    pass(10_000);
    expect(await untilRuns(id, 1)).toMatchObject([{ trigger: 'cron', status: 'ok', result: '7' }]);
    pass(minute);
    await untilRuns(id, 2);
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('leave out what was due while the server slept', async () => {
    const id = await scheduled();
    pass(24 * 60 * minute + 45_000);
    expect(await runsOf(id)).toEqual([]);
    expect(await callOk(server, 'GET', `/workflows/${id}`)).toMatchObject({
      next_run: Math.ceil(now / minute) * 60,
    });
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('repeat nothing when the clock is set back by an hour', async () => {
    const id = await scheduled();
    pass(30_000);
    await untilRuns(id, 1);
    pass(-60 * minute);
    pass(30 * minute);
    expect(await runsOf(id)).toHaveLength(1);
    pass(31 * minute);
    await untilRuns(id, 2);
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('begin anew when it is set back by years', async () => {
    const id = await scheduled();
    pass(10 * 365 * 24 * 60 * minute);
    pass(-10 * 365 * 24 * 60 * minute);
    pass(minute);
    await untilRuns(id, 1);
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('do not overlap in one workflow', async () => {
    const nodes = [
      node('a', 'inject', { cron: 'CRON_TZ=UTC * * * * *' }),
      node('b', 'delay', { seconds: 299 }),
    ];
    const id = await create(nodes, [wire('a', 'b')]);
    const delays = () => timers.planned.filter((ms) => ms === 299_000).length;
    now += 30_000;
    timers.fire(30_000);
    while (delays() === 0) await new Promise(setImmediate);
    expect(delays()).toBe(1);
    now += minute;
    timers.fire(minute);
    // A node claims the start first.
    for (let round = 0; round < 10; round++) expect(await runsOf(id)).toEqual([]);
    expect(delays()).toBe(1);
    timers.fire(299_000);
    await untilRuns(id, 1);
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('of 1,000 workflows have one timer', async () => {
    const before = timers.planned.length;
    const nodes = Array.from({ length: 1000 }, (_, index) =>
      node(`n${index}`, 'inject', { cron: '* * * * *' }),
    );
    const id = await create(nodes);
    await callOk(server, 'GET', `/workflows/${id}`);
    expect(timers.planned.length - before).toBeLessThanOrEqual(1);
    await call(server, 'DELETE', `/workflows/${id}`);
  });

  it('run once in the hour that comes twice, and in the day that lacks it', async () => {
    const id = await create([node('a', 'inject', { cron: 'CRON_TZ=Europe/Berlin 30 2 * * *' })]);
    const nextAfter = async (ms: number) => {
      now = ms;
      timers.fire();
      return new Date(
        Number((await callOk(server, 'GET', `/workflows/${id}`))['next_run']) * 1000,
      ).toISOString();
    };
    expect(await nextAfter(Date.UTC(2026, 9, 25, 0, 31))).toBe('2026-10-26T01:30:00.000Z');
    expect(await nextAfter(Date.UTC(2027, 2, 27, 12))).toBe('2027-03-28T01:00:00.000Z');
    await call(server, 'DELETE', `/workflows/${id}`);
  });
});

describe('collection events', () => {
  let slug: string;
  beforeEach(async () => {
    slug = freshName('news');
    await createCollection(server, { slug, fields: [{ name: 'title', type: 'text' }] });
  });

  const listener = (actions: Fields) =>
    create([node('e', 'event', { collection: slug, ...actions }), node('d', 'debug')], [wire('e', 'd')]);

  it('start what listens for them, with the entry', async () => {
    const created = await listener({ created: true });
    const changed = await listener({ updated: true, deleted: true });
    const id = await createItem(server, slug, { title: 'Spring' });
    const [run] = await untilRuns(created, 1);
    const entry = await callOk(server, 'GET', `/collections/${slug}/items/${id}`);
    expect(run).toMatchObject({ trigger: 'event', status: 'ok' });
    expect(messageOf(run)).toEqual({ payload: entry, event: 'created', collection: slug });
    const after = await callOk(server, 'PUT', `/collections/${slug}/items/${id}`, {
      data: { title: 'Summer' },
    });
    const [second] = await untilRuns(changed, 1);
    expect(messageOf(second)).toEqual({ payload: after, event: 'updated', collection: slug });
    await call(server, 'DELETE', `/collections/${slug}/items/${id}`);
    const [third] = await untilRuns(changed, 2);
    expect(messageOf(third)).toEqual({ payload: after, event: 'deleted', collection: slug });
    expect(await runsOf(created)).toHaveLength(1);
  });

  it('fire for each entry of a list and of a batch, and not for a new order or a save without change', async () => {
    const id = await listener({ created: true, updated: true });
    const body = [{ data: { title: 'a' } }, { data: { title: 'b' } }];
    const items = (await call(server, 'POST', `/collections/${slug}/items`, { body })).body;
    await untilRuns(id, 2);
    const op = { op: 'create', kind: 'item', collection: slug, data: { title: 'c' } };
    await callOk(server, 'POST', '/batch', { ops: [op] });
    await untilRuns(id, 3);
    const ids = Array.isArray(items) ? items.map((item) => asRecord(item)['id']) : [];
    await call(server, 'POST', `/collections/${slug}/items/reorder`, { body: [...ids].reverse() });
    await callOk(server, 'PUT', `/collections/${slug}/items/${ids[0]}`, { data: { title: 'a' } });
    await createItem(server, slug, { title: 'last' });
    const runs = await untilRuns(id, 4);
    expect(runs.map((run) => asRecord(asRecord(messageOf(run)['payload'])['data'])['title'])).toEqual([
      'last',
      'c',
      'b',
      'a',
    ]);
  });

  it('end after three levels', async () => {
    const add = node('add', 'collection', { action: 'create', collection: slug });
    const id = await create(
      [node('e', 'event', { collection: slug, created: true }), add],
      [wire('e', 'add')],
    );
    await createItem(server, slug, { title: 'first' });
    await untilRuns(id, 3);
    for (;;) {
      const entries = await callList(server, `/collections/${slug}/items`);
      if (entries.length === 4) break;
    }
    expect(await runsOf(id)).toHaveLength(3);
  });

  it('are not those of a disabled workflow', async () => {
    const id = await listener({ created: true });
    await callOk(server, 'PUT', `/workflows/${id}`, { enabled: false });
    const other = await listener({ created: true });
    await createItem(server, slug, { title: 'x' });
    await untilRuns(other, 1);
    expect(await runsOf(id)).toEqual([]);
  });
});

it('lets processes for code be ready while an enabled workflow has code', async () => {
  const id = await create([node('start', 'inject'), node('code', 'function', { code: 'goods' })]);
  expect(expected.at(-1)).toBe(true);
  await callOk(server, 'PUT', `/workflows/${id}`, { enabled: false });
  await callList(server, '/workflows');
  expect(expected.at(-1)).toBe(false);
});

describe('changes of a workflow', () => {
  it('have the workflow as author, and count one hop further than what has led to it', async () => {
    const receiver = new Receiver();
    await receiver.listen();
    await callOk(server, 'POST', '/webhooks', { url: receiver.url, events: ['content.changed'] });
    const slug = freshName('orders');
    await createCollection(server, { slug, fields: [{ name: 'title', type: 'text' }] });
    const path = freshName('order');
    const name = freshName('Orders');
    const nodes = [
      node('in', 'http-in', { path, method: 'POST', public: true }),
      node('add', 'collection', { action: 'create', collection: slug }),
    ];
    await create(nodes, [wire('in', 'add')], name);
    timers.fire(2000);

    const order = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/flows/${path}`, {
        method: 'POST',
        body: '{"title":"x"}',
        headers: { 'Content-Type': 'application/json', ...headers },
      });
    const hops: unknown[] = [];
    let headers: Record<string, string> = {};
    for (let round = 1; round <= 3; round += 1) {
      expect((await order(headers)).status).toBe(204);
      timers.fire(2000);
      await receiver.until(round);
      const sent = receiver.received[round - 1]?.headers;
      hops.push(sent?.['x-ic-webhook-hop']);
      headers = {
        'X-IC-Delivery': String(sent?.['x-ic-delivery']),
        'X-IC-Webhook-Hop': String(sent?.['x-ic-webhook-hop']),
      };
    }
    expect(hops).toEqual(['1', '2', '3']);
    expect((await order(headers)).status).toBe(204);
    timers.fire(2000);
    const [webhook] = await callList(server, '/webhooks');
    const newest = async () => (await callList(server, `/webhooks/${webhook?.['id']}/deliveries`))[0];
    await expect
      .poll(newest)
      .toMatchObject({ state: 'skipped', error_code: 'webhook.nestedTooDeep', hop: 4 });
    const { changes } = await callOk(server, 'GET', '/changes?since=0&limit=1000');
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'item', actor: `Workflow ${name}` }));
    await receiver.close();
  });
});

describe('workflow() in templates', () => {
  let siteId: number;
  beforeAll(async () => {
    siteId = await createSite(server, { domains: 'flows.test' });
  });

  const visit = async (path: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { 'X-Forwarded-Host': 'flows.test' } });
    return { status: response.status, text: await response.text(), cache: response.headers.get('x-cache') };
  };

  async function show(html: string) {
    const slug = freshName('page');
    await createPage(server, siteId, { slug, html, published: true });
    return visit(`/${slug}`);
  }

  it('runs a workflow by ID, name or path, once for equal calls; the page is not kept', async () => {
    const path = freshName('offers');
    const name = freshName('Offers');
    const nodes = [
      node('in', 'http-in', { path: `${path}/{kind}` }),
      node('out', 'http-response', {}),
      node('after', 'debug'),
    ];
    const id = await create(nodes, [wire('in', 'out'), wire('in', 'after')], name);
    for (const ref of [id, JSON.stringify(name), JSON.stringify(`${path}/x`)]) {
      const html = `{% set a = workflow(${ref}, "city", "Ulm", n=2) %}{{ a.city }} {{ a.n }} {{ workflow(${ref}, "city", "Ulm", n=2).n }}`;
      expect(await show(html)).toMatchObject({
        status: 200,
        text: expect.stringContaining('Ulm 2 2'),
        cache: 'BYPASS',
      });
    }
    const runs = await runsOf(id);
    expect(runs.map(({ trigger, status }) => [trigger, status])).toEqual(
      Array.from({ length: 3 }, () => ['template', 'ok']),
    );
  });

  it('gives the payload of the last node without a response', async () => {
    const id = await create([node('a', 'inject', { payload: '[1, 2]' })]);
    await callOk(server, 'POST', `/workflows/${id}/run`);
    const html = `{{ workflow(${id}).n }}`;
    expect((await show(html)).status).toBe(200);
  });

  it.each([
    ['an unknown one', '"nobody"'],
    ['a disabled one', undefined],
  ])('of %s is a render error', async (_name, ref) => {
    const id = await create([node('a', 'inject')]);
    await callOk(server, 'PUT', `/workflows/${id}`, { enabled: false });
    expect((await show(`{{ workflow(${ref ?? id}) }}`)).status).toBe(500);
  });

  it('that fails is a render error', async () => {
    const nodes = [node('a', 'inject'), node('b', 'delay', { seconds: '{{ msg.nothing }}' })];
    const id = await create(nodes, [wire('a', 'b')]);
    expect((await show(`{{ workflow(${id}) }}`)).status).toBe(500);
    const page = await createPage(server, siteId, { html: `{{ workflow(${id}) }}` });
    const rendered = await call(server, 'GET', `/pages/${page}/render`);
    expect(rendered.status).toBe(422);
    expect(JSON.stringify(rendered.body)).toContain('node \\"delay b\\"');
  });

  it('takes at most ten seconds', async () => {
    const id = await create([node('a', 'inject'), node('b', 'delay', { seconds: 60 })], [wire('a', 'b')]);
    // Others plan something in a minute too.
    const countMinutes = () => timers.planned.filter((ms) => ms === 60_000).length;
    const others = countMinutes();
    const shown = show(`{{ workflow(${id}) }}`);
    while (countMinutes() === others) await new Promise(setImmediate);
    timers.fire(10_000);
    expect((await shown).status).toBe(500);
    expect((await untilRuns(id, 1))[0]).toMatchObject({ error: expect.stringContaining('10 seconds') });
  });
});

describe('a sitemap source', () => {
  const goods = [{ code: 'a/1', day: '2025-03-04' }, { code: 'b 2', day: 1_700_000_000 }, 'c', { other: 1 }];
  let site: number;
  let path: string;
  beforeEach(async () => {
    path = freshName('shop');
    const domain = `${path}.test`;
    site = await createSite(server, { domains: domain });
  });

  const createShop = (source: Fields) =>
    createPage(server, site, { slug: 'shop', published: true, catch_all: true, sitemap_source: source });
  const preview = (page: number, body: Fields = {}) =>
    call(server, 'POST', `/pages/${page}/sitemap-preview`, { body });
  const sitemap = async () => {
    const headers = { 'X-Forwarded-Host': `${path}.test` };
    return (await fetch(`${server.url}/sitemap.xml`, { headers })).text();
  };

  it('of type workflow adds what its input answers with; an answer counts for ten minutes', async () => {
    const nodes = [node('in', 'http-in', { path, public: true }), node('f', 'function', { code: 'goods' })];
    const id = await create(nodes, [wire('in', 'f')]);
    const page = await createShop({ type: 'workflow', path, column: 'code', lastmod: 'day' });
    expect((await preview(page)).body).toEqual({
      count: 3,
      sample: [
        { path: '/shop/a/1', lastmod: '2025-03-04T00:00:00.000Z' },
        { path: '/shop/b%202', lastmod: '2023-11-14T22:13:20.000Z' },
        { path: '/shop/c', lastmod: expect.any(String) },
      ],
      duration_ms: expect.any(Number),
    });
    const text = await sitemap();
    for (const found of [
      '/shop</loc>',
      '/shop/a/1</loc><lastmod>2025-03-04<',
      '/shop/b%202</loc>',
      '/shop/c</loc>',
    ])
      expect(text).toContain(found);
    const [run] = await runsOf(id);
    expect(asRecord(asRecord(messageOf(run)['req'])['query'])).toEqual({ sitemap: '1' });
    const count = (await runsOf(id)).length;
    await sitemap();
    expect(await runsOf(id)).toHaveLength(count);
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: nodes.slice(0, 1) } });
    now += 601_000;
    expect(await sitemap()).toContain('/shop/a/1</loc>');
    expect(await preview(page)).toMatchObject({ status: 502, body: { code: 'page.sitemapSourceFailed' } });
  });

  it('of type workflow without such a workflow is told in the preview, and left out of the sitemap', async () => {
    const page = await createShop({ type: 'workflow', path: 'nowhere' });
    expect(await preview(page)).toMatchObject({
      status: 502,
      body: { code: 'page.sitemapSourceFailed', error: expect.stringContaining('"nowhere"') },
    });
    expect(await sitemap()).toContain('/shop</loc>');
  });

  it('of type extdb asks for the columns only', async () => {
    const page = await createShop({
      type: 'extdb',
      connection: 'crm',
      table: 'goods',
      column: 'code',
      match: 'or',
    });
    expect((await preview(page)).body).toMatchObject({ count: 3 });
    expect(databaseCalls.at(-1)).toEqual({
      connection: 'crm',
      action: 'list',
      args: { table: 'goods', fields: ['code'], all: true, match: 'or' },
    });
  });

  beforeAll(() => {
    answers.goods = goods;
  });
});
