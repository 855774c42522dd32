import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPage, createSite } from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import { connections, NodeGroup, saveTitle, shownTitle, titleTemplate } from '../support/proxied-nodes.ts';

/** A node whose lease has ended in PostgreSQL before it ended here: nothing of it serves, no thread either. */

describe.skipIf(postgresFolder === undefined)('a node whose lease is not in PostgreSQL any more', () => {
  let group: NodeGroup;

  beforeEach(async () => {
    // By its own clock the lease would last much longer than the test.
    group = await NodeGroup.start({ leaseSeconds: 60, args: ['-front-threads', '2'] });
  });
  afterEach(() => group?.close(), 60_000);

  it('serves nothing once it has noticed, on no thread', async () => {
    const { one, two } = group;
    const home = await createSite(one);
    const page = await createPage(one, home, {
      slug: 'p',
      title: 'old',
      published: true,
      html: titleTemplate,
    });
    for (let round = 0; round < 30; round++) expect(await titleOnNewConnection(two.server.port)).toBe('old');
    const stream = await EventReader.open(two.url, '/stats/live');
    await stream.next();

    // It must not get the lease back, for which it uses the connection that writes.
    const hold = two.proxy
      .at({ application: connections.contentWriter, statement: /FOR SHARE/, times: 9 })
      .hold();
    const [{ id } = {}] = await group.query(
      `UPDATE incipit.nodes SET lease_until = '-infinity' WHERE name LIKE '%:${two.server.pid}' RETURNING id`,
    );
    expect(id).toBeTypeOf('string');
    await two.servesNot();
    await hold.happened();
    await stream.end();
    expect(await saveTitle(one, page, 'new')).toBe('200');
    for (let round = 0; round < 30; round++) expect(await titleOnNewConnection(two.server.port)).toBe('503');

    hold.release();
    await two.serves();
    await until(async () => (await shownTitle(two, '/p')) === 'new', 10_000);
  });
});

/** The title of the page, or the status; each connection may belong to another thread. */
async function titleOnNewConnection(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /p HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return /<p>(.*?)<\/p>/.exec(text)?.[1] ?? /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text;
}
