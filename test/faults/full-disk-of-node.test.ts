import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPage, createSite } from '../support/content.ts';
import { postgresFolder } from '../support/postgres.ts';
import { NodeGroup, saveTitle, shownTitle, titleTemplate } from '../support/proxied-nodes.ts';

/** A node that cannot write its replica any more, after PostgreSQL has committed: the change has happened. */

/** The next change elsewhere waits for a lease of 3 s; the machine may have other work to do. */
const nextMs = 5_000;

describe.skipIf(postgresFolder === undefined)('a node whose disk is full', () => {
  let group: NodeGroup;

  beforeEach(async () => {
    group = await NodeGroup.start();
  });
  afterEach(() => group?.close(), 60_000);

  it('says that a change has happened, or that this is unknown, and holds up no other node', async () => {
    const { one, two } = group;
    const home = await createSite(one);
    const page = await createPage(one, home, { slug: 'p', title: '0', published: true, html: titleTemplate });
    const { newest } = await group.contentVersions();

    limitFiles(one.server.pid, '0');
    const outcome = await saveTitle(one, page, '1');
    expect((await group.contentVersions()).newest).toBe(newest + 1);
    expect(['200', '503 common.outcomeUnknown']).toContain(outcome);
    expect(await shownTitle(two, '/p')).toBe('1');

    const start = performance.now();
    expect(await saveTitle(two, page, '2')).toBe('200');
    expect(performance.now() - start).toBeLessThan(nextMs);
    const shown = await shownTitle(one, '/p');
    expect(shown === '2' || shown.startsWith('503 '), `shown: ${shown}`).toBe(true);

    limitFiles(one.server.pid, 'unlimited');
    await one.serves();
    expect(await shownTitle(one, '/p')).toBe('2');
    expect(await saveTitle(one, page, '3')).toBe('200');
    for (const node of group.nodes) expect(await shownTitle(node, '/p')).toBe('3');
  });
});

/** Sets how long a file of a process may get; beyond, writes fail as on a full disk. */
function limitFiles(pid: number, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}
