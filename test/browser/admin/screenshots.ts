/**
 * Writes pictures of the screens of the admin in two themes and three widths: `npm run screenshots -- [folder]`.
 * Without a folder it makes one in the folder for temporary files, and prints its path. `--only entries,media` takes
 * these screens alone, `--theme dark` and `--width 390` one theme and one width. `--language de` shows German texts;
 * screens that are prepared by names of buttons are left out then.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { call, callOk } from '../../support/api.ts';
import { startBrowser } from '../../support/browser.ts';
import { demoSession, installDemo } from '../../support/demo.ts';
import { neutral } from '../../support/extdb/neutral.ts';
import { token } from '../../support/extdb/rows.ts';
import { startService } from '../../support/extdb/service.ts';
import { startServer } from '../../support/server.ts';
import { openAdmin } from './admin-browser.ts';

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Brings the screen into the state of the picture. */
  prepare?(page: Page): Promise<unknown>;
}

const screens: readonly Screen[] = [
  { name: 'dashboard', path: '/' },
  { name: 'pages', path: '/s/1/pages' },
  { name: 'page', path: '/s/1/pages/2/content' },
  { name: 'head', path: '/s/1/pages/2/head' },
  {
    name: 'new-page',
    path: '/s/1/pages',
    prepare: (page) => page.getByRole('button', { name: 'New page' }).first().click(),
  },
  {
    name: 'delete-page',
    path: '/s/1/pages/4/seo',
    async prepare(page) {
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'blocks', path: '/s/1/pages/1/content?b=hero&f=title' },
  { name: 'template', path: '/s/1/pages/2/template' },
  { name: 'global-block', path: '/global-blocks/1?b=hours' },
  { name: 'seo', path: '/s/1/pages/2/seo' },
  { name: 'settings', path: '/s/1/pages/1/settings' },
  { name: 'assets', path: '/s/1/pages/1/assets' },
  { name: 'history', path: '/s/1/pages/3/history' },
  { name: 'error', path: '/s/1/pages/999/content' },
  { name: 'palette', path: '/s/1/pages/2/seo', prepare: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', path: '/s/1/pages/2/seo', prepare: (page) => page.keyboard.press('F1') },
  { name: 'global-blocks', path: '/global-blocks' },
  { name: 'languages', path: '/s/1/languages' },
  { name: 'redirects', path: '/s/1/redirects' },
  {
    name: 'redirect-versions',
    path: '/s/1/redirects',
    async prepare(page) {
      await page.getByRole('button', { name: 'Edit the redirect of /hours' }).click();
      await page.getByRole('button', { name: 'Versions', exact: true }).click();
      await page.getByRole('dialog').getByRole('heading', { name: 'New address' }).waitFor();
    },
  },
  { name: 'not-found', path: '/s/1/redirects?tab=404' },
  { name: 'snippets', path: '/snippets' },
  { name: 'snippet', path: '/snippets/30' },
  {
    name: 'snippet-preview',
    path: '/snippets/30',
    prepare: (page) => page.keyboard.press('Control+e'),
  },
  { name: 'file', path: '/code/1' },
  { name: 'collections', path: '/collections' },
  { name: 'entries', path: '/collections/objects' },
  { name: 'collection-versions', path: '/collections/boats/history' },
  {
    name: 'paste',
    path: '/collections/objects',
    async prepare(page) {
      await page.getByRole('button', { name: 'Paste rows from a spreadsheet' }).click();
      await page.getByLabel('Cells').fill('Title\tAccession number\nScale\t12\nYardstick\tnone');
      await page.getByRole('button', { name: 'Show changes' }).click();
      await page.getByRole('table').waitFor();
    },
  },
  { name: 'entry', path: '/collections/objects/1' },
  { name: 'no-entries', path: '/collections/questions' },
  { name: 'fields', path: '/collections/objects/fields' },
  { name: 'collection-settings', path: '/collections/objects/settings' },
  { name: 'csv-import', path: '/collections/objects/import' },
  { name: 'media', path: '/media' },
  { name: 'media-file', path: '/media?file=1' },
  { name: 'source', path: '/sources/1' },
  {
    name: 'webhook',
    path: '/webhooks',
    prepare: (page) => page.getByRole('link', { name: 'Search index' }).click(),
  },
  {
    name: 'block-type',
    path: '/snippets/30',
    prepare: (page) => page.getByRole('tab', { name: 'Block type' }).click(),
  },
  { name: 'workflows', path: '/workflows' },
  { name: 'workflow', path: '/workflows/2' },
  {
    name: 'workflow-node',
    path: '/workflows/2',
    prepare: (page) => page.getByText('High and low water').click(),
  },
  { name: 'workflow-list', path: '/workflows/2/list' },
  { name: 'workflow-runs', path: '/workflows/2/runs' },
  { name: 'workflow-store', path: '/workflows/2/store' },
  { name: 'workflow-settings', path: '/workflows/2/settings' },
  { name: 'secrets', path: '/workflows/secrets' },
  { name: 'workflow-versions', path: '/workflows/2/versions' },
  { name: 'custom-node', path: '/workflows/custom-nodes/1' },
  { name: 'custom-node-definition', path: '/workflows/custom-nodes/1/definition' },
  { name: 'database', path: '/workflows/databases/Shop' },
  { name: 'database-table', path: '/workflows/databases/Shop/articles' },
  { name: 'statistics', path: '/s/1/statistics?days=7&compare=1' },
  { name: 'pens', path: '/pens' },
  {
    name: 'pen',
    path: '/pens',
    prepare: (page) => page.getByRole('link', { name: 'Tide clock' }).click(),
  },
  { name: 'trash', path: '/trash' },
  {
    name: 'restore',
    path: '/trash',
    async prepare(page) {
      await page.getByRole('button', { name: 'Restore "Rooms"' }).click();
      await page.getByRole('dialog').getByText('Comes back').waitFor();
    },
  },
  { name: 'mail', path: '/system/mail' },
  { name: 'countries', path: '/system/countries' },
  { name: 'metrics', path: '/system/metrics' },
  { name: 'operation', path: '/system/operation' },
  { name: 'audit', path: '/system/audit' },
  { name: 'api-reference', path: '/system/api/putPagesId' },
  { name: 'users', path: '/system/users' },
  { name: 'roles', path: '/system/roles' },
  { name: 'tokens', path: '/system/tokens' },
  { name: 'single-sign-on', path: '/system/oidc' },
  { name: 'security', path: '/system/security' },
  { name: 'storage', path: '/system/storage' },
  { name: 'cache', path: '/system/cache' },
  { name: 'connections', path: '/system/connections' },
  { name: 'bundles', path: '/system/bundles' },
  {
    name: 'static-export',
    path: '/system/static-export',
    async prepare(page) {
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('heading', { name: 'Report' }).waitFor();
    },
  },
  { name: 'import-new', path: '/import/new' },
];
const heights = { 390: 844, 768: 1024, 1280: 800 } as const;

const { positionals, values: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    theme: { type: 'string' },
    width: { type: 'string' },
    language: { type: 'string', default: 'en' },
  },
});
const folder = positionals[0] ?? mkdtempSync(join(tmpdir(), 'incipit-screens-'));
mkdirSync(folder, { recursive: true });
const names = wanted.only?.split(',');
const isWanted = ({ name, prepare }: Screen) =>
  (names === undefined || names.includes(name)) && (wanted.language === 'en' || prepare === undefined);
const chosen = screens.filter(isWanted);
const themes = (['light', 'dark'] as const).filter((theme) => (wanted.theme ?? theme) === theme);
const widths = Object.entries(heights).filter(([width]) => (wanted.width ?? width) === width);
const [server, fresh, browser, database] = await Promise.all([
  installDemo(),
  startServer(),
  startBrowser(),
  startService(neutral),
]);
try {
  await callOk(server, 'PUT', '/pages/3', {
    title: 'Hours, tickets and everything else that a visitor has to know',
  });
  for (const path of ['/opening', '/old/tickets', '/old/tickets', '/wp-login.php'])
    await fetch(server.url + path);
  const visitor = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
  for (const path of ['/', '/visit', '/visit', '/collection'])
    await fetch(server.url + path, { headers: { ...visitor, referer: 'https://search.example/' } });
  const source = { slug: 'harbour', name: 'Harbour calendar', url: 'https://example.org/{year}.json' };
  await callOk(server, 'POST', '/sources', source);
  const redirect = { root_id: 1, source: '/hours', target: '/visit' };
  const { id: hours } = await callOk(server, 'POST', '/redirects', { ...redirect, target: '/visiting' });
  await callOk(server, 'PUT', `/redirects/${String(hours)}`, { target: redirect.target });
  const fields = ['title', 'built'].map((name) => ({ name, type: 'text' }));
  await callOk(server, 'POST', '/collections', { slug: 'boats', name: 'Boats', fields });
  await callOk(server, 'PUT', '/collections/boats', {
    name: 'Boats of the harbour',
    fields: fields.slice(1),
  });
  await callOk(server, 'POST', '/pens', { title: 'Tide clock', html: '<p>{{ now|date:"H:i" }}</p>' });
  const webhook = { name: 'Search index', url: `${server.url}/hook` };
  await callOk(server, 'POST', '/webhooks', webhook);
  await fillAutomation();
  await fillTrash();
  const session = await demoSession(server);
  for (const colorScheme of themes) {
    for (const [width, height] of widths) {
      const options = { colorScheme, locale: wanted.language, viewport: { width: Number(width), height } };
      const save = (page: Page, name: string) =>
        page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      for (const [name, { url }] of Object.entries({ 'first-run': fresh, login: server })) {
        const first = await openAdmin(browser, { url }, '/', options);
        await first.getByRole('heading', { level: 1 }).waitFor();
        await save(first, name);
        await first.context().close();
      }
      const page = await openAdmin(browser, server, '/', { ...options, session });
      for (const { name, path, prepare } of chosen) {
        await page.goto(`${server.url}/cms-admin${path}`);
        await page.waitForLoadState('networkidle');
        await prepare?.(page);
        // Pictures are for people: they may wait for the last frame of a preview.
        await page.waitForTimeout(400);
        await save(page, name);
      }
      await page.context().close();
    }
  }
  process.stdout.write(`${folder}\n`);
} finally {
  await browser.close();
  await Promise.all([server.stop(), fresh.stop(), database.close()]);
}

/** A page with subpages, and a snippet with a long name. */
async function fillTrash(): Promise<void> {
  const { id: top } = await callOk(server, 'POST', '/pages', { parent_id: 1, title: 'Rooms', slug: 'rooms' });
  for (const title of ['Attic', 'Cellar'])
    await callOk(server, 'POST', '/pages', { parent_id: top, title, slug: title.toLowerCase() });
  const name = 'exhibitions/teaser-of-the-next-special-exhibition';
  const { id: snippet } = await callOk(server, 'POST', '/snippets', { name, content: '' });
  for (const path of [`/pages/${String(top)}`, `/snippets/${String(snippet)}`])
    await call(server, 'DELETE', path);
}

/** A workflow with an earlier version, a custom node, and a connection to a database. */
async function fillAutomation(): Promise<void> {
  await callOk(server, 'PUT', '/extdb', [{ name: 'Shop', url: database.url, token }]);
  await callOk(server, 'POST', '/flow-nodes', {
    ...{ name: 'Add tax', color: '#3366cc', outputs: ['with tax'] },
    params: [{ name: 'rate', label: 'Rate in %', type: 'number', default: 19 }],
    code: 'msg.payload *= 1 + params.rate / 100;\nreturn msg;\n',
  });
  const input = {
    id: 'in',
    type: 'http-in',
    name: 'Order',
    x: 0,
    config: { method: 'POST', path: 'orders' },
  };
  const tax = {
    id: 'tax',
    type: 'custom',
    x: 240,
    config: { node: 'add_tax', inputs: 1, outputs: ['with tax'] },
  };
  const mail = { id: 'mail', type: 'mail', x: 480, config: { to: 'shop@example.org', subject: 'Order' } };
  const answer = { id: 'out', type: 'http-response', x: 480, y: 96, config: { status: 201 } };
  const wires = [
    { from: 'in', to: 'tax' },
    { from: 'tax', to: 'mail' },
  ];
  const { id } = await callOk(server, 'POST', '/workflows', {
    name: 'Orders',
    flow: { nodes: [input, tax, mail], wires },
  });
  await callOk(server, 'PUT', `/workflows/${String(id)}`, {
    flow: { nodes: [input, tax, answer], wires: [...wires.slice(0, 1), { from: 'tax', to: 'out' }] },
  });
}
