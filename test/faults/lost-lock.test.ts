import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { postgresFolder } from '../support/postgres.ts';
import { connections, NodeGroup, saveTitle, statements } from '../support/proxied-nodes.ts';
import { countEverywhere, expectWhole, importRows, makeCollection } from '../support/several-parts.ts';

/** A change whose connection has ended after it got the lock, and that does not know: it writes nothing any more. */

const application = connections.contentWriter;

describe.skipIf(postgresFolder === undefined)('an import that has lost the lock', () => {
  let group: NodeGroup;

  beforeAll(async () => {
    group = await NodeGroup.start();
  });
  afterAll(() => group?.close(), 60_000);
  afterEach(() => group.mend(), 60_000);

  it('is there as a whole or not at all when its connection is cut a second time, between two parts', async () => {
    const { one, two } = group;
    const slug = await makeCollection(two);
    const fault = one.proxy.at({ application, statement: statements.lock }).cutAfterDelivery();
    one.proxy.at({ application, statement: statements.secondPart }).cutBefore();
    const status = await importRows(one, slug);
    await fault.happened();
    await expectWhole(group, slug, status);
    const page = await createSite(two);
    expect(await saveTitle(one, page, 'next')).toBe('200');
    expect(await callOk(two, 'GET', `/pages/${page}`)).toMatchObject({ title: 'next' });
    expect(new Set(await countEverywhere(group, slug)).size).toBe(1);
  });

  it('is there as a whole or not at all when another node writes meanwhile', async () => {
    const { one, two } = group;
    const slug = await makeCollection(two);
    const page = await createSite(two);
    const fault = one.proxy.at({ application, statement: statements.lock }).cutAfterDelivery();
    const hold = one.proxy.at({ application, statement: statements.firstPart }).hold();
    const answer = importRows(one, slug);
    await fault.happened();
    // A node that has noticed the loss sends nothing.
    await Promise.race([hold.happened(), answer]);
    expect(await saveTitle(two, page, 'meanwhile')).toBe('200');
    hold.release();

    await expectWhole(group, slug, await answer);
    await one.serves();
    expect(await callOk(one, 'GET', `/pages/${page}`)).toMatchObject({ title: 'meanwhile' });
    expect(await saveTitle(one, page, 'next')).toBe('200');
    expect(await callOk(two, 'GET', `/pages/${page}`)).toMatchObject({ title: 'next' });
    expect(new Set(await countEverywhere(group, slug)).size).toBe(1);
  });

  it('says that it may be there when nobody can find that out', async () => {
    const { one, two } = group;
    const page = await createSite(two);
    await one.serves();
    // The node commits other things too, such as what must go out.
    const statement = /perhaps[\s\S]*UPDATE incipit\.lanes/;
    const commit = one.proxy.at({ application, statement }).cutAfterForward();
    const answer = saveTitle(one, page, 'perhaps');
    await commit.happened();
    // Longer than the outcome is looked for.
    one.proxy.refuse();
    expect(await answer).toBe('503 common.outcomeUnknown');
    expect(await callOk(two, 'GET', `/pages/${page}`)).toMatchObject({ title: 'perhaps' });
  });
});
