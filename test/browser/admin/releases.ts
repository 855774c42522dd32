/** What people do with releases: changes that wait in the editor, and go live together. */
import { expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { type Admin, findToast, violations } from './admin-browser.ts';

export function releaseJourneys(admin: Admin): void {
  test('changes of an editor wait in a release, and go live with it', async () => {
    const id = await admin.newPage('Waiting words');
    const [home] = await callList(admin.server, '/pages?roots=1');
    const page = await admin.open(`/s/${home?.['id']}/pages/${id}/content`);
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Words of summer');
    await page.getByRole('button', { name: 'More actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Add to release…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add changes to a release' });
    const isFirst = (await dialog.getByLabel('Release', { exact: true }).count()) === 0;
    if (!isFirst) {
      await dialog.getByLabel('Release', { exact: true }).click();
      await page.getByRole('option', { name: 'A new release' }).click();
    }
    const name = `Summer ${id}`;
    await dialog.getByLabel('Name').fill(name);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await findToast(page, `Your changes are in "${name}".`).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Waiting words' });
    await expect.poll(() => title.inputValue()).toBe('Waiting words');

    await page.getByText('Changes of this wait in a release:').waitFor();
    await page.getByRole('link', { name: 'Show' }).last().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Differences of Page "Words of summer"' }).click();
    const field = page.getByRole('group', { name: 'Page "Words of summer": Title' });
    await field.getByText('Waiting words').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await findToast(page, `"${name}" is live.`).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Words of summer' });

    await page.getByRole('button', { name: 'More actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Take back…' }).click();
    const takeBack = page.getByRole('dialog', { name: `Take back "${name}"` });
    await takeBack.getByRole('button', { name: 'Take back' }).click();
    await findToast(page, `"${name}" is taken back.`).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Waiting words' });
  });

  test('publishing asks about what was changed live too, and a release can be scheduled', async () => {
    const id = await admin.newPage('Disputed words');
    const name = `Autumn ${id}`;
    const { id: release } = await callOk(admin.server, 'POST', '/change-sets', { name });
    const item = `/change-sets/${release}/items/page/${id}`;
    await callOk(admin.server, 'PUT', item, { title: 'Ours' });
    await callOk(admin.server, 'PUT', `/pages/${id}`, { title: 'Theirs' });

    const page = await admin.open(`/releases/${release}`);
    await page.getByText('One field was changed live too.').waitFor();
    await page.getByRole('button', { name: 'More actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Schedule…' }).click();
    await page.getByLabel('Goes live').fill('2099-05-04T10:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page
      .getByText(/^Goes live .*2099/)
      .first()
      .waitFor();
    expect(await callOk(admin.server, 'GET', `/change-sets/${release}`)).toMatchObject({
      state: 'scheduled',
    });

    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: `Publish "${name}"` });
    expect(await dialog.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true);
    await dialog.getByText('As in the release').click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await findToast(page, `"${name}" is live.`).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Ours' });
  });
}
