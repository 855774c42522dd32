/**
 * Writes pictures of the screens of the admin in two themes and three widths: `npm run screenshots -- [folder]`.
 * Without a folder it makes one in the folder for temporary files, and prints its path.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { callOk } from '../../support/api.ts';
import { startBrowser } from '../../support/browser.ts';
import { neutral } from '../../support/extdb/neutral.ts';
import { token } from '../../support/extdb/rows.ts';
import { startService } from '../../support/extdb/service.ts';
import { startServer } from '../../support/server.ts';
import { demoSession, openAdmin } from './admin-browser.ts';

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Brings the screen into the state of the picture. */
  prepare?(page: Page): Promise<unknown>;
}

const screens: readonly Screen[] = [
  { name: 'dashboard', path: '/' },
  { name: 'pages', path: '/s/1/pages' },
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
  { name: 'languages', path: '/s/1/languages' },
  { name: 'redirects', path: '/s/1/redirects' },
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
  { name: 'mail', path: '/system/mail' },
  { name: 'countries', path: '/system/countries' },
  { name: 'metrics', path: '/system/metrics' },
  { name: 'operation', path: '/system/operation' },
  { name: 'audit', path: '/system/audit' },
  { name: 'api-reference', path: '/system/api/putPagesId' },
  { name: 'users', path: '/system/users' },
  { name: 'tokens', path: '/system/tokens' },
  { name: 'security', path: '/system/security' },
  { name: 'storage', path: '/system/storage' },
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
const widths = { 390: 844, 768: 1024, 1280: 800 } as const;

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'incipit-screens-'));
mkdirSync(folder, { recursive: true });
const [server, fresh, browser, database] = await Promise.all([
  startServer({ args: ['-demo'] }),
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
  await callOk(server, 'POST', '/redirects', { root_id: 1, source: '/hours', target: '/visit' });
  await callOk(server, 'POST', '/pens', { title: 'Tide clock', html: '<p>{{ now|date:"H:i" }}</p>' });
  const webhook = { name: 'Search index', url: `${server.url}/hook` };
  await callOk(server, 'POST', '/webhooks', webhook);
  await fillAutomation();
  const session = await demoSession(server);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of Object.entries(widths)) {
      const options = { colorScheme, viewport: { width: Number(width), height } };
      const save = (page: Page, name: string) =>
        page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      const first = await openAdmin(browser, fresh, '/', options);
      await first.getByRole('heading', { level: 1 }).waitFor();
      await save(first, 'first-run');
      await first.context().close();
      const page = await openAdmin(browser, server, '/', { ...options, session });
      for (const { name, path, prepare } of screens) {
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
