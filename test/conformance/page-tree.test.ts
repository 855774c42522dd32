import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** GET /pages?view=tree: all pages with few fields, for a tree. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it('lists all pages by parent and position, without large fields', async () => {
  const home = await createSite(server, { title: 'Home' });
  const first = await createPage(server, home, {
    title: 'First',
    slug: 'first',
    lang: 'de',
    published: true,
  });
  const below = await createPage(server, first, { title: 'Below', slug: 'below', hide_in_nav: true });
  const second = await createPage(server, home, { title: 'Second', slug: 'second' });
  await callOk(server, 'POST', `/pages/${second}/move`, { parent_id: home, index: 0 }).catch(() => {});
  const other = await createSite(server, { title: 'Other' });
  const tree = await callList(server, '/pages?view=tree');
  expect(tree.map(({ id }) => id)).toEqual([home, other, second, first, below]);
  expect(tree.find(({ id }) => id === below)).toEqual({
    id: below,
    parent_id: first,
    root_id: home,
    title: 'Below',
    slug: 'below',
    path: '/first/below',
    lang: '',
    translation_group: '',
    published: false,
    catch_all: false,
    hide_in_nav: true,
    noindex: false,
    updated_at: expect.any(Number),
  });
});

it('names the group of language versions', async () => {
  const home = await createSite(server, { title: 'Two languages' });
  await callOk(server, 'PUT', `/pages/${home}`, { lang: 'en' });
  const german = await createPage(server, home, { slug: 'de', lang: 'de' });
  const page = await createPage(server, home, { slug: 'alone' });
  await callOk(server, 'POST', `/pages/${home}/translations`, { page_id: german });
  const tree = await callList(server, '/pages?view=tree');
  const groupOf = (id: number) => tree.find((entry) => entry['id'] === id)?.['translation_group'];
  expect(groupOf(home)).toMatch(/./);
  expect(groupOf(german)).toBe(groupOf(home));
  expect(groupOf(page)).toBe('');
});

it('is renewed by every change', async () => {
  const [home] = await callList(server, '/pages?view=tree');
  const page = await createPage(server, Number(home?.['id']), { title: 'Before' });
  await callOk(server, 'PUT', `/pages/${page}`, { title: 'After', published: true });
  const entry = (await callList(server, '/pages?view=tree')).find(({ id }) => id === page);
  expect(entry).toMatchObject({ title: 'After', published: true });
});

it('refuses an unknown view, and callers without a credential', async () => {
  expect(await call(server, 'GET', '/pages?view=list')).toMatchObject({
    status: 400,
    body: { code: 'common.invalid' },
  });
  expect((await call(server, 'GET', '/pages?view=tree', { token: null })).status).toBe(401);
});
