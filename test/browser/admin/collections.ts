/** What people do with collections and their entries. */
import { expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { createCollection, createItem } from '../../support/content.ts';
import { type Admin, showScreen, violations } from './admin-browser.ts';

export function collectionJourneys(admin: Admin): void {
  const entries = async () => callList(admin.server, '/collections/boats/items');

  test('a collection: fields, an entry, a rename that keeps values, and the impact of a loss', async () => {
    const page = await admin.open('/collections');
    await page.getByRole('button', { name: 'New collection' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Boats');
    expect(await dialog.getByLabel('Name in templates').inputValue()).toBe('boats');
    await dialog.getByRole('button', { name: 'Create collection' }).click();

    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label').last().fill('Built in');
    await page.getByLabel('Type', { exact: true }).last().selectOption('number');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('No template breaks and no value is lost.').waitFor();
    await dialog.getByRole('button', { name: 'Save fields' }).click();
    await page.getByText('Fields saved.').waitFor();

    await page.getByRole('button', { name: 'New entry' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Fill in title.').first().waitFor();
    await page.getByLabel('Title').fill('Marie');
    await page.getByLabel('Built in').fill('1908');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Marie', level: 2 }).waitFor();
    expect(await entries()).toMatchObject([{ data: { title: 'Marie', built_in: 1908 }, published: true }]);

    await page.getByRole('tab', { name: 'Fields' }).click();
    await page.getByRole('button', { name: 'Rename built_in' }).click();
    await dialog.getByLabel('Name in templates').fill('year');
    await dialog.getByRole('button', { name: 'Rename field' }).click();
    await page.getByRole('button', { name: 'Rename year' }).waitFor();
    expect(await entries()).toMatchObject([{ data: { title: 'Marie', year: 1908 } }]);
    await page.getByRole('button', { name: 'Remove Built in' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('year: in one entry').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('values with parts: a list of groups with a link, a fault inside of it, and a place', async () => {
    const fields = [
      { name: 'day', type: 'text', required: true, label: 'Day' },
      { name: 'more', type: 'link', label: 'More' },
    ];
    const spot = { help: 'In degrees.', group: 'Where', show_if: { field: 'opening', op: 'set' } };
    await createCollection(admin.server, {
      slug: 'harbours',
      fields: [
        { name: 'opening', type: 'group', many: true, fields, label: 'Opening' },
        { name: 'spot', type: 'place', label: 'Spot', ...spot },
      ],
    });
    const stored = async () => (await callList(admin.server, '/collections/harbours/items'))[0]?.['data'];
    const page = await admin.open('/collections/harbours/new');
    const add = page.getByRole('button', { name: 'Add to Opening' });
    await add.waitFor();
    expect(await page.getByLabel('Latitude').count()).toBe(0);
    await add.click();
    await page.getByRole('group', { name: 'Where' }).getByText('In degrees.').waitFor();
    await page.getByLabel('Leads to').selectOption('page');
    await page
      .locator('input')
      .and(page.getByLabel('Page', { exact: true }))
      .click();
    await page
      .getByRole('option', { name: / \(\/\)$/ })
      .first()
      .click();
    await page.getByLabel('Latitude').fill('53.5');
    await page.getByLabel('Longitude').fill('10');
    await page.keyboard.press('Control+s');
    // The fault names the part, so the input of the part says it.
    await page.locator('li').getByLabel('Day').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.locator('li').getByLabel('Day').fill('Monday');
    await add.click();
    await page.locator('li').getByLabel('Day').last().fill('Tuesday');
    await page.getByRole('button', { name: 'Move Opening 2 up' }).click();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 2, name: /^#/ }).waitFor();
    expect(await stored()).toEqual({
      opening: [
        { day: 'Tuesday', more: null },
        { day: 'Monday', more: { page: expect.any(Number) } },
      ],
      spot: { lat: 53.5, lng: 10 },
    });
    const target = page.locator('input').and(page.getByLabel('Page', { exact: true }));
    expect(await target.inputValue()).toMatch(/\(\/\)$/);
    expect(await violations(page)).toEqual([]);
  });

  test('CSV: a dry run with a mapping, the import, then search, order and a bulk change', async () => {
    const page = await admin.open('/collections/boats/import');
    const text = 'Name,Year,Note\nAnna,1920,x\nBerta,1910,y\nClara,abc,z\n';
    const file = (content: string) => ({
      name: 'boats.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
    await page.locator('input[type=file]').setInputFiles(file(text));
    await page.getByLabel('Field for the column Name').selectOption('title');
    await page.getByText('One error. Nothing can be imported until it is mended.').waitFor();
    await page.getByText('Row 4 Year: Is not a number.').waitFor();
    expect(await page.getByRole('button', { name: 'Import 3 rows' }).isDisabled()).toBe(true);
    await page.locator('input[type=file]').setInputFiles(file(text.replace('abc', '1930')));
    await page.getByLabel('Field for the column Name').selectOption('title');
    await page.getByText('New: 3, changed: 0, deleted: 0.').waitFor();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Imported. New: 3, changed: 0, deleted: 0.').waitFor();
    expect(await entries()).toHaveLength(4);

    const titles = () => page.locator('[data-index]').getByRole('link').allTextContents();
    await page.getByRole('button', { name: 'Sort by Built in' }).click();
    await expect.poll(titles).toEqual(['Marie', 'Berta', 'Anna', 'Clara']);
    await page.getByLabel('Search entries').fill('a');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Field', { exact: true }).selectOption('year');
    await page.getByLabel('Condition').selectOption('gt');
    await page.getByLabel('Value').fill('1915');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await expect.poll(titles).toEqual(['Anna', 'Clara']);
    await page.getByLabel('Select Anna').check();
    await page.getByLabel('Select Clara').check();
    await page.getByRole('button', { name: 'Take offline' }).click();
    await page.getByText('2 entries changed.').waitFor();
    const drafts = (await entries()).filter(({ published }) => published === false);
    expect(drafts).toMatchObject([{ data: { title: 'Anna' } }, { data: { title: 'Clara' } }]);
  });

  test('values are edited in the table by keys: Enter saves, Tab goes on, Escape reverts, a refusal stays', async () => {
    const { id } = await callOk(admin.server, 'POST', '/collections', {
      slug: 'buoys',
      name: 'Buoys',
      fields: [
        { name: 'title', label: 'Title', type: 'text' },
        { name: 'depth', label: 'Depth', type: 'number' },
        { name: 'colour', label: 'Colour', type: 'select', options: ['red', 'green'] },
        { name: 'lit', label: 'Lit', type: 'boolean' },
      ],
    });
    const items = `/collections/${id}/items`;
    const { id: entry } = await callOk(admin.server, 'POST', items, { data: { title: 'North', depth: 4 } });
    const data = async () => (await callOk(admin.server, 'GET', `${items}/${entry}`))['data'];
    const page = await admin.open('/collections/buoys');
    const [name, focused] = [
      page.getByRole('link', { name: 'North' }),
      page.locator('[data-field=depth]:focus'),
    ];
    // The table is drawn anew when the screen has got all its parts.
    await expect.poll(() => name.press('ArrowRight').then(() => focused.count())).toBe(1);
    await page.keyboard.press('Enter');
    const depth = page.getByLabel('Depth of North', { exact: true });
    await depth.fill('deep');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await depth.inputValue()).toBe('deep');
    expect(await violations(page)).toEqual([]);
    await depth.fill('12.5');
    await page.keyboard.press('Tab');
    await page.getByLabel('Colour of North', { exact: true }).selectOption('green');
    await page.keyboard.press('Tab');
    await page.getByLabel('Lit of North', { exact: true }).selectOption('true');
    await page.keyboard.press('Enter');
    await expect.poll(data).toEqual({ title: 'North', depth: 12.5, colour: 'green', lit: true });
    await page.locator('[data-field=lit]:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F2');
    await depth.fill('99');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit Depth of North' }).waitFor();
    expect(await data()).toMatchObject({ depth: 12.5 });
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(data).not.toEqual({ title: 'North', depth: 12.5, colour: 'green', lit: true });
  });

  test('a new slug is carried to what names the old one, and what is left is listed', async () => {
    const fields = [{ name: 'title', label: 'Title', type: 'text' }];
    await callOk(admin.server, 'POST', '/collections', { slug: 'floats', name: 'Floats', fields });
    const { id } = await callOk(admin.server, 'POST', '/snippets', {
      name: 'float-list',
      content: '{{ data("floats")|length }}',
    });
    const content = async () => (await callOk(admin.server, 'GET', `/snippets/${id}`))['content'];
    const page = await admin.open('/collections/floats/settings');
    const slug = page.getByLabel('Name in templates');
    const carry = page.getByRole('checkbox', { name: 'Change it everywhere it is named' });
    const save = page.getByRole('button', { name: 'Save settings' });
    expect([await slug.inputValue(), await carry.count()]).toEqual(['floats', 0]);
    await slug.fill('rafts');
    expect(await carry.isChecked()).toBe(true);
    await save.click();
    await expect.poll(content).toBe('{{ data("rafts")|length }}');
    await page.waitForURL('**/collections/rafts/settings');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await slug.fill('punts');
    await carry.uncheck();
    await save.click();
    const left = page.getByRole('dialog', { name: '"rafts" is "punts" now' });
    await left.getByText('float-list').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await content()).toBe('{{ data("rafts")|length }}');
    await page.keyboard.press('Escape');
    await left.waitFor({ state: 'detached' });
    expect(await slug.inputValue()).toBe('punts');
  });

  test('an entry that refuses a bulk change is named, and left out on request', async () => {
    const page = await admin.open('/collections/boats');
    await page.getByLabel('Select Marie').check();
    await page.getByLabel('Select Berta').check();
    const marie = (await entries()).find(({ data }) => Object(data).title === 'Marie');
    await callOk(admin.server, 'DELETE', `/collections/boats/items/${marie?.['id']}`);
    await page.getByRole('button', { name: 'Take offline' }).click();
    await page
      .getByText(`Nothing was changed, because of #${marie?.['id']}. This does not exist any more.`)
      .waitFor();
    await page.getByRole('button', { name: 'Go on without it' }).click();
    await page.getByText('One entry changed.').waitFor();
    await showScreen(page, '/collections');
  });

  test('the palette finds an entry and a file by their texts', async () => {
    const page = await admin.open('/');
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Search pages, entries, files and commands' });
    await input.fill('@crane');
    await page.getByRole('option', { name: 'crane.png' }).waitFor();
    await input.fill('@berta');
    await page.getByRole('option', { name: /Berta/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Berta', level: 2 }).waitFor();
  });

  test('a source is tried before it is saved, and its answer is shown', async () => {
    await callOk(admin.server, 'PUT', '/collections/boats', { public_api: true });
    await createItem(admin.server, 'boats', { title: 'Dora' });
    const page = await admin.open('/sources');
    await page.getByRole('button', { name: 'New source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Harbour');
    await dialog.getByLabel('Address').fill(`${admin.server.url}/api/v1/data/boats?title={title}`);
    await dialog.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
    await page.getByLabel('{title}').fill('Dora');
    await page.getByRole('button', { name: 'Send request' }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByRole('cell', { name: 'Dora' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await answer.getByText('Headers', { exact: true }).click();
    await answer.getByText('content-type:', { exact: true }).waitFor();
    await answer.getByText('Text', { exact: true }).click();
    await answer.getByText('"title": "Dora"').waitFor();
    await answer.getByText('Tree', { exact: true }).click();
    await answer.getByText('"Dora"').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Path to the list').fill('nowhere');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('alert').getByText('The answer has nothing at "nowhere".').waitFor();
    await page.getByRole('button', { name: 'Show as API call' }).click();
    await page.getByRole('dialog').getByText('"list_path": "nowhere"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard changes' }).click();
  });
}
