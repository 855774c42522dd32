/** A website that exists elsewhere becomes the first one here: from the first run to applied suggestions. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { Origin } from '../../support/origin.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { administrator } from '../../support/session.ts';
import { colourRules, openAdmin, showScreen, violations, violationsOfThemes } from './admin-browser.ts';

const paths = ['/', '/visit', '/visit/hours', '/news', '/private'];

const page = (path: string, text = '') => `<!doctype html><html><head><title>Page ${path}</title>
<link rel="stylesheet" href="/site.css"><script src="https://www.googletagmanager.com/gtag.js"></script></head><body>
<header class="top"><a href="/">The museum</a><nav>${paths.map((to) => `<a href="${to}">To ${to}</a>`).join('')}</nav></header>
<main><h1>Page ${path}</h1><p>${text}</p></main>
<footer><p>Open daily from ten to six, closed on holidays.</p></footer></body></html>`;

describe.skipIf(isWithoutBrowser)('the import', () => {
  let server: TestServer;
  let origin: Origin;
  let browser: Browser;
  let window: Page;
  /** Lets the second page be loaded. */
  let release: (() => void) | undefined;

  beforeAll(async () => {
    origin = new Origin({
      ...Object.fromEntries(paths.map((path) => [path, page(path)])),
      '/site.css': 'body { color: black }',
      '/robots.txt': 'User-agent: *\nDisallow: /private',
    });
    [server, browser] = await Promise.all([startServer(), startBrowser(), origin.listen()]);
    window = await openAdmin(browser, server, '/');
  });
  afterAll(async () => {
    release?.();
    await browser.close();
    await Promise.all([server.stop(), origin.close()]);
  });

  const isAccessible = async () => expect(await violationsOfThemes(window, colourRules)).toEqual([]);

  test('begins in the first run, and shows pages and hosts before anything is taken over', async () => {
    await window.getByLabel('Name').fill(administrator.username);
    await window.getByLabel('Password', { exact: true }).fill(administrator.password);
    await window.getByRole('radio', { name: /Import a website/ }).click();
    await window.getByRole('button', { name: 'Go to the import' }).click();
    await window.getByLabel('Address of the website').fill(origin.url());
    await window.keyboard.press('Enter');
    await window.getByText('robots.txt blocks one page. It is not chosen.').waitFor();
    await window.getByRole('heading', { name: 'Pages, 4 of 5 chosen' }).waitFor();
    const site = window.getByRole('checkbox', { name: origin.host });
    expect([await site.isChecked(), await site.isDisabled()]).toEqual([true, true]);
    const manager = window.getByRole('checkbox', { name: /Google Tag Manager/ });
    expect(await manager.isChecked()).toBe(false);
    await isAccessible();
    expect(await callList(server, '/pages')).toEqual([]);
  });

  test('runs with progress and log, and can be cancelled', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    origin.pages.set('/visit', (_request, response) => {
      void promise.then(() => response.end(page('/visit')));
      return undefined;
    });
    await window.getByRole('button', { name: /Leave out one below.*\/visit$/ }).click();
    await window.getByRole('button', { name: 'Import 3 pages' }).click();
    await window.getByText('Load pages').waitFor();
    expect(await violations(window)).toEqual([]);
    await window.getByRole('button', { name: 'Cancel import' }).click();
    await window.getByText('The import was cancelled. No page was changed').waitFor();
    resolve();
    origin.pages.set('/visit', page('/visit', 'first'));
    await window.goBack();
    await window.getByRole('heading', { name: 'Pages, 3 of 5 chosen' }).waitFor();
    await window.getByRole('button', { name: /Choose one below.*\/visit$/ }).click();
    await window.getByLabel('Publish new pages').check();
    await window.getByRole('button', { name: 'Import 4 pages' }).click();
    await window.getByText('4 pages were imported.').waitFor();
    await window.getByRole('link', { name: '/visit/hours' }).waitFor();
  });

  test('suggests a layout, shows that no output changes, and applies it', async () => {
    await window.getByRole('tab', { name: 'Suggestions' }).click();
    const name = window.getByLabel('Name of the snippet').first();
    await name.fill('museum/layout');
    await window.getByRole('button', { name: 'Show the effect' }).click();
    await window.getByText('4 pages will use them. Their output stays the same, byte for byte.').waitFor();
    await window.getByText('{% extends "museum/layout" %}').first().waitFor();
    expect(await callList(server, '/snippets')).toEqual([]);
    await isAccessible();
    await window.getByRole('button', { name: 'Apply to 4 pages' }).click();
    await window.getByText('4 pages use them now.').waitFor();
    expect((await callList(server, '/snippets')).map((snippet) => snippet['name'])).toContain(
      'museum/layout',
    );
  });

  test('takes one page over again from its menu, and tells of it on other screens', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    origin.pages.set('/visit', (_request, response) => {
      void promise.then(() => response.end(page('/visit', 'second')));
      return undefined;
    });
    await window.getByRole('tab', { name: /^Pages/ }).click();
    await window.getByRole('link', { name: '/visit', exact: true }).click();
    await window.getByRole('button', { name: 'More actions' }).click();
    await window.getByRole('menuitem', { name: 'Import again...' }).click();
    const dialog = window.getByRole('dialog');
    await dialog.getByLabel('Overwrite what was edited here too').check();
    await dialog.getByRole('button', { name: 'Import page' }).click();
    await window.getByText('Load pages').waitFor();
    await showScreen(window, '/snippets');
    const tray = window.getByRole('region', { name: 'Jobs' });
    await tray.getByText('Load pages').waitFor();
    await window.reload();
    await tray.getByText('Load pages').waitFor();
    await isAccessible();
    resolve();
    await tray.getByText('Done').waitFor();
    await tray.getByRole('link', { name: /^Importing pages/ }).click();
    await window.getByText('One page was imported.').waitFor();
    await tray.waitFor({ state: 'detached' });
    const visit = (await callList(server, '/pages')).find(({ path }) => path === '/visit');
    const { html } = asRecord(await callOk(server, 'GET', `/pages/${visit?.['id']}`));
    expect(html).toContain('second');
  });
});
