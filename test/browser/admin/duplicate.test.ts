/** Copies of pages, entries, snippets and global blocks, as people make them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
  insertPages,
} from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { findToast, openAdmin, showScreen, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('duplicates', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    const session = await setUp(server);
    await createSite(server);
    page = await openAdmin(browser, server, '/', { session });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const menu = async (button: string, command: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitem', { name: command, exact: true }).click();
  };
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  /** Shows the tree of a website with its home page open, and the focus in it. */
  async function showTree(home: number): Promise<void> {
    await page.evaluate(`localStorage.setItem('ic-open-${home}', '[${home}]')`);
    await showScreen(page, `/s/${home}/pages`);
    const tree = page.getByRole('tree');
    await tree.locator(`a[href*="/s/${home}/"]`).first().waitFor();
    await tree.focus();
  }

  /** A website with Anchor > Bay > Cove, and Delta. */
  async function website() {
    const home = await createSite(server, { title: freshName('Home') });
    const anchor = await createPage(server, home, { title: 'Anchor', slug: 'anchor', published: true });
    const bay = await createPage(server, anchor, { title: 'Bay', slug: 'bay', published: true, html: 'Bay' });
    await createPage(server, bay, { title: 'Cove', slug: 'cove', lang: 'fr' });
    await createPage(server, home, { title: 'Delta', slug: 'delta' });
    const list = async () => (await callList(server, '/pages')).filter(({ root_id }) => root_id === home);
    return { home, anchor, bay, list };
  }

  test('a page with subpages: beside it, as a draft, with its unpublished changes', async () => {
    const { home, anchor, bay, list } = await website();
    await callOk(server, 'PUT', `/pages/${bay}/copy`, { description: 'Waiting' });
    await page.goto(`${server.url}/cms-admin/s/${home}/pages/${anchor}/content`);
    await title('Anchor').waitFor();
    // The commands depend on what is below the page.
    await page.locator('[role=treeitem][aria-expanded]').filter({ hasText: 'Anchor' }).waitFor();
    await menu('More actions', 'Duplicate with subpages');
    await title('Anchor (copy)').waitFor();
    expect(await violations(page)).toEqual([]);
    const pages = await list();
    const copies = pages.filter(({ path }) => String(path).startsWith('/anchor-2'));
    expect(copies.map(({ path, title, published }) => [path, title, published])).toEqual([
      ['/anchor-2', 'Anchor (copy)', false],
      ['/anchor-2/bay', 'Bay', false],
      ['/anchor-2/bay/cove', 'Cove', false],
    ]);
    const below = pages.filter(({ parent_id }) => parent_id === home).map(({ slug }) => slug);
    expect(below).toEqual(['anchor', 'anchor-2', 'delta']);
    const inside = await callOk(server, 'GET', `/pages/${copies[1]?.['id']}`);
    expect(inside).toMatchObject({ html: 'Bay', description: 'Waiting' });
    expect(copies[2]).toMatchObject({ lang: 'fr' });
  });

  test('chosen pages of the tree by keys, without subpages', async () => {
    const { home, list } = await website();
    await showTree(home);
    for (const key of ['Home', 'Control+a']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Duplicate', exact: true }).focus();
    await page.keyboard.press('Enter');
    await findToast(page, '2 copies made.').waitFor();
    const below = (await list()).filter(({ parent_id }) => parent_id === home).map(({ slug }) => slug);
    expect(below).toEqual(['anchor', 'anchor-2', 'delta', 'delta-2']);
    expect((await list()).filter(({ slug }) => slug === 'bay')).toHaveLength(1);
  });

  test('more pages than one commit takes are refused in words', async () => {
    const { home, list } = await website();
    await insertPages(server, home, 300);
    await createPage(server, home, { title: 'Last', slug: 'last' });
    const before = (await list()).length;
    await showTree(home);
    for (const key of ['Home', 'Control+a']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await findToast(page, 'This would take 606 changes at once, but at most 500 are possible.').waitFor();
    expect(await list()).toHaveLength(before);
  });

  test('an entry in its editor, and several in the list', async () => {
    const slug = freshName('boats');
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'slug', type: 'text' },
    ];
    await createCollection(server, { slug, fields });
    const id = await createItem(server, slug, { title: 'Marie', slug: 'marie' });
    const entries = () => callList(server, `/collections/${slug}/items`);
    await showScreen(page, `/collections/${slug}/${id}`);
    await page.getByRole('heading', { level: 2, name: 'Marie', exact: true }).waitFor();
    await menu('More actions', 'Duplicate');
    await page.getByRole('heading', { level: 2, name: 'Marie (copy)' }).waitFor();
    expect(await entries()).toMatchObject([
      { data: { title: 'Marie', slug: 'marie' }, published: true },
      { data: { title: 'Marie (copy)', slug: 'marie-2' }, published: false },
    ]);
    await showScreen(page, `/collections/${slug}`);
    for (const box of await page.getByRole('checkbox', { name: /^Select/ }).all()) await box.check();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await findToast(page, '2 copies made.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await entries()).map(({ data }) => Reflect.get(Object(data), 'slug'))).toEqual([
      'marie',
      'marie-2',
      'marie-3',
      'marie-4',
    ]);
  });

  test('a snippet and a global block', async () => {
    const name = freshName('card');
    const snippet = await createSnippet(server, { name, content: '<p>{{ title }}</p>' });
    await showScreen(page, `/snippets/${snippet}`);
    await title(name).waitFor();
    await menu('More actions', 'Duplicate');
    await title(`${name}-2`).waitFor();
    const copies = (await callList(server, '/snippets')).filter(({ id }) => Number(id) > snippet);
    expect(copies).toMatchObject([{ name: `${name}-2` }]);
    expect(await callOk(server, 'GET', `/snippets/${copies[0]?.['id']}`)).toMatchObject({
      content: '<p>{{ title }}</p>',
    });
    const global = await createGlobalBlock(server, { name: 'Hours' });
    await showScreen(page, `/global-blocks/${global}`);
    await title('Hours').waitFor();
    await menu('More actions', 'Duplicate');
    await title('Hours (copy)').waitFor();
  });

  test('in German the title says so in German', async () => {
    const { home, bay } = await website();
    await page.evaluate(`localStorage.setItem('ic-language', 'de')`);
    await page.goto(`${server.url}/cms-admin/s/${home}/pages/${bay}/content`);
    await title('Bay').waitFor();
    await menu('Weitere Aktionen', 'Duplizieren');
    await title('Bay (Kopie)').waitFor();
    await page.evaluate(`localStorage.setItem('ic-language', 'en')`);
    await page.goto(`${server.url}/cms-admin/`);
  });
});
