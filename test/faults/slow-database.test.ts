import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPage, createSite } from '../support/content.ts';
import { postgresFolder } from '../support/postgres.ts';
import {
  connections,
  NodeGroup,
  saveTitle,
  shownTitle,
  statements,
  titleTemplate,
} from '../support/proxied-nodes.ts';
import { countEverywhere, importRows, makeCollection, rowCount } from '../support/several-parts.ts';

/** A PostgreSQL that is slow, or set to short limits, and a node that says nothing for seconds: no lost connection. */

const application = connections.contentWriter;

describe.skipIf(postgresFolder === undefined)('nodes of a slow database', () => {
  let group: NodeGroup;

  beforeAll(async () => {
    group = await NodeGroup.start();
  });
  afterAll(() => group?.close(), 60_000);

  it('wait for a part that takes longer than other statements may', async () => {
    const { one, two } = group;
    const slug = await makeCollection(two);
    const slow = one.proxy.at({ application, statement: statements.secondPart }).delayAnswer(6_000);
    expect(await importRows(one, slug)).toBe(200);
    await slow.happened();
    expect(await countEverywhere(group, slug)).toEqual([rowCount, rowCount, rowCount]);
  });

  it('send a change again if PostgreSQL has given the connection up, because it heard nothing', async () => {
    const { one, two } = group;
    const slug = await makeCollection(two);
    // PostgreSQL waits 3 s; the node hears of its end when the statement reaches it.
    const late = one.proxy.at({ application, statement: statements.secondPart }).delay(4_000);
    expect(await importRows(one, slug)).toBe(200);
    await late.happened();
    expect(await countEverywhere(group, slug)).toEqual([rowCount, rowCount, rowCount]);
  });

  it('do not depend on the limits that the database is set to', async () => {
    const { one, two, database } = group;
    const name = new URL(database).pathname.slice(1);
    for (const setting of [
      "statement_timeout = '500ms'",
      "lock_timeout = '1ms'",
      "idle_in_transaction_session_timeout = '10ms'",
      "idle_session_timeout = '1s'",
      "default_transaction_isolation = 'serializable'",
      'synchronous_commit = off',
    ])
      await group.query(`ALTER DATABASE "${name}" SET ${setting}`);
    for (const node of group.nodes) {
      await node.stopServer();
      await node.startServer();
      await node.serves();
    }
    const home = await createSite(one);
    const page = await createPage(one, home, {
      ...{ slug: 'p', title: '0', published: true },
      html: titleTemplate,
    });
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) => saveTitle(n % 2 === 0 ? one : two, page, String(n))),
    );
    expect(outcomes).toEqual(['200', '200', '200', '200']);
    expect(await shownTitle(one, '/p')).toBe(await shownTitle(two, '/p'));
  });
});
