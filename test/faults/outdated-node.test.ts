import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPage, createSite } from '../support/content.ts';
import { until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import { NodeGroup, saveTitle, shownTitle, statements, titleTemplate } from '../support/proxied-nodes.ts';

/** A node that slept while a newer program upgraded the database: it must not write rows that it does not know. */

const newerSchema = 100_000;

describe.skipIf(postgresFolder === undefined)('a node that slept through an upgrade', () => {
  let group: NodeGroup;
  let page: number;

  beforeEach(async () => {
    group = await NodeGroup.start();
    const home = await createSite(group.one);
    page = await createPage(group.one, home, { slug: 'p', title: '0', published: true, html: titleTemplate });
  });
  afterEach(() => group?.close(), 60_000);

  it('writes nothing, and ends with the reason', async () => {
    const { two } = group;
    expect(await shownTitle(two, '/p')).toBe('0');
    process.kill(two.server.pid, 'SIGSTOP');
    try {
      await upgrade();
    } finally {
      process.kill(two.server.pid, 'SIGCONT');
    }
    const before = await group.contentVersions();
    const outcomes = await Promise.all(['1', '2', '3'].map((title) => saveTitle(two, page, title)));
    expect(outcomes).not.toContain('200');
    expect(await group.contentVersions()).toEqual(before);
    await until(async () => /upgraded by a newer version/.test(two.server.log()));
    await until(async () => !isRunning(two.server.pid));
  });

  it('writes nothing with the lock that it asked for before the upgrade', async () => {
    const { one } = group;
    const before = await group.contentVersions();
    const locked = one.proxy.at({ statement: statements.lock }).hold();
    const save = saveTitle(one, page, '1');
    await locked.happened();
    await upgrade();
    locked.release();
    expect(await save).not.toBe('200');
    expect(await group.contentVersions()).toEqual(before);
  });

  async function upgrade(): Promise<void> {
    await group.query(
      `UPDATE incipit.lanes SET schema_version = ${newerSchema}, writable_from = ${newerSchema}
       WHERE name = 'content'`,
    );
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
