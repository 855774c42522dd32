/** What people do in the admin, from the first run on. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createPage } from '../../support/content.ts';
import { saveLive } from '../../support/live-saves.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { administrator, logIn } from '../../support/session.ts';
import {
  type Admin,
  codeEditor,
  colourRules,
  findToast,
  openAdmin,
  settledBoxes,
  showScheme,
  showScreen,
  signIn,
  violations,
  violationsOfThemes,
} from './admin-browser.ts';
import { collectionJourneys } from './collections.ts';
import { dashboardJourney } from './dashboard.ts';
import { draftJourneys } from './drafts.ts';
import { mediaJourneys } from './media.ts';
import { penJourneys } from './pens.ts';
import { releaseJourneys } from './releases.ts';
import { statisticsJourneys } from './statistics.ts';
import { systemJourneys } from './system.ts';
import { versionJourneys } from './versions.ts';
import { wordsJourney } from './words.ts';

describe.skipIf(isWithoutBrowser)('the admin', () => {
  let server: TestServer;
  let browser: Browser;
  let session: string;
  let window: Page | undefined;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    await saveLive(server);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** Shows a screen in the one window of all tests, without loading the admin again. */
  async function open(path: string): Promise<Page> {
    session ??= await logIn(server);
    window ??= await openAdmin(browser, server, '/', { session });
    await showScreen(window, path);
    return window;
  }

  /** A published page with some lines. */
  /** By slug, because the second try of a test makes its pages again. */
  const pagesMade = new Map<string, number>();

  async function newPage(title: string, fields: object = {}): Promise<number> {
    const [home] = await callList(server, '/pages?roots=1');
    const name = title.toLowerCase().replaceAll(' ', '-');
    const count = (pagesMade.get(name) ?? 0) + 1;
    pagesMade.set(name, count);
    const slug = count === 1 ? name : `${name}-${count}`;
    const html = '<h1>One</h1>\n<p>two</p>\n<p>three</p>\n<p>four</p>\n<p>five</p>\n';
    return createPage(server, Number(home?.['id']), { title, slug, html, published: true, ...fields });
  }

  const pageOf = (id: number) => callOk(server, 'GET', `/pages/${id}`);

  const admin: Admin = {
    get server() {
      return server;
    },
    open,
    newPage,
    pageOf,
  };

  test('first run: account and demo museum in one step, then a new page that is live', async () => {
    const page = await openAdmin(browser, server, '/');
    await page.getByLabel('Name').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill('short');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Create with the demo museum' }).click();
    // The whole museum is installed meanwhile.
    await page.getByRole('heading', { name: 'The Weigh House', level: 1 }).waitFor({ timeout: 25_000 });
    await page.frameLocator('iframe').getByText('Everything has its measure.').waitFor();

    await page.getByRole('link', { name: 'Back to the pages' }).click();
    await page.getByRole('button', { name: 'New page' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Über uns & Öffnung');
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('ueber-uns-oeffnung');
    await dialog.getByText('No layout').click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create page' }).click();
    await page.getByRole('heading', { name: 'Über uns & Öffnung', level: 1 }).waitFor();
    await codeEditor(page).click();
    await page.keyboard.insertText('<p>Fresh from the admin.</p>');
    await page.frameLocator('iframe').getByText('Fresh from the admin.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('"Über uns & Öffnung" is live.').waitFor();
    expect(await (await fetch(`${server.url}/ueber-uns-oeffnung`)).text()).toContain('Fresh from the admin.');
    await page.context().close();
  });

  test('a wrong password is told, and the login leads to the screen of the address', async () => {
    const page = await openAdmin(browser, server, '/s/1/pages/2/seo');
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Name or password is wrong.').waitFor();
    expect(await violations(page)).toEqual([]);
    await signIn(page);
    await page.getByLabel('Title for search engines').waitFor();
    await page.context().close();
  });

  test('an address that is nothing leads on', async () => {
    const page = await open('/nowhere');
    await page.getByText('There is nothing at this address.').waitFor();
    expect(await violations(page)).toEqual([]);
    await showScreen(page, '/s/999/redirects');
    await page.getByText('This website does not exist any more.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  test('a conflict: one-sided changes merge, only the overlap is asked', async () => {
    const id = await newPage('Conflict');
    const page = await open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('Mine');
    await codeEditor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('<p>mine</p>');
    const theirs = {
      title: 'Theirs',
      description: 'From them',
      html: '<h1>Theirs</h1>\n<p>two</p>\n<p>three</p>\n<p>four</p>\n<p>five</p>\n',
    };
    await callOk(server, 'PUT', `/pages/${id}`, theirs);
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Merged line by line: Template').waitFor();
    await dialog.getByText('Taken from the other side: Description').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save merged version' }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('radiogroup', { name: 'Title' }).getByText('Mine').click();
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByText(/^Saved/).waitFor();
    expect(await pageOf(id)).toMatchObject({
      title: 'Mine',
      description: 'From them',
      html: '<h1>Theirs</h1>\n<p>two</p>\n<p>three</p>\n<p>four</p>\n<p>five</p>\n<p>mine</p>',
    });
  });

  test('unsaved changes survive a closed window and come back on request', async () => {
    const id = await newPage('Draft');
    const page = await open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('Half written');
    await page.getByRole('treeitem', { name: /Draft/ }).getByText('Unsaved').waitFor({ state: 'attached' });
    await page.reload();
    await page.getByText(/Unsaved changes from .*: Title\./).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Draft');
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Half written');
    expect(await pageOf(id)).toMatchObject({ title: 'Draft' });
  });

  test('a session that ends while a page is edited: login over the page, nothing is lost', async () => {
    const id = await newPage('Session');
    const page = await open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('Still here');
    await page.context().clearCookies();
    await page.keyboard.press('Control+s');
    await page.getByText('Log in to go on; nothing is lost.').waitFor();
    await signIn(page);
    await page.getByText(/^Saved/).waitFor();
    expect(await pageOf(id)).toMatchObject({ title: 'Still here' });
  });

  test('a page that was moved and moved back is deleted without a question about its own redirects', async () => {
    const [home] = await callList(server, '/pages?roots=1');
    const id = await newPage('There and back');
    const above = await newPage('Elsewhere');
    for (const parent_id of [above, Number(home?.['id'])])
      await callOk(server, 'POST', `/pages/${id}/move`, { parent_id });
    const other = { root_id: home?.['id'], source: '/by-hand', target: '/there-and-back' };
    const { id: byHand } = await callOk(server, 'POST', '/redirects', other);
    const page = await open(`/s/1/pages/${id}/content`);
    const dialog = page.getByRole('dialog');
    const ask = async () => {
      await page.getByRole('heading', { level: 1, name: 'There and back' }).waitFor();
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    };
    await ask();
    // What somebody has made is named by what it is, and asks.
    await dialog.getByText('Redirect "/by-hand"').waitFor();
    await dialog.getByLabel('Delete anyway, these places will break').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await callOk(server, 'DELETE', `/redirects/${byHand}`);
    await ask();
    await dialog.getByText('One redirect from an old address ends with it').waitFor();
    await dialog.getByText('/elsewhere/there-and-back').waitFor();
    expect(await dialog.getByText('Delete anyway').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Delete page' }).click();
    await page.getByText('Page deleted.').waitFor();
    expect((await call(server, 'GET', `/pages/${id}`)).status).toBe(404);
  });

  test('a page that someone deletes while it is edited can be made again', async () => {
    const id = await newPage('Gone');
    const page = await open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('Back again');
    await call(server, 'DELETE', `/pages/${id}`);
    await page.keyboard.press('Control+s');
    await page.getByText('Someone has deleted this page. Your text is kept.').waitFor();
    await page.getByRole('button', { name: 'Create again from your text' }).click();
    await page.getByRole('heading', { name: 'Back again', level: 1 }).waitFor();
    // The heading follows what is typed, also before the page exists again.
    await expect
      .poll(() => callList(server, '/pages?view=tree'))
      .toContainEqual(expect.objectContaining({ title: 'Back again', slug: 'gone' }));
  });

  test('a template that fails is not saved over a live page without a word', async () => {
    const id = await newPage('Broken');
    const page = await open(`/s/1/pages/${id}/content`);
    await codeEditor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('{% if %}');
    await page.getByText(/Visitors would see an error page\. /).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/errors?\. Visitors would see an error page\.$/).waitFor();
    expect(await pageOf(id)).toMatchObject({ html: expect.not.stringContaining('{% if %}') });
    await page.getByRole('button', { name: 'Save with errors' }).click();
    await page.getByText(/^Saved/).waitFor();
    expect(await pageOf(id)).toMatchObject({ html: expect.stringContaining('{% if %}') });
  });

  test('a page is moved by keys, and the move is taken back', async () => {
    const parent = await newPage('Alpha parent');
    const id = await newPage('Beta moved');
    const page = await open(`/s/1/pages/${id}/content`);
    const tree = page.getByRole('tree');
    await tree.getByText('Beta moved').waitFor();
    await tree.focus();
    for (const key of ['m', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    const toast = findToast(page, 'Moved "Beta moved" below "Alpha parent".');
    await toast.waitFor();
    expect(await pageOf(id)).toMatchObject({ parent_id: parent, path: '/alpha-parent/beta-moved' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await pageOf(id))['path']).toBe('/beta-moved');
  });

  test('a page is moved by mouse', async () => {
    const parent = await newPage('Gamma parent');
    const id = await newPage('Delta moved');
    const page = await open(`/s/1/pages/${id}/content`);
    const row = page.getByRole('treeitem', { name: /Delta moved/ }).getByText('Delta moved');
    const target = page.getByRole('treeitem', { name: /Gamma parent/ });
    const [from, to] = await settledBoxes(row, target);
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + to.height - 2, { steps: 8 });
    await page.mouse.up();
    await page.getByText('Moved "Delta moved" below "Gamma parent".').waitFor();
    expect(await pageOf(id)).toMatchObject({ parent_id: parent });
  });

  test('a deletion names what goes with it and what links to it, and the trash gives all back', async () => {
    const top = await newPage('Doomed');
    await createPage(server, top, { title: 'Child', slug: 'child' });
    await newPage('Linking', { html: '<a href="/doomed/child">x</a>' });
    const page = await open(`/s/1/pages/${top}/content`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete...' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One subpage goes with it').waitFor();
    await dialog.getByText('Page "Linking"').waitFor();
    const remove = dialog.getByRole('button', { name: 'Delete 2 pages' });
    expect(await remove.isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await dialog.getByText('Delete anyway').click();
    await remove.click();
    const toast = findToast(page, '2 pages deleted. Kept in the trash for 30 days.');
    await toast.waitFor();
    expect((await call(server, 'GET', `/pages/${top}`)).status).toBe(404);

    const squatter = await newPage('Squatter', { slug: 'doomed' });
    await toast.getByRole('link', { name: 'Show' }).click();
    await page.getByLabel('Search the trash').fill('doomed');
    await page.getByLabel('Kind').selectOption('page');
    await page.getByRole('rowheader', { name: /Doomed.*With it: Page 1/ }).waitFor();
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
    await page.getByRole('button', { name: 'Restore "Doomed"' }).press('Enter');
    await dialog.getByText('"/doomed" belongs to "Squatter" now.').waitFor();
    const bringBack = dialog.getByRole('button', { name: 'Restore' });
    expect(await bringBack.isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Restore it under the next free name').press('Space');
    await dialog.getByText('/doomed → /doomed-2').waitFor();
    await bringBack.press('Enter');
    await findToast(page, '"Doomed" is back.').getByRole('link', { name: 'Show' }).click();
    await page.getByRole('heading', { level: 1, name: 'Doomed' }).waitFor();
    expect(await pageOf(top)).toMatchObject({ slug: 'doomed-2' });
    await callOk(server, 'DELETE', `/pages/${squatter}`);
  });

  test('several pages are published at once', async () => {
    const ids = [
      await newPage('Bulk one', { published: false }),
      await newPage('Bulk two', { published: false }),
    ];
    const page = await open('/s/1/pages');
    await page.getByLabel('Filter pages').fill('bulk');
    await page.getByRole('treeitem', { name: /Bulk one/ }).click({ modifiers: ['Control'] });
    await page.getByRole('treeitem', { name: /Bulk two/ }).click({ modifiers: ['Control'] });
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('2 pages are live.').waitFor();
    for (const id of ids) expect(await pageOf(id)).toMatchObject({ published: true });
  });

  test('the palette finds a page and a command by keys alone', async () => {
    const page = await open('/s/1/pages');
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search pages, entries, files and commands' })
      .fill('hours tick');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hours and tickets', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search pages, entries, files and commands' })
      .fill('>shortcuts');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('versions are compared and restored', async () => {
    const id = await newPage('History');
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Newer', html: '<h1>New</h1>\n' });
    const page = await open(`/s/1/pages/${id}/history`);
    await page.getByText('<h1>One</h1>').first().waitFor();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText(/Restored the version/).waitFor();
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    expect(await pageOf(id)).toMatchObject({ title: 'History' });
  });

  test('language versions stand side by side, each with its own save', async () => {
    const page = await open('/s/1/pages/2/template');
    await page.getByRole('radiogroup', { name: 'Beside the fields' }).getByText('DE').click();
    const side = page.getByRole('region', { name: 'Preview' });
    await side.getByLabel('Titel').or(side.getByLabel('Title')).fill('Ihr Besuch');
    await side.getByRole('button', { name: 'Update live page' }).click();
    await side.getByText(/^Saved/).waitFor();
    const pages = await callList(server, '/pages?view=tree');
    expect(pages).toContainEqual(expect.objectContaining({ title: 'Ihr Besuch' }));
  });

  test('a redirect from a 404 takes one key', async () => {
    await fetch(`${server.url}/opening-hours`);
    await fetch(`${server.url}/exhibition`);
    const page = await open('/s/1/redirects?tab=404');
    const target = page.getByRole('combobox', { name: 'New address of /exhibition', exact: true });
    expect(await target.inputValue()).toBe('/exhibitions');
    expect(await violations(page)).toEqual([]);
    await target.press('Enter');
    await page.getByText('/exhibition leads to /exhibitions.').waitFor();
    const answer = await fetch(`${server.url}/exhibition`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([301, '/exhibitions']);
    await page.getByRole('tab', { name: 'Redirects' }).click();
    await page.getByRole('button', { name: 'Delete the redirect of /exhibition' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete the redirect of /exhibition' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('redirects are made and changed by keys, and what others add meanwhile takes nothing away', async () => {
    const page = await open('/s/1/redirects');
    const keys = page.keyboard;
    const source = page.getByRole('textbox', { name: 'Old address' });
    await source.fill('/half-typed');
    await callOk(server, 'POST', '/redirects', { root_id: 1, source: '/by-others', target: '/visit' });
    await page.getByText('/by-others').waitFor();
    expect(await source.inputValue()).toBe('/half-typed');
    await source.press('Tab');
    await keys.type('/visit');
    await keys.press('Enter');
    const edit = page.getByRole('button', { name: 'Edit the redirect of /half-typed' });
    await edit.press('Enter');
    await page.getByRole('button', { name: 'Save redirect' }).waitFor();
    await keys.press('Control+a');
    await keys.type('/typed');
    await keys.press('Enter');
    await page
      .getByRole('button', { name: 'Edit the redirect of /typed' })
      .and(page.locator(':focus'))
      .waitFor();
    await keys.press('Enter');
    await keys.press('Escape');
    await page
      .getByRole('button', { name: 'Edit the redirect of /typed' })
      .and(page.locator(':focus'))
      .waitFor();
  });

  test('a finding in a snippet is mended with one click', async () => {
    const { id } = await callOk(server, 'POST', '/snippets', {
      name: 'mend-me',
      content: '<p>{{ page.titel }}</p>',
    });
    await newPage('Mended', { html: '{% include "mend-me" %}' });
    const page = await open(`/snippets/${id}`);
    await codeEditor(page, 'Code').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('<!-- x -->');
    // Offers while typing come from the variables of the website.
    await page.keyboard.type('{{ site.tit');
    await page.getByRole('option', { name: /title/ }).waitFor();
    for (let typed = '{{ site.tit'.length; typed > 0; typed--) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+s');
    await page.getByText('Problems 1').waitFor();
    await codeEditor(page, 'Code').getByText('titel').hover();
    await page.getByRole('button', { name: 'Use "title"' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Problems 0').waitFor();
    expect(await callOk(server, 'GET', `/snippets/${id}`)).toMatchObject({
      content: '<p>{{ page.title }}</p><!-- x -->',
    });
    expect(await violations(page)).toEqual([]);
  });

  draftJourneys(admin);
  mediaJourneys(admin);
  collectionJourneys(admin);
  systemJourneys(admin);
  releaseJourneys(admin);
  versionJourneys(admin);
  wordsJourney(admin);
  dashboardJourney(admin);
  statisticsJourneys(admin);
  penJourneys(admin);

  test('markup in a title is text, and no script of a page runs in the preview', async () => {
    const title = '<img src=x onerror=document.title=1>';
    const html = `<p id="mark">safe</p><img src="/nothing" onerror="mark.textContent='ran'"><script>mark.textContent = 'ran'; parent.document.title = 'ran';</script>`;
    const id = await newPage('Attack', { title, slug: 'attack', html });
    const page = await open(`/s/1/pages/${id}/content`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByText('safe').waitFor();
    // The image has failed by now, so its handler would have run.
    await expect
      .poll(() => frame.locator('img').evaluate((image) => Reflect.get(image, 'complete')))
      .toBe(true);
    expect(await frame.locator('#mark').textContent()).toBe('safe');
    // It names the page as a text, and no script has set it.
    expect(await page.title()).toBe(`Content · ${title} · Incipit`);
    expect(await frame.locator('html').evaluate(() => Reflect.get(globalThis, 'origin'))).toBe('null');
  });

  test('what others do appears by itself', async () => {
    const page = await open('/s/1/pages');
    await page.getByRole('tree').waitFor();
    await newPage('Made by others');
    await page.getByRole('treeitem', { name: /Made by others/ }).waitFor();
  });

  test.each([
    ['/s/1/pages', 'Pages'],
    ['/s/1/pages/2/content', 'Visit'],
    ['/s/1/pages/2/template', 'Visit'],
    ['/global-blocks/1', 'Hours, admission, place'],
    ['/s/1/pages/1/settings', 'The Weigh House'],
    ['/s/1/pages/2/seo', 'Visit'],
    ['/s/1/pages/1/assets', 'The Weigh House'],
    ['/s/1/pages/2/history', 'Visit'],
    ['/s/1/redirects', 'Redirects and 404'],
    ['/s/1/statistics', 'Statistics'],
    ['/snippets', 'Snippets'],
    ['/code/1', 'base.css'],
    ['/media?file=1', 'Media'],
    ['/webhooks', 'Webhooks'],
    ['/releases', 'Releases'],
    ['/trash', 'Trash'],
    ['/collections/boats', 'Boats'],
    ['/collections/boats/new', 'Boats'],
    ['/collections/boats/fields', 'Boats'],
    ['/collections/boats/settings', 'Boats'],
    ['/collections/boats/import', 'Boats'],
    ['/collection-import', 'New collection from CSV'],
    ['/pens', 'Pens'],
    ['/sources', 'REST sources'],
    ['/', 'Dashboard'],
    ['/system/profile', 'Own account'],
    ['/system/users', 'Users'],
    ['/system/roles', 'Roles'],
    ['/system/roles/3', 'editor'],
    ['/system/tokens', 'API tokens'],
    ['/system/oidc', 'Single sign-on'],
    ['/system/security', 'Security'],
    ['/system/storage', 'Media storage'],
    ['/system/cache', 'Page cache'],
    ['/system/countries', 'Country data'],
    ['/system/audit', 'Audit'],
    ['/system/mail', 'Mail'],
    ['/system/metrics', 'Metrics'],
    ['/system/operation', 'This server'],
  ])('no violations in either theme: %s', async (path, name) => {
    const page = await open(path);
    await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
    if (path.endsWith('template')) await codeEditor(page).waitFor();
    if (path.endsWith('content')) await page.getByRole('treeitem').first().waitFor();
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
  });

  test('a change of theme moves nothing for who wants less motion', async () => {
    const page = await open('/media');
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor({ state: 'attached' });
    for (const scheme of ['dark', 'light'] as const) {
      await showScheme(page, scheme);
      // Edges that fade follow scrolling, not time.
      const moving =
        'document.getAnimations().filter(({ timeline }) => timeline === document.timeline).length';
      expect(await page.evaluate(moving)).toBe(0);
    }
  });
});
