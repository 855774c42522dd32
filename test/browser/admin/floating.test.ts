/** Menus and tooltips of the first screen, whose code comes after it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite } from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { colourRules, openAdmin, showScreen, violations, violationsOfThemes } from './admin-browser.ts';

const code = '**/assets/floating-*.js';
const focusedName = `document.activeElement.getAttribute('aria-label')`;

describe.skipIf(isWithoutBrowser)('what floats over the first screen', () => {
  let server: TestServer;
  let browser: Browser;
  let session: string;
  let page: Page;
  const account = () => page.getByRole('button', { name: /^Account/ });
  const widen = () => page.getByRole('button', { name: 'Make the menu wider' });
  const menu = () => page.getByRole('menu');
  const tooltip = () => page.getByRole('tooltip');

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    session = await setUp(server);
    await createSite(server);
  });
  beforeEach(async () => {
    page = await openAdmin(browser, server, '/', { session });
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** Lets its code wait until the returned function is called. */
  async function hold(pattern = code): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(pattern, async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  }

  test('a press before its code is there opens the menu when it comes, and the button stays the same', async () => {
    const release = await hold();
    const asked = page.waitForRequest(code);
    const button = await account().elementHandle();
    const before = await account().boundingBox();
    await account().click();
    await asked;
    expect(await account().getAttribute('aria-expanded')).toBe('false');
    expect(await violations(page)).toEqual([]);
    release();
    await menu().waitFor();
    // An element that is no longer in the document is not visible.
    expect(await button?.isVisible()).toBe(true);
    expect(await account().getAttribute('aria-expanded')).toBe('true');
    expect(await account().boundingBox()).toEqual(before);
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
    await account().click();
    await menu().waitFor({ state: 'detached' });
  });

  test('the keyboard opens the menu, and gets the focus back', async () => {
    await account().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('menuitem');
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(focusedName)).toMatch(/^Account/);
  });

  test('a button with the focus keeps it when the code comes, and shows its tooltip', async () => {
    const release = await hold();
    await account().focus();
    await page.keyboard.press('Tab');
    const name = await page.evaluate(focusedName);
    release();
    await tooltip().waitFor();
    expect(await page.evaluate(focusedName)).toBe(name);
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
    await page.keyboard.press('Escape');
    await tooltip().waitFor({ state: 'detached' });
  });

  test('a tooltip comes for a pointer that already rests, and names the element', async () => {
    const release = await hold();
    await widen().hover();
    release();
    await tooltip().waitFor();
    const described = await widen().getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(await tooltip().textContent());
    await page.mouse.move(600, 400);
    await tooltip().waitFor({ state: 'detached' });
  });

  test('a menu whose code cannot be read says so, and opens after the page was loaded again', async () => {
    await page.route(code, (route) => route.abort());
    await account().click();
    await page.getByRole('status').getByText('The menu could not be loaded').waitFor();
    expect(await account().getAttribute('aria-expanded')).toBe('false');
    await page.unroute(code);
    await page.reload();
    await account().click();
    await menu().waitFor();
  });

  test('keys that are typed before the palette is there are in it, and the focus goes back', async () => {
    const release = await hold('**/assets/palette-*.js');
    await account().focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('work');
    release();
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.waitFor();
    await page.keyboard.type('flows');
    expect(await search.inputValue()).toBe('workflows');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(focusedName)).toMatch(/^Account/);
  });

  test('the focus is on the title of what a dialog has led to, never lost and never on "+"', async () => {
    const isFocused = (name: string) =>
      page.locator('h1:focus, h2:focus', { hasText: name }).waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('snippets');
    await page.keyboard.press('Enter');
    await isFocused('Snippets');
    for (const [path, kind] of [
      ['/snippets', 'snippet'],
      ['/workflows', 'workflow'],
      ['/global-blocks', 'global block'],
    ] as const) {
      await showScreen(page, path);
      await page
        .getByRole('button', { name: `New ${kind}` })
        .first()
        .click();
      await page
        .getByRole('dialog')
        .getByLabel('Name')
        .fill(`focus/${kind.replace(' ', '-')}`);
      await page.keyboard.press('Enter');
      await isFocused(`focus/${kind.replace(' ', '-')}`);
    }
    const fields = [{ name: 'title', label: 'Title', type: 'text' }];
    await callOk(server, 'POST', '/collections', { slug: 'notes', name: 'Notes', fields });
    await showScreen(page, '/collections/notes');
    await page.getByRole('button', { name: 'New entry' }).first().click();
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor();
  });

  test('a screen or dialog whose code cannot be read leaves the frame as it is', async () => {
    const scripts = /\/assets\/(media|palette)[^/]*\.js$/;
    await page.route(scripts, (route) => route.abort());
    await page.getByRole('link', { name: 'Media' }).click();
    await page.getByRole('main').getByText('The request failed.').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('status').getByText('The request failed.').waitFor();
    await page.unroute(scripts);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
  });
});
