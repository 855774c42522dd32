import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { startTwoNodes, type TwoNodes, until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import type { TestServer } from '../support/server.ts';
import { findTrashed, listTrash, restore } from '../support/trash.ts';

/** Change sets and the trash, on two nodes: what one has done, the other knows when it is answered. */

describe.skipIf(postgresFolder === undefined)('change sets on two nodes', () => {
  let nodes: TwoNodes | undefined;
  let one: TestServer;
  let two: TestServer;
  let site: number;

  beforeAll(async () => {
    nodes = await startTwoNodes();
    ({ one, two } = nodes);
    site = await createSite(one, { title: 'Home' });
  }, 60_000);
  afterAll(() => nodes?.stop());

  const create = async (node: TestServer) =>
    idOf(await callOk(node, 'POST', '/change-sets', { name: freshName('r') }));
  const put = (node: TestServer, set: number, page: number, body: object) =>
    callOk(node, 'PUT', `/change-sets/${set}/items/page/${page}`, body);

  it('drafts of a working copy are read, changed and published on any of them', async () => {
    const page = await createPage(one, site);
    await callOk(one, 'PUT', `/pages/${page}/copy`, { title: 'One' });
    expect(await callOk(two, 'GET', `/pages/${page}/copy`)).toMatchObject({ title: 'One' });
    await callOk(two, 'PUT', `/pages/${page}/copy`, { description: 'Two' });
    expect(await callOk(one, 'GET', `/pages/${page}/copy`)).toMatchObject({
      title: 'One',
      description: 'Two',
    });
    expect((await call(two, 'POST', `/pages/${page}/copy/publish`, { body: {} })).status).toBe(200);
    for (const node of [one, two])
      expect(await callOk(node, 'GET', `/pages/${page}`)).toMatchObject({ title: 'One', description: 'Two' });
    expect((await call(one, 'GET', `/pages/${page}/copy`)).body).toMatchObject({ code: 'changeset.noCopy' });
  });

  it('reads with a change set are those of its newest state', async () => {
    const [set, page] = [await create(one), await createPage(two, site)];
    for (const [index, node] of [one, two, one, two].entries()) {
      await put(node, set, page, { title: `Title ${index}` });
      for (const reader of [one, two])
        expect(await callOk(reader, 'GET', `/pages/${page}?change_set=${set}`)).toMatchObject({
          title: `Title ${index}`,
        });
    }
    await callOk(one, 'PUT', `/pages/${page}`, { description: 'Live' });
    expect(await callOk(two, 'GET', `/pages/${page}?change_set=${set}`)).toMatchObject({
      title: 'Title 3',
      description: 'Live',
    });
  });

  it('both create objects with IDs of their own', async () => {
    const sets = [await create(one), await create(two)];
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const data = { parent_id: site, slug: freshName('p'), title: 'x' };
        const path = `/change-sets/${sets[index % 2]}/items`;
        return idOf(
          await callOk([one, two][index % 2] ?? one, 'POST', path, { op: 'create', kind: 'page', data }),
        );
      }),
    );
    expect(new Set(ids).size).toBe(10);
  });

  it('a scheduled one is published once, in order', async () => {
    const page = await createPage(one, site);
    const { version: since } = await callOk(one, 'GET', '/changes?since=now');
    const at = Math.floor(Date.now() / 1000) + 2;
    const sets: number[] = [];
    for (const [index, node] of [one, two].entries()) {
      const set = await create(node);
      await callOk(node, 'POST', `/change-sets/${set}/items`, {
        op: 'create',
        kind: 'page',
        data: { parent_id: page, slug: `below-${index}`, title: 'x' },
      });
      await callOk(node, 'PUT', `/change-sets/${set}`, { publish_at: at + index });
      sets.push(set);
    }
    await until(async () => {
      const states = await Promise.all(sets.map((set) => callOk(two, 'GET', `/change-sets/${set}`)));
      return states.every(({ state }) => state === 'published');
    }, 60_000);
    for (const node of [one, two]) {
      const { changes } = await callOk(node, 'GET', `/changes?since=${since}&limit=1000`);
      const published = (Array.isArray(changes) ? changes : [])
        .map(asRecord)
        .filter(({ kind }) => kind === 'change_set');
      expect(published.map(({ id, action }) => [id, action])).toEqual(sets.map((set) => [set, 'published']));
      const below = (await callList(node, '/pages')).filter(({ parent_id }) => parent_id === page);
      expect(below).toHaveLength(2);
    }
  });

  it('a publication on one is reverted on the other', async () => {
    const [set, page] = [await create(one), await createPage(one, site, { title: 'Before' })];
    await put(one, set, page, { title: 'After' });
    await callOk(one, 'POST', `/change-sets/${set}/publish`, {});
    expect(await callOk(two, 'POST', `/change-sets/${set}/revert`, {})).toMatchObject({ skipped: [] });
    for (const node of [one, two])
      expect(await callOk(node, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Before' });
    expect((await call(one, 'POST', `/change-sets/${set}/revert`, { body: {} })).status).toBe(409);
  });

  it('what one deletes is in the trash of both, and comes back on both', async () => {
    const page = await createPage(one, site, { slug: freshName('gone') });
    expect((await call(one, 'DELETE', `/pages/${page}`)).status).toBe(204);
    const entry = await findTrashed(two, 'page', page);
    expect(await findTrashed(one, 'page', page)).toEqual(entry);
    expect(await callOk(two, 'GET', `/trash/${entry.id}`)).toMatchObject({ id: page });
    expect((await restore(two, entry.id)).status).toBe(200);
    for (const node of [one, two]) {
      expect(await callOk(node, 'GET', `/pages/${page}`)).toMatchObject({ id: page });
      expect((await listTrash(node)).filter(({ object_id }) => object_id === page)).toEqual([]);
    }
    expect((await call(one, 'POST', `/trash/${entry.id}/restore`, { body: {} })).status).toBe(404);
  });
});
