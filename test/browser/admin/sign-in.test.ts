/** How people sign in with second factors, and confirm what concerns access. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { totpCode, wrongCode } from '../../support/one-time-codes.ts';
import { addPerson, freshName, password } from '../../support/people.ts';
import { logIn, setUp, withSession } from '../../support/session.ts';
import { openAdmin, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('signing in', () => {
  let browser: Browser;
  let server: InProcessServer;
  /** The time of the server, so that a test waits for no new code. */
  let now = Date.now();

  beforeAll(async () => {
    [server, browser] = await Promise.all([startInProcess({ clock: () => now }), startBrowser()]);
    await setUp(server);
    await createSite(server);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** The own account of a new administrator. */
  async function openProfile(
    origin = server.url,
  ): Promise<{ page: Page; username: string; session: string }> {
    const { username, session } = await addPerson(server, await logIn(server), [1]);
    const page = await openAdmin(browser, { url: origin }, '/system/profile', { session });
    await page.getByRole('heading', { name: 'Second factors' }).waitFor();
    return { page, username, session };
  }

  async function logOut(page: Page, username: string): Promise<void> {
    await page.getByRole('button', { name: username }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  }

  /** The first screen after a login. */
  const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard', level: 1 });

  test('an app is added, and its codes are asked for at the login', async () => {
    const { page, username } = await openProfile();
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    const setup = page.getByRole('dialog', { name: 'Add an authenticator app' });
    await setup.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    const secret = await setup.getByLabel('Or enter this secret').inputValue();
    const code = totpCode(secret, now);
    expect(await violations(page)).toEqual([]);
    await setup.getByLabel('Code of the app').fill(wrongCode(code));
    await setup.getByRole('button', { name: 'Activate' }).click();
    await setup.locator('.mantine-InputWrapper-error').or(setup.getByRole('alert')).first().waitFor();
    await setup.getByLabel('Code of the app').fill(code);
    await setup.getByRole('button', { name: 'Activate' }).click();
    const shown = page.getByRole('dialog', { name: 'Recovery codes' });
    const recoveryCodes = (await shown.getByRole('textbox').inputValue()).split('\n');
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await violations(page)).toEqual([]);
    await shown.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('Codes of an app').waitFor();
    expect(await violations(page)).toEqual([]);

    await logOut(page, username);
    await page.getByLabel('Name').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    const send = page.getByRole('button', { name: 'Log in' });
    await send.click();
    // The code of the activation has been used.
    await page.getByLabel('Code of the app').fill(code);
    expect(await violations(page)).toEqual([]);
    await send.click();
    await page.getByText('The code is wrong or was used before.').waitFor();
    now += 30_000;
    await page.getByLabel('Code of the app').fill(totpCode(secret, now));
    await send.click();
    await dashboard(page).waitFor();

    await logOut(page, username);
    await page.getByLabel('Name').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await send.click();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(String(recoveryCodes[0]));
    await send.click();
    await dashboard(page).waitFor();
    await page.context().close();
  });

  test('what concerns access waits for a confirmation, and is sent again after it', async () => {
    const { page, session } = await openProfile();
    await page.getByRole('link', { name: 'API tokens' }).click();
    const name = freshName('export');
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const tokens = async () =>
      JSON.stringify((await call(server, 'GET', '/tokens', withSession(session))).body);
    await call(server, 'DELETE', '/auth/confirm', withSession(session));

    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create token' }).click();
    await confirm.getByLabel('Password', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tokens()).not.toContain(name);
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await confirm.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create token' }).click();
    await confirm.getByLabel('Password', { exact: true }).fill('not the password');
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await confirm.locator('.mantine-InputWrapper-error').or(confirm.getByRole('alert')).first().waitFor();
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByLabel('Token', { exact: true }).waitFor();
    expect((await tokens()).split(name)).toHaveLength(2);
    await page.context().close();
  });

  test('a passkey is added, signs in alone, and confirms', async () => {
    // No key belongs to an address of numbers.
    const { page, username } = await openProfile(server.url.replace('127.0.0.1', 'localhost'));
    // Its key lasts until any session of the tools ends, so nothing here asks for violations.
    const client = await page.context().newCDPSession(page);
    await client.send('WebAuthn.enable');
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Delete Passkey' }).waitFor();

    await logOut(page, username);
    const isThere = (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    await isThere(false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkey was used.').waitFor();
    await isThere(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await dashboard(page).waitFor();

    now += 11 * 60_000;
    await page.getByRole('button', { name: username }).click();
    await page.getByRole('menuitem', { name: 'Own account' }).click();
    await page.getByRole('button', { name: 'Delete Passkey' }).click();
    await page.getByRole('button', { name: 'Delete factor' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirm.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Delete Passkey' }).waitFor({ state: 'detached' });
    await page.context().close();
  });
});
