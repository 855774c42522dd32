/** What people do with versions of collections and redirects. */
import { expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { createCollection, createRedirect } from '../../support/content.ts';
import { type Admin, violations } from './admin-browser.ts';

export function versionJourneys(admin: Admin): void {
  test('a version of a collection is compared and restored, and its address follows', async () => {
    const slug = 'kept-boats';
    const fields = [{ name: 'title', type: 'text' }];
    const id = await createCollection(admin.server, { slug, name: 'Kept boats', fields });
    await callOk(admin.server, 'PUT', `/collections/${id}`, {
      slug: 'other-boats',
      name: 'Other',
      fields: [],
    });
    const page = await admin.open('/collections/other-boats');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('list', { name: 'Versions' }).getByText('Master-Token').waitFor();
    for (const name of ['Slug', 'Name', 'Fields'])
      await page.getByRole('heading', { name, exact: true, level: 2 }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByRole('heading', { name: 'Kept boats', level: 1 }).waitFor();
    await page.waitForURL(`**/collections/${slug}/history`);
    expect(await callOk(admin.server, 'GET', `/collections/${id}`)).toMatchObject({
      ...{ slug, name: 'Kept boats' },
      fields: [{ name: 'title' }],
    });
  });

  test('a version of a redirect is restored from its row', async () => {
    const [site] = await callList(admin.server, '/pages?roots=1');
    const source = '/kept-redirect';
    const id = await createRedirect(admin.server, Number(site?.['id']), { source, target: '/first' });
    await callOk(admin.server, 'PUT', `/redirects/${id}`, { target: '/second' });
    const page = await admin.open(`/s/${site?.['id']}/redirects`);
    await page.getByRole('button', { name: `Edit the redirect of ${source}` }).click();
    await page.getByRole('button', { name: 'Versions', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Versions of the redirect of ${source}` });
    await dialog.getByRole('heading', { name: 'New address', level: 2 }).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: `Edit the redirect of ${source}` }).waitFor();
    const all = await callList(admin.server, `/redirects?root_id=${site?.['id']}`);
    expect(all.find((redirect) => redirect['id'] === id)).toMatchObject({ target: '/first' });
  });
}
