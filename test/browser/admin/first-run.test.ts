/** The first run with nothing, with content, and with a website that is there already. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite, createSnippet } from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { administrator } from '../../support/session.ts';
import { openAdmin, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('the first run', () => {
  let browser: Browser;
  let server: TestServer;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(() => server.stop());
  afterAll(() => browser.close());

  /** The form of the first run with an account in it. */
  async function begin(): Promise<Page> {
    const page = await openAdmin(browser, server, '/');
    await page.getByLabel('Name').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    return page;
  }

  async function chooseEmpty(page: Page): Promise<void> {
    await page.getByRole('radio', { name: /Empty site/ }).click();
    await page.getByLabel('Title of the website').fill('Harbour');
    await page.getByRole('button', { name: 'Create the website' }).click();
    await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
  }

  test('an empty site has a page of blocks in a layout, in the language of the admin', async () => {
    server = await startServer();
    const page = await begin();
    await chooseEmpty(page);
    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline.getByRole('treeitem', { name: /Welcome/ }).waitFor();
    await page.frameLocator('iframe').getByText('Click this text to change it.').waitFor();
    const website = await (await fetch(server.url)).text();
    expect(website).toContain('<html lang="en"');
    expect(website).toContain('<h2>Welcome</h2>');
    expect(website).toContain('rel="stylesheet"');
    expect(await callList(server, '/page-layouts')).toMatchObject([{ default: true }]);
    expect(await callList(server, '/blocks/types')).toHaveLength(1);
    // A second one takes what is there, as long as nobody has changed it.
    await page.getByRole('button', { name: /Website/ }).click();
    await page.getByRole('menuitem', { name: 'New website' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Pier');
    await page.getByRole('button', { name: 'Create website' }).click();
    await page.getByRole('heading', { name: 'Pier', level: 1 }).waitFor();
    expect(await callList(server, '/snippets')).toHaveLength(2);
  });

  test('a starter is chosen by its picture, and becomes the website', async () => {
    server = await startServer();
    const page = await begin();
    for (const name of [/Demo museum/, /Magazine/, /Company/, /Documentation/, /Blank/, /Empty site/])
      await page.getByRole('radio', { name }).waitFor();
    const drawn = '[...document.images].filter(({ naturalWidth }) => naturalWidth > 0).length';
    await expect.poll(() => page.evaluate<number>(drawn)).toBe(6);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('radio', { name: /Documentation/ }).click();
    await page.getByRole('button', { name: 'Create with the documentation' }).click();
    await expect.poll(() => callList(server, '/pages?roots=1'), { timeout: 60_000 }).not.toEqual([]);
    const [site] = await callList(server, '/pages?roots=1');
    await page.getByRole('heading', { name: String(site?.['title']), level: 1 }).waitFor();
    expect((await fetch(server.url)).status).toBe(200);
    await page.context().close();
  });

  test('with content and no website it leads to the content, and offers no whole website', async () => {
    server = await startServer();
    await createSnippet(server, { name: 'own' });
    const page = await begin();
    await page.getByRole('button', { name: 'Create with the demo museum' }).click();
    await page.getByText('There is content already.').waitFor();
    for (const name of [/Demo museum/, /Magazine/, /Company/, /Documentation/, /Blank/])
      expect(await page.getByRole('radio', { name }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Snippets' }).click();
    await page.getByRole('link', { name: 'own' }).waitFor();
    // The next visit knows at once.
    await page.goto(`${server.url}/cms-admin/`);
    await page.getByText('There is content already.').waitFor();
    expect(await page.getByRole('radio', { name: /Demo museum/ }).count()).toBe(0);
    await chooseEmpty(page);
    expect(await callList(server, '/snippets')).toHaveLength(3);
    await page.context().close();
  });

  test('with content and an account a bundle can be brought in', async () => {
    server = await startServer();
    await createSnippet(server, { name: 'own' });
    const page = await begin();
    await page.getByRole('button', { name: 'Create with the demo museum' }).click();
    await page.getByRole('button', { name: 'Bring it here as a bundle' }).click();
    await page.getByRole('heading', { name: /Bundles/, level: 1 }).waitFor();
    await page.context().close();
  });

  test('with a website it leads to the dashboard and changes nothing', async () => {
    server = await startServer();
    const site = await createSite(server, { title: 'There before' });
    const before = await callOk(server, 'GET', `/pages/${site}`);
    const page = await begin();
    await page.getByRole('button', { name: 'Create with the demo museum' }).click();
    await page.getByText('This server has a website already.').waitFor();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(await callOk(server, 'GET', `/pages/${site}`)).toEqual(before);
    expect(await callList(server, '/pages')).toHaveLength(1);
    await page.context().close();
  });
});
