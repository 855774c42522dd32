/** What all lists beside an editor have in common: filter, keys, addresses of nothing, deletion, phone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite } from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { openAdmin, showScreen } from './admin-browser.ts';

interface List {
  readonly path: string;
  readonly title: string;
  /** Creates an object with a name. */
  create(name: string): Promise<unknown>;
  /** Name of the button that opens the dialog for a new object. */
  readonly add: string;
  /** Name of the filter, if it is a special one. */
  readonly filter?: string;
  readonly missing: string;
  /** How an open object is deleted, until its screen is the list again. */
  remove(page: Page, name: string): Promise<void>;
}

const isGone = 'This does not exist any more.';
const names = ['Aardvark', 'Badger'] as const;

describe.skipIf(isWithoutBrowser)('the lists', () => {
  let server: TestServer;
  let browser: Browser;
  let session: string;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    session = await setUp(server);
    await createSite(server);
    // Before the window is there, because the dashboard asks for some of them once.
    for (const { create } of lists) for (const name of names) await create(name);
    page = await openAdmin(browser, server, '/', { session });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const post = (path: string, fields: (name: string) => object) => (name: string) =>
    callOk(server, 'POST', path, fields(name));
  const named = (name: string) => ({ name });

  /** The API stores all connections to databases as one list. */
  const connections: object[] = [];
  const addConnection = (name: string) => {
    connections.push({ name, url: 'http://127.0.0.1:9', token: '' });
    return callOk(server, 'PUT', '/extdb', connections);
  };

  const field = { name: 'title', label: 'Title', type: 'text' };
  const lists: readonly List[] = [
    {
      path: '/webhooks',
      title: 'Webhooks',
      create: post('/webhooks', (name) => ({ name, url: 'https://example.org/' })),
      add: 'New webhook',
      missing: 'This webhook does not exist any more.',
      remove: (on) => chooseMore(on, 'Delete webhook'),
    },
    {
      path: '/sources',
      title: 'REST sources',
      create: post('/sources', (name) => ({ name, slug: name.toLowerCase(), url: 'https://example.org/' })),
      add: 'New source',
      missing: 'This source does not exist any more.',
      remove: (on) => chooseMore(on, 'Delete source'),
    },
    {
      path: '/pens',
      title: 'Pens',
      create: post('/pens', (title) => ({ title })),
      add: 'New pen',
      missing: isGone,
      remove: (on) => removeInDialog(on, 'Delete pen'),
    },
    {
      path: '/workflows/databases',
      title: 'External databases',
      create: addConnection,
      add: 'New connection',
      missing: 'This connection does not exist any more.',
      remove: (on) => removeInDialog(on, 'Delete connection'),
    },
    {
      path: '/workflows/custom-nodes',
      title: 'Custom nodes',
      create: post('/flow-nodes', (name) => ({ name, code: 'return msg;' })),
      add: 'New custom node',
      missing: 'This custom node does not exist any more.',
      remove: (on) => removeInDialog(on, 'Delete custom node'),
    },
    {
      path: '/snippets',
      title: 'Snippets',
      create: post('/snippets', named),
      add: 'New snippet',
      missing: isGone,
      remove: (on) => removeInDialog(on, 'Delete snippet'),
    },
    {
      path: '/code',
      title: 'CSS and JS',
      create: post('/assets', (name) => ({ name, kind: 'css' })),
      add: 'New file',
      missing: isGone,
      remove: (on) => removeInDialog(on, 'Delete file'),
    },
    {
      path: '/global-blocks',
      title: 'Global blocks',
      create: post('/global-blocks', named),
      add: 'New global block',
      filter: 'Filter global blocks',
      missing: isGone,
      remove: (on) => removeInDialog(on, 'Delete global block'),
    },
    {
      path: '/collections',
      title: 'Collections',
      create: post('/collections', (name) => ({ name, slug: `all-${name.toLowerCase()}`, fields: [field] })),
      add: 'New collection',
      missing: 'This collection does not exist any more. Choose another one.',
      remove: removeCollection,
    },
  ];

  test.each(lists)('$path', async ({ path, title, add, filter = 'Filter', missing, remove }) => {
    const [first, second] = names;
    await page.setViewportSize({ width: 1680, height: 900 });
    await showScreen(page, path);
    const list = page.getByRole('region', { name: title, exact: true });
    const row = (name: string) => list.getByRole('link', { name: new RegExp(`^${name}`) });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await row(first).waitFor();
    await row(second).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(`${title} 2`);

    // The filter takes words in any case, and Esc clears it.
    const words = page.getByRole('searchbox', { name: filter, exact: true });
    await words.fill(second.toUpperCase());
    await row(first).waitFor({ state: 'detached' });
    expect(await list.getByRole('link').count()).toBe(1);
    await words.fill('no such thing');
    await page.getByText('Nothing matches.').waitFor();
    await words.press('Escape');
    await row(first).waitFor();

    // Keys: the dialog for a new one, and a row.
    await page.getByRole('button', { name: add, exact: true }).press('Enter');
    await page.getByRole('dialog', { name: add }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(first).press('Enter');
    await heading(first).waitFor();
    if ((await row(first).count()) > 0) expect(await row(first).getAttribute('aria-current')).toBe('page');

    await showScreen(page, `${path === '/pens' ? '/pen' : path}/987654`);
    await page.getByText(missing, { exact: true }).waitFor();

    // Where there is room for one pane, the list has the title, and what is open leads back to it.
    await page.setViewportSize({ width: 390, height: 800 });
    await showScreen(page, path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await row(second).click();
    await heading(second).waitFor();
    expect(await row(first).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: title, exact: true }).click();
    await row(first).waitFor();

    await page.setViewportSize({ width: 1680, height: 900 });
    await row(second).click();
    await heading(second).waitFor();
    await remove(page, second);
    await heading(second).waitFor({ state: 'detached' });
    await page.waitForURL(`**/cms-admin${path}`);
    await row(first).waitFor();
    // Also while the deletion can still be taken back.
    await row(second).waitFor({ state: 'detached', timeout: 2000 });
  });
});

async function chooseMore(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: command }).click();
}

async function removeInDialog(page: Page, command: string): Promise<void> {
  await chooseMore(page, command);
  await page.getByRole('dialog').getByRole('button', { name: command }).click();
}

async function removeCollection(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete collection...' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete collection', exact: true }).click();
}
