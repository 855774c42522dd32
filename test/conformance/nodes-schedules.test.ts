import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList, callOk } from '../support/api.ts';
import { shareMedia, startNode, until } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import type { TestServer } from '../support/server.ts';

/**
 * Schedules of workflows on two nodes whose clocks differ, while the one that leads stops or dies. Minutes pass on real
 * clocks, so both tests wait at the same time.
 */

const minuteMs = 60_000;
/** Time from the start of the first node until a minute is full on its clock. */
const leadMs = 25_000;
/** By then another node leads and has run what was missed. */
const takeOverMs = 15_000;

describe.skipIf(postgresFolder === undefined)('schedules of nodes', () => {
  let postgres: TestPostgres;
  let s3: S3Server;
  const running: TestServer[] = [];

  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  });
  afterAll(async () => {
    for (const node of running) {
      await node.end('SIGKILL');
      await node.stop();
    }
    await Promise.all([postgres?.remove(), s3?.stop()]);
  });

  /** Two nodes with a workflow that starts every minute; the first one leads. */
  async function startTwo({ aheadMs }: { readonly aheadMs: number }) {
    const database = await postgres.createDatabase();
    const shift = minuteMs - ((Date.now() + leadMs) % minuteMs);
    const start = async (more: number) => {
      const clock = new URL('../upgrades/pinned-clock.ts', import.meta.url);
      clock.searchParams.set('at', String(Date.now() + shift + more));
      const node = await startNode(database, { env: { NODE_OPTIONS: `--import=${clock.href}` } });
      running.push(node);
      return node;
    };
    const one = await start(aheadMs);
    await shareMedia(one, s3);
    const flow = {
      nodes: [{ id: 'start', type: 'inject', x: 0, y: 0, config: { cron: 'CRON_TZ=UTC * * * * *' } }],
      wires: [],
    };
    const { id } = await callOk(one, 'POST', '/workflows', { name: 'Minutes', enabled: true, flow });
    const two = await start(0);
    await until(() => isLeader(one));
    /** Waits until the clock of the second node is at a time relative to its next full minute. */
    const passTo = (ms: number) => pause((2 * minuteMs + ms - ((Date.now() + shift) % minuteMs)) % minuteMs);
    const countRuns = async (node: TestServer) => {
      const runs = await callList(node, `/workflows/${id}/runs`);
      expect(runs.every(({ trigger }) => trigger === 'cron')).toBe(true);
      return runs.length;
    };
    return { one, two, passTo, countRuns };
  }

  const isLeader = async ({ url }: TestServer) =>
    (await (await fetch(`${url}/metrics`)).text()).includes('\nincipit_node_leader 1\n');

  it.concurrent('come once when the leader stands still, and late when it has died', async () => {
    const { one, two, passTo, countRuns } = await startTwo({ aheadMs: 0 });
    await passTo(-2_000);
    const before = await countRuns(two);
    process.kill(one.pid, 'SIGSTOP');
    await until(async () => (await countRuns(two)) === before + 1, 2_000 + takeOverMs);
    expect(await isLeader(two)).toBe(true);
    process.kill(one.pid, 'SIGCONT');
    await pause(5_000);
    await until(async () => (await countRuns(one)) === before + 1);

    await passTo(-1_500);
    expect(await countRuns(one)).toBe(before + 1);
    await two.end('SIGKILL');
    await until(async () => (await countRuns(one)) === before + 2, 1_500 + takeOverMs);
    await pause(3_000);
    expect(await countRuns(one)).toBe(before + 2);
  }, 240_000);

  it.concurrent('come once when the leader ends whose clock is 5 s ahead', async () => {
    const { one, two, passTo, countRuns } = await startTwo({ aheadMs: 5_000 });
    await passTo(-6_000);
    const before = await countRuns(two);
    await until(async () => (await countRuns(two)) === before + 1);
    await one.end('SIGTERM');
    await until(() => isLeader(two));
    await passTo(5_000);
    expect(await countRuns(two)).toBe(before + 1);
  });
});
