/** The reference of the API: finding a call, reading what it takes, trying it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createSite } from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { openAdmin, violationsOfThemes } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('the reference of the API', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  /** Hosts other than the server that the window has asked. */
  const outside: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    const session = await setUp(server);
    await createSite(server);
    page = await openAdmin(browser, server, '/system/metrics', { session });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) outside.push(request.url());
    });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const list = () => page.getByRole('region', { name: 'API reference' });

  test('is a section of the system, and finds a call by an error code', async () => {
    await page.getByRole('link', { name: 'API reference' }).click();
    await list().getByRole('link').first().waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByLabel('Filter by path, words or error code').fill('put slugTaken');
    await list().getByRole('link', { name: 'PUT /pages/{id}', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Change fields of a page' }).waitFor();
  });

  test('shows what a change takes, as a call to copy that is not sent from here', async () => {
    await page.getByText('Another page here uses "{slug}".').waitFor();
    await page.getByText('maxLength 1000').first().waitFor();
    const call = page.getByRole('region', { name: 'Call', exact: true });
    await page.getByRole('textbox', { name: 'id' }).fill('1');
    await page.getByLabel('strict', { exact: true }).selectOption('true');
    expect(await call.textContent()).toContain(`curl -s -X PUT '${server.url}/api/v1/pages/1?strict=true'`);
    await page.getByRole('radiogroup', { name: 'Form' }).getByText('fetch').click();
    expect(await call.textContent()).toContain("method: 'PUT'");
    expect(await page.getByRole('button', { name: 'Send request' }).count()).toBe(0);
    await page.locator('summary').last().click();
    expect(await violationsOfThemes(page)).toEqual([]);
  });

  test('sends a reading call with the session: status, headers and body, of a refusal too', async () => {
    await page.getByLabel('Filter by path, words or error code').fill('get /pages/{id}');
    await list().getByRole('link', { name: 'GET /pages/{id}', exact: true }).click();
    const send = page.getByRole('button', { name: 'Send request' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'id' }).fill('1');
    await page.keyboard.press('Tab');
    await send.press('Enter');
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await answer.getByText('Status 200').waitFor();
    await answer.getByText('title:', { exact: true }).waitFor();
    await answer.getByText('Headers').click();
    await answer.getByText('"application/json; charset=utf-8"').waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'id' }).fill('4711');
    await send.click();
    await answer.getByText('Status 404').waitFor();
    await answer.getByText('"common.notFound"').waitFor();
  });

  test('a file is not read into the window', async () => {
    await page.getByLabel('Filter by path, words or error code').fill('get /bundle');
    await list().getByRole('link', { name: 'GET /bundle', exact: true }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('The answer is a file and was not read.').waitFor();
  });

  test('is opened by the palette, and an address of a call that is none says so', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages, entries, files and commands' }).fill('>api ref');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a call on the left.').waitFor();
    await page.goto(`${server.url}/cms-admin/system/api/getNothing`);
    await page.getByText('The API of this server has no such call.').waitFor();
    expect(outside).toEqual([]);
  });
});
