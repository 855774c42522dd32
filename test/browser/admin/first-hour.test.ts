/** What a newcomer tries in the first hour, in the demo website. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createPage } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { saveLive } from '../../support/live-saves.ts';
import { openAdmin, settledBoxes, showScreen } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('the first hour in the admin', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    await saveLive(server);
    page = await openAdmin(browser, server, '/', { session: await demoSession(server) });
    // The mouse of a test hits the right place only in a page of its real size.
    await page.evaluate("localStorage.setItem('ic-block-device', JSON.stringify('fit'))");
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test('a changed word in a block is a difference, and versions name who made them', async () => {
    const [home] = await callList(server, '/pages?roots=1');
    const id = await createPage(server, Number(home?.['id']), { title: 'Words', slug: 'words' });
    const blocks = (text: string) => [{ type: 'blocks/quick-item', params: { title: 'Hours', text } }];
    await callOk(server, 'PUT', `/pages/${id}`, { blocks: blocks('old words') });
    const token = await addToken(server, 'newcomer', true);
    const body = { blocks: blocks('new words') };
    expect((await call(server, 'PUT', `/pages/${id}`, { token, body })).status).toBe(200);
    await showScreen(page, `/s/1/pages/${id}/history`);
    await page.getByRole('heading', { name: 'Blocks', level: 2 }).waitFor();
    await page.getByText('text: old words').waitFor();
    await page.getByText('text: new words').waitFor();
    const newest = page.getByRole('list', { name: 'Versions' }).getByRole('button').first();
    expect(await newest.innerText()).toContain('Master-Token');
    expect(await newest.innerText()).not.toContain('newcomer');
  });

  test('every key on the canvas changes the draft while the text has the focus', async () => {
    const frame = page.frameLocator('iframe');
    const caret = frame.locator('[contenteditable]');
    await showScreen(page, '/s/1/pages/1/content');
    await frame.getByText('Museum of Measure, Vessmar', { exact: true }).click();
    await caret.waitFor();
    // The looks of a page are no part of its text.
    await caret.evaluate((element) => element.setAttribute('style', 'text-transform: uppercase'));
    const update = page.getByRole('button', { name: 'Update live page' });
    expect(await update.isDisabled()).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.getByText('Unsaved', { exact: true }).first().waitFor();
    expect(await caret.count()).toBe(1);
    expect(await update.isDisabled()).toBe(false);
    await page.reload();
    await page.getByText(/Unsaved changes from .*: Blocks\./).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await frame.getByText('Museum of Measure, Vessmar!', { exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await callOk(server, 'GET', '/pages/1')).toMatchObject({
      blocks: [{ params: { kicker: 'Museum of Measure, Vessmar!' } }, {}, {}, {}, {}],
    });
  });

  test('a question of a visitor stands on the dashboard, and no failure without a mail server', async () => {
    const body = new URLSearchParams({
      name: 'Ada',
      email: 'ada@example.org',
      message: 'How heavy is noon?',
    });
    await fetch(`${server.url}/api/v1/flows/contact`, { method: 'POST', body, redirect: 'manual' });
    await showScreen(page, '/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: /1 new entry in "Questions of visitors"/ }).click();
    await page.getByText('ada@example.org').first().waitFor();
    const contact = async () => (await callList(server, '/workflows'))[0];
    await expect.poll(contact).toMatchObject({ name: 'Contact form', last_status: 'ok' });
  });

  test('every screen has a title of its own in the browser, and F8 shows the website', async () => {
    const titles = new Map<string, string>();
    for (const path of screens) {
      await showScreen(page, path);
      const isNew = async () => {
        const title = await page.title();
        return !titles.has(title) && title.endsWith(' · Incipit');
      };
      await expect.poll(isNew, { message: `the title of ${path}` }).toBe(true);
      titles.set(await page.title(), path);
      await page.evaluate('window.open = (address) => void (window.opened = address)');
      await page.locator('#main').focus();
      const shown = own.find(([screen]) => path.startsWith(screen))?.[1] ?? /^\/$/;
      // An entry is shown by its page as soon as that is known.
      const press = async () => {
        await page.keyboard.press('F8');
        return page.evaluate('window.opened');
      };
      await expect.poll(press, { message: `F8 on ${path}` }).toMatch(shown);
    }
  });

  test('an entry has a slug of its title, a preview, and a way to its page', async () => {
    await showScreen(page, '/collections/objects/new');
    const panel = page.getByRole('region', { name: 'New entry' });
    await panel.getByLabel('Title').fill('Gate ell');
    await expect.poll(() => panel.getByLabel('Slug').inputValue()).toBe('gate-ell');
    await panel.getByText('has the same address.').waitFor();
    await panel.getByRole('button', { name: 'Use gate-ell-2' }).click();
    expect(await panel.getByLabel('Slug').inputValue()).toBe('gate-ell-2');
    await panel.getByText('has the same address.').waitFor({ state: 'detached' });
    // Written by hand, it follows no more.
    await panel.getByLabel('Title').fill('Another ell');
    expect(await panel.getByLabel('Slug').inputValue()).toBe('gate-ell-2');
    await showScreen(page, '/collections/objects/1');
    await page.getByRole('textbox', { name: 'Title' }).fill('Measured anew');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog', { name: /^Preview of \/collection\// });
    await preview.frameLocator('iframe').getByRole('heading', { name: 'Measured anew' }).first().waitFor();
    // The choice of the width stands above the page, not beside it.
    const [choice, frame] = await settledBoxes(preview.getByText('768'), preview.locator('iframe'));
    expect(choice.y + choice.height).toBeLessThan(frame.y);
    await preview.getByRole('button', { name: 'Close' }).click();
    await page.evaluate('window.open = (address) => void (window.opened = address)');
    await page.getByRole('button', { name: 'View on the website' }).click();
    const [first] = await callList(server, '/collections/objects/items');
    expect(await page.evaluate('window.opened')).toBe(
      `/collection/${String(asRecord(first?.['data'])['slug'])}`,
    );
  });
});

/** What F8 shows where it is not the website: the page, or the page of the entry. */
const own = [
  ['/s/1/pages/2/', /^\/visit$/],
  ['/collections/objects/1', /^\/collection\/./],
] as const;

/** One address of each screen, and those of its parts that have addresses. */
const screens = [
  ...['/', '/s/1/pages', '/s/1/pages/2/template', '/s/1/pages/2/head', '/s/1/pages/2/seo'],
  ...['/s/1/pages/2/settings', '/s/1/pages/2/assets', '/s/1/pages/2/history', '/s/1/languages'],
  ...['/s/1/redirects', '/s/1/redirects?tab=404', '/s/1/statistics', '/snippets', '/snippets/30', '/code'],
  ...['/code/1', '/global-blocks', '/global-blocks/1', '/collections', '/collections/objects'],
  ...['/collections/objects/1', '/collections/objects/fields', '/collections/objects/settings'],
  ...['/collections/objects/import', '/media', '/sources', '/sources/1', '/webhooks', '/workflows'],
  ...[
    '/workflows/2',
    '/workflows/2/list',
    '/workflows/2/runs',
    '/workflows/2/store',
    '/workflows/2/settings',
  ],
  ...['/workflows/2/versions', '/workflows/secrets', '/workflows/databases', '/pens', '/import', '/system'],
  ...['/system/mail', '/system/countries', '/system/metrics', '/system/operation', '/system/audit'],
  ...['/system/api', '/system/api/putPagesId', '/system/users', '/system/tokens', '/system/security'],
  ...['/system/storage', '/system/cache', '/system/connections', '/system/bundles', '/system/static-export'],
];
