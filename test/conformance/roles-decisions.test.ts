import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, addTokenOf, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** Who may change what: every way to change content asks the same decision. */
let server: TestServer;
let admin: string;
let site: number;
let developer: Person;
let editor: Person;
let author: Person;
let viewer: Person;
let stranger: Person;

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  site = await createSite(server);
  [developer, editor, author, viewer, stranger] = [
    await addPerson(server, admin, [2]),
    await addPerson(server, admin, [3]),
    await addPerson(server, admin, [4]),
    await addPerson(server, admin, [5]),
    await addPerson(server, admin, []),
  ];
});
afterAll(() => server.stop());

const notFound = { status: 404, code: 'common.notFound' };
const ok = expect.toSatisfy((status: number) => status >= 200 && status < 300, 'is a success');

function refusal(params: Record<string, unknown>) {
  return { status: 403, body: { code: 'auth.notAllowed', params: { needs: expect.any(String), ...params } } };
}

const page = (fields: Record<string, unknown> = {}) => createPage(server, site, fields);

describe('live saves', () => {
  it('need publish; who may edit is told the working copy', async () => {
    const id = await page();
    const path = `/pages/${id}`;
    expect(await editor.ask('PUT', path, { title: 'Editor' })).toMatchObject({ status: 200 });
    const params = { action: 'publish', kind: 'page', id };
    expect(await author.ask('PUT', path, { title: 'x' })).toMatchObject(
      refusal({ ...params, use: `${path}/copy` }),
    );
    expect(await author.ask('PUT', `${path}/assets`, [])).toMatchObject(
      refusal({ ...params, use: `${path}/copy` }),
    );
    const refused = await viewer.ask('PUT', path, { title: 'x' });
    expect(refused).toMatchObject(refusal(params));
    expect(asRecord(asRecord(refused.body)['params'])).not.toHaveProperty('use');
    expect(await callOk(server, 'GET', path)).toMatchObject({ title: 'Editor' });
  });

  it.each([
    ['author', () => author],
    ['viewer', () => viewer],
  ])('are closed to a %s, who creates, moves and deletes nothing', async (_name, who) => {
    const [id, target] = [await page(), await page()];
    const { collection, item } = await entry();
    const snippet = await createSnippet(server);
    const calls: readonly (readonly [string, string, unknown, string])[] = [
      ['POST', '/pages', { parent_id: site, slug: freshSlug(), title: 'x' }, 'publish'],
      ['POST', `/pages/${id}/move`, { parent_id: target }, 'publish'],
      ['PUT', `/pages/${id}/assets`, [], 'publish'],
      ['DELETE', `/pages/${id}`, undefined, 'delete'],
      ['POST', `/collections/${collection}/items`, { data: {} }, 'publish'],
      ['DELETE', `/collections/${collection}/items/${item}`, undefined, 'delete'],
      ['POST', `/collections/${collection}/items/reorder`, [item], 'publish'],
      ['PUT', `/snippets/${snippet}`, { content: 'x' }, 'publish'],
      ['DELETE', '/trash', undefined, 'delete'],
      ['POST', '/cleanup', {}, 'delete'],
    ];
    for (const [method, path, body, action] of calls)
      expect([method, path, await who().ask(method, path, body)]).toMatchObject([
        method,
        path,
        refusal({ action }),
      ]);
    await callOk(server, 'GET', `/pages/${id}`);
    await callOk(server, 'GET', `/collections/${collection}/items/${item}`);
  });

  it('of who may not read an object answer as if it were not there', async () => {
    const id = await page();
    const { collection, item } = await entry();
    for (const [method, path, body] of [
      ['PUT', `/pages/${id}`, { title: 'x' }],
      ['PUT', `/pages/${id}/assets`, []],
      ['PUT', `/pages/${id}/copy`, { title: 'x' }],
      ['POST', `/pages/${id}/move`, { parent_id: site }],
      ['DELETE', `/pages/${id}`, undefined],
      ['PUT', `/collections/${collection}/items/${item}`, { data: {} }],
      ['DELETE', `/collections/${collection}/items/${item}`, undefined],
      ['POST', `/collections/${collection}/items/reorder`, [item]],
    ] as const)
      expect([method, path, outcomeOf(await stranger.ask(method, path, body))]).toEqual([
        method,
        path,
        notFound,
      ]);
    expect(
      await stranger.ask('POST', '/pages', { parent_id: site, slug: freshSlug(), title: 'x' }),
    ).toMatchObject(refusal({ action: 'publish', kind: 'page' }));
  });

  it('of dead addresses need publish on the website', async () => {
    const other = await createSite(server);
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: ['publish'], on: { sites: [site] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    const remove = (root: number) => desk.ask('DELETE', `/notfound?root_id=${root}`);
    expect(await remove(other)).toMatchObject(refusal({ action: 'publish' }));
    expect((await remove(site)).status).toBe(204);
    expect(await author.ask('PUT', `/notfound?root_id=${site}`, { ignored: true })).toMatchObject(
      refusal({ action: 'publish' }),
    );
  });

  it('need delete to delete, and to replace all entries by CSV', async () => {
    const role = await addRole(server, admin, [{ actions: ['read', 'edit', 'publish'] }]);
    const person = await addPerson(server, admin, [role]);
    const id = await page();
    expect(await person.ask('DELETE', `/pages/${id}`)).toMatchObject(
      refusal({ action: 'delete', kind: 'page', id }),
    );
    const { collection } = await entry();
    const csv = (query: string) => importCsv(person, `/collections/${collection}/import${query}`);
    expect(await csv('?replace=1')).toMatchObject(refusal({ action: 'delete', kind: 'item' }));
    expect(await csv('')).toMatchObject({ status: 200 });
    expect(await importCsv(author, `/collections/${collection}/import`)).toMatchObject(
      refusal({ action: 'publish', kind: 'item' }),
    );
  });
});

describe('code', () => {
  it.each(['html', 'head', 'html_attrs', 'body_attrs'])('is the field %s of a page', async (field) => {
    const id = await page({ [field]: 'stored' });
    const path = `/pages/${id}`;
    const params = { action: 'code', kind: 'page', id, field };
    expect(await editor.ask('PUT', path, { [field]: 'changed' })).toMatchObject(refusal(params));
    expect(await editor.ask('PUT', path, { [field]: 'stored', title: 'y' })).toMatchObject({ status: 200 });
    expect(await editor.ask('PUT', `${path}/copy`, { [field]: 'changed' })).toMatchObject(refusal(params));
    expect(await developer.ask('PUT', path, { [field]: 'changed' })).toMatchObject({ status: 200 });
  });

  it.each(['meta_title', 'description'])('is %s only with a tag of a template', async (field) => {
    const id = await page();
    const path = `/pages/${id}`;
    expect(await editor.ask('PUT', path, { [field]: 'plain {words}' })).toMatchObject({ status: 200 });
    for (const tag of ['{{ x }}', '{% x %}', '{# x #}'])
      expect(await editor.ask('PUT', path, { [field]: `a ${tag}` })).toMatchObject(
        refusal({ action: 'code', field }),
      );
  });

  it('is not needed for blocks, regions and a layout', async () => {
    const layout = await createSnippet(server, {
      content: '{% block content %}{% blocks %}{% endblock %}',
      page_layout: { label: 'L' },
    });
    const body = { parent_id: site, slug: freshSlug(), title: 'x', layout_id: layout };
    const created = await editor.ask('POST', '/pages', body);
    expect(created).toMatchObject({ status: 201 });
    const path = `/pages/${idOf(asRecord(created.body))}`;
    expect(await editor.ask('PUT', path, { blocks: [], regions: { lead: 'x' } })).toMatchObject({
      status: 200,
    });
    expect(
      await editor.ask('POST', '/pages', { ...body, layout_id: undefined, slug: freshSlug(), html: 'x' }),
    ).toMatchObject(refusal({ action: 'code', field: 'html' }));
  });

  it('is what definitions, sources, nodes, pens, CSS, JS, templates and flows are', async () => {
    const [asset, snippet] = [await createAsset(server, { content: 'a{}' }), await createSnippet(server)];
    const collection = await createCollection(server);
    const workflow = idOf(await callOk(server, 'POST', '/workflows', { name: freshName('w') }));
    const calls: readonly (readonly [string, string, unknown])[] = [
      ['PUT', `/assets/${asset}`, { content: 'b{}' }],
      ['POST', '/assets', { name: freshName('a'), kind: 'css', content: 'a{}' }],
      ['PUT', `/snippets/${snippet}`, { content: 'other' }],
      ['POST', '/snippets', { name: freshName('s'), content: 'x' }],
      ['POST', '/collections', { name: 'x', slug: freshSlug(), fields: [] }],
      ['PUT', `/collections/${collection}`, { name: 'other' }],
      ['DELETE', `/collections/${collection}`, undefined],
      ['POST', `/collections/${collection}/rename-field`, { from: 'title', to: 'headline' }],
      ['POST', `/collections/${collection}/rename-slug`, { to: freshSlug() }],
      ['POST', `/snippets/${snippet}/rename-param`, { from: 'a', to: 'b' }],
      ['POST', '/sources', { name: 'x', slug: freshSlug(), url: 'https://source.example/' }],
      ['POST', '/pens', { title: 'x' }],
      ['PUT', `/workflows/${workflow}`, { flow: { nodes: [{ id: 'a', type: 'inject' }], wires: [] } }],
    ];
    for (const [method, path, body] of calls)
      expect([method, path, await editor.ask(method, path, body)]).toMatchObject([
        method,
        path,
        refusal({ action: 'code' }),
      ]);
    expect(await editor.ask('PUT', `/assets/${asset}`, { name: 'other', content: 'a{}' })).toMatchObject({
      status: 200,
    });
    expect(await editor.ask('PUT', `/workflows/${workflow}`, { name: 'other' })).toMatchObject({
      status: 200,
    });
  });

  it('stays with who has written it: an editor publishes the copy of a developer', async () => {
    const path = `/pages/${await page({ html: 'old' })}`;
    expect((await developer.ask('PUT', `${path}/copy`, { html: 'new' })).status).toBe(200);
    expect((await author.ask('PUT', `${path}/copy`, { title: 'Both' })).status).toBe(200);
    expect(await author.ask('POST', `${path}/copy/publish`)).toMatchObject(
      refusal({ action: 'publish', kind: 'page' }),
    );
    expect(await editor.ask('POST', `${path}/copy/publish`)).toMatchObject({ status: 200 });
    expect(await callOk(server, 'GET', path)).toMatchObject({ html: 'new', title: 'Both' });
  });

  it('is needed to restore a version that had other code', async () => {
    const id = await page({ html: 'first' });
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'second' });
    const { body } = await editor.ask('GET', `/revisions?kind=page&id=${id}`);
    const [version] = Array.isArray(body) ? body.map(asRecord) : [];
    const path = `/revisions/${version?.['id']}/restore`;
    expect(await editor.ask('POST', path)).toMatchObject(refusal({ action: 'code', field: 'html' }));
    expect(await author.ask('POST', path)).toMatchObject(refusal({ action: 'publish' }));
    expect((await developer.ask('POST', path)).status).toBe(200);
  });

  it('is needed for unsaved flows and code in previews', async () => {
    const role = await addRole(server, admin, [{ actions: ['read', 'edit', 'run'] }]);
    const runner = await addPerson(server, admin, [role]);
    const flow = { nodes: [{ id: 'a', type: 'inject' }], wires: [] };
    const workflow = idOf(await callOk(server, 'POST', '/workflows', { name: freshName('w'), flow }));
    const path = `/workflows/${workflow}/run`;
    expect(await runner.ask('POST', path, { flow })).toMatchObject(
      refusal({ action: 'code', field: 'flow' }),
    );
    expect((await runner.ask('POST', path, {})).status).toBe(200);
    expect((await developer.ask('POST', path, { flow })).status).toBe(200);
    expect(await editor.ask('POST', path, {})).toMatchObject(refusal({ action: 'run' }));
    const preview = `/pages/${await page({ html: 'x' })}/preview`;
    expect(await author.ask('POST', preview, { html: 'y' })).toMatchObject(
      refusal({ action: 'code', field: 'html' }),
    );
    expect((await author.ask('POST', preview, { html: 'x', title: 'y' })).status).toBe(200);
    expect(await viewer.ask('POST', preview, {})).toMatchObject(refusal({ action: 'edit' }));
  });
});

describe('limits', () => {
  it('of pages hold for a subtree, before and after a move', async () => {
    const [news, shop] = [await page(), await page()];
    const [inside, outside] = [await createPage(server, news), await createPage(server, shop)];
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: ['edit', 'publish', 'delete'], on: { pages: [news] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    const done = async (method: string, path: string, body?: unknown) =>
      (await desk.ask(method, path, body)).status;
    expect(await done('PUT', `/pages/${inside}`, { title: 'In' })).toBe(200);
    expect(await done('PUT', `/pages/${news}`, { title: 'Top' })).toBe(200);
    expect(await done('PUT', `/pages/${outside}`, { title: 'Out' })).toBe(403);
    expect(await done('POST', '/pages', { parent_id: inside, slug: freshSlug(), title: 'x' })).toBe(201);
    expect(await done('POST', '/pages', { parent_id: shop, slug: freshSlug(), title: 'x' })).toBe(403);
    expect(await done('POST', `/pages/${inside}/move`, { parent_id: shop })).toBe(403);
    expect(await done('POST', `/pages/${outside}/move`, { parent_id: news })).toBe(403);
    expect(await done('POST', `/pages/${inside}/move`, { parent_id: news, index: 0 })).toBe(200);
    expect(await done('DELETE', `/pages/${shop}`)).toBe(403);
    expect(await done('POST', '/redirects', { root_id: site, source: '/a', target: '/b' })).toBe(403);
    expect(await done('PUT', `/pages/${outside}/copy`, { title: 'x' })).toBe(403);
    const mixed = {
      ops: [inside, outside].map((id) => ({ op: 'update', kind: 'page', id, data: { title: 'B' } })),
    };
    expect(await done('POST', '/batch', mixed)).toBe(403);
    expect(await callOk(server, 'GET', `/pages/${inside}`)).toMatchObject({ title: 'In' });
  });

  it('of collections take IDs and slugs, of languages the language of the page', async () => {
    const [first, second] = [await entry(), await entry()];
    const german = await page({ lang: 'de' });
    const english = await page({ lang: 'en' });
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: ['publish'], on: { collections: [first.slug] } },
      { actions: ['publish'], on: { languages: ['en'], kinds: ['page'] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    const save = async ({ collection, item }: { collection: number; item: number }) =>
      (await desk.ask('PUT', `/collections/${collection}/items/${item}`, { data: { title: 'x' } })).status;
    expect([await save(first), await save(second)]).toEqual([200, 403]);
    const title = async (id: number) => (await desk.ask('PUT', `/pages/${id}`, { title: 'x' })).status;
    expect([await title(english), await title(german)]).toEqual([200, 403]);
    expect((await desk.ask('PUT', `/pages/${english}`, { lang: 'de' })).status).toBe(403);
    expect((await desk.ask('PUT', `/pages/${english}`, { lang: 'en' })).status).toBe(200);
  });

  it('of reading make what is outside 404 for every change', async () => {
    const [mine, other] = [await page(), await page()];
    const role = await addRole(server, admin, [
      { actions: ['read', 'edit', 'publish', 'delete'], on: { pages: [mine] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    for (const [method, path, body] of [
      ['PUT', `/pages/${other}`, { title: 'x' }],
      ['DELETE', `/pages/${other}`, undefined],
      ['PUT', `/pages/${other}/copy`, { title: 'x' }],
      ['POST', `/pages/${other}/move`, { parent_id: mine }],
    ] as const)
      expect([method, path, outcomeOf(await desk.ask(method, path, body))]).toEqual([method, path, notFound]);
  });

  it('of workflows hold for runs', async () => {
    const [mine, other] = [await workflow(), await workflow()];
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: ['run'], on: { workflows: [mine] } },
    ]);
    const runner = await addPerson(server, admin, [role]);
    expect((await runner.ask('POST', `/workflows/${mine}/run`, {})).status).toBe(200);
    expect(await runner.ask('POST', `/workflows/${other}/run`, {})).toMatchObject(
      refusal({ action: 'run', kind: 'workflow', id: other }),
    );
    expect((await runner.ask('GET', `/workflows/${mine}/runs`)).status).toBe(200);
    expect((await runner.ask('GET', `/workflows/${other}/runs`)).status).toBe(403);
  });

  it('of closed HTTP inputs: run', async () => {
    const path = freshName('input');
    const flow = {
      nodes: [
        { id: 'in', type: 'http-in', config: { method: 'GET', path, public: false } },
        { id: 'out', type: 'http-response', config: {} },
      ],
      wires: [{ from: 'in', out: 0, to: 'out' }],
    };
    await callOk(server, 'POST', '/workflows', { name: path, flow });
    expect(await editor.ask('GET', `/flows/${path}`)).toMatchObject(refusal({ action: 'run' }));
    expect((await developer.ask('GET', `/flows/${path}`)).status).toBe(200);
  });
});

describe('change sets', () => {
  async function release(who: Person): Promise<string> {
    const made = await who.ask('POST', '/change-sets', { name: freshName('set') });
    expect(made.status).toBe(201);
    return `/change-sets/${idOf(asRecord(made.body))}`;
  }

  it('are edited with edit and published with publish, or delete', async () => {
    const [kept, gone] = [await page({ title: 'Old' }), await page()];
    const set = await release(author);
    expect((await author.ask('PUT', `${set}/items/page/${kept}`, { title: 'New' })).status).toBe(200);
    expect((await author.ask('POST', `${set}/items`, { op: 'delete', kind: 'page', id: gone })).status).toBe(
      200,
    );
    const create = { op: 'create', kind: 'page', data: { parent_id: site, slug: freshSlug(), title: 'c' } };
    expect((await author.ask('POST', `${set}/items`, create)).status).toBe(201);
    expect(await author.ask('POST', `${set}/publish`)).toMatchObject(refusal({ action: 'publish' }));
    const later = Math.floor(Date.now() / 1000) + 3600;
    expect(await author.ask('PUT', set, { publish_at: later })).toMatchObject(refusal({ action: 'publish' }));
    expect(await viewer.ask('POST', '/change-sets', { name: 'x' })).toMatchObject(
      refusal({ action: 'edit' }),
    );
    const role = await addRole(server, admin, [{ actions: ['read', 'edit', 'publish'] }]);
    const publisher = await addPerson(server, admin, [role]);
    expect(await publisher.ask('POST', `${set}/publish`)).toMatchObject(
      refusal({ action: 'delete', kind: 'page', id: gone }),
    );
    expect(await editor.ask('POST', `${set}/publish`)).toMatchObject({ status: 200 });
    expect(await callOk(server, 'GET', `/pages/${kept}`)).toMatchObject({ title: 'New' });
  });

  it('are published only by who may publish every item', async () => {
    const [mine, other] = [await page(), await page({ title: 'Old' })];
    const role = await addRole(server, admin, [
      { actions: ['read', 'edit'] },
      { actions: ['publish'], on: { pages: [mine] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    const set = await release(desk);
    for (const id of [mine, other])
      expect((await desk.ask('PUT', `${set}/items/page/${id}`, { title: 'New' })).status).toBe(200);
    const refused = refusal({ action: 'publish', kind: 'page', id: other });
    expect(await desk.ask('POST', `${set}/publish`)).toMatchObject(refused);
    const dry = asRecord((await desk.ask('POST', `${set}/publish`, { dry_run: true })).body);
    expect(dry['faults']).toMatchObject([{ code: 'auth.notAllowed', params: { kind: 'page', id: other } }]);
    expect((await desk.ask('DELETE', `${set}/items/page/${other}`)).status).toBe(204);
    expect((await desk.ask('POST', `${set}/publish`)).status).toBe(200);
  });

  it('take batches and values of conflicts with the same rights', async () => {
    const id = await page({ html: 'a' });
    const set = await release(author);
    const code = { ops: [{ op: 'update', kind: 'page', id, data: { html: 'b' } }] };
    const query = `/batch?change_set=${set.split('/').at(-1)}`;
    expect(await author.ask('POST', query, code)).toMatchObject(refusal({ action: 'code', field: 'html' }));
    expect(await developer.ask('POST', query, code)).toMatchObject({ status: ok });
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'c' });
    const resolve = (html: unknown) => ({ resolve: { [`page:${id}`]: { html } } });
    expect(await editor.ask('POST', `${set}/publish`, resolve({ value: '<script></script>' }))).toMatchObject(
      refusal({ action: 'code', field: 'html' }),
    );
    expect(await editor.ask('POST', `${set}/publish`, resolve('mine'))).toMatchObject({ status: 200 });
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ html: 'b' });
  });
});

describe('the trash', () => {
  it('gives back with publish, and forgets with delete', async () => {
    const role = await addRole(server, admin, [{ actions: ['read', 'edit', 'publish'] }]);
    const publisher = await addPerson(server, admin, [role]);
    const id = await page({ html: 'code' });
    await callOk(server, 'DELETE', `/pages/${id}`);
    const { body } = await editor.ask('GET', '/trash?kind=page');
    const [entry] = Array.isArray(body) ? body.map(asRecord) : [];
    const path = `/trash/${entry?.['id']}`;
    expect(await author.ask('POST', `${path}/restore`, {})).toMatchObject(refusal({ action: 'publish' }));
    expect(await publisher.ask('DELETE', path)).toMatchObject(refusal({ action: 'delete' }));
    expect((await publisher.ask('POST', `${path}/restore`, {})).status).toBe(200);
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ html: 'code' });
  });

  it('is emptied only by who may delete all of it', async () => {
    const [mine, other] = [await page(), await page()];
    for (const id of [mine, other]) await callOk(server, 'DELETE', `/pages/${id}`);
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: ['delete'], on: { pages: [mine] } },
    ]);
    const desk = await addPerson(server, admin, [role]);
    expect(await desk.ask('DELETE', '/trash')).toMatchObject(refusal({ action: 'delete' }));
    expect((await editor.ask('GET', '/trash?kind=page')).body).not.toEqual([]);
    expect((await editor.ask('DELETE', '/trash')).status).toBe(204);
    expect((await editor.ask('GET', '/trash')).body).toEqual([]);
  });
});

describe('tokens', () => {
  it('with roles have these, and never more than their owner has now', async () => {
    const role = await addRole(server, admin, [{ actions: ['read', 'edit', 'publish', 'users'] }]);
    const owner = await addPerson(server, admin, [role]);
    const { secret } = await addTokenOf(server, owner.session, { role_ids: [role] });
    const id = await page();
    const save = async () =>
      (await call(server, 'PUT', `/pages/${id}`, { token: secret, body: { title: freshName('t') } })).status;
    expect(await save()).toBe(200);
    await putAsAdmin(`/users/${owner.id}`, { role_ids: [5] });
    expect(await save()).toBe(403);
    await putAsAdmin(`/users/${owner.id}`, { role_ids: [1] });
    expect(await save()).toBe(200);
    await putAsAdmin(`/roles/${role}`, { grants: [{ actions: ['read'] }] });
    expect(await save()).toBe(403);
  });

  it('of kind write are limited by their owner', async () => {
    const owner = await addPerson(server, admin, [1]);
    const { secret } = await addTokenOf(server, owner.session, { can_write: true });
    const id = await page();
    const send = async (fields: object) =>
      (await call(server, 'PUT', `/pages/${id}`, { token: secret, body: fields })).status;
    expect(await send({ html: freshName('t') })).toBe(200);
    await putAsAdmin(`/users/${owner.id}`, { role_ids: [3] });
    expect([await send({ html: freshName('t') }), await send({ title: freshName('t') })]).toEqual([403, 200]);
  });

  it('with a subtree have what is below both limits, also after a move', async () => {
    const [top, elsewhere] = [await page(), await page()];
    const below = await createPage(server, top);
    const [ofOwner, ofToken] = [
      await addRole(server, admin, [{ actions: ['read', 'publish', 'users'], on: { pages: [top] } }]),
      await addRole(server, admin, [{ actions: ['read', 'publish'], on: { pages: [below] } }]),
    ];
    const owner = await addPerson(server, admin, [ofOwner]);
    const { secret } = await addTokenOf(server, owner.session, { role_ids: [ofToken] });
    const save = async (id: number) =>
      (await call(server, 'PUT', `/pages/${id}`, { token: secret, body: { title: freshName('t') } })).status;
    expect([await save(below), await save(top)]).toEqual([200, 404]);
    await callOk(server, 'POST', `/pages/${below}/move`, { parent_id: elsewhere });
    expect(await save(below)).toBe(404);
    await callOk(server, 'POST', `/pages/${below}/move`, { parent_id: top });
    expect(await save(below)).toBe(200);
  });
});

describe('settings', () => {
  it.each([
    ['GET', '/system'],
    ['PUT', '/system'],
    ['GET', '/system/mail'],
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['GET', '/workflow-secrets'],
    ['PUT', '/workflow-secrets/x'],
    ['GET', '/extdb'],
    ['PUT', '/extdb'],
    ['GET', '/connections'],
    ['POST', '/sites'],
    ['POST', '/import/scan'],
    ['POST', '/import/run'],
    ['GET', '/bundle'],
    ['POST', '/bundle'],
    ['GET', '/bundle/backups'],
    ['POST', '/bundle/backups'],
    ['GET', '/storage'],
    ['GET', '/security'],
  ])('are needed for %s %s', async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    expect(await developer.ask(method, path, body)).toMatchObject(refusal({ action: 'settings' }));
  });

  it('alone make websites', async () => {
    const role = await addRole(server, admin, [{ actions: ['read', 'settings'] }]);
    const manager = await addPerson(server, admin, [role]);
    const created = await manager.ask('POST', '/sites', { title: 'New' });
    expect(created).toMatchObject({ status: 201 });
    const path = `/pages/${idOf(asRecord(created.body))}`;
    expect(await manager.ask('PUT', path, { title: 'x' })).toMatchObject(refusal({ action: 'publish' }));
    expect((await manager.ask('GET', '/system')).status).toBe(200);
    expect(await manager.ask('GET', '/users')).toMatchObject(refusal({ action: 'users' }));
  });
});

async function putAsAdmin(path: string, body: unknown): Promise<void> {
  const headers = { Cookie: `ic_session=${admin}`, 'X-IC-CSRF': '1' };
  expect((await call(server, 'PUT', path, { token: null, headers, body })).status).toBe(200);
}

async function entry(): Promise<{
  readonly collection: number;
  readonly slug: string;
  readonly item: number;
}> {
  const slug = freshSlug();
  const collection = await createCollection(server, { slug, fields: [{ name: 'title', type: 'text' }] });
  return { collection, slug, item: await createItem(server, collection, { title: 'a' }) };
}

async function workflow(): Promise<number> {
  const flow = { nodes: [{ id: 'a', type: 'inject' }], wires: [] };
  return idOf(await callOk(server, 'POST', '/workflows', { name: freshName('w'), flow }));
}

function importCsv(who: Person, path: string): Promise<ApiAnswer> {
  const form = new FormData();
  form.append('file', new Blob(['title\nnew\n'], { type: 'text/csv' }), 'entries.csv');
  return sendForm(who, path, form);
}

async function sendForm(who: Person, path: string, form: FormData): Promise<ApiAnswer> {
  const headers = { Cookie: `ic_session=${who.session}`, 'X-IC-CSRF': '1' };
  const response = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body: form });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
