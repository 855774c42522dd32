/** What people do with code: look up words, indent, rename, and take what a screen does into their own programs. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createPage, freshName } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { saveLive } from '../../support/live-saves.ts';
import {
  codeEditor,
  findToast,
  openAdmin,
  settledBox,
  showScheme,
  showScreen,
  violations,
} from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('code', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    const session = await demoSession(server);
    await saveLive(server);
    page = await openAdmin(browser, server, '/', { session });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** A snippet, open in the editor. */
  async function openSnippet(name: string, content: string): Promise<number> {
    const { id } = await callOk(server, 'POST', '/snippets', { name, content });
    await showScreen(page, `/snippets/${id}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await codeEditor(page, 'Code').waitFor();
    return Number(id);
  }

  const menu = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  test('words are offered as soon as they are known, also if one was typed meanwhile', async () => {
    // The first test of all: what could be offered is asked for once in half a minute.
    await openSnippet('offers', '');
    let isAsked = (): void => {};
    let release = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/template-data', async (route) => {
      isAsked();
      await released;
      await route.continue();
    });
    await codeEditor(page, 'Code').click();
    // What could be offered is asked for here, where nothing can be offered yet.
    await page.keyboard.type('{{ ');
    await asked;
    await page.keyboard.type('site.tit');
    release();
    await page.getByRole('option', { name: /title/ }).click();
    await page.unroute('**/template-data');
    expect(await codeEditor(page, 'Code').innerText()).toBe('{{ site.title}}');
    await menu('Discard changes');
  });

  test('a save that breaks a page is told, shown in the tree and on the dashboard, and taken back', async () => {
    const id = await openSnippet('breakable', 'whole');
    const pages = await callList(server, '/pages?view=tree');
    const home = Number(pages.find(({ parent_id }) => parent_id === null)?.['id']);
    const html = '{% include "breakable" %}';
    await createPage(server, home, { slug: 'breaks', title: 'Breaks', html, published: true });
    expect((await fetch(`${server.url}/breaks`)).status).toBe(200);
    await codeEditor(page, 'Code').click();
    await page.keyboard.type('{% include page.title %}');
    await page.keyboard.press('Control+S');
    const toast = findToast(page, 'This change broke /breaks.');
    await toast.getByRole('link', { name: 'Show' }).waitFor();
    // It stays as long as the pointer is on it.
    await toast.hover();
    const other = await page.context().newPage();
    await other.goto(`${server.url}/cms-admin/`);
    const attention = other.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: /Visitors cannot see \/breaks.*breakable/ }).click();
    await other
      .getByRole('treeitem', { name: /Breaks/ })
      .getByTitle('Fails')
      .waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await vi.waitFor(async () => expect(await callList(server, `/sites/${home}/failing-pages`)).toEqual([]), {
      timeout: 20_000,
    });
    expect(await callOk(server, 'GET', `/snippets/${id}`)).toMatchObject({ content: 'whole' });
    expect((await fetch(`${server.url}/breaks`)).status).toBe(200);
    await other.close();
  });

  test('words of a template are explained under the pointer and at the caret, snippets with their uses', async () => {
    await callOk(server, 'POST', '/snippets', { name: 'used', content: 'x', description: 'A used one.' });
    await openSnippet('words', '{% include "used" %}\n{{ site.title|upper }}\n{% component site.name / %}');
    const code = codeEditor(page, 'Code');
    await code.getByText('include').hover();
    await page.getByText('Shows a snippet, which sees the variables around it').waitFor();
    await code.getByText('"used"').click();
    await page.keyboard.press('Shift+F12');
    const told = page.locator('.cm-explained');
    await told.getByText('A used one.').waitFor();
    await told.getByText('Used by 1').waitFor();
    await told.getByText('words', { exact: true }).waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect(await violations(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await told.waitFor({ state: 'detached' });
    await code.getByText('site.title').click();
    await page.keyboard.press('Shift+F12');
    await told.getByText('Here: "The Weigh House"').waitFor();
    // A variable may hold the name of a snippet.
    await page.keyboard.press('Control+End');
    for (let steps = 0; steps < ' / %}'.length + 1; steps++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+F12');
    await told.getByText('site.name', { exact: true }).waitFor();
    expect(await told.getByText('There is no snippet').count()).toBe(0);
  });

  test('code is indented by a key, and undo takes it back', async () => {
    const before = '<ul>\n{% for a in nav() %}\n<li>{{ a.title }}</li>\n{% endfor %}\n</ul>';
    const id = await openSnippet(freshName('untidy'), before);
    await codeEditor(page, 'Code').click();
    await page.keyboard.press('Shift+Alt+F');
    await expect.poll(() => codeEditor(page, 'Code').textContent()).toContain('    <li>');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const after = '<ul>\n  {% for a in nav() %}\n    <li>{{ a.title }}</li>\n  {% endfor %}\n</ul>';
    expect((await callOk(server, 'GET', `/snippets/${id}`))['content']).toBe(after);
    await page.keyboard.press('Control+z');
    await page.getByText('Unsaved').first().waitFor();
    await menu('Discard changes');
    // The cross is as visible as the text.
    await findToast(page, 'Changes discarded.').getByRole('button', { name: 'Close' }).first().waitFor();
    const colours = await page.evaluate<string[]>(`(() => {
      const toasts = [...document.querySelectorAll('[data-tone]')];
      const toast = toasts.find((each) => each.textContent.includes('Changes discarded.'));
      return [toast.querySelector('button:last-of-type svg'), toast].map((each) => getComputedStyle(each).color);
    })()`);
    expect(new Set(colours).size).toBe(1);
  });

  test('a page is shown with a snippet as it stands in the editor, and visitors do not see it yet', async () => {
    const id = await openSnippet('parts/sign', 'saved');
    const html = '<main>{% include "parts/sign" %}</main>';
    await createPage(server, 1, { title: 'Signed', slug: 'signed', html, published: true });
    await showScreen(page, '/snippets');
    await showScreen(page, `/snippets/${id}`);
    await page.getByRole('heading', { level: 1, name: 'parts/sign' }).waitFor();
    await page.keyboard.press('Control+e');
    const preview = page.getByRole('region', { name: 'Preview' });
    const shown = page.frameLocator('iframe[title="Preview of Signed"]');
    await shown.getByText('saved').waitFor();
    await codeEditor(page, 'Code').fill('{{ page.title }} and not saved');
    await shown.getByText('Signed and not saved').waitFor();
    expect(await (await fetch(`${server.url}/signed`)).text()).toContain('<main>saved</main>');
    await codeEditor(page, 'Code').fill('{% if %}');
    await preview.getByText('Visitors would see an error page.').waitFor();
    await shown.getByText('Signed and not saved').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect(await violations(page)).toEqual([]);
    }
    await preview.getByLabel('Page in the preview').click();
    await page.getByRole('option', { name: 'The Weigh House (/)' }).click();
    await page.frameLocator('iframe[title="Preview of The Weigh House"]').locator('main').waitFor();
    await menu('Discard changes');
    await page.keyboard.press('Control+e');
    await preview.waitFor({ state: 'detached' });
  });

  test('a snippet gets another name everywhere: in templates, blocks and entries, after a look at the places', async () => {
    const id = await openSnippet('parts/old', '{{ text }}');
    await callOk(server, 'PUT', `/snippets/${id}`, {
      schema: { block: true, label: 'Old', params: [{ name: 'text', type: 'text' }] },
    });
    const user = await callOk(server, 'POST', '/snippets', {
      name: 'parts/user',
      content: '{% include "./old" with text="parts/old" %}',
    });
    const block = { id: 'a', type: 'parts/old', params: { text: 'here' } };
    const html = '{% include parts/old %}{% blocks page.blocks %}';
    const fields = { title: 'Renaming', slug: 'renaming', html: html.replace('parts/old', '"parts/old"') };
    const using = await createPage(server, 1, { ...fields, blocks: [block], published: true });
    const { id: collection } = await callOk(server, 'POST', '/collections', {
      slug: 'stories',
      name: 'Stories',
      fields: [{ name: 'body', label: 'Body', type: 'blocks' }],
    });
    const items = `/collections/${collection}/items`;
    const entry = await callOk(server, 'POST', items, { data: { body: [block] } });
    await showScreen(page, '/snippets');
    await showScreen(page, `/snippets/${id}`);
    await page.getByRole('heading', { level: 1, name: 'parts/old' }).waitFor();
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('4 places change with it').waitFor();
    await dialog.getByLabel('New name').fill('parts/new');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'parts/new' }).waitFor();
    expect(await callOk(server, 'GET', `/snippets/${user['id']}`)).toMatchObject({
      content: '{% include "parts/new" with text="parts/old" %}',
    });
    expect(await callOk(server, 'GET', `/pages/${using}`)).toMatchObject({
      html: '{% include "parts/new" %}{% blocks page.blocks %}',
      blocks: [{ type: 'parts/new', params: { text: 'here' } }],
    });
    expect(await callOk(server, 'GET', `${items}/${entry['id']}`)).toMatchObject({
      data: { body: [{ type: 'parts/new' }] },
    });
    expect(await (await fetch(`${server.url}/renaming`)).text()).toContain('here');
  });

  test('a name in the form of a used snippet changes everywhere with the save, and nothing breaks', async () => {
    const id = await openSnippet('parts/first', 'all is well');
    const taker = await callOk(server, 'POST', '/snippets', {
      name: 'parts/taker',
      content: '{% slot %}{% endslot %}',
      schema: { block: true, slots: [{ name: 'default', allow: ['parts/first', 'parts/taker'] }] },
    });
    const html = '{% include "parts/first" %}';
    const user = await createPage(server, 1, { title: 'User', slug: 'user', html, published: true });
    await showScreen(page, '/snippets');
    await showScreen(page, `/snippets/${id}`);
    await page.getByRole('heading', { level: 1, name: 'parts/first' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('parts/second');
    await page.getByText('One place uses it.').waitFor();
    await page.getByLabel('Description').fill('Its second name.');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Rename "parts/first" everywhere' });
    await dialog.getByText('2 places change with it').waitFor();
    // Who does not want that has changed nothing yet.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Unsaved').first().waitFor();
    expect(await callOk(server, 'GET', `/snippets/${id}`)).toMatchObject({ name: 'parts/first' });
    await page.keyboard.press('Control+s');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'parts/second' }).waitFor();
    expect(await callOk(server, 'GET', `/snippets/${id}`)).toMatchObject({
      name: 'parts/second',
      description: 'Its second name.',
    });
    expect(await callOk(server, 'GET', `/snippets/${taker['id']}`)).toMatchObject({
      schema: { slots: [{ allow: ['parts/second', 'parts/taker'] }] },
    });
    expect(await callOk(server, 'GET', `/pages/${user}`)).toMatchObject({
      html: '{% include "parts/second" %}',
    });
    expect(await (await fetch(`${server.url}/user`)).text()).toContain('all is well');
    // What names nothing but itself gets another name at once.
    await showScreen(page, `/snippets/${taker['id']}`);
    await page.getByRole('heading', { level: 1, name: 'parts/taker' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('parts/slotted');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'parts/slotted' }).waitFor();
    expect(await callOk(server, 'GET', `/snippets/${taker['id']}`)).toMatchObject({
      schema: { slots: [{ allow: ['parts/second', 'parts/slotted'] }] },
    });
  });

  test('no panel below the code covers it, whatever stands in it', async () => {
    const id = await openSnippet('parts/covered', '<p>x</p>\n'.repeat(60));
    const params = ['a', 'b'].map((name) => ({ name, label: name, type: 'text' }));
    await callOk(server, 'PUT', `/snippets/${id}`, {
      schema: { block: true, params, slots: [{ name: 'default' }] },
    });
    for (const [width, height] of [
      [1440, 900],
      [1280, 640],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const name of ['Problems 0', 'Block type', 'Page layout', 'Versions']) {
        await page.getByRole('tab', { name }).click();
        await settledBox(page.getByRole('tablist').last());
        // The end of the editor, brought into view, is what lies there.
        const seen = await page.evaluate(`(() => {
          const editor = document.querySelector('.cm-editor');
          editor.scrollIntoView({ block: 'end' });
          const { left, bottom, height } = editor.getBoundingClientRect();
          return { height, isOnTop: editor.contains(document.elementFromPoint(left + 20, bottom - 5)) };
        })()`);
        expect(seen, `${name} at ${width}`).toEqual({ height: expect.any(Number), isOnTop: true });
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a save is shown as a call that another program can send, without any secret', async () => {
    const id = await createPage(server, 1, { title: 'Called', slug: 'called' });
    await showScreen(page, `/s/1/pages/${id}/content`);
    await page.getByLabel('Title', { exact: true }).fill('Called by a script');
    await menu('Show as API call');
    const dialog = page.getByRole('dialog');
    const shown = dialog.getByRole('region', { name: 'Call' });
    await shown.getByText('"title": "Called by a script"').waitFor();
    const text = (await shown.textContent()) ?? '';
    expect(text).toContain(`curl -s -X PUT '${server.url}/api/v1/pages/${id}?strict=true'`);
    expect(text).toContain('Bearer $TOKEN');
    expect(text).not.toContain('ic_session');
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect(await violations(page)).toEqual([]);
    }
    await dialog.getByText('fetch', { exact: true }).click();
    await shown.getByText('body: JSON.stringify(').waitFor();
    // The body is what the API takes.
    const body: unknown = JSON.parse(/<<'END'\n([\s\S]*)\nEND$/.exec(text)?.[1] ?? '');
    await callOk(server, 'PUT', `/pages/${id}`, body as object);
    expect((await callOk(server, 'GET', `/pages/${id}`))['title']).toBe('Called by a script');
    await page.keyboard.press('Escape');
  });
});
