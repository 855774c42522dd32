import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { startNode, until } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { masterToken, type TestServer } from '../support/server.ts';

/** What several nodes tell others of changes: when every node that serves shows the change. */
describe.skipIf(postgresFolder === undefined)('three nodes', () => {
  let postgres: TestPostgres;
  let database: string;
  let nodes: TestServer[];
  let site: number;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase();
    nodes = [await startNode(database)];
    nodes.push(...(await Promise.all([startNode(database), startNode(database)])));
    await untilAllServe();
    site = await createSite(nodeAt(0));
  }, 120_000);
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    await postgres?.remove();
  }, 60_000);

  it.each(['stream', 'feed'])(
    'tell the %s of a change when all that serve have it',
    async (how) => {
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
    },
    60_000,
  );

  function nodeAt(index: number): TestServer {
    const node = nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
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
