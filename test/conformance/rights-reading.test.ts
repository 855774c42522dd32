import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp } from '../support/session.ts';

/** The contract, "Roles and grants": lists hold only what may be read; what may not be read is 404. */
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await startServer();
  await setUp(server);
  admin = await logIn(server, administrator);
});
afterAll(() => server.stop());

const notFound = { status: 404, code: 'common.notFound' };

async function personWith(on: object, actions: readonly string[] = ['read']): Promise<Person> {
  return addPerson(server, admin, [await addRole(server, admin, [{ actions, on }])]);
}

async function listOf(person: Person, path: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await person.ask('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return Array.isArray(body) ? body.map(asRecord) : [];
}

const idsIn = async (person: Person, path: string) => (await listOf(person, path)).map(({ id }) => id);

/** A website with /news, /news/today (a draft) and /about. */
async function createTree() {
  const home = await createSite(server, { lang: 'en' });
  const layout = freshName('layout');
  const other = freshName('other');
  await createSnippet(server, { name: layout, content: '{% block main %}{% endblock %}' });
  const otherId = await createSnippet(server, { name: other, content: 'x' });
  const html = `{% extends "${layout}" %}`;
  const news = await createPage(server, home, {
    slug: freshName('news'),
    title: 'News',
    html,
    published: true,
  });
  const today = await createPage(server, news, { slug: 'today', title: 'Today', html: '<p>draft words</p>' });
  const about = await createPage(server, home, { slug: 'about', title: 'About', html: '<p>secret</p>' });
  return { home, news, today, about, layout, otherId };
}

describe('a caller with a grant on pages', () => {
  it('is shown these and what is below, and of the pages above only where they stand', async () => {
    const { home, news, today, about } = await createTree();
    const person = await personWith({ pages: [news] });
    const pages = await listOf(person, '/pages');
    expect(pages.map(({ id }) => id)).toEqual([home, news, today]);
    const [above, readable] = pages;
    expect(Object.keys(above ?? {}).sort()).toEqual(['id', 'parent_id', 'path', 'slug', 'title']);
    expect(readable).toMatchObject({ id: news, effective_lang: 'en', published: true });
    const tree = await listOf(person, '/pages?view=tree');
    expect(tree.map(({ id }) => id)).toEqual([home, news, today]);
    expect(Object.keys(tree[0] ?? {}).sort()).toEqual(['id', 'parent_id', 'path', 'slug', 'title']);
    for (const id of [news, today]) expect((await person.ask('GET', `/pages/${id}`)).status).toBe(200);
    for (const id of [home, about])
      for (const path of ['', '/render', '/mhtml', '/translations', '/preview-links'])
        expect(outcomeOf(await person.ask('GET', `/pages/${id}${path}`))).toEqual(notFound);
    expect(outcomeOf(await person.ask('POST', `/pages/${about}/template-data`, {}))).toEqual(notFound);
    expect(outcomeOf(await person.ask('GET', `/usage?kind=page&id=${about}`))).toEqual(notFound);
  });

  it('reads the layouts of its pages, and no other snippet, style sheet or collection', async () => {
    const { news, layout, otherId } = await createTree();
    const asset = await createAsset(server);
    const collection = await createCollection(server);
    const person = await personWith({ pages: [news] });
    expect((await listOf(person, '/snippets')).map(({ name }) => name)).toEqual([layout]);
    expect(outcomeOf(await person.ask('GET', `/snippets/${otherId}`))).toEqual(notFound);
    expect(await idsIn(person, '/assets')).toEqual([]);
    expect(outcomeOf(await person.ask('GET', `/assets/${asset}`))).toEqual(notFound);
    expect(await idsIn(person, '/collections')).toEqual([]);
    expect(outcomeOf(await person.ask('GET', `/collections/${collection}`))).toEqual(notFound);
  });

  it('sees a page that is moved there at once, and one that leaves no more', async () => {
    const { home, news, about } = await createTree();
    const person = await personWith({ pages: [news] });
    expect(outcomeOf(await person.ask('GET', `/pages/${about}`))).toEqual(notFound);
    await callOk(server, 'POST', `/pages/${about}/move`, { parent_id: news, index: 0 });
    expect((await person.ask('GET', `/pages/${about}`)).status).toBe(200);
    await callOk(server, 'POST', `/pages/${about}/move`, { parent_id: home, index: 0 });
    expect(outcomeOf(await person.ask('GET', `/pages/${about}`))).toEqual(notFound);
  });

  it('sees versions, changes, audit and trash of its pages only', async () => {
    const { news, today, about } = await createTree();
    const person = await personWith({ pages: [news] });
    const { version } = await callOk(server, 'GET', '/changes?since=now');
    for (const id of [today, about]) await callOk(server, 'PUT', `/pages/${id}`, { title: 'Renamed' });
    expect(await listOf(person, `/revisions?kind=page&id=${today}`)).toHaveLength(1);
    expect(await listOf(person, `/revisions?kind=page&id=${about}`)).toEqual([]);
    const changesOf = async (path: string) => {
      const { body } = await person.ask('GET', path);
      const { changes } = asRecord(body);
      return (Array.isArray(changes) ? changes : [])
        .map(asRecord)
        .map(({ kind, id, action }) => [kind, id, action]);
    };
    expect(await changesOf(`/changes?since=${version}`)).toEqual([['page', today, 'updated']]);
    expect(await changesOf(`/audit?kind=page&id=${about}`)).toEqual([]);
    expect((await changesOf(`/audit?kind=page&id=${today}`)).length).toBeGreaterThan(0);
    for (const id of [today, about]) await call(server, 'DELETE', `/pages/${id}`);
    expect((await listOf(person, '/trash')).map(({ object_id }) => object_id)).toEqual([today]);
    const all = await callOk(server, 'GET', `/changes?since=${version}`);
    expect(JSON.stringify(all)).toContain(`"id":${about}`);
    expect(await changesOf(`/changes?since=${version}`)).toEqual([
      ['page', today, 'updated'],
      ['page', today, 'deleted'],
    ]);
  });

  it('sees of change sets what they do with its pages', async () => {
    const { home, news, today, about } = await createTree();
    const person = await personWith({ pages: [news] });
    const set = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('set') }));
    const [both, hidden] = [await set(), await set()];
    for (const id of [today, about])
      await callOk(server, 'PUT', `/change-sets/${both}/items/page/${id}`, { title: 'New' });
    await callOk(server, 'PUT', `/change-sets/${hidden}/items/page/${about}`, { title: 'New' });
    const create = (parent: number) => ({
      op: 'create',
      kind: 'page',
      data: { parent_id: parent, slug: freshName('made'), title: 'Made' },
    });
    const made = idOf(await callOk(server, 'POST', `/change-sets/${both}/items`, create(today)));
    const below = idOf(await callOk(server, 'POST', `/change-sets/${both}/items`, create(made)));
    await callOk(server, 'POST', `/change-sets/${both}/items`, create(home));
    const shown = await idsIn(person, '/change-sets');
    expect(shown).toContain(both);
    expect(shown).not.toContain(hidden);
    expect(outcomeOf(await person.ask('GET', `/change-sets/${hidden}`))).toEqual(notFound);
    expect(await idsIn(person, `/change-sets/${both}/items`)).toEqual([today, made, below]);
    expect(await idsIn(person, `/change-sets/${both}/diff`)).toEqual([today, made, below]);
    const withSet = await person.ask('GET', `/pages/${today}?change_set=${both}`);
    expect(withSet.body).toMatchObject({ title: 'New' });
    expect(outcomeOf(await person.ask('GET', `/pages/${about}?change_set=${both}`))).toEqual(notFound);
    expect((await person.ask('GET', `/pages/${made}?change_set=${both}`)).status).toBe(200);
  });
});

describe('other limits', () => {
  it('of websites concern pages and redirects', async () => {
    const [one, other] = [await createTree(), await createTree()];
    const redirects = [await createRedirect(server, one.home), await createRedirect(server, other.home)];
    const person = await personWith({ sites: [one.home] });
    expect(new Set(await idsIn(person, '/pages'))).toEqual(
      new Set([one.home, one.news, one.today, one.about]),
    );
    expect(await idsIn(person, `/redirects?root_id=${one.home}`)).toEqual([redirects[0]]);
    expect(outcomeOf(await person.ask('GET', `/redirects?root_id=${other.home}`))).toEqual(notFound);
    expect(outcomeOf(await person.ask('GET', `/redirects/${redirects[1]}/copy`))).toMatchObject({
      status: 404,
    });
  });

  it('of kinds let redirects be listed of a website whose home page may not be read', async () => {
    const [one, other] = [await createTree(), await createTree()];
    const redirect = await createRedirect(server, one.home);
    const person = await personWith({ kinds: ['redirect'] });
    expect(await idsIn(person, `/redirects?root_id=${one.home}`)).toEqual([redirect]);
    // Nothing of this website may be read.
    expect(outcomeOf(await person.ask('GET', `/redirects?root_id=${other.home}`))).toEqual(notFound);
  });

  it('of languages count the language that a page has from above', async () => {
    const { home, news, today, about } = await createTree();
    await callOk(server, 'PUT', `/pages/${today}`, { lang: 'fr' });
    const person = await personWith({ sites: [home], languages: ['fr'] });
    const pages = await listOf(person, '/pages');
    expect(pages.map(({ id, lang }) => [id, lang])).toEqual([
      [home, undefined],
      [news, undefined],
      [today, 'fr'],
    ]);
    expect(outcomeOf(await person.ask('GET', `/pages/${about}`))).toEqual(notFound);
  });

  it('of collections concern entries, the definition, /data and the search', async () => {
    const word = freshName('needle');
    const fields = [{ name: 'title', label: 'Title', type: 'text' }];
    const [mine, other] = [freshName('mine'), freshName('other')];
    const mineId = await createCollection(server, { slug: mine, fields });
    const otherId = await createCollection(server, { slug: other, fields });
    const publicSlug = freshName('public');
    await createCollection(server, { slug: publicSlug, fields, public_api: true });
    const item = await createItem(server, mine, { title: word });
    const hidden = await createItem(server, other, { title: word });
    const shown = await createItem(server, publicSlug, { title: word });
    const draft = idOf(
      await callOk(server, 'POST', `/collections/${publicSlug}/items`, {
        data: { title: word },
        published: false,
      }),
    );
    const person = await personWith({ collections: [mineId] });
    expect(await idsIn(person, '/collections')).toEqual([mineId]);
    expect(await idsIn(person, `/collections/${mine}/items`)).toEqual([item]);
    expect((await listOf(person, `/data/${mine}`)).length).toBe(1);
    for (const path of [`/collections/${other}`, `/collections/${other}/items`, `/data/${other}`])
      expect(outcomeOf(await person.ask('GET', path))).toEqual(notFound);
    expect(outcomeOf(await person.ask('GET', `/collections/${otherId}/items/${hidden}`))).toEqual(notFound);
    // Beyond that it sees what visitors see.
    expect(await idsIn(person, `/collections/${publicSlug}/items`)).toEqual([shown]);
    expect(await idsIn(person, `/collections/${publicSlug}/items?title=${word}`)).toEqual([shown]);
    expect(outcomeOf(await person.ask('GET', `/collections/${publicSlug}/items/${draft}`))).toEqual(notFound);
    expect((await listOf(person, `/search?q=${word}`)).map(({ id }) => id)).toEqual([item]);
  });

  it('of kinds leave out all others, and no grant reads nothing', async () => {
    const { news } = await createTree();
    const asset = await createAsset(server);
    const reader = await personWith({ kinds: ['asset'] });
    expect(await idsIn(reader, '/assets')).toContain(asset);
    expect(await idsIn(reader, '/pages')).toEqual([]);
    expect(outcomeOf(await reader.ask('GET', `/pages/${news}`))).toEqual(notFound);
    const nobody = await addPerson(server, admin, []);
    for (const path of ['/pages', '/assets', '/snippets', '/collections'])
      expect([path, (await nobody.ask('GET', path)).body]).toEqual([
        path,
        expect.not.arrayContaining([expect.anything()]),
      ]);
  });
});

describe('answers that are kept', () => {
  it('are never those of a caller with other grants', async () => {
    const { news, about } = await createTree();
    const person = await personWith({ pages: [news] });
    for (let round = 0; round < 3; round++) {
      expect((await callOk(server, 'GET', `/pages/${about}`))['title']).toBe('About');
      expect(outcomeOf(await person.ask('GET', `/pages/${about}`))).toEqual(notFound);
      const all = await call(server, 'GET', '/pages');
      const some = await person.ask('GET', '/pages');
      expect(JSON.stringify(all.body)).toContain('"About"');
      expect(JSON.stringify(some.body)).not.toContain('"About"');
    }
  });
});
