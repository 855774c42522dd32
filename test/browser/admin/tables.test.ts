/** What people do with tables: paste cells of a spreadsheet into entries, and see which pages lack a language. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { openAdmin, showScheme, showScreen, violations, violationsOfThemes } from './admin-browser.ts';
import { CountedCalls } from './counted-calls.ts';

describe.skipIf(isWithoutBrowser)('tables', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    page = await openAdmin(browser, server, '/', { session: await demoSession(server) });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  describe('rows of a spreadsheet', () => {
    const dialog = () => page.getByRole('dialog', { name: 'Paste rows' });
    const rows = async () => (await callList(server, '/collections/buoys/items')).map(({ data }) => data);
    const before = [
      { title: 'North', depth: 4, colour: 'red', lit: true },
      { title: 'South', depth: 5, colour: null, lit: false },
    ];

    beforeAll(async () => {
      const { id } = await callOk(server, 'POST', '/collections', {
        slug: 'buoys',
        name: 'Buoys',
        fields: [
          { name: 'title', label: 'Title', type: 'text', required: true },
          { name: 'depth', label: 'Depth', type: 'number' },
          { name: 'colour', label: 'Colour', type: 'select', options: ['red', 'green'] },
          { name: 'lit', label: 'Lit', type: 'boolean' },
        ],
      });
      for (const data of before) await callOk(server, 'POST', `/collections/${id}/items`, { data });
      await showScreen(page, '/collections/buoys');
      await page.getByRole('heading', { name: 'Buoys', level: 1 }).waitFor();
    });

    /** Pastes at the element that has the focus. */
    async function paste(text: string, html = ''): Promise<void> {
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        if (${html !== ''}) clipboardData.setData('text/html', ${JSON.stringify(html)});
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
      })()`);
    }

    test('change values from the focused one on and make entries, in one change that is taken back', async () => {
      await page.getByRole('link', { name: 'South' }).focus();
      await page.keyboard.press('ArrowRight');
      await paste('7,5\tGREEN\n8\tred');
      await dialog().getByText('Changed: 1, new: 0.').waitFor();
      // The second row would be an entry without a title.
      await dialog().getByText('One value does not fit.').waitFor();
      expect(await violationsOfThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'North' }).focus();
      await paste('North\t6\tgreen\tno\nSouth\t5\t\tnein\nWest\t9\tred\tja\n');
      await dialog().getByText('Changed: 1, new: 1.').waitFor();
      await dialog().getByLabel('Publish new entries').check();
      expect(await violationsOfThemes(page)).toEqual([]);
      await dialog().getByRole('button', { name: 'Paste 2 rows' }).click();
      await page.getByText('2 rows pasted.').waitFor();
      expect(await rows()).toEqual([
        { title: 'North', depth: 6, colour: 'green', lit: false },
        before[1],
        { title: 'West', depth: 9, colour: 'red', lit: true },
      ]);
      await page.getByRole('link', { name: 'West' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(rows).toEqual(before);
    });

    test('a table with headings, pasted by a button: what does not fit is shown and left out on request', async () => {
      await page.getByRole('button', { name: 'Paste rows from a spreadsheet' }).click();
      const html =
        '<table><tr><td>Depth</td><td>Title</td></tr><tr><td>deep</td><td>East<br>side</td></tr><tr><td>3</td><td></td></tr></table>';
      await dialog().getByLabel('Cells').focus();
      await paste('not used', html);
      await dialog().getByText('2 values do not fit.').waitFor();
      expect(await dialog().getByLabel('The first row names the fields').isChecked()).toBe(true);
      await dialog().getByText('This is no number.').waitFor();
      const submit = dialog().getByRole('button', { name: 'Paste one row' });
      expect(await submit.isDisabled()).toBe(true);
      expect(await violationsOfThemes(page)).toEqual([]);
      await dialog().getByLabel('Leave out what does not fit').check();
      await submit.click();
      await page.getByText('One row pasted.').waitFor();
      expect(await rows()).toEqual([
        ...before,
        { title: 'East\nside', depth: null, colour: null, lit: false },
      ]);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(rows).toEqual(before);
    });

    test('a row that the server refuses is named, and nothing is changed', async () => {
      const { id } = await callOk(server, 'POST', '/collections', {
        slug: 'moorings',
        name: 'Moorings',
        fields: [
          { name: 'title', label: 'Title', type: 'text' },
          { name: 'buoy', label: 'Buoy', type: 'reference', collection: 1 },
        ],
      });
      await showScreen(page, '/collections/moorings');
      await page.getByText('No entry yet.').waitFor();
      await page.getByRole('button', { name: 'Paste rows from a spreadsheet' }).click();
      await dialog().getByLabel('Cells').fill('Quay\t\nPier\t#9999');
      await dialog().getByRole('button', { name: 'Show changes' }).click();
      await dialog().getByRole('button', { name: 'Paste 2 rows' }).click();
      await dialog().getByText('Nothing was changed, because of "New entry".').waitFor();
      expect(await callList(server, `/collections/${id}/items`)).toEqual([]);
      await page.keyboard.press('Escape');
    });
  });

  test('a table is drawn once when it opens', async () => {
    await showScreen(page, '/media');
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor({ state: 'attached' });
    const calls = await CountedCalls.of(page);
    await showScreen(page, '/collections/objects');
    await page.getByRole('link', { name: 'The Great Fish Balance' }).waitFor();
    await page.waitForLoadState('networkidle');
    // What the last answers change is drawn by then.
    await showScheme(page, 'light');
    const rows = await page.locator('[data-index]').count();
    expect(rows).toBeGreaterThan(5);
    expect(await calls.take(['data-deleted', 'data-current'])).toBe(rows);
  });

  test('an entry is moved by the menu of its row, which gives the focus back', async () => {
    const { id } = await callOk(server, 'POST', '/collections', {
      slug: 'piers',
      name: 'Piers',
      fields: [{ name: 'title', label: 'Title', type: 'text' }],
    });
    for (const title of ['One', 'Two'])
      await callOk(server, 'POST', `/collections/${id}/items`, { data: { title } });
    await showScreen(page, '/collections/piers');
    const button = page.getByRole('button', { name: 'Actions for Two' });
    await button.press('Enter');
    await page.getByRole('menuitem', { name: 'Move down', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await expect.poll(focused).toBe('Actions for Two');
    await button.press('Enter');
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    const titles = () => page.locator('[data-index]').getByRole('link').allTextContents();
    await expect.poll(titles).toEqual(['Two', 'One']);
  });

  test('pages by language: a version that is missing is made with the content of the page, and linked', async () => {
    const tree = await callList(server, '/pages?view=tree');
    const home = tree.find(({ path }) => path === '/');
    await callOk(server, 'POST', '/pages', {
      parent_id: home?.['id'],
      title: 'Opening hours',
      slug: 'hours-only-here',
      html: '<p>Until dusk</p>',
      published: true,
    });
    await showScreen(page, `/s/${home?.['id']}/pages`);
    await page.getByRole('link', { name: 'Languages' }).click();
    await page.getByRole('heading', { name: 'Languages', level: 1 }).waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByText('Missing only').click();
    await page.getByRole('button', { name: 'Create Opening hours in German (de)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Öffnungszeiten');
    await dialog.getByLabel('Slug').fill('zeiten');
    await dialog.getByText('/de/zeiten').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Öffnungszeiten' }).waitFor();
    const made = (await callList(server, '/pages?view=tree')).find(({ path }) => path === '/de/zeiten');
    expect(await callOk(server, 'GET', `/pages/${made?.['id']}`)).toMatchObject({
      html: '<p>Until dusk</p>',
      published: false,
      effective_lang: 'de',
      lang: '',
    });
    expect(await callList(server, `/pages/${made?.['id']}/translations`)).toMatchObject([
      { path: '/hours-only-here', lang: 'en' },
    ]);
    await page.goBack();
    await page.getByLabel('Language, such as fr').fill('fr');
    await page.getByRole('button', { name: 'Add language' }).click();
    await page.getByText('French (fr)').waitFor();
  });

  test('entries that visitors cannot reach are marked, and a save that makes one says so', async () => {
    const [home] = await callList(server, '/pages?roots=1');
    const detail = {
      parent_id: home?.['id'],
      title: 'Wrecks',
      slug: 'wrecks',
      catch_all: true,
      published: true,
    };
    const detailPage = await callOk(server, 'POST', '/pages', detail);
    const fields = ['title', 'slug'].map((name) => ({ name, label: name, type: 'text' }));
    const wrecks = { slug: 'wrecks', name: 'Wrecks', fields, detail_page_id: detailPage['id'] };
    await callOk(server, 'POST', '/collections', wrecks);
    for (const [title, slug] of [
      ['One', 'one'],
      ['Two', 'one'],
      ['Three', 'three'],
    ])
      await callOk(server, 'POST', '/collections/wrecks/items', { data: { title, slug } });
    await showScreen(page, '/collections/wrecks');
    const marks = page.getByTitle('Another entry has the address …/one too');
    await marks.first().waitFor();
    expect(await marks.count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit slug of Three' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('x?y');
    await page.keyboard.press('Enter');
    await page.getByText('The address /wrecks/x%3Fy cannot be requested.').waitFor();
    await page.getByTitle('The address …/x?y cannot be requested.').waitFor();
  });
});
