/** What people do with blocks: in the page, in the outline, in the panel, and by keys alone. */
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createPage } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { saveLive } from '../../support/live-saves.ts';
import {
  openAdmin,
  settledBox,
  settledBoxes,
  showScreen,
  violations,
  violationsOfThemes,
} from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('blocks', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    const session = await demoSession(server);
    await saveLive(server);
    page = await openAdmin(browser, server, '/', { session });
    // The mouse of a test hits the right place only in a page of its real size.
    await page.evaluate("localStorage.setItem('ic-block-device', JSON.stringify('fit'))");
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const frame = (): FrameLocator => page.frameLocator('iframe');
  const outline = () => page.getByRole('tree', { name: 'Outline' });
  const panel = () => page.getByRole('region', { name: 'Fields of the block' });
  const rows = async () =>
    (await outline().getByRole('treeitem').allTextContents()).map((name) => name.trim());
  const blocksOf = async (path: string) => (await callOk(server, 'GET', path))['blocks'];
  const saved = async (id: number) => {
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    return blocksOf(`/pages/${id}`);
  };

  const fact = (id: string, value: string) => ({
    id,
    type: 'blocks/fact',
    params: { value, text: `text ${id}` },
  });

  /** A page that prints blocks, open in the editor. */
  async function openBlocks(title: string, blocks: readonly object[]): Promise<number> {
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const html = '<main>{% blocks page.blocks %}</main>';
    const id = await createPage(server, 1, { title, slug, html, blocks, published: true });
    await showScreen(page, `/s/1/pages/${id}/content`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await outline().waitFor();
    return id;
  }

  test('a text of the page is changed where it stands: one click, and it is live', async () => {
    await showScreen(page, '/s/1/pages/1/content');
    const title = frame().getByRole('heading', { level: 1 });
    await type(title);
    await page.keyboard.press('Home');
    await page.keyboard.type('Nearly ');
    await expect
      .poll(() => panel().getByRole('textbox', { name: 'Title', exact: true }).inputValue())
      .toBe('Nearly Everything has its measure.');
    expect(await saved(1)).toMatchObject([
      { params: { title: 'Nearly Everything has its measure.' } },
      {},
      {},
      {},
      {},
    ]);
    expect(await (await fetch(server.url)).text()).toContain('Nearly Everything has its measure.');
    // Escape leads from the text to the block, whose keys work in the outline.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await expect.poll(() => title.textContent()).toBe('Everything has its measure.');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => title.textContent()).toBe('Nearly Everything has its measure.');
    expect(await violationsOfThemes(page)).toEqual([]);
  });

  test('a code editor that is still on its way takes the keys at once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/code-editor-*.js', async (route) => {
      await promise;
      await route.continue();
    });
    try {
      await showScreen(page, '/s/1/pages/1/template');
      await page.reload();
      const template = page.getByRole('textbox', { name: 'Template' });
      await template.and(page.locator('textarea')).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('Typed ');
      resolve();
      await template.and(page.locator('.cm-content:focus')).waitFor();
      await page.keyboard.type('at once');
      await expect.poll(() => template.textContent()).toContain('Typed at once');
    } finally {
      resolve();
      await page.unroute('**/assets/code-editor-*.js');
    }
  });

  test('by keys alone: add, fill in, move, duplicate, delete, and take all of it back', async () => {
    const id = await openBlocks('By keys', [fact('one', 'One'), fact('two', 'Two')]);
    await outline().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByLabel('Search blocks').fill('a number');
    await page.keyboard.press('Enter');
    await panel().locator('input:focus').waitFor();
    await page.keyboard.type('Three');
    await expect.poll(rows).toEqual(['OneA number', 'ThreeA number', 'TwoA number']);
    await outline().focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(rows).toEqual(['OneA number', 'TwoA number', 'ThreeA number']);
    await page.keyboard.press('Control+d');
    await page.keyboard.press('Home');
    for (const key of ['m', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(rows).toEqual(['TwoA number', 'ThreeA number', 'OneA number', 'ThreeA number']);
    await page.keyboard.press('Delete');
    await expect.poll(rows).toEqual(['TwoA number', 'ThreeA number', 'ThreeA number']);
    for (let step = 0; step < 6; step++) await page.keyboard.press('Control+z');
    await expect.poll(rows).toEqual(['OneA number', 'TwoA number']);
    await page.getByText('Unsaved').waitFor({ state: 'detached' });
    expect(await blocksOf(`/pages/${id}`)).toMatchObject([{ id: 'one' }, { id: 'two' }]);
  });

  test('blocks are copied to another page, which leaves out what it does not take', async () => {
    await openBlocks('Source', [
      fact('a', 'A'),
      { id: 'b', type: 'blocks/button', params: { href: '/x', label: 'B' } },
    ]);
    await outline().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const id = await openBlocks('Target', [
      {
        id: 'band',
        type: 'blocks/band',
        params: { title: 'T', label: 'L' },
        slots: { default: [fact('first', '1')] },
      },
    ]);
    await outline().getByText('1', { exact: true }).click();
    await page.keyboard.press('Control+v');
    await page.getByText('One is not allowed here and was left out.').waitFor({ state: 'attached' });
    expect(await saved(id)).toMatchObject([
      { id: 'band', slots: { default: [{ id: 'first' }, { params: { value: 'A' } }] } },
    ]);
  });

  test('a block is dragged in the outline and in the page; a slot that does not take it is left out', async () => {
    const id = await openBlocks('Dragged', [
      {
        id: 'band',
        type: 'blocks/band',
        params: { title: 'Band', label: 'L' },
        slots: { default: [fact('x', 'X'), fact('y', 'Y')] },
      },
      { id: 'text', type: 'blocks/text', params: { text: '<p>Words</p>' } },
    ]);
    await drag(outline().getByText('Words'), outline().getByText('Band', { exact: true }), 0.1);
    await expect.poll(rows).toEqual(['WordsText', 'BandBand across the page', 'XA number', 'YA number']);
    await type(frame().getByText('X', { exact: true }));
    await page.keyboard.press('Escape');
    const handle = frame().getByTitle('Drag to move');
    await drag(handle, frame().getByText('text y'), 0.95);
    await expect.poll(rows).toEqual(['WordsText', 'BandBand across the page', 'YA number', 'XA number']);
    // A number may stand in the page too, words may not stand in the band.
    await frame().getByText('Words').click();
    await drag(handle, frame().getByText('text y'), 0.5);
    await expect.poll(rows).toEqual(['BandBand across the page', 'YA number', 'XA number', 'WordsText']);
    expect(await saved(id)).toMatchObject([{ id: 'band' }, { id: 'text' }]);
  });

  test('a block is dragged from the outline into the page, and a way back to the outline drops it nowhere', async () => {
    await openBlocks('Carried', [
      { id: 'band', type: 'blocks/band', params: { title: 'Band', label: 'L' }, slots: {} },
      fact('x', 'X'),
      fact('y', 'Y'),
    ]);
    await drag(outline().getByText('X', { exact: true }), frame().getByText('text y'), 0.95);
    const moved = ['BandBand across the page', 'Add to Numbers', 'YA number', 'XA number'];
    await expect.poll(rows).toEqual(moved);
    const [row, text] = [outline().getByText('Y', { exact: true }), frame().getByText('text x')];
    const end = await settledBox(text);
    await row.hover();
    await page.mouse.down();
    await page.mouse.move(end.x + 12, end.y + end.height * 0.95, { steps: 8 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await rows()).toEqual(moved);
    // The page takes clicks again.
    await frame().getByText('text y').click();
    await expect.poll(() => outline().locator('[aria-selected=true]').textContent()).toBe('YA number');
  });

  test('a block goes between two others with two clicks and a search', async () => {
    await openBlocks('Between', [fact('p', 'P'), fact('q', 'Q')]);
    const below = await settledBox(frame().getByText('text p'));
    await page.mouse.move(below.x + 20, below.y + below.height - 6);
    await page.mouse.move(below.x + 20, below.y + below.height - 2);
    await frame().getByRole('button', { name: '+ Add to Page' }).click();
    await page.getByRole('dialog').getByLabel('Search blocks').fill('number');
    await page.keyboard.press('Enter');
    await expect.poll(rows).toEqual(['PA number', 'A number', 'QA number']);
  });

  test('what the server refuses is shown at its block and field', async () => {
    const id = await openBlocks('Refused', [fact('ok', 'Fine'), fact('bad', 'Bad')]);
    await outline().getByText('Bad', { exact: true }).click();
    await panel().getByLabel('Number').fill('');
    await outline().getByText('Fine').click();
    await page.keyboard.press('Control+s');
    await panel().getByText('value is required (place 1).').waitFor();
    await outline()
      .getByRole('treeitem', { name: /Not saved: something is wrong here/ })
      .waitFor();
    await panel().getByLabel('Number').fill('Mended');
    expect(await saved(id)).toMatchObject([{}, { params: { value: 'Mended' } }]);
  });

  test('a global block: changed only here, reset, detached, and made of blocks', async () => {
    const id = await openBlocks('Globals', [{ id: 'ref', global: 1 }, fact('f', 'F')]);
    await type(frame().getByRole('heading', { name: 'Admission' }));
    await page.keyboard.press('End');
    await page.keyboard.type(' today');
    await page.keyboard.press('Escape');
    await panel().getByText('Changed only here').waitFor();
    expect(await saved(id)).toMatchObject([
      { global: 1, overrides: { admission: { title: 'Admission today' } } },
      {},
    ]);
    await panel().getByRole('button', { name: 'Reset' }).click();
    await frame().getByRole('heading', { name: 'Admission', exact: true }).waitFor();
    await outline().getByText('Hours, admission, place').click();
    await panel().getByRole('button', { name: 'Detach' }).click();
    await expect
      .poll(rows)
      .toEqual([
        'Short answers',
        'Opening hoursOne short answer',
        'AdmissionOne short answer',
        'WhereOne short answer',
        'FA number',
      ]);
    await outline().getByText('F', { exact: true }).click();
    await panel().getByRole('button', { name: 'Actions for the block' }).click();
    await page.getByRole('menuitem', { name: 'Make global...' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Shared number');
    await page.keyboard.press('Enter');
    await outline().getByText('Shared number').waitFor();
    const globals = await callList(server, '/global-blocks');
    expect(globals).toContainEqual(
      expect.objectContaining({ name: 'Shared number', blocks: [fact('f', 'F')] }),
    );
    expect(await saved(id)).toMatchObject([{ type: 'blocks/quick' }, { global: expect.any(Number) }]);
  });

  test('a global block has a screen of its own, and a change there shows wherever it stands', async () => {
    await showScreen(page, '/global-blocks');
    await page.getByRole('link', { name: /Hours, admission, place/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Hours, admission, place' }).waitFor();
    await type(frame().getByRole('heading', { name: 'Where' }));
    await page.keyboard.press('End');
    await page.keyboard.type(' we are');
    await page.getByRole('tab', { name: 'On pages' }).click();
    await frame().getByRole('heading', { name: 'Where we are' }).waitFor();
    await frame().getByRole('heading', { level: 1, name: 'Nearly Everything has its measure.' }).waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Page in the preview' }).click();
    await page.getByRole('option', { name: 'Visit (/visit)', exact: true }).click();
    await page.locator('iframe[title="Preview of Visit"]').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await (await fetch(server.url)).text()).toContain('<h2>Where we are</h2>');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete global block' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Used in \d places\. Remove it there first\./).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete global block' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('blocks of an entry are edited in its detail page', async () => {
    const html =
      '{% set note = item("notes", "slug", route.slug) %}<h1>{{ note.slug }}</h1>{% blocks note.body %}';
    const detail = await createPage(server, 1, {
      title: 'Notes',
      slug: 'notes',
      html,
      catch_all: true,
      published: true,
    });
    await callOk(server, 'POST', '/collections', {
      slug: 'notes',
      name: 'Notes',
      detail_page_id: detail,
      detail_field: 'slug',
      fields: [
        { name: 'slug', label: 'Slug', type: 'text' },
        { name: 'body', label: 'Body', type: 'blocks' },
      ],
    });
    const data = { slug: 'first', body: [fact('n', 'Nine')] };
    const { id } = await callOk(server, 'POST', '/collections/notes/items', { data, published: true });
    await showScreen(page, `/collections/notes/${id}`);
    await page.getByRole('group', { name: 'Body' }).getByText('One block').waitFor();
    await page.getByRole('button', { name: 'Edit blocks' }).click();
    await frame().getByRole('heading', { name: 'first' }).waitFor();
    await type(frame().getByText('Nine'));
    await page.keyboard.press('End');
    await page.keyboard.type('ty');
    await page.keyboard.press('Escape');
    await outline().getByText('Ninety').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor({ state: 'attached' });
    expect(await (await fetch(`${server.url}/notes/first`)).text()).toContain('Ninety');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  test('a snippet becomes a block type: fields, an area, and a rename that keeps values', async () => {
    const content = '<aside>{{ said }}{% slot %}{% endslot %}</aside>';
    const { id: snippet } = await callOk(server, 'POST', '/snippets', { name: 'blocks/said', content });
    await showScreen(page, `/snippets/${snippet}`);
    await page.getByRole('tab', { name: 'Block type' }).click();
    await page.getByLabel('Offer as block').check();
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label').last().fill('Said');
    await page.getByRole('textbox', { name: 'Value if empty' }).fill('Nothing');
    await page.getByRole('button', { name: 'Add area' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const types = await callList(server, '/blocks/types');
    expect(types).toContainEqual(
      expect.objectContaining({
        name: 'blocks/said',
        params: [expect.objectContaining({ name: 'said', label: 'Said', default: 'Nothing' })],
        slots: [expect.objectContaining({ name: 'default', max: 0 })],
      }),
    );
    expect(await violations(page)).toEqual([]);
    const id = await openBlocks('Said', [{ id: 's', type: 'blocks/said', params: { said: 'Words' } }]);
    await showScreen(page, `/snippets/${snippet}`);
    await page.getByRole('tab', { name: 'Block type' }).click();
    await page.getByRole('button', { name: 'Rename said' }).click();
    await page.getByRole('dialog').getByLabel('Name in templates').fill('text');
    await page.getByRole('button', { name: 'Rename field' }).click();
    await page.getByRole('button', { name: 'Rename text' }).waitFor();
    expect(await blocksOf(`/pages/${id}`)).toMatchObject([{ params: { text: 'Words' } }]);
  });

  test('F12 leads from a template to the snippet that it names', async () => {
    await showScreen(page, '/s/1/pages/1/template');
    await page.getByRole('textbox', { name: 'Template' }).getByText('"layout/base"').click();
    await page.keyboard.press('F12');
    await page.getByRole('heading', { name: 'layout/base', level: 1 }).waitFor();
  });

  test('a webhook: made with a secret that is shown once, tested, and switched off', async () => {
    await showScreen(page, '/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(`${server.url}/hook`);
    await dialog.getByLabel('Name').fill('Search index');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const secret = page.getByLabel('Secret', { exact: true });
    expect(await secret.inputValue()).toMatch(/^.{16,}$/);
    // It is shown once, so no key and no click beside it loses it.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await secret.inputValue());
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await secret.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Search index', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('status').filter({ hasText: 'Failed' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Test' }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Enabled').uncheck({ force: true });
    await page.keyboard.press('Control+s');
    await page.getByText('Off', { exact: true }).waitFor();
    expect(await callList(server, '/webhooks')).toMatchObject([{ name: 'Search index', enabled: false }]);
  });

  test('200 blocks stay fluid: only the rows on the screen exist, and a key draws one field', async () => {
    const many = Array.from({ length: 200 }, (_, index) => fact(`n${index}`, `Number ${index}`));
    await openBlocks('Many', many);
    expect((await rows()).length).toBeLessThan(80);
    await outline().focus();
    await page.keyboard.press('End');
    await outline().getByText('Number 199').waitFor();
    await page.keyboard.press('p');
    await expect
      .poll(() =>
        panel()
          .getByLabel('Number')
          .evaluate((field) => field.matches(':focus')),
      )
      .toBe(true);
    await page.keyboard.type('!');
    await expect.poll(() => panel().getByLabel('Number').inputValue()).toContain('!');
  });

  type Target = ReturnType<Page['locator']>;

  /** Clicks a text in the page, and waits for the caret. */
  async function type(text: Target): Promise<void> {
    await text.click();
    await frame().locator('[contenteditable]').waitFor();
  }

  /** Drags the middle of one element to a height of another. @param height 0 is its top, 1 its bottom */
  async function drag(from: Target, to: Target, height: number): Promise<void> {
    const [start, end] = await settledBoxes(from, to);
    await page.mouse.move(start.x + 12, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + 12, end.y + end.height * height, { steps: 8 });
    await page.mouse.move(end.x + 14, end.y + end.height * height);
    await page.mouse.up();
  }
});
