import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;
let otherSite: number;
/** A fresh section per test, with children a, b and c. */
let section: number;
let children: number[];
let serial = 0;

beforeAll(async () => {
  server = await startServer();
  site = Number((await callOk(server, 'POST', '/sites', { title: 'One' }))['id']);
  otherSite = Number((await callOk(server, 'POST', '/sites', { title: 'Two' }))['id']);
});
afterAll(() => server.stop());

beforeEach(async () => {
  serial++;
  section = await createPage(site, `section-${serial}`);
  children = [];
  for (const slug of ['a', 'b', 'c']) children.push(await createPage(section, slug));
});

async function createPage(parent_id: number, slug: string): Promise<number> {
  return Number((await callOk(server, 'POST', '/pages', { parent_id, title: slug, slug }))['id']);
}

async function slugsBelow(parent: number): Promise<unknown[]> {
  const pages = await callList(server, '/pages');
  return pages.filter((page) => page['parent_id'] === parent).map((page) => page['slug']);
}

async function pathOf(id: number): Promise<unknown> {
  return (await callOk(server, 'GET', `/pages/${id}`))['path'];
}

describe('POST /pages/{id}/move within the same parent', () => {
  it.each([
    [0, 0, 'abc'],
    [0, 1, 'bac'],
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 99, 'acb'],
    [0, -1, 'bca'],
    [1, undefined, 'acb'],
  ])('child %i to index %j gives the order %s', async (child, index, order) => {
    const body = { parent_id: section, ...(index === undefined ? {} : { index }) };
    const answer = await call(server, 'POST', `/pages/${children[child]}/move`, { body });
    expect(answer.status).toBe(200);
    expect((await slugsBelow(section)).join('')).toBe(order);
  });

  it('numbers the siblings from 0', async () => {
    await call(server, 'POST', `/pages/${children[2]}/move`, { body: { parent_id: section, index: 0 } });
    const sorts = (await callList(server, '/pages')).filter((page) => page['parent_id'] === section);
    expect(sorts.map((page) => page['sort'])).toEqual([0, 1, 2]);
  });
});

describe('POST /pages/{id}/move to another parent', () => {
  it('answers with the complete page list', async () => {
    const answer = await call(server, 'POST', `/pages/${children[0]}/move`, {
      body: { parent_id: children[1] },
    });
    expect(answer.body).toEqual(await callList(server, '/pages'));
  });

  it('takes the subtree along with its paths', async () => {
    const deep = await createPage(children[0] ?? 0, 'deep');
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: children[1] } });
    expect(await pathOf(children[0] ?? 0)).toBe(`/section-${serial}/b/a`);
    expect(await pathOf(deep)).toBe(`/section-${serial}/b/a/deep`);
  });

  it('to another website changes root_id of the whole subtree', async () => {
    const child = await createPage(children[0] ?? 0, 'child');
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: otherSite } });
    for (const id of [children[0], child]) {
      expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ root_id: otherSite });
    }
    expect(await pathOf(child)).toBe('/a/child');
    await callOk(server, 'DELETE', `/pages/${children[0]}`);
  });

  it('raises updated_at, but is no local modification', async () => {
    const before = await callOk(server, 'GET', `/pages/${children[0]}`);
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: children[1] } });
    const after = await callOk(server, 'GET', `/pages/${children[0]}`);
    expect(after['local_modified']).toBe(false);
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });
});

describe('POST /pages/{id}/move refuses', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await callList(server, '/pages');
  });
  const target = (name: string, parent_id: () => unknown, id: () => unknown, outcome: object) => ({
    name,
    method: 'POST',
    path: () => `/pages/${id()}/move`,
    body: () => ({ parent_id: parent_id() }),
    status: 400,
    ...outcome,
  });
  const invalidParent = { code: 'common.invalid', params: { field: 'parent_id' } };
  runScenarios(
    () => server,
    [
      target(
        'the home page',
        () => section,
        () => site,
        { code: 'common.invalid', params: { field: 'id' } },
      ),
      target(
        'a page into itself',
        () => section,
        () => section,
        invalidParent,
      ),
      target(
        'a page into its own subtree',
        () => children[0],
        () => section,
        invalidParent,
      ),
      target(
        'no parent',
        () => undefined,
        () => children[0],
        invalidParent,
      ),
      target(
        'parent null',
        () => null,
        () => children[0],
        invalidParent,
      ),
      target(
        'an unknown parent',
        () => 99999,
        () => children[0],
        { status: 404, code: 'common.notFound' },
      ),
      target(
        'an unknown page',
        () => section,
        () => 99999,
        { status: 404, code: 'common.notFound' },
      ),
      {
        ...target(
          'an index of a wrong type',
          () => section,
          () => children[0],
          { code: 'common.invalid', params: { field: 'index' } },
        ),
        body: () => ({ parent_id: section, index: '0' }),
      },
    ],
  );

  it('a reserved slug at the top level', async () => {
    const media = await createPage(section, 'media');
    expect(await call(server, 'POST', `/pages/${media}/move`, { body: { parent_id: site } })).toMatchObject({
      status: 400,
      body: { code: 'page.slugReserved', params: { slug: 'media' } },
    });
    expect(await pathOf(media)).toBe(`/section-${serial}/media`);
  });

  it('a slug that is taken among the new siblings', async () => {
    await createPage(children[1] ?? 0, 'a');
    before = await callList(server, '/pages');
    const answer = await call(server, 'POST', `/pages/${children[0]}/move`, {
      body: { parent_id: children[1] },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'page.slugTaken', params: { slug: 'a' } } });
    expect(await callList(server, '/pages')).toEqual(before);
  });
});

describe('moves at the same time', () => {
  it('of two pages into each other leave a tree', async () => {
    for (let round = 0; round < 20; round++) {
      const a = await createPage(section, `x${round}`);
      const b = await createPage(section, `y${round}`);
      const answers = await Promise.all([
        call(server, 'POST', `/pages/${a}/move`, { body: { parent_id: b } }),
        call(server, 'POST', `/pages/${b}/move`, { body: { parent_id: a } }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    const pages = await callList(server, '/pages');
    const byId = new Map(pages.map((page) => [page['id'], page]));
    for (const page of pages) {
      const parent = byId.get(page['parent_id']);
      const base = parent === undefined || parent['path'] === '/' ? '' : parent['path'];
      expect(page['path']).toBe(page['parent_id'] === null ? '/' : `${base}/${page['slug']}`);
    }
  });
});
