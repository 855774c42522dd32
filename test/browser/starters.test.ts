/** The websites with which `incipit init` begins: every page is found, accessible, light and steady. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starters } from '../../server/features/folders/starters.ts';
import { isWithoutBrowser, startBrowser } from '../support/browser.ts';
import { TestFolder } from '../support/folders.ts';
import { runProgram } from '../support/program.ts';
import { startServer, type TestServer } from '../support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of style sheets and scripts of a page. */
const maxBytes = 60 * 1024;

let browser: Browser;

beforeAll(async () => {
  if (!isWithoutBrowser) browser = await startBrowser();
});
afterAll(async () => {
  if (!isWithoutBrowser) await browser.close();
});

describe.each(starters)('the starter $name', ({ name }) => {
  const folder = new TestFolder();
  let server: TestServer;
  let paths: readonly string[];

  beforeAll(async () => {
    expect(await runProgram(['init', folder.path, '--starter', name])).toMatchObject({ code: 0 });
    server = await startServer();
    expect(await folder.push(server)).toMatchObject({ findings: [], exitCode: 0 });
    const xml = await (await fetch(`${server.url}/sitemap.xml`)).text();
    paths = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  });
  afterAll(async () => {
    folder.remove();
    await server.stop();
  });

  test('has pages that answer, and leads only to such pages', async () => {
    const found = new Set(paths);
    // Pages are added while they are visited.
    for (const path of found) {
      const response = await fetch(server.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      const html = await response.text();
      for (const [, link = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g))
        found.add(link.replaceAll('&amp;', '&'));
    }
    expect(found.size).toBeGreaterThan(1);
    for (const path of ['/nothing', '/de/nothing']) expect((await fetch(server.url + path)).status).toBe(404);
  });

  describe.skipIf(isWithoutBrowser)('in a browser', () => {
    test.each([
      { screen: 'a wide screen', width: 1440, height: 900, colorScheme: 'light' },
      { screen: 'a phone in the dark', width: 390, height: 844, colorScheme: 'dark' },
    ] as const)('is accessible and in order on $screen', async ({ width, height, colorScheme }) => {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
      });
      for (const path of [...paths, '/nothing']) {
        await page.goto(server.url + path);
        expect({ path, faults: await listFaults(page) }).toEqual({ path, faults: [] });
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      }
      await page.close();
    });

    test('needs little, and nothing moves while a page loads', async () => {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      for (const path of paths) {
        await page.goto(server.url + path);
        const bytes = await page.evaluate<number>(countBytes);
        expect([path, bytes > 0, bytes <= maxBytes]).toEqual([path, true, true]);
        expect([path, await page.evaluate(readShift)]).toEqual([path, 0]);
      }
      await page.close();
    });
  });
});

async function listFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}

const countBytes = `performance.getEntriesByType('resource')
  .filter(({ initiatorType }) => ['link', 'css', 'script'].includes(initiatorType))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;

/** The sum of all layout shifts since the page began; the observer reports those that it has missed. */
const readShift = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value ?? 0;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;
