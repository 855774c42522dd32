import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshSlug } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;
let otherSite: number;
/** A new section for each test, with the children a, b and c. */
let section: number;
let sectionSlug: string;
let children: number[];

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  otherSite = await createSite(server);
});
afterAll(() => server.stop());

beforeEach(async () => {
  sectionSlug = freshSlug();
  section = await createPage(server, site, { slug: sectionSlug });
  children = [];
  for (const slug of ['a', 'b', 'c']) children.push(await createPage(server, section, { slug }));
});

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

  it.each([
    [0, 0],
    [1, 1],
    [2, undefined],
    [2, -1],
    [2, 99],
  ])('child %i to index %j, where it is, changes nothing', async (child, index) => {
    const path = `/pages/${children[child]}`;
    const before = await callOk(server, 'GET', path);
    const { version } = await callOk(server, 'GET', '/changes?since=now');
    const body = { parent_id: section, ...(index === undefined ? {} : { index }) };
    const answer = await call(server, 'POST', `${path}/move`, { body });
    expect(answer).toMatchObject({ status: 200, body: await callList(server, '/pages') });
    expect(await callOk(server, 'GET', path)).toEqual(before);
    expect((await callOk(server, 'GET', '/changes?since=now'))['version']).toBe(version);
  });

  it('numbers the siblings from 0', async () => {
    await call(server, 'POST', `/pages/${children[2]}/move`, { body: { parent_id: section, index: 0 } });
    const sorts = (await callList(server, '/pages')).filter((page) => page['parent_id'] === section);
    expect(sorts.map((page) => page['sort'])).toEqual([0, 1, 2]);
  });
});

describe('POST /pages/{id}/move to another parent', () => {
  it('answers with the list of all pages', async () => {
    const answer = await call(server, 'POST', `/pages/${children[0]}/move`, {
      body: { parent_id: children[1] },
    });
    expect(answer.body).toEqual(await callList(server, '/pages'));
  });

  it('moves the subtree and changes its paths', async () => {
    const deep = await createPage(server, children[0] ?? 0, { slug: 'deep' });
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: children[1] } });
    expect(await pathOf(children[0] ?? 0)).toBe(`/${sectionSlug}/b/a`);
    expect(await pathOf(deep)).toBe(`/${sectionSlug}/b/a/deep`);
  });

  it('changes root_id of the whole subtree when the parent is on another website', async () => {
    const child = await createPage(server, children[0] ?? 0, { slug: 'child' });
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: otherSite } });
    for (const id of [children[0], child]) {
      expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ root_id: otherSite });
    }
    expect(await pathOf(child)).toBe('/a/child');
    await callOk(server, 'DELETE', `/pages/${children[0]}`);
  });

  it('raises updated_at and leaves local_modified false', async () => {
    const before = await callOk(server, 'GET', `/pages/${children[0]}`);
    await call(server, 'POST', `/pages/${children[0]}/move`, { body: { parent_id: children[1] } });
    const after = await callOk(server, 'GET', `/pages/${children[0]}`);
    expect(after['local_modified']).toBe(false);
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });
});

/** The request of a refused move. Without `page` it moves the first child. */
interface Move {
  readonly page?: () => unknown;
  readonly parent: () => unknown;
  readonly index?: unknown;
}

describe('POST /pages/{id}/move refuses', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await callList(server, '/pages');
  });
  const refused: (Omit<Scenario, 'method' | 'path' | 'body'> & Move)[] = [
    { name: 'the home page', page: () => site, parent: () => section, ...invalid('id') },
    { name: 'a page into itself', page: () => section, parent: () => section, ...invalid('parent_id') },
    {
      name: 'a page into its own subtree',
      page: () => section,
      parent: () => children[0],
      ...invalid('parent_id'),
    },
    { name: 'no parent', parent: () => undefined, ...invalid('parent_id') },
    { name: 'parent null', parent: () => null, ...invalid('parent_id') },
    { name: 'an unknown parent', parent: () => 99999, ...notFound },
    { name: 'an unknown page', page: () => 99999, parent: () => section, ...notFound },
    { name: 'an index of a wrong type', parent: () => section, index: '0', ...invalid('index') },
  ];
  runScenarios(
    () => server,
    refused.map(({ page = () => children[0], parent, index, ...scenario }) => ({
      ...scenario,
      method: 'POST',
      path: () => `/pages/${page()}/move`,
      body: () => ({ parent_id: parent(), index }),
    })),
  );

  it('a slug that is taken among the new siblings', async () => {
    await createPage(server, children[1] ?? 0, { slug: 'a' });
    before = await callList(server, '/pages');
    const answer = await call(server, 'POST', `/pages/${children[0]}/move`, {
      body: { parent_id: children[1] },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'page.slugTaken', params: { slug: 'a' } } });
    expect(await callList(server, '/pages')).toEqual(before);
  });
});

describe('moves at the same time', () => {
  it('of two pages into each other: one is refused and the pages stay a tree', async () => {
    for (let round = 0; round < 20; round++) {
      const a = await createPage(server, section);
      const b = await createPage(server, section);
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
