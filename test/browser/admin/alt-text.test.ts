/** Alt texts are asked for where an image is placed: in fields of pages, entries and blocks, and in the picker. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createCollection, createItem, createPage, createSite, freshName } from '../../support/content.ts';
import { draw, uploadOne } from '../../support/media.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { openAdmin, showScreen, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('alt texts', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let home: number;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    const session = await setUp(server);
    home = await createSite(server);
    page = await openAdmin(browser, server, '/', { session });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function picture() {
    const name = `${freshName('crane')}.png`;
    const bytes = await draw({ width: 64, height: 48, format: 'png' });
    const { id } = await uploadOne(server, name, bytes);
    return { id: Number(id), name };
  }
  const altOf = async (id: number) => (await callOk(server, 'GET', `/files/${id}`))['alt'];
  const mark = (name: string) => page.getByRole('button', { name: `No alt text: add one for ${name}` });
  const input = (name: string) => page.getByRole('textbox', { name: `Alt text of ${name}` });

  test('in a field of an entry, by keys', async () => {
    const slug = freshName('boats');
    await createCollection(server, { slug, fields: [{ name: 'photo', type: 'image' }] });
    const { id, name } = await picture();
    const entry = await createItem(server, slug, { photo: id });
    await showScreen(page, `/collections/${slug}/${entry}`);
    await mark(name).focus();
    await page.keyboard.press('Enter');
    await input(name).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await mark(name).press('Enter');
    await page.keyboard.type('The old crane');
    await page.keyboard.press('Enter');
    await input(name).waitFor({ state: 'detached' });
    await mark(name).waitFor({ state: 'detached' });
    expect(await altOf(id)).toBe('The old crane');
  });

  test('in a field of a page, and in the picker before an image is chosen', async () => {
    const [placed, other] = [await picture(), await picture()];
    const id = await createPage(server, home, { og_image_file_id: placed.id });
    await showScreen(page, `/s/${home}/pages/${id}/seo`);
    await mark(placed.name).waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `No alt text: add one for ${other.name}` }).click();
    await input(other.name).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await input(other.name).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: `No alt text: add one for ${other.name}` }).click();
    await input(other.name).fill('Ropes');
    await dialog.getByRole('button', { name: 'Save alt text' }).click();
    await input(other.name).waitFor({ state: 'detached' });
    expect(await altOf(other.id)).toBe('Ropes');
    await dialog.getByRole('button', { name: new RegExp(`^${other.name}`) }).click();
    await page.getByText(other.name, { exact: true }).waitFor();
    expect(await mark(other.name).count()).toBe(0);
    expect(await altOf(placed.id)).toBe('');
  });
});
