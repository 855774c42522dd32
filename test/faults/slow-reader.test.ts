import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

/** Just below the time after which a node gives a connection up that says nothing, in milliseconds. */
const slowMs = 9_000;

describe.skipIf(postgresFolder === undefined)('a node that reads the log slowly', () => {
  let group: NodeGroup;

  beforeEach(async () => {
    group = await NodeGroup.start({ leaseSeconds: 2 });
  });
  afterEach(() => group?.close(), 60_000);

  it('is waited for, or serves nothing: it shows nothing old after an answered save', async () => {
    const { one, two } = group;
    const home = await createSite(one);
    const page = await createPage(one, home, { slug: 'p', title: '0', published: true, html: titleTemplate });
    expect(await shownTitle(two, '/p')).toBe('0');

    const slow = two.proxy
      .at({ application: connections.contentReader, statement: statements.readLog, times: 9 })
      .delayAnswer(slowMs);
    const first = saveTitle(one, page, '1');
    // What is on its way to the node does not have the second save.
    await slow.happened();
    expect(await saveTitle(one, page, '2')).toBe('200');
    const shown = await shownTitle(two, '/p');
    expect(shown === '2' || shown.startsWith('503 '), `shown: ${shown}`).toBe(true);
    expect(await first).toBe('200');
    await group.mend();
    expect(await shownTitle(two, '/p')).toBe('2');
  });
});
