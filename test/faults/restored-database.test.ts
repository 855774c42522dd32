import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPage, createSite } from '../support/content.ts';
import { startNode, until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import {
  NodeGroup,
  type ProxiedNode,
  saveTitle,
  shownTitle,
  titleTemplate,
} from '../support/proxied-nodes.ts';

/**
 * PostgreSQL goes back to an older state, as after the restore of a backup. The replicas of nodes are of a history that
 * never was. Nodes show what PostgreSQL has, and agree about what comes next.
 */

/** By then nodes show what PostgreSQL has, in milliseconds: a lease of 3 s, and time to fill the replica. */
const followMs = 10_000;

describe.skipIf(postgresFolder === undefined)('a PostgreSQL that was restored', () => {
  let group: NodeGroup;
  let page: number;
  /** Puts the files of PostgreSQL back to where the title was `old`. */
  let restore: () => Promise<void>;

  beforeAll(async () => {
    group = await NodeGroup.start();
    const home = await createSite(group.one);
    page = await createPage(group.one, home, { slug: 'p', published: true, html: titleTemplate });
  });
  beforeEach(async () => {
    expect(await saveTitle(group.one, page, 'old')).toBe('200');
    restore = await group.postgres.copyFiles();
    await group.serve();
    expect(await saveTitle(group.one, page, 'lost')).toBe('200');
    for (const node of group.nodes) expect(await shownTitle(node, '/p')).toBe('lost');
  });
  afterAll(() => group?.close(), 60_000);

  it('to an older version, under running nodes', async () => {
    await restore();
    await expectAll('old');
    await expectAgreement();
  });

  it('to an older version, while nodes were stopped', async () => {
    for (const node of group.nodes) await node.stopServer();
    await restore();
    for (const node of group.nodes) await node.startServer();
    await expectAll('old');
    await expectAgreement();
  });

  it('to the same version with other content, under running nodes', async () => {
    for (const { proxy } of group.nodes) {
      proxy.refuse();
      proxy.cutAll();
    }
    await restoreWithBranch();
    for (const { proxy } of group.nodes) proxy.mend();
    await expectAll('branch');
    await expectAgreement();
  });

  it('to the same version with other content, while nodes were stopped', async () => {
    for (const node of group.nodes) await node.stopServer();
    await restoreWithBranch();
    for (const node of group.nodes) await node.startServer();
    await expectAll('branch');
    await expectAgreement();
  });

  /** Another node writes one change, so that the number of the version is the same again. */
  async function restoreWithBranch(): Promise<void> {
    const before = await group.contentVersions();
    await restore();
    const branch = await startNode(group.database);
    try {
      await until(async () => (await saveTitle(branch, page, 'branch')) === '200');
      expect(await shownTitle(branch, '/p')).toBe('branch');
      expect(await group.contentVersions()).toEqual(before);
    } finally {
      await branch.stop();
    }
  }

  async function expectAll(title: string): Promise<void> {
    for (const node of group.nodes) {
      await until(async () => (await shownTitle(node, '/p')) === title, followMs).catch(async () =>
        expect(await shownTitle(node, '/p')).toBe(title),
      );
    }
  }

  /** Whatever a node writes now, both show. */
  async function expectAgreement(): Promise<void> {
    const writers: readonly (readonly [ProxiedNode, string])[] = [
      [group.two, 'second'],
      [group.one, 'third'],
    ];
    for (const [writer, title] of writers) {
      await group.serve();
      expect(await saveTitle(writer, page, title)).toBe('200');
      for (const node of group.nodes) expect(await shownTitle(node, '/p')).toBe(title);
    }
  }
});
