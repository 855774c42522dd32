import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** The contract, "Roles and grants": limits hold for each object that a change is about, inside of others too. */
let server: TestServer;
let admin: string;
let site: number;

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  site = await createSite(server, { lang: 'en' });
});
afterAll(() => server.stop());

async function personWith(
  ...grants: readonly { actions: readonly string[]; on?: object }[]
): Promise<Person> {
  return addPerson(server, admin, [await addRole(server, admin, grants)]);
}

const page = (parent: number, lang = '') => createPage(server, parent, { slug: freshSlug(), lang });
async function findNewestInTrash(kind: string): Promise<number> {
  const { body } = await call(server, 'GET', `/trash?kind=${kind}&limit=1`);
  return idOf(asRecord(Array.isArray(body) ? body[0] : undefined));
}

const reading = { actions: ['read'] };
const refusal = (action: string, id: number) => ({
  status: 403,
  body: { code: 'auth.notAllowed', params: { action, kind: 'page', id } },
});

describe('a limit of languages', () => {
  it('holds for every page of a subtree that is deleted', async () => {
    const top = await page(site);
    const german = await page(await page(top), 'de');
    const below = await page(german);
    const desk = await personWith(reading, { actions: ['edit', 'delete'], on: { languages: ['en'] } });
    expect(await desk.ask('DELETE', `/pages/${top}`)).toMatchObject(refusal('delete', german));
    const op = { op: 'delete', kind: 'page', id: top };
    expect(await desk.ask('POST', '/batch', { ops: [op] })).toMatchObject(refusal('delete', german));
    const set = await callOk(server, 'POST', '/change-sets', { name: freshName('set') });
    expect(await desk.ask('POST', `/change-sets/${set['id']}/items`, op)).toMatchObject(
      refusal('edit', german),
    );
    await callOk(server, 'GET', `/pages/${below}`);
    const both = await personWith(
      reading,
      { actions: ['delete'], on: { languages: ['en'] } },
      { actions: ['delete'], on: { languages: ['de'], pages: [german] } },
    );
    expect((await both.ask('DELETE', `/pages/${top}`)).status).toBe(204);
  });

  it('holds for every page of a subtree that is moved, where it was and where it will be', async () => {
    const [top, target] = [await page(site), await page(site)];
    const german = await page(top, 'de');
    const move = (who: Person) => who.ask('POST', `/pages/${top}/move`, { parent_id: target });
    const desk = await personWith(reading, { actions: ['publish'], on: { languages: ['en'] } });
    expect(await move(desk)).toMatchObject(refusal('publish', german));
    // It may change the German page where it is, and not where it will be.
    const half = await personWith(
      reading,
      { actions: ['publish'], on: { languages: ['en'] } },
      { actions: ['publish'], on: { languages: ['de'], pages: [await page(site)] } },
    );
    expect(await move(half)).toMatchObject(refusal('publish', german));
    const all = await personWith(reading, { actions: ['publish'], on: { languages: ['en', 'de'] } });
    expect((await move(all)).status).toBe(200);
  });

  it('holds for every page of a subtree that comes back from the trash', async () => {
    const top = await page(site);
    const german = await page(top, 'de');
    await callOk(server, 'DELETE', `/pages/${top}`);
    const entry = await findNewestInTrash('page');
    const restore = (who: Person, body = {}) => who.ask('POST', `/trash/${entry}/restore`, body);
    const desk = await personWith(reading, { actions: ['publish'], on: { languages: ['en'] } });
    expect(await restore(desk, { dry_run: true })).toMatchObject(refusal('publish', german));
    expect(await restore(desk)).toMatchObject(refusal('publish', german));
    const all = await personWith(reading, { actions: ['publish'], on: { languages: ['en', 'de'] } });
    expect((await restore(all)).status).toBe(200);
  });

  it('names no page that may not be read', async () => {
    const top = await page(site);
    await page(top, 'fr');
    const desk = await personWith({ actions: ['read', 'delete'], on: { languages: ['en'] } });
    expect(await desk.ask('DELETE', `/pages/${top}`)).toMatchObject(refusal('delete', top));
  });
});

describe('a limit of kinds', () => {
  const all = ['read', 'publish', 'delete', 'code'];
  const fields = [{ name: 'title', label: 'Title', type: 'text' }];

  it('holds for the entries of a collection that is deleted or comes back', async () => {
    const [filled, empty] = [freshSlug(), freshSlug()];
    const id = await createCollection(server, { slug: filled, fields });
    await createItem(server, filled, { title: 'kept' });
    await createCollection(server, { slug: empty, fields });
    const modeller = await personWith({ actions: all, on: { kinds: ['collection'] } }, reading);
    const forbidden = (action: string) => ({
      status: 403,
      body: { code: 'auth.notAllowed', params: { action, kind: 'item' } },
    });
    expect(await modeller.ask('DELETE', `/collections/${filled}`)).toMatchObject(forbidden('delete'));
    const op = { op: 'delete', kind: 'collection', id };
    expect(await modeller.ask('POST', '/batch', { ops: [op] })).toMatchObject(forbidden('delete'));
    expect((await modeller.ask('DELETE', `/collections/${empty}`)).status).toBe(204);
    const both = await personWith({ actions: all, on: { kinds: ['collection', 'item'] } });
    expect((await both.ask('DELETE', `/collections/${filled}`)).status).toBe(204);
    const path = `/trash/${await findNewestInTrash('collection')}/restore`;
    expect(await modeller.ask('POST', path, {})).toMatchObject(forbidden('publish'));
    expect((await both.ask('POST', path, {})).status).toBe(200);
    expect(await callOk(server, 'GET', `/collections/${filled}`)).toMatchObject({ item_count: 1 });
  });
});

describe('`code` on a part', () => {
  const unsafe = '<img src=x onerror=alert(1)>';

  it('lets values run code there and nowhere else', async () => {
    const fields = [{ name: 'html', label: 'HTML', type: 'html' }];
    const [mine, other] = [freshSlug(), freshSlug()];
    const ids = new Map<string, number>();
    for (const slug of [mine, other]) {
      await createCollection(server, { slug, fields, lang: 'en' });
      ids.set(slug, await createItem(server, slug, { html: 'a' }));
    }
    const save = async (who: Person, slug: string) =>
      (await who.ask('PUT', `/collections/${slug}/items/${ids.get(slug)}`, { data: { html: unsafe } }))
        .status;
    const ordinary = { actions: ['read', 'edit', 'publish'] };
    for (const on of [{ collections: [mine] }, { collections: [mine], languages: ['en'] }]) {
      const person = await personWith(ordinary, { actions: ['code'], on });
      expect([await save(person, mine), await save(person, other)]).toEqual([200, 422]);
      await callOk(server, 'PUT', `/collections/${mine}/items/${ids.get(mine)}`, { data: { html: 'a' } });
    }
  });

  it('counts for the blocks of pages of its websites and subtrees', async () => {
    const block = freshName('block');
    const params = [{ name: 'text', label: 'Text', type: 'html' }];
    await createSnippet(server, { name: block, content: '{{ text }}', schema: { block: true, params } });
    const blocks = [{ type: block, params: { text: unsafe } }];
    const [mine, other] = [await page(site), await page(await createSite(server, { lang: 'de' }))];
    const ordinary = { actions: ['read', 'edit', 'publish'] };
    for (const on of [{ pages: [mine] }, { sites: [site] }, { languages: ['en'] }]) {
      const person = await personWith(ordinary, { actions: ['code'], on });
      const save = async (id: number) => (await person.ask('PUT', `/pages/${id}`, { blocks })).status;
      expect([on, await save(mine), await save(other)]).toEqual([on, 200, 422]);
      await callOk(server, 'PUT', `/pages/${mine}`, { blocks: [] });
    }
  });
});
