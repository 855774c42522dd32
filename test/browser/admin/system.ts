/** What administrators do with users, tokens and settings. */
import { expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { password } from '../../support/people.ts';
import { logIn } from '../../support/session.ts';
import { startSmtp } from '../../support/smtp.ts';
import { type Admin, colourRules, violationsOfThemes } from './admin-browser.ts';

export function systemJourneys(admin: Admin): void {
  test('a user and a token are made, used, and deleted', async () => {
    const page = await admin.open('/system/users');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New user' }).click();
    await dialog.getByLabel('Login name').fill('grace');
    await dialog.getByLabel('Set one now').check();
    await dialog.getByLabel('New password').fill('short');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('Use at least 12 characters.').waitFor();
    await dialog.getByLabel('New password').fill(password);
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('"grace" can log in.').waitFor();
    await logIn(admin.server, { username: 'grace', password });
    await page.getByRole('link', { name: 'grace' }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete user' }).click();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('export');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${admin.server.url}/api/v1/pages`, { headers })).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
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

  test('mail settings are saved, tested against the server, and a refusal says what the server said', async () => {
    const smtp = await startSmtp();
    const page = await admin.open('/system/mail');
    await page.getByText('No mail server is set.').waitFor();
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1');
    // A look at another screen takes nothing away.
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByLabel('Shown in frames').waitFor();
    await page.goBack();
    await page.getByText('Unsaved').waitFor();
    expect(await page.getByLabel('Server', { exact: true }).inputValue()).toBe('127.0.0.1');
    await page.getByLabel('Port').fill(String(smtp.port));
    await page.getByLabel('Sender').fill('Shop <shop@example.com>');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText(`Mail goes through 127.0.0.1:${smtp.port}.`).waitFor();
    await page.getByLabel('Send a test to').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The mail server has taken the mail to ada@example.com.').waitFor();
    expect(smtp.received.map(({ to }) => to)).toEqual([['ada@example.com']]);
    await page.getByLabel('Send a test to').fill('refused@example.com');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('alert').getByText('The mail was not sent').waitFor();
    await callOk(admin.server, 'PUT', '/system/mail', { host: '' });
    await smtp.close();
  });

  test('metrics are readable, and the start options are listed', async () => {
    const page = await admin.open('/system/metrics');
    await page.getByRole('term').filter({ hasText: 'Requests since then' }).waitFor();
    await page.getByRole('definition').filter({ hasText: /MB$/ }).first().waitFor();
    await page.getByRole('link', { name: 'This server' }).click();
    const row = page.getByRole('row', { name: /-rate-limit/ });
    expect(await row.getByRole('cell').first().textContent()).toBe('0 usually 120');
  });

  test('a limit for public lists is kept over a look elsewhere, and saved', async () => {
    const limit = async () => (await callOk(admin.server, 'GET', '/system'))['public_max_entries'];
    const page = await admin.open('/system/operation');
    const field = page.getByLabel('Largest public list');
    const form = page.locator('form').filter({ has: field });
    const save = form.getByRole('button', { name: 'Save settings' });
    expect(await field.inputValue()).toBe('0');
    await field.fill('500');
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByLabel('Shown in frames').waitFor();
    await page.goBack();
    expect(await field.inputValue()).toBe('500');
    expect(await limit()).toBe(0);
    await save.click();
    await expect.poll(limit).toBe(500);
    await form.getByText('Unsaved').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('500');
    // No limit is 0, and so is an empty field.
    await field.fill('');
    await save.click();
    await expect.poll(limit).toBe(0);
  });

  test('the admin is switched off after a warning, and comes back by a token', async () => {
    const page = await admin.open('/system/operation');
    for (const name of ['Switch off', 'Go headless']) {
      await page.getByRole('button', { name }).hover();
      expect(await violationsOfThemes(page, colourRules)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('dialog').getByText('Everybody is logged out at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Not found', { exact: true }).waitFor();
    await callOk(admin.server, 'PUT', '/system', { admin_enabled: true });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'This server' }).waitFor();
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
}
