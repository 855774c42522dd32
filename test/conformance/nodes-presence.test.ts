import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { startTwoNodes, type TwoNodes } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import type { TestServer } from '../support/server.ts';

/** Who has which object open, on two nodes. */

describe.skipIf(postgresFolder === undefined)('presence on two nodes', () => {
  let nodes: TwoNodes | undefined;
  let one: TestServer;
  let two: TestServer;
  let page: number;

  beforeAll(async () => {
    nodes = await startTwoNodes();
    ({ one, two } = nodes);
    page = await createSite(one, { title: 'Home' });
  }, 60_000);
  afterAll(() => nodes?.stop());

  const report = (node: TestServer, state: string, headers = {}) =>
    call(node, 'PUT', '/presence', { headers, body: { kind: 'page', id: page, state } });

  it('is known on both when it is answered', async () => {
    for (const [index, node] of [one, two, one, two].entries()) {
      const state = index % 2 === 0 ? 'viewing' : 'editing';
      expect((await report(node, state)).status).toBe(200);
      for (const other of [one, two])
        expect(await callList(other, `/presence?kind=page&id=${page}`)).toMatchObject([
          { name: 'Master-Token', state },
        ]);
    }
    expect((await call(two, 'DELETE', '/presence')).status).toBe(204);
    for (const node of [one, two]) expect(await callList(node, '/presence')).toEqual([]);
  });

  it('is told in the event streams of both', async () => {
    const streams = await Promise.all(
      [one, two].map((node) => EventReader.open(node.url, '/changes?since=now')),
    );
    for (const stream of streams) await stream.next();
    const told = () => Promise.all(streams.map((stream) => stream.next()));
    await report(one, 'editing');
    const data = { kind: 'page', id: page, name: 'Master-Token', state: 'editing' };
    expect(await told()).toMatchObject([
      { event: 'presence', data },
      { event: 'presence', data },
    ]);
    await call(two, 'DELETE', '/presence');
    expect(await told()).toMatchObject([{ data: { state: 'left' } }, { data: { state: 'left' } }]);
    for (const stream of streams) stream.close();
  });

  it('keeps names apart', async () => {
    await report(one, 'viewing', { 'X-IC-On-Behalf-Of': 'Ada' });
    await report(two, 'editing');
    await call(one, 'DELETE', '/presence');
    expect(await callList(two, '/presence')).toMatchObject([
      { name: 'Master-Token (for Ada)', state: 'viewing' },
    ]);
  });
});
