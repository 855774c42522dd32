import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { callList, callOk } from '../support/api.ts';
import { postgresFolder } from '../support/postgres.ts';
import { NodeGroup, type ProxiedNode } from '../support/proxied-nodes.ts';

/** A replica with a row that no other node has, so that a version cannot be applied: it is filled again, once. */

const filled = 'the replica was filled';

describe.skipIf(postgresFolder === undefined)('a replica with a row that is not shared', () => {
  let group: NodeGroup;

  beforeEach(async () => {
    group = await NodeGroup.start();
    await callOk(group.one, 'POST', '/snippets', { name: 'first', content: 'x' });
    await group.two.stopServer();
    addRow(group.two);
  });
  afterEach(() => group?.close(), 60_000);

  it('is filled again when the row is in the way', async () => {
    const { one, two } = group;
    await two.startServer();
    await two.serves();
    await callOk(one, 'POST', '/snippets', { name: 'clash', content: 'shared' });
    await expectHealed();
  });

  it('is filled again when the row is in the way at the start', async () => {
    const { one, two } = group;
    await callOk(one, 'POST', '/snippets', { name: 'clash', content: 'shared' });
    await two.startServer();
    await expectHealed();
  });

  async function expectHealed(): Promise<void> {
    const { one, two } = group;
    await two.serves();
    expect(await callList(two, '/snippets')).toEqual(await callList(one, '/snippets'));
    await callOk(two, 'POST', '/snippets', { name: 'second', content: 'y' });
    await group.serve();
    expect(await callList(one, '/snippets')).toEqual(await callList(two, '/snippets'));
    expect(two.server.log().split(filled)).toHaveLength(2);
  }
});

/** Writes a row to the replica of a node that does not run. */
function addRow({ dataDir }: ProxiedNode): void {
  const db = new Connection<object>(join(dataDir, 'replica', 'content.db'));
  db.execute(`INSERT INTO snippets (id, name, content, created_at, updated_at)
    VALUES (9999, 'clash', 'only here', 1, 1)`);
  db.close();
}
