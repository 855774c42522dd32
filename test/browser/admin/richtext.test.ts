/** What people do with rich text: in the form of a block, in the field of an entry, by mouse and by keys. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createPage } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { saveLive } from '../../support/live-saves.ts';
import { openAdmin, showScreen, violationsOfThemes } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('rich text', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    await saveLive(server);
    page = await openAdmin(browser, server, '/', { session: await demoSession(server) });
    await page.evaluate("localStorage.setItem('ic-block-device', JSON.stringify('fit'))");
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const panel = () => page.getByRole('region', { name: 'Fields of the block' });
  const text = (): Locator => panel().locator('[contenteditable=true]');
  const tool = (name: string) => panel().getByRole('toolbar').getByRole('button', { name, exact: true });
  const saved = async (id: number) => {
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const { blocks } = await callOk(server, 'GET', `/pages/${id}`);
    return Object(blocks)[0].params.text;
  };

  /** A page with one block of text, whose form is open. */
  async function openText(title: string, value: string): Promise<number> {
    const html = '<main>{% blocks page.blocks %}</main>';
    const blocks = [{ id: 'one', type: 'blocks/text', params: { text: value } }];
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const id = await createPage(server, 1, { title, slug, html, blocks, published: true });
    await showScreen(page, `/s/1/pages/${id}/content?b=one`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await panel()
      .getByRole('toolbar')
      .or(panel().getByRole('button', { name: 'Show as text' }))
      .waitFor();
    return id;
  }

  /** Chooses a word of the text, as a double click does. */
  async function choose(word: string): Promise<void> {
    await text().getByText(word).first().waitFor();
    await text().focus();
    await page.evaluate(`(() => {
      const text = document.querySelector('[data-block-fields] [contenteditable=true]');
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const start = node.data.indexOf(${JSON.stringify(word)});
        if (start >= 0) getSelection().setBaseAndExtent(node, start, node, start + ${word.length});
      }
    })()`);
  }

  /** Pastes what another program has copied. */
  async function paste(html: string): Promise<void> {
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', ${JSON.stringify(html)});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('[data-block-fields] [contenteditable=true]').dispatchEvent(event);
    })()`);
  }

  test('a word becomes bold, and nothing but its paragraph changes', async () => {
    const rest = '\n<P class=odd>Left as it is &copy;</p>\n\n<iframe src="/x"></iframe>';
    const id = await openText('Bold', `<p>One big word</p>${rest}`);
    await choose('big');
    await tool('Bold').click();
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
    expect(await saved(id)).toBe(`<p>One <strong>big</strong> word</p>${rest}`);
  });

  test('by keys alone: bold, a link to a page that is found by its title, undo, and the toolbar', async () => {
    const id = await openText('Keys', '<p>See the hours</p>');
    await choose('hours');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'New link' });
    await dialog.getByRole('combobox').fill('visit');
    await dialog.getByRole('option', { name: 'Visit /visit', exact: true }).waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    expect(await dialog.getByRole('combobox').inputValue()).toBe('/visit');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await saved(id)).toBe('<p>See the <a href="/visit"><strong>hours</strong></a></p>');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.getByText('Unsaved').waitFor();
    expect(await saved(id)).toBe('<p>See the hours</p>');
    await page.keyboard.press('Alt+F10');
    await page.locator('[role=toolbar] :focus').waitFor();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    // A tool leads back to the text; the next way to the toolbar ends at that tool.
    await page.keyboard.press('Alt+F10');
    expect(await page.locator('[role=toolbar] :focus').getAttribute('aria-label')).toBe('Italic');
    await page.keyboard.press('End');
    expect(await page.locator('[role=toolbar] :focus').getAttribute('aria-label')).toBe('Show source');
    await page.keyboard.press('Escape');
    await page.locator('[contenteditable=true]:focus').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
  });

  test('text of Word loses its styles and keeps its lists', async () => {
    const id = await openText('Word', '<p>Before</p>');
    await text().getByText('Before').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const item = (mark: string, words: string) =>
      `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp; </span></span><![endif]>${words}</p>`;
    await paste(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=DE><!--StartFragment--><p class=MsoNormal><b style='mso-bidi-font-weight:normal'><span lang=EN style='font-size:14.0pt'>Fat</span></b> and\r\nplain<o:p></o:p></p>${item('·', 'One')}${item('·', 'Two <i>2</i>')}<!--EndFragment--></body></html>`,
    );
    expect(await saved(id)).toBe(
      '<p>Before</p>\n<p><strong>Fat</strong> and plain</p>\n<ul>\n<li>One</li>\n<li>Two <em>2</em></li>\n</ul>',
    );
  });

  test('signs of Markdown become what they mean', async () => {
    const id = await openText('Signs', '<p>Gone</p>');
    await text().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('## Hours');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Open **every** day');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- at noon');
    await page.keyboard.press('Enter');
    await page.keyboard.type('at night');
    expect(await saved(id)).toBe(
      '<h2>Hours</h2>\n<p>Open <strong>every</strong> day</p>\n<ul>\n<li>at noon</li>\n<li>at night</li>\n</ul>',
    );
  });

  test('the source is a toggle, and opens by itself where there is nothing else to show', async () => {
    const id = await openText('Source', '<p>Words</p>');
    await tool('Show source').click();
    const source = panel().getByRole('textbox', { name: 'Text', exact: true });
    await source.getByText('<p>').waitFor();
    await source.click();
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.press('Control+a');
    // The editor would close what is typed by itself, sooner or later.
    await page.keyboard.insertText('<p>Other words</p>');
    await panel().getByRole('button', { name: 'Show as text' }).click();
    await text().getByText('Other words').waitFor();
    expect(await saved(id)).toBe('<p>Other words</p>');
    await openText('Opaque', '<video src="/a.mp4"></video>');
    await panel().getByText('This value has code that the text view cannot show').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
  });

  test('the field of an entry: Markdown stays Markdown, with what the field allows', async () => {
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'story', type: 'markdown' },
    ];
    const { id } = await callOk(server, 'POST', '/collections', { slug: 'tales', name: 'Tales', fields });
    const story = '# Head\n\nOne *small* word\n\n* kept\n* as it is\n';
    const data = { title: 'Tale', story };
    const { id: entry } = await callOk(server, 'POST', `/collections/${id}/items`, { data });
    await showScreen(page, `/collections/tales/${entry}`);
    const own = page.getByRole('textbox', { name: 'story' });
    await own.getByText('One').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' more_or_less');
    await page.keyboard.press('Control+s');
    const stored = async () =>
      Object((await callOk(server, 'GET', `/collections/${id}/items/${entry}`))['data']).story;
    await expect.poll(stored).toBe('# Head\n\nOne *small* word more_or_less\n\n* kept\n* as it is\n');
    expect(await violationsOfThemes(page)).toEqual([]);
  });

  test('a click on a text of the page opens it there', async () => {
    const id = await openText('In the page', '<p>Some words</p>');
    const words = page.frameLocator('iframe').getByText('Some words');
    await words.click();
    const own = page.getByRole('region', { name: 'Text of the page' });
    await own.locator('[contenteditable=true]:focus').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' more');
    await page.frameLocator('iframe').getByText('Some words more').waitFor();
    await text().getByText('Some words more').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await own.waitFor({ state: 'detached' });
    await page.locator('[role=tree]:focus, [role=tree] :focus').waitFor();
    expect(await saved(id)).toBe('<p>Some words more</p>');
  });
});
