/** What lies over a screen while it is open: menus, lists, dialogs, tooltips. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { colourRules, openAdmin, showScreen, violationsOfThemes } from './admin-browser.ts';

interface Overlay {
  readonly path: string;
  /** What opens it, and what is there then. */
  readonly opener: (page: Page) => Locator;
  readonly shown: (page: Page) => Locator;
  /** How it is opened. Default: by a click. */
  readonly open?: (opener: Locator) => Promise<void>;
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const combobox = (name: string) => (page: Page) => page.getByRole('combobox', { name, exact: true }).first();
const menu = (page: Page) => page.getByRole('menu');
const list = (page: Page) => page.getByRole('listbox').getByRole('option').first();
const dialog = (page: Page) => page.getByRole('dialog');

const overlays: Readonly<Record<string, Overlay>> = {
  'the websites': { path: '/snippets', opener: button(/^Website/), shown: menu },
  'the menu of the user': { path: '/snippets', opener: button('demo'), shown: menu },
  'a tooltip': {
    path: '/snippets',
    opener: button('New snippet'),
    open: (opener) => opener.hover(),
    shown: (page) => page.getByRole('tooltip'),
  },
  'a dialog with a form': { path: '/snippets', opener: button('New snippet'), shown: dialog },
  'the palette': {
    path: '/snippets',
    opener: (page) => page.locator('body'),
    open: (body) => body.press('Control+k'),
    shown: (page) => dialog(page).getByRole('option').first(),
  },
  'the menu of a page': { path: '/s/1/pages/2/seo', opener: button('More actions'), shown: menu },
  'a choice of pages': { path: '/s/1/pages/1/settings', opener: combobox('404 page'), shown: list },
  'the menu of a block': {
    path: '/s/1/pages/1/content?b=hero',
    opener: button('Actions for the block'),
    shown: menu,
  },
  'the blocks that can be added': {
    path: '/s/1/pages/1/content?b=hero',
    opener: button('Add block'),
    shown: dialog,
  },
  'the menu of a collection': {
    path: '/collections/objects',
    opener: button('More actions of the collection'),
    shown: menu,
  },
  'the columns of a table': {
    path: '/collections/objects',
    opener: button('Columns'),
    shown: (page) => page.getByRole('menuitemcheckbox', { checked: true }).first(),
  },
  'a filter of a table': { path: '/collections/objects', opener: button('Filter'), shown: dialog },
  'the menu of a row': {
    path: '/collections/objects',
    opener: button(/^Actions for/),
    open: (opener) => opener.press('Enter'),
    shown: menu,
  },
  'a reference of an entry': {
    path: '/collections/objects/1',
    opener: (page) => page.getByRole('combobox').first(),
    shown: list,
  },
  'names that may be chosen': { path: '/system/audit', opener: combobox('Who'), shown: list },
};

describe.skipIf(isWithoutBrowser)('over a screen', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    page = await openAdmin(browser, server, '/snippets', { session: await demoSession(server) });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test.each(Object.entries(overlays))('no violations in either theme: %s', async (_, overlay) => {
    const { path, opener, shown, open = (target) => target.click() } = overlay;
    await showScreen(page, path);
    await open(opener(page));
    await shown(page).waitFor();
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.mouse.move(0, 0);
  });

  test.each([
    ['More actions of the collection', 'Import CSV'],
    // Its first item is grey, because the entry is the first one.
    ['Actions for The Great Fish Balance', 'Move down'],
  ])(
    '%s: the menu has the focus on its first item that can be used, and gives it back',
    async (name, item) => {
      await showScreen(page, '/collections/objects');
      const opener = page.getByRole('button', { name });
      await opener.press('Enter');
      const focused = () => page.evaluate('document.activeElement.textContent');
      await expect.poll(focused).toContain(item);
      await page.keyboard.press('Escape');
      await menu(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(name);
    },
  );
});
