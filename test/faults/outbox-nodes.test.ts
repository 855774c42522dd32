import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { pageOf, shareMedia, startNode, until } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { Receiver } from '../support/receiver.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { masterToken, type TestServer } from '../support/server.ts';

/**
 * What several nodes tell others of changes: once, when every node that serves shows the change, and also when the node
 * that was to tell it dies.
 */
describe.skipIf(postgresFolder === undefined)('three nodes', () => {
  let postgres: TestPostgres;
  let s3: S3Server;
  let database: string;
  let nodes: TestServer[];
  let receiver: Receiver;
  let site: number;

  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    database = await postgres.createDatabase();
    nodes = [await startNode(database)];
    await shareMedia(nodeAt(0), s3);
    nodes.push(...(await Promise.all([startNode(database), startNode(database)])));
    await untilAllServe();
    site = await createSite(nodeAt(0));
  });
  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.listen();
  });
  afterEach(async () => {
    for (const { id } of await callList(nodeAt(0), '/webhooks'))
      await call(nodeAt(0), 'DELETE', `/webhooks/${id}`);
    await receiver.close();
  });
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    await Promise.all([postgres?.remove(), s3?.stop()]);
  });

  it('deliver each event once, whichever of them made the change', async () => {
    await createWebhook(['content.changed', 'batch.applied']);
    const created: unknown[] = [];
    for (let round = 0; round < 4; round++)
      for (const node of nodes) {
        created.push(await createPage(node, site));
        await applyBatch(node, `${round}`);
      }
    await until(async () => pagesCreated().length >= created.length);
    // A last event, after which nothing can be on its way any more.
    await createPage(nodeAt(1), site, { slug: 'last' });
    await until(async () => pagesCreated().length > created.length);
    expect(pagesCreated().slice(0, -1).sort()).toEqual(created.sort());
    const events = receiver.received.map(({ body }) => body['event']);
    expect(events.filter((event) => event === 'batch.applied')).toHaveLength(created.length);
    const ids = receiver.received.map(({ headers }) => headers['x-ic-delivery']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tell a webhook of a change when all that serve show it', async () => {
    const { leader, others } = await findLeader();
    const [writer, held] = others as [TestServer, TestServer];
    const page = await createPage(writer, site, { slug: 'told', published: true, html: 'old' });
    await createWebhook(['batch.applied']);
    for (const node of nodes) expect(await pageOf(node, '/told')).toContain('old');
    const shown: string[] = [];
    receiver.onRequest = async () => {
      expect(await hasLease(held)).toBe(false);
      process.kill(held.pid, 'SIGCONT');
      for (const node of nodes) shown.push(await pageOf(node, '/told'));
    };
    process.kill(held.pid, 'SIGSTOP');
    try {
      const data = { html: 'new' };
      await callOk(writer, 'POST', '/batch', { ops: [{ op: 'update', kind: 'page', id: page, data }] });
      await until(async () => shown.length === nodes.length);
    } finally {
      process.kill(held.pid, 'SIGCONT');
    }
    for (const [index, text] of shown.entries())
      expect([index, text]).toEqual([
        index,
        expect.stringMatching(nodes[index] === held ? /new|^503/ : /new/),
      ]);
    expect(shown[nodes.indexOf(leader)]).toContain('new');
    await untilAllServe();
  });

  it.each(['stream', 'feed'])('tell the %s of a change when all that serve have it', async (how) => {
    const { leader, others } = await findLeader();
    const [writer, held] = others as [TestServer, TestServer];
    const since = Number((await callOk(leader, 'GET', '/changes?since=now'))['version']);
    process.kill(held.pid, 'SIGSTOP');
    try {
      const told = how === 'stream' ? readStream(leader, since) : readFeed(leader, since);
      const saved = createPage(writer, site);
      await told;
      expect(await hasLease(held)).toBe(false);
      await saved;
    } finally {
      process.kill(held.pid, 'SIGCONT');
    }
    await untilAllServe();
  });

  it('deliver what a node has committed that is killed, and what it was sending with the same ID', async () => {
    const { leader, others } = await findLeader();
    await createWebhook(['content.changed', 'batch.applied'], others[0]);
    receiver.isSilent = true;
    await applyBatch(leader, 'before the end');
    await receiver.until(1);
    const page = await createPage(leader, site, { title: 'Of a dead node' });
    receiver.isSilent = false;
    await leader.end('SIGKILL');
    nodes = [...others];
    await until(async () => pagesCreated().includes(page), 40_000);
    const batches = receiver.received.filter(({ body }) => body['event'] === 'batch.applied');
    expect(batches).toHaveLength(2);
    expect(batches[1]?.headers['x-ic-delivery']).toBe(batches[0]?.headers['x-ic-delivery']);
    expect(batches[1]?.text).toBe(batches[0]?.text);
    expect(pagesCreated().filter((id) => id === page)).toHaveLength(1);
  });

  function nodeAt(index: number): TestServer {
    const node = nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  function createWebhook(events: readonly string[], on = nodeAt(0)): Promise<Record<string, unknown>> {
    return callOk(on, 'POST', '/webhooks', { url: receiver.url, events });
  }

  function applyBatch(node: TestServer, title: string): Promise<Record<string, unknown>> {
    return callOk(node, 'POST', '/batch', {
      ops: [{ op: 'update', kind: 'page', id: site, data: { title } }],
    });
  }

  /** IDs of the pages that webhooks were told of as created, in order. */
  function pagesCreated(): unknown[] {
    return receiver.received
      .flatMap(({ body }) => [body['changes'] ?? []].flat().map(asRecord))
      .filter(({ kind, action }) => kind === 'page' && action === 'created')
      .map(({ id }) => id);
  }

  async function untilAllServe(): Promise<void> {
    await until(async () => {
      const answers = await Promise.all(nodes.map(({ url }) => fetch(`${url}/healthz`)));
      return answers.every(({ status }) => status === 200);
    });
  }

  async function findLeader(): Promise<{ leader: TestServer; others: TestServer[] }> {
    const [row] = await postgres.query(
      database,
      'SELECT nodes.name FROM incipit.duties JOIN incipit.nodes ON nodes.id = duties.node',
    );
    const leader = nodes.find(({ pid }) => String(row?.['name']).endsWith(`:${pid}`));
    if (leader === undefined) throw new Error('there is no leader');
    return { leader, others: nodes.filter((node) => node !== leader) };
  }

  async function hasLease({ pid }: TestServer): Promise<boolean> {
    const [row] = await postgres.query(
      database,
      `SELECT lease_until > clock_timestamp() AS live FROM incipit.nodes WHERE name LIKE '%:${pid}'`,
    );
    return row?.['live'] === true;
  }

  /** Resolves when an event stream has told of a change. */
  async function readStream({ url }: TestServer, since: number): Promise<void> {
    const abort = new AbortController();
    const response = await fetch(`${url}/api/v1/changes?since=${since}`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${masterToken}` },
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('event: change')) break;
    }
    abort.abort();
  }

  /** Resolves when the feed has a change. */
  async function readFeed(node: TestServer, since: number): Promise<void> {
    await until(async () => {
      const { changes } = await callOk(node, 'GET', `/changes?since=${since}`);
      return [changes].flat().length > 0;
    });
  }
});
