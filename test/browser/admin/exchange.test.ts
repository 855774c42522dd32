/** Content leaves and comes: static export, bundles and backups, other instances. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createPage } from '../../support/content.ts';
import { saveLive } from '../../support/live-saves.ts';
import { uploadOne } from '../../support/media.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';
import { masterToken, startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { colourRules, openAdmin, showScreen, violationsOfThemes } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('content', () => {
  let server: TestServer;
  let other: TestServer;
  let s3: S3Server;
  let browser: Browser;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'incipit-exchange-'));

  beforeAll(async () => {
    [server, other, s3, browser] = await Promise.all([
      startServer(),
      startServer(),
      startS3(),
      startBrowser(),
    ]);
    await saveLive(server);
    for (const [target, title] of [
      [server, 'Here'],
      [other, 'There'],
    ] as const)
      await callOk(target, 'POST', '/sites', { title, domains: '' });
    await createPage(server, 1, { title: 'Visit', slug: 'visit', html: '<p>Open</p>', published: true });
    await callOk(server, 'PUT', '/storage', { s3: s3.config });
    page = await openAdmin(browser, server, '/', { session: await setUp(server), acceptDownloads: true });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.stop(), other.stop(), s3.stop()]);
    rmSync(folder, { recursive: true });
  });

  const dialog = () => page.getByRole('dialog');
  const tray = () => page.getByRole('region', { name: 'Jobs' });
  const titles = async (target: TestServer) => (await callList(target, '/pages')).map(({ title }) => title);

  const isAccessible = async () => expect(await violationsOfThemes(page, colourRules)).toEqual([]);

  /** The file that a click downloads. */
  async function downloaded(name: string): Promise<string> {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name }).or(page.getByRole('link', { name })).click();
    const file = await waiting;
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  }

  test('a website is checked, exported, and exported again with its changes alone', async () => {
    const { id } = asRecord(
      await callOk(server, 'POST', '/pages', { parent_id: 1, slug: 'odd', title: 'Odd' }),
    );
    await callOk(server, 'PUT', `/pages/${id}`, { html: '{% include "none" %}', published: true });
    await showScreen(page, '/system/static-export');
    await page.getByRole('button', { name: 'Export website' }).click();
    await page.getByText('One page cannot be exported. There is no archive until it can.').waitFor();
    await page.getByRole('listitem').filter({ hasText: '/odd' }).waitFor();
    await isAccessible();
    await callOk(server, 'DELETE', `/pages/${id}`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('All 2 pages can be exported.').waitFor();
    expect(await downloaded('Export website')).toMatch(/\.zip$/);
    await page.getByText(/^Exported: /).waitFor();
    await page.getByLabel('What to export').selectOption({ index: 1 });
    expect(await downloaded('Export website')).toMatch(/\.zip$/);
  });

  test('an export goes on over all screens, tells how far it is, and can be cancelled from there', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/sites/*/static?*', async (route) => {
      await held.promise;
      // A request that was cancelled takes no answer.
      await route.continue().catch(() => {});
    });
    const start = async () => {
      await showScreen(page, '/system/static-export');
      await page.getByRole('button', { name: 'Export website' }).click();
      await page.getByRole('region', { name: 'Static export' }).waitFor();
      // Its own screen shows all of it.
      expect(await tray().count()).toBe(0);
      await showScreen(page, '/snippets');
      await tray().getByText('One job is running').waitFor();
    };
    await page.route('**/api/v1/sites/*/static/progress', (route) =>
      route.fulfill({ json: { rendering: true, done: 3, total: 8 } }),
    );
    await start();
    await tray().getByText('3 of 8 pages rendered').waitFor();
    await isAccessible();
    await tray().getByRole('button', { name: 'Cancel: Static export' }).click();
    await tray().waitFor({ state: 'detached' });
    await start();
    await tray().getByRole('link', { name: 'Static export' }).click();
    await page.getByRole('region', { name: 'Static export' }).waitFor();
    await showScreen(page, '/snippets');
    const waiting = page.waitForEvent('download');
    held.resolve();
    await waiting;
    await tray().getByText('Done').waitFor();
    // It is no news on the next screen.
    await showScreen(page, '/collections');
    await tray().waitFor({ state: 'detached' });
    await page.unrouteAll();
    expect(await page.evaluate(`localStorage.getItem('ic-jobs')`)).toBe(null);
  });

  test('a migration of files goes on over all screens, and can be cancelled from there', async () => {
    const { id } = await uploadOne(server, 'hours.txt', 'Open from ten to six');
    // The copy of the file is never answered; what tests the bucket before is.
    s3.fault = ({ method, path }) => (method === 'PUT' && path.includes('original') ? 'silence' : undefined);
    await showScreen(page, '/system/storage');
    await page.getByRole('button', { name: 'Move files to object storage' }).click();
    await page.getByText('Files are moving').waitFor();
    expect(await tray().count()).toBe(0);
    await showScreen(page, '/snippets');
    await tray().getByText('Copying').waitFor();
    await tray().getByRole('progressbar', { name: 'Migration of the files' }).waitFor({ state: 'attached' });
    await tray().getByRole('button', { name: 'Cancel: Migration of the files' }).click();
    await tray().getByText('Ended early').waitFor();
    expect(await callOk(server, 'GET', '/storage/migrate')).toMatchObject({ status: 'canceled' });
    await tray().getByRole('link', { name: 'Migration of the files' }).click();
    await page.getByRole('heading', { level: 1, name: 'Media storage' }).waitFor();
    await showScreen(page, '/snippets');
    await tray().getByRole('button', { name: 'Close the jobs' }).click();
    await tray().waitFor({ state: 'detached' });
    await callOk(server, 'DELETE', `/files/${id}`);
  });

  test('a bundle is taken away; brought back, it shows what it would change before it does', async () => {
    await showScreen(page, '/system/bundles');
    await page.getByText('No restore point yet.').waitFor();
    const path = await downloaded('Download bundle');
    await callOk(server, 'PUT', '/pages/2', { title: 'Changed since' });
    await page.locator('input[type=file]').setInputFiles(path);
    await dialog().getByText('1 changed').waitFor();
    await dialog().getByText('Changed since').waitFor();
    await isAccessible();
    await dialog().getByRole('button', { name: 'Replace content' }).click();
    await page.getByText(/^The content was replaced\./).waitFor();
    expect(await titles(server)).toEqual(['Here', 'Visit']);

    // By key, here and below: messages of what was done before may still lie over the list.
    await page.getByRole('button', { name: /^Restore\.\.\. / }).press('Enter');
    await dialog().getByText('Visit', { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Restore content' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await titles(server)).toEqual(['Here', 'Changed since']);
    await page
      .getByRole('button', { name: /^Delete .*zip$/ })
      .first()
      .press('Enter');
    await dialog().getByRole('button', { name: 'Delete restore point' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await callList(server, '/bundle/backups')).toHaveLength(1);
  });

  test('a connection tells what differs, and a push needs the name of its target', async () => {
    await showScreen(page, '/system/connections');
    await page.getByRole('button', { name: 'New connection' }).click();
    await dialog().getByLabel('Name').fill('Live');
    await dialog().getByLabel('Address').fill(other.url);
    await dialog().getByLabel('Token', { exact: true }).fill(masterToken);
    await dialog().getByRole('button', { name: 'Create connection' }).click();
    await page.getByText('Both sides have changed.').waitFor();
    await page.getByRole('button', { name: 'Push... to Live' }).click();
    await dialog().getByText('1 new').waitFor();
    await dialog().locator('del').getByText('There').waitFor();
    await dialog().locator('ins').getByText('Here').waitFor();
    expect(await dialog().getByRole('button', { name: 'Push content' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Type Live to go on').fill('Live');
    await isAccessible();
    await dialog().getByRole('button', { name: 'Push content' }).click();
    await page.getByText('Live has the content of this server.').waitFor();
    expect(await titles(other)).toEqual(['Here', 'Changed since']);
    await page.getByText('Both have the same content.').waitFor();
  });

  test('a pull goes on over all screens, tells how far it is, and cannot be cancelled', async () => {
    await callOk(other, 'PUT', '/pages/2', { title: 'In between' });
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/bundle/pull', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.route('**/api/v1/bundle/push', (route) =>
      route.fulfill({ json: { running: true, phase: 'transfer', done: 3, total: 8 } }),
    );
    const { host } = new URL(server.url);
    await page.getByRole('button', { name: 'Pull... from Live' }).click();
    await dialog().getByLabel(`Type ${host} to go on`).fill(host);
    await dialog().getByRole('button', { name: 'Pull content' }).click();
    await showScreen(page, '/snippets');
    await tray().getByText('Transferring').waitFor();
    const progress = tray().getByRole('progressbar', { name: 'Push or pull' });
    expect(await progress.getAttribute('aria-valuenow')).toBe('37.5');
    expect(await tray().getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    const answer = page.waitForResponse('**/api/v1/bundle/pull');
    held.resolve();
    await answer;
    await page.unrouteAll();
    await tray().getByText('Done').waitFor();
    // The message stands above the tray: its link can be clicked.
    await page.getByText(/^This server has the content of Live\./).waitFor();
    expect(await titles(server)).toEqual(['Here', 'In between']);
    await tray().getByRole('link', { name: 'Push or pull' }).click();
    await page.getByRole('heading', { name: 'Live' }).waitFor();
    expect(await tray().count()).toBe(0);
  });

  test('a pull brings the content of the other side here', async () => {
    await callOk(other, 'PUT', '/pages/2', { title: 'From there' });
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Changed there since the last exchange.').waitFor();
    await page.getByRole('button', { name: 'Pull... from Live' }).click();
    await dialog()
      .getByLabel(`Type ${new URL(server.url).host} to go on`)
      .fill(new URL(server.url).host);
    await dialog().getByRole('button', { name: 'Pull content' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('This server has the content of Live.').last().waitFor();
    expect(await titles(server)).toEqual(['Here', 'From there']);
  });

  test('in remote mode a frame surrounds everything, changes go there, and all windows follow', async () => {
    const second = await page.context().newPage();
    await second.goto(`${server.url}/cms-admin/system/connections`);
    await second.getByRole('heading', { name: 'Live' }).waitFor();
    await page.getByRole('button', { name: 'Work there' }).click();
    const bar = page.getByRole('complementary', { name: 'Remote mode' });
    await bar.getByText('You are working on Live').waitFor();
    await second.getByRole('complementary', { name: 'Remote mode' }).waitFor();
    await second.close();
    await isAccessible();
    await showScreen(page, '/s/1/pages/2/content');
    await page.getByLabel('Title').fill('Written there');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await titles(other)).toEqual(['Here', 'Written there']);
    expect(await titles(server)).toEqual(['Here', 'From there']);
    await bar.getByRole('button', { name: 'Back to this server' }).click();
    await bar.waitFor({ state: 'detached' });
    await showScreen(page, '/s/1/pages/2/content');
    await page.getByRole('heading', { level: 1, name: 'From there' }).waitFor();
  });

  test('a connection that was deleted in remote mode leaves a way back', async () => {
    await showScreen(page, '/system/connections');
    await page.getByRole('button', { name: 'Work there' }).click();
    await page.getByRole('complementary', { name: 'Remote mode' }).waitFor();
    await showScreen(page, '/system/connections');
    await page.getByRole('button', { name: 'More actions for Live' }).click();
    await page.getByRole('menuitem', { name: 'Delete connection' }).click();
    await dialog().getByRole('button', { name: 'Delete connection' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('The selected connection does not exist any more.').waitFor();
    await page.getByRole('button', { name: 'Back to this server' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });
});
