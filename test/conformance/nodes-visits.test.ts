import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { upload } from '../support/media.ts';
import { startNode, startTwoNodes, type TwoNodes, until } from '../support/nodes.ts';
import { Origin } from '../support/origin.ts';
import { postgresFolder, type TestPostgres } from '../support/postgres.ts';
import { Receiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

/** What visits and background work leave behind is the same on all nodes of a database. */

const host = 'visits.test';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

describe.skipIf(postgresFolder === undefined)('nodes of a shared database', () => {
  let nodes: TwoNodes | undefined;
  let postgres: TestPostgres;
  let database: string;
  let one: TestServer;
  let two: TestServer;
  let home: number;

  beforeAll(async () => {
    nodes = await startTwoNodes();
    ({ postgres, database, one, two } = nodes);
    home = await createSite(one, { title: 'Home', domains: host });
    await createPage(one, home, { slug: 'about', published: true, html: 'about' });
  });
  afterAll(() => nodes?.stop());

  const view = async (node: TestServer, path = '/about', userAgent = firefox, client = '198.51.100.7') => {
    const headers = { 'User-Agent': userAgent, 'X-Forwarded-For': client };
    expect((await visit(node, path, { host, headers })).status).toBe(200);
  };
  const stats = (node: TestServer) => callOk(node, 'GET', `/stats?root_id=${home}`);
  /** Resolves when both nodes tell the same, and it is this. */
  const untilBoth = (ask: (node: TestServer) => Promise<unknown>, wanted: unknown) =>
    until(async () => {
      const answers = await Promise.all([one, two].map(ask));
      for (const answer of answers) expect(answer).toEqual(wanted);
      return true;
    });

  it('count visits together, and a visitor of several once', async () => {
    await view(one);
    await view(two);
    await view(two, '/', chrome);
    await view(one, '/', chrome);
    await until(async () => {
      const [left, right] = [await stats(one), await stats(two)];
      expect(left).toMatchObject({
        views: 4,
        visitors: 2,
        pages: [
          { name: '/', views: 2, visitors: 1 },
          { name: '/about', views: 2, visitors: 1 },
        ],
      });
      expect(right).toEqual(left);
      return true;
    });
  });

  it('know no visitor by a salt that can be read', async () => {
    const [row] = await postgres.query(database, 'SELECT sealed FROM incipit.salts');
    expect(row?.['sealed']).toMatch(/^v1\./);
    expect(JSON.stringify(await postgres.query(database, 'SELECT * FROM incipit.log'))).not.toContain(
      '198.51.100.7',
    );
  });

  it('keep their statistics without the files of a node', async () => {
    const third = await startNode(database);
    expect(await stats(third)).toEqual(await stats(one));
    await third.stop();
  });

  it('delete statistics together, and count anew', async () => {
    await callOk(two, 'DELETE', `/stats?root_id=${home}`);
    await untilBoth(async (node) => (await stats(node))['views'], 0);
    await view(one);
    await view(two);
    await untilBoth(
      async (node) => {
        const { views, visitors, pages } = await stats(node);
        return { views, visitors, pages };
      },
      { views: 2, visitors: 1, pages: [{ root_id: home, name: '/about', views: 2, visitors: 1 }] },
    );
  });

  it('know the countries that one of them was given', async () => {
    const list = '2|ripencc|1|1|||\nripencc|DE|ipv4|203.0.113.0|256||allocated\n';
    await upload(one, [{ name: 'list.txt', bytes: list }], {}, { path: '/geo/upload' });
    await untilBoth(async (node) => (await callOk(node, 'GET', '/geo'))['ranges'], 1);
    await view(two, '/about', firefox, '203.0.113.5');
    await untilBoth(
      async (node) => asRecord((await stats(node))['dims'])['country'],
      [{ name: 'DE', visitors: 1 }],
    );
  });

  it('end a circle of deliveries that goes through several of them', async () => {
    const receiver = new Receiver();
    await receiver.listen();
    await callOk(one, 'POST', '/webhooks', { url: receiver.url, events: ['content.changed'] });
    const flow = {
      nodes: [
        { id: 'in', type: 'http-in', x: 0, y: 0, config: { method: 'POST', path: 'circle', public: true } },
        { id: 'add', type: 'collection', x: 1, y: 0, config: { action: 'create', collection: 'notes' } },
      ],
      wires: [{ from: 'in', to: 'add' }],
    };
    await callOk(one, 'POST', '/collections', {
      slug: 'notes',
      name: 'Notes',
      fields: [{ name: 'title', type: 'text' }],
    });
    await callOk(two, 'POST', '/workflows', { name: 'Circle', enabled: true, flow });
    const hops: unknown[] = [];
    for (const [round, node] of [one, two, one, two].entries()) {
      const sent = receiver.received.at(-1)?.headers;
      const circle = {
        'X-IC-Delivery': String(sent?.['x-ic-delivery']),
        'X-IC-Webhook-Hop': String(sent?.['x-ic-webhook-hop']),
      };
      const answer = await fetch(`${node.url}/api/v1/flows/circle`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(sent === undefined ? {} : circle) },
        body: '{"title":"x"}',
      });
      expect(answer.status).toBe(204);
      if (round === 3) break;
      await receiver.until(round + 1);
      hops.push(receiver.received.at(-1)?.headers['x-ic-webhook-hop']);
    }
    expect(hops).toEqual(['1', '2', '3']);
    const [webhook] = await callList(one, '/webhooks');
    await until(async () => {
      const deliveries = await callList(one, `/webhooks/${webhook?.['id']}/deliveries`);
      return deliveries.some(({ state, hop }) => state === 'skipped' && hop === 4);
    });
    await call(one, 'DELETE', `/webhooks/${webhook?.['id']}`);
    await receiver.close();
  });

  describe('imports', () => {
    let origin: Origin;
    let waiting: (() => void)[];

    beforeAll(async () => {
      waiting = [];
      origin = await new Origin({
        '/ready': '<!doctype html><title>Ready</title><p>Ready to be taken over.</p>',
        '/slow': (_request, response) => {
          waiting.push(() => response.end('late'));
          return undefined;
        },
      }).listen();
    });
    afterAll(() => origin.close());

    const begin = async (node: TestServer, path: string) => {
      const body = { base: origin.url(), urls: [origin.url(path)], target_page_id: home };
      return call(node, 'POST', '/import/run', { body });
    };
    const jobOn = (node: TestServer, id: unknown, query = '') =>
      callOk(node, 'GET', `/import/jobs/${id}${query}`);

    it('of one node are shown by all, with log and result', async () => {
      const { id } = asRecord((await begin(one, '/ready')).body);
      await until(async () => (await jobOn(one, id))['status'] === 'done');
      await until(async () => (await jobOn(two, id))['status'] === 'done');
      const job = await jobOn(one, id);
      expect(await jobOn(two, id)).toEqual(job);
      expect(asRecord(job['result'])['pages']).toHaveLength(1);
      expect(await jobOn(two, id, '?log_since=1')).toEqual(await jobOn(one, id, '?log_since=1'));
      expect(await callList(two, '/import/jobs')).toEqual(await callList(one, '/import/jobs'));
      expect((await call(two, 'GET', '/import/jobs/unknown')).status).toBe(404);
      expect((await call(two, 'DELETE', '/import/jobs/unknown')).status).toBe(404);
    });

    it('into one page are refused on all while one runs, and are cancelled on any', async () => {
      const { id } = asRecord((await begin(one, '/slow')).body);
      expect(await begin(two, '/ready')).toMatchObject({ status: 409, body: { code: 'import.running' } });
      await until(async () => (await jobOn(two, id))['status'] === 'running');
      expect((await call(two, 'DELETE', `/import/jobs/${id}`)).status).toBe(204);
      expect(await jobOn(two, id)).toMatchObject({ status: 'cancelled' });
      await until(async () => (await jobOn(one, id))['status'] === 'cancelled');
      for (const answer of waiting) answer();
      await until(async () => (await begin(two, '/ready')).status === 202);
    });
  });
});
