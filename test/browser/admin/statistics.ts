/** What people learn of their visitors. */
import { expect, test } from 'vitest';
import { visit } from '../../conformance/public-client.ts';
import { callOk } from '../../support/api.ts';
import { type Admin, violations } from './admin-browser.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

export function statisticsJourneys(admin: Admin): void {
  test('visits are seen live, page by page and by referrer, compared, as a table, as a file, and deleted', async () => {
    await callOk(admin.server, 'DELETE', '/stats?root_id=1');
    for (const [path, address, referer] of [
      ['/visit', '203.0.113.1', 'https://search.example/'],
      ['/visit', '203.0.113.2', 'https://search.example/x'],
      ['/visit', '203.0.113.2', ''],
      ['/', '203.0.113.3', 'https://other.example/'],
    ] as const) {
      const headers = { 'User-Agent': browser, 'X-Forwarded-For': address, Referer: referer };
      expect((await visit(admin.server, path, { headers })).status).toBe(200);
    }
    const page = await admin.open('/s/1/statistics?days=7');
    const live = page.getByRole('region', { name: 'At the moment' });
    await live.getByText('3 visitors now').waitFor();
    await live.getByText('4 views in 5 minutes').waitFor();

    await page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: '/visit' }).click();
    await page.getByRole('heading', { name: 'Page /visit' }).waitFor();
    await page.getByRole('link', { name: /^Edit "/ }).waitFor();
    await page
      .getByRole('region', { name: 'Referrers' })
      .getByRole('link', { name: 'search.example' })
      .click();
    await page.getByRole('heading', { name: 'Referrer search.example' }).waitFor();
    await page
      .getByRole('region', { name: 'Pages it led to' })
      .getByRole('link', { name: '/visit 2' })
      .waitFor();

    await page.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Visitors', exact: true }).waitFor();
    expect(await page.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual(['2']);
    await page.getByLabel('Compare with the period before').click();
    await page.getByRole('columnheader', { name: 'Visitors before' }).waitFor();
    await page.getByRole('link', { name: 'All visits' }).click();

    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'More actions' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('statistics.csv');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete statistics' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete statistics' }).click();
    await page.getByText('Nobody has visited yet.').waitFor();
  });
}
