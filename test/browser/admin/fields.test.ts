/** What people do with the definitions of fields: settings, groups, faults that lead to their inputs, warnings. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { createCollection, createItem, createSnippet } from '../../support/content.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { openAdmin, showScreen, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('definitions of fields', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    page = await openAdmin(browser, server, '/', { session: await demoSession(server), timezoneId: 'UTC' });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const row = (place: number) => page.locator(`[data-param="${place}"]`);
  const review = async () => {
    await page.getByRole('button', { name: 'Review changes' }).click();
    return page.getByRole('dialog');
  };

  test('settings of a text: a fault leads to its input, a rule names the entries that break it', async () => {
    await createCollection(server, {
      slug: 'lamps',
      fields: [
        { name: 'title', label: 'Title', type: 'text' },
        { name: 'kind', label: 'Kind', type: 'select', options: ['wall', 'desk'] },
      ],
    });
    await createItem(server, 'lamps', { title: 'A very long title', kind: 'desk' });
    await showScreen(page, '/collections/lamps/fields');
    await row(0).getByText('More settings').click();
    expect(await row(0).getByLabel('Tools').count()).toBe(0);
    await row(0).getByRole('textbox', { name: 'Help' }).fill('What the lamp is called.');
    await row(0).getByLabel('At most').fill('5');
    await row(0).getByLabel('Pattern').fill('(');
    await row(0).getByLabel('Shown if').selectOption('kind');
    await row(0).getByLabel('Condition').selectOption('in');
    await row(0).getByRole('checkbox', { name: 'desk' }).check();
    expect(await violations(page)).toEqual([]);

    const dialog = await review();
    await dialog.getByRole('button', { name: /^"Title", Pattern: Is no regular expression/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(0).getByLabel('Pattern').and(page.locator(':focus')).waitFor();
    expect(await row(0).getByLabel('Pattern').getAttribute('aria-invalid')).toBe('true');
    await row(0).getByLabel('Pattern').fill('^A');
    await row(0).getByLabel('What is said if it does not match').fill('Begin with A.');
    await (await review()).getByRole('button', { name: 'Save fields' }).click();
    await page.getByRole('dialog').getByText('Title: one entry').waitFor();
    await page.keyboard.press('Escape');

    const { fields } = await callOk(server, 'GET', '/collections/lamps');
    expect(fields).toMatchObject([
      {
        help: 'What the lamp is called.',
        max: 5,
        pattern: '^A',
        pattern_help: 'Begin with A.',
        show_if: { field: 'kind', op: 'in', value: ['desk'] },
      },
      { name: 'kind' },
    ]);
  });

  test('a group with own fields and a default; entries then have a swatch, boxes and the zone', async () => {
    await createCollection(server, {
      slug: 'rooms',
      fields: [{ name: 'title', label: 'Title', type: 'text' }],
    });
    await showScreen(page, '/collections/rooms/fields');
    const add = page.getByRole('button', { name: 'Add field', exact: true });
    const addNew = async (label: string, type: string) => {
      await add.click();
      const last = page.locator('[data-param]').last();
      await last.getByLabel('Label').first().fill(label);
      await last.getByLabel('Type', { exact: true }).first().selectOption(type);
      return last;
    };
    const group = await addNew('Opening', 'group');
    await group.getByLabel('List', { exact: true }).check();
    await group.locator('li').getByLabel('Label').fill('Day');
    await group.getByRole('button', { name: 'Add field to the group' }).click();
    await group.locator('li').last().getByLabel('Label').fill('From');
    expect(
      await group
        .locator('li')
        .last()
        .getByLabel('Type', { exact: true })
        .locator('option')
        .allTextContents(),
    ).not.toContain('Group of fields');
    const color = await addNew('Paint', 'color');
    await color.getByText('More settings').click();
    await color.getByRole('textbox', { name: 'Value of new entries', exact: true }).fill('#ff0000');
    const choices = await addNew('Seats', 'multiselect');
    await choices.getByLabel('Options').fill('front\nback');
    await addNew('Opened', 'datetime');
    await (await review()).getByRole('button', { name: 'Save fields' }).click();
    await page.getByText('Fields saved.').waitFor();
    const { fields } = await callOk(server, 'GET', '/collections/rooms');
    expect(fields).toMatchObject([
      { name: 'title' },
      { name: 'opening', type: 'group', many: true, fields: [{ name: 'day' }, { name: 'from' }] },
      { name: 'paint', default: '#ff0000' },
      { name: 'seats', options: ['front', 'back'] },
      { name: 'opened' },
    ]);

    const roots = (await callList(server, '/pages?view=tree')).filter(({ parent_id }) => parent_id === null);
    await callOk(server, 'PUT', `/pages/${String(roots[0]?.['id'])}`, { zone: 'Asia/Kathmandu' });
    await showScreen(page, '/collections/rooms/new');
    await page.getByText('Time zone of the website: Asia/Kathmandu').waitFor();
    await page.getByLabel('Opened').fill('2026-06-01T00:00:00');
    await page.getByRole('checkbox', { name: 'back' }).check();
    await page.getByLabel('Choose Paint by eye').fill('#00ff00');
    expect(await page.getByRole('textbox', { name: 'Paint', exact: true }).inputValue()).toBe('#00ff00');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => asRecord((await callList(server, '/collections/rooms/items'))[0]?.['data'] ?? {}))
      .toMatchObject({ paint: '#00ff00', seats: ['back'], opened: '2026-05-31T18:15:00Z' });
  });

  test('a parameter of a block type keeps its settings, and says what is refused at its input', async () => {
    const params = [
      { name: 'text', label: 'Text', type: 'html', help: 'Short.', default: 'x' },
      { name: 'size', label: 'Size', type: 'number', min: 1 },
    ];
    const id = await createSnippet(server, { schema: { block: true, params } });
    await showScreen(page, `/snippets/${id}`);
    await page.getByRole('tab', { name: 'Block type' }).click();
    const panel = page.getByRole('tabpanel').filter({ hasText: 'Offer as block' });
    await panel.getByText('More settings').first().click();
    await panel.getByRole('checkbox', { name: 'Table' }).uncheck();
    const size = panel.locator('li').last();
    await size.getByText('More settings').click();
    await size.getByLabel('At most').fill('0');
    await page.keyboard.press('Control+s');
    await size.locator('[aria-invalid=true]').waitFor();
    await size.getByLabel('At most').fill('9');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const stored = async () => asRecord((await callOk(server, 'GET', `/snippets/${id}`))['schema'])['params'];
    const tools = ['bold', 'italic', 'link', 'lists', 'headings', 'quote', 'code', 'image'];
    await expect.poll(stored).toMatchObject([
      { name: 'text', help: 'Short.', default: 'x', richtext: tools },
      { name: 'size', min: 1, max: 9 },
    ]);
  });
});
