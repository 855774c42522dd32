/** What administrators do with users, tokens and settings. */
import { expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { logIn } from '../../support/session.ts';
import type { Admin } from './admin-browser.ts';

export function systemJourneys(admin: Admin): void {
  test('a user and a token are made, used, and deleted', async () => {
    const page = await admin.open('/system/users');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New user' }).click();
    await dialog.getByLabel('Name').fill('grace');
    await dialog.getByLabel('New password').fill('short');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('Use at least 8 characters.').waitFor();
    await dialog.getByLabel('New password').fill('a long password');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('"grace" can log in.').waitFor();
    await logIn(admin.server, { username: 'grace', password: 'a long password' });
    await page.getByRole('button', { name: 'Delete grace' }).click();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('export');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${admin.server.url}/api/v1/pages`, { headers })).status).toBe(200);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete export' }).click();
    await dialog.getByRole('button', { name: 'Delete token' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await fetch(`${admin.server.url}/api/v1/pages`, { headers })).status).toBe(401);
  });

  test('security settings show the headers that they make, and refuse what contradicts itself', async () => {
    const page = await admin.open('/system/security');
    await page.getByLabel('Shown in frames').selectOption('deny');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('DENY').waitFor();
    await page.getByLabel('HTTPS only (HSTS)').check();
    await page.getByLabel('In the lists of browsers').check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page
      .getByRole('alert')
      .or(page.locator('.mantine-InputWrapper-error, .mantine-Checkbox-error'))
      .first()
      .waitFor();
    expect(await callOk(admin.server, 'GET', '/security')).toMatchObject({ settings: { hsts: false } });
    await callOk(admin.server, 'PUT', '/security', { framing: 'sameorigin' });
  });

  test('the audit finds a change by kind and by who made it, and leads to the versions of the object', async () => {
    const { id } = await callOk(admin.server, 'POST', '/snippets', { name: 'audited', content: 'one' });
    await callOk(admin.server, 'PUT', `/snippets/${id}`, { content: 'two' });
    const page = await admin.open('/system/audit');
    await page.getByRole('cell', { name: 'audited' }).first().waitFor();
    await page.getByLabel('Kind').selectOption('snippet');
    await page.getByRole('combobox', { name: 'Who' }).fill('nobody');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('combobox', { name: 'Who' }).fill('master');
    const row = page.getByRole('row', { name: /changed.*audited/ });
    await row.getByRole('cell', { name: 'Master-Token' }).waitFor();
    await page.reload();
    await row.getByRole('link', { name: 'Versions of audited' }).click();
    await page.getByRole('list', { name: 'Versions' }).getByText('Master-Token').first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'audited' }).waitFor();
  });

  test('the dashboard leads to what visitors did not find, and to what was changed last', async () => {
    await fetch(`${admin.server.url}/never-there`);
    const id = await admin.newPage('Changed last');
    const page = await admin.open('/');
    await page.getByRole('link', { name: /Changed last.*Live/ }).waitFor();
    await page.getByRole('link', { name: /address(es)? not found/ }).click();
    await page.getByRole('combobox', { name: 'New address of /never-there' }).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Changed last' });
  });
}
