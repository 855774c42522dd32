/** The tree of pages and the outline of blocks: keys, choice, moves by keys, mouse and finger. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createPage, createSite } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { saveLive } from '../../support/live-saves.ts';
import { type Box, openAdmin, settledBox, showScreen, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('trees', () => {
  let server: DemoServer;
  let browser: Browser;
  let session: string;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    session = await demoSession(server);
    await saveLive(server);
    page = await openAdmin(browser, server, '/', { session });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const tree = () => page.getByRole('tree');
  const item = (name: string) => tree().getByRole('treeitem', { name: new RegExp(`^(Actions )?${name}`) });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const said = (words: string) =>
    page.locator('[aria-live=assertive]').filter({ hasText: words }).first().waitFor({ state: 'attached' });
  const focused = async () =>
    String(
      await page.evaluate(`(() => {
        const id = document.querySelector('[role=tree]').getAttribute('aria-activedescendant');
        return id === null ? '' : document.getElementById(id).textContent.trim();
      })()`),
    );
  const overlay = (name: string) => page.locator('[class*=overlay]').getByText(name, { exact: true });
  const line = () => tree().locator('[class*=drop]');

  describe('the tree of pages', () => {
    /** Home > (Anchor > (Bay, Cove), Delta > Eddy, Fjord) */
    let home: number;
    const ids: Record<string, number> = {};

    beforeAll(async () => {
      home = await createSite(server, { title: 'Home' });
      const add = async (parent: number, title: string) => {
        ids[title] = await createPage(server, parent, { title, published: true });
        return ids[title];
      };
      const anchor = await add(home, 'Anchor');
      await add(anchor, 'Bay');
      await add(anchor, 'Cove');
      await add(await add(home, 'Delta'), 'Eddy');
      await add(home, 'Fjord');
    });

    const titles = () => tree().getByRole('treeitem').locator('a').allTextContents();
    const chosen = () => tree().locator('[aria-selected=true] a').allTextContents();
    const placeOf = async (title: string) => {
      const { parent_id, path } = await callOk(server, 'GET', `/pages/${ids[title]}`);
      return { parent: parent_id, path };
    };
    /** The tree with Anchor open and Home focused. */
    async function open(): Promise<void> {
      await page.evaluate(`localStorage.setItem('ic-open-${home}', '[${home},${ids['Anchor']}]')`);
      // A tree that is drawn already would keep its own open rows, so the admin is loaded again.
      await page.goto(`${server.url}/cms-admin/s/${home}/pages`);
      await item('Bay').waitFor({ timeout: 20_000 });
      await tree().focus();
      await expect.poll(titles).toEqual(['Home', 'Anchor', 'Bay', 'Cove', 'Delta', 'Fjord']);
    }
    /** Takes the last move back. */
    async function undo(): Promise<void> {
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(titles).toEqual(['Home', 'Anchor', 'Bay', 'Cove', 'Delta', 'Fjord']);
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    }

    test('keys lead through the rows, open and close them', async () => {
      await open();
      expect(await violations(page)).toEqual([]);
      expect(await focused()).toMatch(/^Home/);
      for (const [key, title] of [
        ['ArrowDown', 'Anchor'],
        ['ArrowRight', 'Bay'],
        ['ArrowLeft', 'Anchor'],
        ['End', 'Fjord'],
        ['ArrowDown', 'Fjord'],
        ['Home', 'Home'],
        ['PageDown', 'Fjord'],
        ['PageUp', 'Home'],
        ['c', 'Cove'],
        ['d', 'Delta'],
        ['a', 'Anchor'],
      ] as const) {
        await press(key);
        await expect.poll(focused, { message: key }).toMatch(new RegExp(`^${title}`));
      }
      await press('ArrowLeft');
      await expect.poll(titles).toEqual(['Home', 'Anchor', 'Delta', 'Fjord']);
      await press('ArrowRight');
      await expect.poll(titles).toContain('Cove');
      await item('Delta').locator('button').first().click();
      await expect.poll(titles).toContain('Eddy');
      const eddy = item('Eddy');
      const values = await Promise.all(
        ['level', 'posinset', 'setsize', 'expanded'].map((name) => eddy.getAttribute(`aria-${name}`)),
      );
      expect(values).toEqual(['3', '1', '1', null]);
      expect(await item('Delta').getAttribute('aria-expanded')).toBe('true');
      await press('End', 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Fjord' }).waitFor();
      await expect.poll(() => item('Fjord').getAttribute('aria-current')).toBe('page');
    });

    test('pages are chosen by keys and by mouse', async () => {
      await open();
      await press('ArrowDown', ' ');
      await expect.poll(chosen).toEqual(['Anchor']);
      await press('Shift+ArrowDown', 'Shift+ArrowDown');
      await expect.poll(chosen).toEqual(['Anchor', 'Bay', 'Cove']);
      await press(' ');
      await expect.poll(chosen).toEqual(['Anchor', 'Bay']);
      await press('Control+a');
      await expect.poll(chosen).toEqual(['Anchor', 'Bay', 'Cove', 'Delta', 'Fjord']);
      await press('Escape');
      await expect.poll(chosen).toEqual([]);
      await item('Delta')
        .locator('a')
        .click({ modifiers: ['Control'] });
      await item('Bay')
        .locator('a')
        .click({ modifiers: ['Shift'] });
      await expect.poll(chosen).toEqual(['Bay', 'Cove', 'Delta']);
      await item('Cove')
        .locator('a')
        .click({ modifiers: ['Control'] });
      await expect.poll(chosen).toEqual(['Bay', 'Delta']);
      await press('Delete');
      await page
        .getByRole('dialog')
        .getByText(/2 pages|3 pages/)
        .first()
        .waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await item('Fjord').locator('a').click();
      await page.getByRole('heading', { level: 1, name: 'Fjord' }).waitFor();
      await expect.poll(chosen).toEqual([]);
    });

    test('the menu of a page opens by the other button, by its own and by keys', async () => {
      await open();
      const menu = page.getByRole('menu');
      await item('Cove').locator('a').click({ button: 'right' });
      await menu.waitFor();
      await press('Escape');
      await menu.waitFor({ state: 'detached' });
      await item('Bay').hover();
      await item('Bay').getByRole('button', { name: 'Actions for Bay' }).click();
      await menu.waitFor();
      await press('Escape');
      await menu.waitFor({ state: 'detached' });
      await tree().focus();
      for (const key of ['Shift+F10', 'ContextMenu']) {
        await press(key);
        await menu.getByRole('menuitem', { name: 'Move to...' }).waitFor();
        await press('Escape');
        await menu.waitFor({ state: 'detached' });
        await tree().focus();
      }
      await press('n');
      await page.getByRole('dialog').getByLabel('Title').waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    test('a page is moved by keys, which say where it goes', async () => {
      await open();
      await press('m');
      expect(await line().count()).toBe(0);
      await press('ArrowDown', 'ArrowDown', 'm');
      await said('Lifted Bay, 1 of 2 in Anchor.');
      await press('ArrowDown');
      await said('Before Delta, level 3.');
      await press('ArrowLeft');
      await said('Before Delta, level 2.');
      await press('ArrowRight', 'ArrowRight', 'ArrowRight');
      await said('Before Delta, level 4.');
      await line().waitFor();
      expect(await titles()).toEqual(['Home', 'Anchor', 'Cove', 'Delta', 'Fjord']);
      await press('ArrowDown', 'ArrowDown', 'ArrowDown');
      await said('After Fjord, level 3.');
      await press('Escape');
      await said('Cancelled, back in place.');
      expect(await titles()).toEqual(['Home', 'Anchor', 'Bay', 'Cove', 'Delta', 'Fjord']);
      await press('m', 'ArrowDown');
      await page.getByLabel('Filter pages').focus();
      await line().waitFor({ state: 'detached' });
      await tree().focus();
      await press('m', 'ArrowDown', 'ArrowLeft', ' ');
      await said('Dropped at position 2.');
      await page.getByText('Moved "Bay" below "Home".').waitFor();
      expect((await placeOf('Bay')).parent).toBe(home);
      await undo();
      await tree().focus();
      await press('f', 'Alt+ArrowUp');
      await expect.poll(titles).toEqual(['Home', 'Anchor', 'Bay', 'Cove', 'Fjord', 'Delta']);
      await undo();
    });

    test('a page is dragged to a level by mouse', async () => {
      await open();
      const [cove, delta] = [await settledBox(item('Cove')), await settledBox(item('Delta'))];
      // Without the dragged row, Cove stands where Delta is now.
      await hold(item('Fjord').locator('a'), { x: delta.x + 60, y: cove.y + cove.height - 8 });
      await overlay('Fjord').waitFor();
      await line().waitFor();
      expect(await titles()).not.toContain('Fjord');
      await press('Escape');
      await overlay('Fjord').waitFor({ state: 'detached' });
      await page.mouse.up();
      expect(await titles()).toContain('Fjord');
      await hold(item('Fjord').locator('a'), { x: delta.x + 60, y: cove.y + cove.height - 8 });
      await page.mouse.up();
      await said('Dropped at position 3.');
      await page.getByText('Moved "Fjord" below "Anchor".').waitFor();
      expect((await placeOf('Fjord')).parent).toBe(ids['Anchor']);
      await undo();
    });

    test('a closed page opens when something is held over it', async () => {
      await open();
      const delta = await settledBox(item('Delta'));
      await hold(item('Fjord').locator('a'), { x: delta.x + 80, y: delta.y + delta.height / 2 });
      // It opens by time alone, also under a pointer that rests.
      await item('Eddy').waitFor();
      const eddy = await settledBox(item('Eddy'));
      await page.mouse.move(eddy.x + 60, eddy.y + eddy.height - 2, { steps: 4 });
      await page.mouse.up();
      await page.getByText('Moved "Fjord" below "Delta".').waitFor();
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(titles).toEqual(['Home', 'Anchor', 'Bay', 'Cove', 'Delta', 'Eddy', 'Fjord']);
    });

    test('the home page is not dragged, and a page is by a finger that rests', async () => {
      const window = await openAdmin(browser, server, `/s/${home}/pages`, { session, hasTouch: true });
      const rows = window.getByRole('tree').getByRole('treeitem');
      await rows.nth(3).waitFor();
      const [top, first, last] = [rows.nth(0), rows.nth(1), rows.nth(3)];
      const [root, to, from] = [
        await settledBox(top),
        await settledBox(first),
        await settledBox(last.locator('a')),
      ];
      await fingerDrag(window, root, { x: to.x + 60, y: to.y + to.height - 2 }, false);
      expect(await rows.count()).toBe(4);
      await fingerDrag(window, from, { x: to.x + 60, y: to.y + to.height - 2 });
      await window.getByText('Moved "Fjord" below "Anchor".').waitFor();
      await window.getByRole('button', { name: 'Undo' }).click();
      await expect
        .poll(() => rows.locator('a').allTextContents())
        .toEqual(['Home', 'Anchor', 'Delta', 'Fjord']);
      await window.context().close();
    });

    test('of many rows only those on the screen exist; the page in the editor is one of them', async () => {
      const site = await createSite(server, { title: 'Many' });
      const branch = await createPage(server, site, { title: 'Branch', published: true });
      let last = 0;
      for (let index = 0; index < 90; index++)
        last = await createPage(server, branch, { title: `Leaf ${index}`, published: true });
      await showScreen(page, `/s/${site}/pages/${last}/content`);
      await item('Leaf 89').waitFor();
      await expect.poll(() => isSeen(item('Leaf 89'))).toBe(true);
      expect(await item('Leaf 89').getAttribute('aria-current')).toBe('page');
      expect(await tree().getByRole('treeitem').count()).toBeLessThan(70);
      await tree().focus();
      await press('Home');
      await expect.poll(() => isSeen(item('Many'))).toBe(true);
      await press('PageDown', 'PageDown', 'PageDown');
      await expect.poll(focused).toMatch(/^Leaf 43/);
      await expect.poll(() => isSeen(item('Leaf 43'))).toBe(true);
    });
  });

  describe('the outline', () => {
    const fact = (id: string, value: string) => ({ id, type: 'blocks/fact', params: { value, text: 't' } });
    const rows = async () =>
      (await tree().getByRole('treeitem').allTextContents()).map((name) => name.replace('A number', ''));
    const chosen = async () =>
      (await tree().locator('[aria-selected=true]').allTextContents()).map((name) =>
        name.replace('A number', ''),
      );
    const before = ['One', 'BandBand across the page', 'X', 'Y', 'Two', 'ShutBand across the page'];
    const band = (id: string, title: string, inner: readonly object[]) => ({
      id,
      type: 'blocks/band',
      params: { title, label: 'L' },
      slots: { default: inner },
    });
    let pages = 0;

    /** One, Band > (X, Y), Two, Shut > Z, which is closed. The first row is focused and chosen. */
    async function open(): Promise<void> {
      const slug = `outline-${++pages}`;
      const blocks = [
        fact('one', 'One'),
        band('band', 'Band', [fact('x', 'X'), fact('y', 'Y')]),
        fact('two', 'Two'),
        band('shut', 'Shut', [fact('z', 'Z')]),
      ];
      const html = '<main>{% blocks page.blocks %}</main>';
      const id = await createPage(server, 1, { title: slug, slug, html, blocks, published: true });
      await showScreen(page, `/s/1/pages/${id}/content`);
      await page.getByRole('heading', { level: 1, name: slug }).waitFor();
      await page.frameLocator('iframe').getByText('Shut').waitFor();
      await item('Shut').locator('button').first().click();
      await expect.poll(rows).toEqual(before);
      await tree().focus();
      await press('End', 'Home');
      await expect.poll(chosen).toEqual(['One']);
    }

    test('keys lead through the rows, open and close them, and choose', async () => {
      await open();
      for (const [key, name] of [
        ['ArrowDown', 'Band'],
        ['ArrowRight', 'X'],
        ['ArrowDown', 'Y'],
        ['ArrowLeft', 'Band'],
        ['End', 'Shut'],
        ['PageUp', 'One'],
        ['PageDown', 'Shut'],
        ['t', 'Two'],
        ['b', 'Band'],
        ['Home', 'One'],
      ] as const) {
        await press(key);
        await expect.poll(focused, { message: key }).toMatch(new RegExp(`^${name}`));
        expect(await chosen()).toEqual([expect.stringMatching(new RegExp(`^${name}`))]);
      }
      await press('ArrowDown', 'ArrowLeft');
      await expect.poll(rows).toEqual(['One', 'BandBand across the page', 'Two', before[5]]);
      await press('ArrowRight', 'ArrowRight');
      await expect.poll(chosen).toEqual(['X']);
      expect(await item('Y').getAttribute('aria-level')).toBe('2');
      await press('Shift+ArrowDown');
      await expect.poll(chosen).toEqual(['X', 'Y']);
      await press('Control+a');
      await expect.poll(chosen).toEqual(['X', 'Y']);
      await press('Escape');
      await expect.poll(chosen).toEqual(['BandBand across the page']);
      await press('Escape');
      await expect.poll(chosen).toEqual([]);
      await item('One').click();
      await item('Two').click({ modifiers: ['Shift'] });
      await expect.poll(chosen).toEqual(['One', 'BandBand across the page', 'X', 'Y', 'Two']);
      await item('X').click({ modifiers: ['Control'] });
      await expect.poll(chosen).toEqual(['One', 'BandBand across the page', 'Y', 'Two']);
      await item('One').click();
      await press('Enter');
      await page.getByRole('region', { name: 'Fields of the block' }).locator(':focus').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('the menu of a block opens by the other button, by its own and by keys', async () => {
      await open();
      const menu = page.getByRole('menu');
      await item('X').click({ button: 'right' });
      await menu.waitFor();
      await expect.poll(chosen).toEqual(['X']);
      await press('Escape');
      await menu.waitFor({ state: 'detached' });
      await item('Two').hover();
      await item('Two').getByRole('button', { name: 'Actions for the block' }).click();
      await menu.waitFor();
      await expect.poll(chosen).toEqual(['Two']);
      await press('Escape');
      await menu.waitFor({ state: 'detached' });
      await tree().focus();
      await press('Shift+F10');
      await menu.getByRole('menuitem', { name: 'Move to...' }).click();
      await said('Lifted.');
      await press('Escape');
      await said('Cancelled, back in place.');
    });

    test('a block is moved by keys, which say where it goes', async () => {
      await open();
      await press('m');
      await said('Lifted.');
      await line().waitFor();
      expect(await rows()).toEqual(before.slice(1));
      await press('ArrowDown');
      await said('position 1.');
      await press('ArrowDown');
      await said('position 2.');
      await press('Escape');
      await said('Cancelled, back in place.');
      expect(await rows()).toEqual(before);
      await press('m', 'ArrowDown', 'ArrowDown');
      await page.getByRole('button', { name: 'More actions' }).focus();
      await line().waitFor({ state: 'detached' });
      expect(await rows()).toEqual(before);
      await tree().focus();
      await press('m', 'ArrowDown', 'ArrowDown', ' ');
      const moved = ['BandBand across the page', 'X', 'One', 'Y', 'Two', before[5]];
      await expect.poll(rows).toEqual(moved);
      await said('Dropped, 2 of 3.');
      await press('Control+z');
      await expect.poll(rows).toEqual(before);
      // Behind the last block of the band there are two levels.
      await press('m', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await said('Numbers, position 3.');
      await press('ArrowLeft');
      await said('Page, position 3.');
      await press('ArrowRight', 'ArrowLeft', 'Enter');
      await expect.poll(rows).toEqual(['BandBand across the page', 'X', 'Y', 'One', 'Two', before[5]]);
      await press('Control+z');
      await expect.poll(rows).toEqual(before);
      // What is lifted starts where it stands.
      await press('t', 'm', 'Enter');
      await said('Dropped, 3 of 4.');
      expect(await rows()).toEqual(before);
      await press('Home', 'Alt+ArrowDown');
      await expect.poll(rows).toEqual(['BandBand across the page', 'X', 'Y', 'One', 'Two', before[5]]);
      await press('Control+z');
    });

    test('blocks are dragged by mouse and by a finger that rests', async () => {
      await open();
      const x = await settledBox(item('X'));
      await hold(item('Two'), { x: x.x + 40, y: x.y + x.height - 2 });
      await overlay('Two').waitFor();
      await line().waitFor();
      await press('Escape');
      await page.mouse.up();
      expect(await rows()).toEqual(before);
      const choose = async (name: string) => {
        await item(name).click();
        return chosen();
      };
      // For 50 ms after a drag a click counts as its end.
      await expect.poll(() => choose('One')).toEqual(['One']);
      await item('Two').click({ modifiers: ['Control'] });
      await expect.poll(chosen).toEqual(['One', 'Two']);
      // Without One, which is above, all rows stand one higher.
      const band = await settledBox(item('Band'));
      await hold(item('Two'), { x: band.x + 40, y: band.y + band.height - 2 });
      await page.mouse.up();
      await expect
        .poll(rows)
        .toEqual(['BandBand across the page', 'X', 'One', 'Two', 'Y', 'ShutBand across the page']);
      const shut = await settledBox(item('Shut'));
      await hold(item('One'), { x: shut.x + 40, y: shut.y - shut.height / 2 });
      // Without the rows that are lifted, the closed one stands two higher.
      await page.mouse.move(shut.x + 44, shut.y - shut.height * 1.5, { steps: 3 });
      await item('Z').waitFor();
      await press('Escape');
      await page.mouse.up();
      await page.getByText('Unsaved').first().waitFor();
      const address = new URL(page.url()).pathname.replace('/cms-admin', '');
      const window = await openAdmin(browser, server, address, { session, hasTouch: true });
      const items = window.getByRole('tree').getByRole('treeitem');
      await items.nth(4).waitFor();
      await window.frameLocator('iframe').getByText('Shut').waitFor();
      const [from, to] = [await settledBox(items.nth(4)), await settledBox(items.nth(2))];
      await fingerDrag(window, from, { x: to.x + 40, y: to.y + to.height - 2 });
      await expect.poll(async () => (await items.allTextContents())[3]).toBe('TwoA number');
      await window.context().close();
    });
  });

  /** Whether a row is inside of the part of the tree that is on the screen. */
  async function isSeen(row: Locator): Promise<boolean> {
    const [inner, outer] = [await row.first().boundingBox(), await settledBox(tree())];
    return inner !== null && inner.y > outer.y - 6 && inner.y + inner.height < outer.y + outer.height + 6;
  }

  /** Drags an element to a point, and holds it there. */
  async function hold(element: Locator, to: { readonly x: number; readonly y: number }): Promise<void> {
    const from = await settledBox(element);
    await page.mouse.move(from.x + 12, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.move(to.x + 2, to.y);
  }

  /** Drags by a finger that rests before it moves. @param isLifted something is lifted by that */
  async function fingerDrag(
    window: Page,
    from: Box,
    to: { readonly x: number; readonly y: number },
    isLifted = true,
  ): Promise<void> {
    const client = await window.context().newCDPSession(window);
    const send = (type: 'touchStart' | 'touchMove', x: number, y: number) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] });
    const start = { x: from.x + 30, y: from.y + from.height / 2 };
    await send('touchStart', start.x, start.y);
    if (isLifted) await window.locator('[class*=overlay]').first().waitFor();
    else await window.waitForTimeout(400);
    for (let step = 1; step <= 8; step++)
      await send(
        'touchMove',
        start.x + ((to.x - start.x) * step) / 8,
        start.y + ((to.y - start.y) * step) / 8,
      );
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await client.detach();
  }
});
