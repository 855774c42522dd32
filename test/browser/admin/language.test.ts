/** Another language is shown at once, on what is already drawn. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { startDemo } from '../../support/browser-project/use.ts';
import { type DemoServer, demoSession } from '../../support/demo.ts';
import { openAdmin } from './admin-browser.ts';

/** Screens with all that is drawn apart from what is around it: trees, tables, tiles, forms, graphs. */
const paths = [
  '/',
  '/s/1/pages/2/seo',
  '/s/1/pages/1/content?b=hero',
  '/collections/objects',
  '/media?file=1',
  '/sources/1',
  '/workflows/2',
  '/workflows/2/versions',
  '/system/security',
  '/nowhere',
];

describe.skipIf(isWithoutBrowser)('another language', () => {
  let server: DemoServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startBrowser()]);
    await callOk(server, 'POST', '/sources', {
      slug: 'harbour',
      name: 'Harbour',
      url: 'https://example.org/',
    });
    page = await openAdmin(browser, server, '/', { session: await demoSession(server) });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test.each(paths)('changes all texts of %s', async (path) => {
    // A new window in English, but for the code of the admin, which the browser has already.
    await page.evaluate('localStorage.clear()');
    await page.goto(`${server.url}/cms-admin${path}`);
    await page.waitForLoadState('networkidle');
    const english = await textsOf(page);
    await page.getByRole('button', { name: 'Account of demo' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de]').waitFor();
    // Away from what has a tooltip.
    await page.mouse.move(0, 0);
    const changed = await textsOf(page);
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(changed).toEqual(await textsOf(page));
    expect(changed).not.toEqual(english);
  });
});

/** What people read and what is read out. */
async function textsOf(page: Page): Promise<readonly string[]> {
  await page.waitForTimeout(300);
  return page.evaluate<string[]>(`[
    ...document.querySelector('#root').innerText.split('\\n'),
    ...[...document.querySelectorAll('#root [aria-label], #root [placeholder]')].map((element) =>
      (element.getAttribute('aria-label') ?? '') + ' ' + (element.getAttribute('placeholder') ?? '')),
  ]`);
}
