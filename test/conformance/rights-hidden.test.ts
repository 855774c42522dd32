import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/**
 * The contract, "Roles and grants": what may not be read is 404. So an object that is there and one that is not give
 * the same answer, whatever is asked.
 */
let server: TestServer;
let person: Person;
let mine: number;
let slug: string;
/** IDs of objects that the person may not read, by the path of their kind. */
const hidden = new Map<string, number>();

const nobody = 999_999;

beforeAll(async () => {
  server = await startServer();
  const admin = await setUp(server);
  const site = await createSite(server);
  mine = await createPage(server, site, { slug: freshSlug() });
  const other = await createPage(server, site, { slug: freshSlug(), title: 'Other' });
  slug = freshSlug();
  const fields = [{ name: 'title', type: 'text' }];
  const collection = await createCollection(server, { slug, fields });
  const secret = freshSlug();
  const hiddenCollection = await createCollection(server, { slug: secret, fields });
  const make = async (path: string, body: object) => idOf(await callOk(server, 'POST', path, body));
  for (const [path, id] of [
    ['/pages', other],
    ['/collections', hiddenCollection],
    [`/collections/${secret}/items`, await createItem(server, secret, { title: 'x' })],
    [`/collections/${slug}/items`, await createItem(server, secret, { title: 'x' })],
    ['/snippets', await createSnippet(server)],
    ['/assets', await createAsset(server)],
    ['/global-blocks', await createGlobalBlock(server)],
    ['/redirects', await createRedirect(server, site)],
    ['/sources', await make('/sources', { name: 'x', slug: freshSlug(), url: 'https://source.example/' })],
    ['/workflows', await make('/workflows', { name: freshName('w') })],
    ['/folders', await make('/folders', { name: freshName('f') })],
    ['/pens', await make('/pens', { title: 'x' })],
  ] as const)
    hidden.set(path, id);
  const actions = ['read', 'edit', 'publish', 'delete', 'code', 'run'];
  person = await addPerson(server, admin, [
    await addRole(server, admin, [
      { actions, on: { pages: [mine] } },
      { actions, on: { collections: [collection] } },
    ]),
  ]);
});
afterAll(() => server.stop());

/** Bodies that find out whether there is something: right ones, wrong ones, and those that conflict. */
const bodies: readonly object[] = [
  {},
  { title: 'x', name: 'x', data: { title: 'x' }, base_updated_at: 1 },
  { slug: '', name: '', title: 5, data: { title: 5 }, target: 5 },
  { slug: 'a/b', source: 'x', blocks: [{ type: 'none' }], layout_id: 99_999 },
];

it.each([
  '/pages',
  '/collections',
  'secret items',
  'other items',
  '/snippets',
  '/assets',
  '/global-blocks',
  '/redirects',
  '/sources',
  '/workflows',
  '/folders',
  '/pens',
])('%s that may not be read answer like those that are not there', async (name) => {
  const [ofSecret = '', ofOther = ''] = [...hidden.keys()].filter((path) => path.endsWith('/items'));
  const path = name === 'secret items' ? ofSecret : name === 'other items' ? ofOther : name;
  const id = hidden.get(path) ?? 0;
  const calls: (readonly [string, string, object | undefined])[] = [
    ['GET', '', undefined],
    ['GET', '/copy', undefined],
    ['DELETE', '', undefined],
    ['DELETE', '?if_unused=1', undefined],
    ['DELETE', '/copy', undefined],
    ['POST', '/copy/publish', {}],
    ...bodies.flatMap((body) => [
      ['PUT', '', body] as const,
      ['PUT', '?strict=1', body] as const,
      ['PUT', '/copy', body] as const,
    ]),
  ];
  // Somebody has begun a working copy.
  const copied = { '/pages': { title: 'y' }, 'secret items': { data: { title: 'y' } } }[name];
  if (copied !== undefined) await callOk(server, 'PUT', `${path}/${id}/copy`, copied);
  for (const [method, more, body] of calls) {
    const ask = async (of: number) => outcomeOf(await person.ask(method, `${path}/${of}${more}`, body));
    const [there, missing] = [await ask(id), await ask(nobody)];
    expect([method, path + more, body, there]).toEqual([method, path + more, body, missing]);
    expect([method, path + more, there.status]).toEqual([
      method,
      path + more,
      expect.toBeOneOf([400, 404, 405]),
    ]);
  }
});

it('other endpoints of pages, entries and workflows answer so too', async () => {
  const page = hidden.get('/pages') ?? 0;
  const calls: readonly (readonly [string, (id: number) => string, ((id: number) => unknown)?])[] = [
    ['POST', (id) => `/pages/${id}/move`, () => ({ parent_id: mine })],
    ['POST', () => `/pages/${mine}/move`, (id) => ({ parent_id: id })],
    ['POST', () => '/pages', (id) => ({ parent_id: id, slug: freshSlug(), title: 'x' })],
    ['POST', () => '/pages', (id) => ({ parent_id: id, slug: '', title: 'x' })],
    ['PUT', (id) => `/pages/${id}/assets`, () => []],
    ['GET', (id) => `/pages/${id}/render`],
    ['POST', (id) => `/pages/${id}/preview`, () => ({})],
    ['GET', (id) => `/pages/${id}/translations`],
    ['POST', (id) => `/pages/${id}/translations`, () => ({ page_id: mine })],
    ['POST', () => `/pages/${mine}/translations`, (id) => ({ page_id: id })],
    ['DELETE', (id) => `/pages/${id}/translations`],
    ['GET', (id) => `/pages/${id}/preview-links`],
    ['POST', (id) => `/pages/${id}/preview-links`, () => ({})],
    ['POST', (id) => `/pages/${id}/template-data`, () => ({})],
    ['POST', (id) => `/pages/${id}/sitemap-preview`, () => ({})],
    ['GET', (id) => `/usage?kind=page&id=${id}`],
    ['GET', (id) => `/revisions?kind=page&id=${id}`],
    ['GET', (id) => `/presence?kind=page&id=${id}`],
    ['PUT', () => '/presence', (id) => ({ kind: 'page', id, state: 'viewing' })],
    ['POST', () => '/batch', (id) => ({ ops: [{ op: 'update', kind: 'page', id, data: { title: 'x' } }] })],
    [
      'POST',
      () => '/batch',
      (id) => ({ ops: [{ op: 'update', kind: 'page', id, data: { title: 'x', base_updated_at: 1 } }] }),
    ],
    ['POST', () => '/batch', (id) => ({ ops: [{ op: 'delete', kind: 'page', id }] })],
    [
      'POST',
      () => '/batch',
      (id) => ({ ops: [{ op: 'move', kind: 'page', id, data: { parent_id: mine } }] }),
    ],
    ['POST', () => '/auth/can', (id) => ({ checks: [{ action: 'read', kind: 'page', id }] })],
  ];
  for (const [method, path, body] of calls) {
    const ask = async (id: number) => {
      const { status, body: answer } = await person.ask(method, path(id), body?.(id));
      return JSON.stringify({ status, answer })
        .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
        .replaceAll(/"error":"[^"]*"/g, '');
    };
    expect([method, path(0), await ask(page)]).toEqual([method, path(0), await ask(nobody)]);
  }
  const flow = hidden.get('/workflows') ?? 0;
  for (const [method, more, body] of [
    ['POST', '/run', {}],
    ['POST', '/run', { flow: { nodes: [], wires: [] } }],
    ['GET', '/runs'],
    ['DELETE', '/runs'],
    ['POST', '/runs/1/retry'],
    ['GET', '/stats'],
    ['GET', '/store'],
    ['DELETE', '/store'],
  ] as const) {
    const ask = async (id: number) => outcomeOf(await person.ask(method, `/workflows/${id}${more}`, body));
    expect([method, more, await ask(flow)]).toEqual([method, more, await ask(nobody)]);
  }
});

it('answers of batches are there for who may read all that they have changed', async () => {
  const key = freshName('key');
  const update = (id: number) => ({ op: 'update', kind: 'page', id, data: { title: freshName('title') } });
  const page = await createPage(server, mine, { slug: freshSlug() });
  const ops = [update(mine), { op: 'delete', kind: 'page', id: page }];
  await callOk(server, 'POST', '/batch', { idempotency_key: key, ops });
  expect(await person.ask('GET', `/batch/${key}`)).toMatchObject({
    status: 200,
    body: { applied: true, results: [{ id: mine }, { id: page, deleted: true }] },
  });
  const other = freshName('key');
  const hiddenToo = [update(mine), update(hidden.get('/pages') ?? 0)];
  await callOk(server, 'POST', '/batch', { idempotency_key: other, ops: hiddenToo });
  await callOk(server, 'GET', `/batch/${other}`);
  const answers = [other, freshName('key')].map((name) => person.ask('GET', `/batch/${name}`));
  const [there, missing] = (await Promise.all(answers)).map(outcomeOf);
  expect(there).toEqual({ status: 404, code: 'common.notFound' });
  expect(there).toEqual(missing);
});
