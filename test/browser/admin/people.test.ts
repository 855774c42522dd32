/** Who may do what: invitations, users, roles, tokens, and what people see who may not do everything. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, call } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { totpCode } from '../../support/one-time-codes.ts';
import { addPerson, addRole, addTokenOf, freshName, password } from '../../support/people.ts';
import { logIn, setUp, withSession } from '../../support/session.ts';
import { openAdmin, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('people', () => {
  let browser: Browser;
  let server: InProcessServer;
  let admin: string;
  let site: number;
  /** The time of the server. */
  const now = Date.now();

  beforeAll(async () => {
    [server, browser] = await Promise.all([startInProcess({ clock: () => now }), startBrowser()]);
    await setUp(server);
    site = await createSite(server, { title: 'Home' });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** A window of an administrator who has just logged in. */
  async function open(path: string): Promise<Page> {
    admin = await logIn(server);
    return openAdmin(browser, server, path, { session: admin });
  }

  const ask = async (method: string, path: string, body?: unknown) =>
    call(server, method, path, withSession(admin, body));
  const findUser = async (username: string) => {
    const { body } = await ask('GET', '/users');
    return (Array.isArray(body) ? body.map(asRecord) : []).find((user) => user['username'] === username);
  };

  async function choose(page: Page, label: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.keyboard.press('Escape');
  }

  test('somebody is invited, chooses a password, and must set up a factor that a role demands', async () => {
    const page = await open('/system/users');
    const role = await addRole(server, admin, [{ actions: ['read', 'edit'] }]);
    await ask('PUT', `/roles/${role}`, { require_factor: true });
    const name = String(asRecord((await ask('GET', `/roles/${role}`)).body)['name']);
    const username = freshName('guest');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByLabel('Login name').fill(username);
    await dialog.getByLabel('Full name').fill('Grace Hopper');
    await dialog.getByLabel('E-mail').fill('grace@example.com');
    await dialog.getByRole('combobox', { name: 'Roles' }).press('Backspace');
    await choose(page, 'Roles', name);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const shown = page.getByRole('dialog', { name: `Invitation for Grace Hopper (${username})` });
    const url = new URL(await shown.getByLabel('Address of the invitation').inputValue());
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: username }).waitFor();
    expect(await findUser(username)).toMatchObject({ email: 'grace@example.com', role_ids: [role] });
    await page.context().close();

    const guest = await openAdmin(browser, server, `/invitation${url.search}`);
    await guest.getByText('Grace Hopper, grace@example.com.').waitFor();
    expect(await guest.getByLabel('Name').inputValue()).toBe(username);
    expect(await violations(guest)).toEqual([]);
    const field = guest.getByLabel('Password', { exact: true });
    await field.fill('aaaaaaaaaaaaaa');
    await field.press('Enter');
    await guest.getByText('Choose a stronger password.').waitFor();
    await field.fill('short');
    await field.press('Enter');
    await guest.getByText('Use at least 12 characters.').waitFor();
    await field.fill(password);
    await field.press('Enter');

    await guest.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(await violations(guest)).toEqual([]);
    await guest.getByRole('button', { name: 'Add an authenticator app' }).click();
    const secret = await guest.getByLabel('Or enter this secret').inputValue();
    await guest.getByLabel('Code of the app').fill(totpCode(secret, now));
    await guest.getByRole('button', { name: 'Activate' }).click();
    await guest.getByRole('button', { name: 'I have kept them' }).click();
    await guest.getByRole('button', { name: 'Continue' }).click();
    await guest.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await guest.context().close();

    const late = await openAdmin(browser, server, `/invitation${url.search}`);
    await late.getByText('This invitation was used or has ended.').waitFor();
    expect(await violations(late)).toEqual([]);
    await late.getByRole('button', { name: 'To the login' }).click();
    await late.getByRole('heading', { name: 'Log in' }).waitFor();
    await late.context().close();
  });

  test('whoever must choose another password does it first', async () => {
    admin = await logIn(server);
    const { id, session, username } = await addPerson(server, admin, [3]);
    await ask('PUT', `/users/${id}`, { must_change_password: true });
    const page = await openAdmin(browser, server, '/', { session });
    await page.getByRole('heading', { name: 'Choose another password' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Present password').fill(password);
    const next = page.getByLabel('New password');
    await next.fill(password);
    await next.press('Enter');
    await page.getByText('This is the present one.').waitFor();
    await next.fill('meadow 71 violin teapot');
    await next.press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(await findUser(username)).toMatchObject({ must_change_password: false });
    await page.context().close();
  });

  test('a user gets other roles, loses sessions, and is deleted with tokens that were named', async () => {
    const page = await open('/system/users');
    const person = await addPerson(server, admin, [1]);
    await addTokenOf(server, person.session, { name: 'nightly export' });
    await page.reload();
    await page.getByRole('link', { name: person.username }).click();
    await page.getByLabel('Full name').fill('Ada the Second');
    await choose(page, 'Roles', 'viewer');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save user' }).click();
    await expect
      .poll(() => findUser(person.username))
      .toMatchObject({ name: 'Ada the Second', role_ids: [1, 5] });
    await page.getByRole('button', { name: 'End the session of 127.0.0.1' }).click();
    await page.getByText('Logged in nowhere.').waitFor();
    expect((await person.ask('GET', '/users')).status).toBe(401);

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete user' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete "${person.username}"` });
    await dialog.getByText('A token ends with the user').waitFor();
    await dialog.getByText('nightly export').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.getByRole('link', { name: person.username }).waitFor({ state: 'detached' });
    expect(await findUser(person.username)).toBeUndefined();
    await page.context().close();
  });

  test('the last administrator stays, and the dialog says why', async () => {
    const page = await open('/system/users');
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete user' }).click();
    await page.getByText('The last administrator cannot be deleted or lose this role.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test('a role is made of rules that read as sentences, and stays while somebody has it', async () => {
    const page = await open('/system/roles');
    const name = freshName('news desk');
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('May read everything.').waitFor();
    const rule = page.getByRole('group', { name: 'Rule 1' });
    await rule.getByLabel('Publish').check();
    await rule.getByLabel('Limit to').selectOption('Pages with all below');
    await rule.getByText('Allows nothing.', { exact: true }).waitFor();
    await choose(page, 'Pages with all below', 'Home (/)');
    await page.getByText('May read and publish pages below /.').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Users and roles').check();
    await page.getByText('May read everything. May manage users, roles and tokens.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+s');
    const find = async () => {
      const { body } = await ask('GET', '/roles');
      return (Array.isArray(body) ? body.map(asRecord) : []).find((role) => role['name'] === name);
    };
    await expect.poll(find).toMatchObject({
      grants: [
        { actions: ['read', 'publish'], on: { pages: [site] } },
        { actions: ['read', 'users'], on: {} },
      ],
    });
    await addPerson(server, admin, [Number((await find())?.['id'])]);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete role' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
    await page.getByText('Take it from them first.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Roles' }).first().click();
    await page.getByRole('link', { name: 'viewer' }).click();
    await page.getByText('May read everything.').waitFor();
    expect(await page.getByRole('button', { name: 'Save role' }).count()).toBe(0);
    await page.context().close();
  });

  test('a token gets roles and an end, and is shown until it was stored', async () => {
    const page = await open('/system/tokens');
    const name = freshName('shop');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Only what some roles allow').check();
    await choose(page, 'Roles', 'viewer');
    await dialog.getByLabel('Ends at').fill('2099-01-31T10:00');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('dialog', { name: `Token "${name}"` });
    await page.keyboard.press('Escape');
    const secret = await shown.getByLabel('Token', { exact: true }).inputValue();
    expect(secret).toMatch(/^ic_/);
    await shown.getByRole('button', { name: 'Copy' }).waitFor();
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('listitem').filter({ hasText: name }).getByText('viewer').waitFor();
    expect((await call(server, 'POST', '/snippets', { token: secret, body: { name } })).status).toBe(403);
    expect((await call(server, 'GET', '/pages', { token: secret })).status).toBe(200);
    await page.context().close();
  });

  test('single sign-on is set up, and the login offers it', async () => {
    const page = await open('/system/oidc');
    await page.getByLabel('Issuer').fill('https://id.example.com');
    await page.getByLabel('Client ID').fill('cms');
    await page.getByLabel('Client secret').fill('never shown');
    await page.getByRole('button', { name: 'Add group' }).click();
    await page.getByLabel('Group 1', { exact: true }).fill('web');
    await choose(page, 'Roles of group 1', 'editor');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('A secret is stored and never shown.').waitFor();
    expect((await ask('GET', '/system/oidc')).body).toMatchObject({ groups: { web: [3] }, client_id: 'cms' });
    await page.context().close();
    const login = await openAdmin(browser, server, '/');
    const link = login.getByRole('link', { name: 'Log in with single sign-on' });
    expect(await link.getAttribute('href')).toBe('/api/v1/auth/oidc/start');
    expect(await violations(login)).toEqual([]);
    await login.context().close();
    await ask('PUT', '/system/oidc', { issuer: '' });
  });

  test('an editor is shown what editors may do, and asks for nothing that is refused', async () => {
    admin = await logIn(server);
    const { session } = await addPerson(server, admin, [3]);
    const page = await openAdmin(browser, server, '/', { session });
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    const menu = page.getByRole('navigation', { name: 'Main navigation' });
    await menu.getByRole('link', { name: 'Pages' }).waitFor();
    const names = await menu.getByRole('link').allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual([
      ...['Dashboard', 'Pages', 'Collections', 'Global blocks', 'Releases', 'Media'],
      ...['Statistics', 'Redirects and 404', 'Trash'],
    ]);
    expect(await violations(page)).toEqual([]);
    for (const name of names) {
      await menu.getByRole('link', { name: name.trim(), exact: true }).click();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${server.url}/cms-admin/s/${site}/pages/${site}/settings`);
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Head' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('Read only: your roles do not allow code.').waitFor();
    const title = freshName('Title');
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect
      .poll(async () => (await call(server, 'GET', `/pages/${site}`, withSession(session))).body)
      .toMatchObject({ title });
    expect(refused).toEqual([]);
    await page.goto(`${server.url}/cms-admin/system/users`);
    await page.getByText('the right "users" is missing').waitFor();
    expect(await page.getByRole('link', { name: 'Own account' }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.goto(`${server.url}/cms-admin/webhooks`);
    await page.getByText('the right "settings" is missing').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});
