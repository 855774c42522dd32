/** The demonstration website, installed and served: sound HTML, accessible, and in order on a phone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries, pages } from '../runtime/demo-content/site.ts';
import { isWithoutBrowser, startBrowser } from '../support/browser.ts';
import { startDemo } from '../support/browser-project/use.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startDemo();
});
afterAll(() => server.stop());

async function get(path: string): Promise<string> {
  return (await fetch(server.url + path)).text();
}

/** All pages; of the objects, which have one template, only one in each language. */
const paths = [
  ...pages.map(({ path }) => path),
  ...entries.map(({ path }) => path).filter((path) => !/\/(?:collection|sammlung)\/(?!gate-ell)/.test(path)),
  '/nothing',
  '/de/nichts',
];

test('every page is valid HTML', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    // A line that holds only tags of a template leaves its indentation behind, which no reader sees.
    rules: { 'no-trailing-whitespace': 'off' },
  });
  const findings: string[] = [];
  for (const path of paths) {
    const { results } = await validator.validateString(await get(path));
    for (const { line, column, message } of results.flatMap(({ messages }) => messages))
      findings.push(`${path}:${line}:${column} ${message}`);
  }
  expect(findings).toEqual([]);
});

test('pictures come in several widths and formats, and links show one', async () => {
  const html = await get('/exhibitions/tide-and-time');
  const [, webp = '', src = ''] =
    /<picture><source type="image\/webp" srcset="([^"]+)"[^>]*><img class="picture" src="([^"]+)"/.exec(
      html,
    ) ?? [];
  expect(webp.split(', ')).toHaveLength(6);
  const smallest = webp.split(' ')[0] ?? '';
  for (const [address, type] of [
    [src, 'image/jpeg'],
    [smallest, 'image/webp'],
    ['/favicon.ico', 'image/png'],
  ] as const) {
    const answer = await fetch(server.url + address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  }
  expect(html).toContain(`<meta property="og:image" content="${server.url}/media/harbour-at-dawn.jpg">`);
  expect(html).toContain('<link rel="apple-touch-icon" href="/media/mark.png">');
});

test('the sitemap lists every page and object, but neither 404 page nor imprint', async () => {
  const xml = await get('/sitemap.xml');
  const listed = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  const findable = pages.filter((page) => page.noindex !== true && page.path !== '/404');
  expect(listed.sort()).toEqual([...findable, ...entries].map(({ path }) => path).sort());
  expect(listed).toContain('/collection/gate-ell');
  expect(listed).toContain('/de/sammlung/gate-ell');
});

test('language versions are linked', async () => {
  expect(await get('/collection/gate-ell')).toContain(
    `<link rel="alternate" hreflang="de" href="${server.url}/de/sammlung/gate-ell">`,
  );
});

describe.skipIf(isWithoutBrowser)('in a browser', () => {
  /** One page of each kind. */
  const kinds = [
    '/',
    '/visit',
    '/visit/tides',
    '/exhibitions',
    '/exhibitions/tide-and-time',
    '/collection',
    '/collection/gate-ell',
    '/journal/how-to-hear-a-second',
    '/about/people',
    '/about/contact',
    '/about/how-this-page-is-made',
    '/de/nichts',
  ];
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  let browser: Browser;
  let wide: Page;
  let phone: Page;

  beforeAll(async () => {
    browser = await startBrowser();
    wide = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    phone = await browser.newPage({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
      colorScheme: 'dark',
    });
  });
  afterAll(() => browser.close());

  async function violations(page: Page, path: string): Promise<string[]> {
    await page.goto(server.url + path);
    return violationsHere(page);
  }

  async function violationsHere(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const results = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
  }

  test.each(kinds)('%s is accessible', async (path) => {
    expect(await violations(wide, path)).toEqual([]);
  });

  test.each(['/', '/de/nichts', '/de/haus/kontakt', '/de/besuch/gezeiten'])(
    '%s is accessible on a phone in the dark',
    async (path) => {
      expect(await violations(phone, path)).toEqual([]);
    },
  );

  test.each(kinds)('%s fits the width of a phone', async (path) => {
    await phone.goto(server.url + path);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('a question can be sent by keyboard and without scripts; what is missing is said', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${server.url}/about/contact`);
    const fields = page.locator('.form :is(input:not([type="hidden"]), select, textarea, button)');
    await page.getByLabel('Your name').focus();
    await page.keyboard.type('Ada Byron');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('How heavy is noon?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await fields.last().evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/about/contact/sent`);
    expect(await page.locator('h1').textContent()).toBe('Thank you');
    await page.close();

    await wide.goto(`${server.url}/about/contact`);
    await wide.locator('.form').evaluate((form) => form.setAttribute('novalidate', ''));
    await wide.getByLabel('Your question').fill('Is <i>this</i> kept?');
    await wide.getByRole('button', { name: 'Send' }).click();
    await wide.getByText('Your name is missing.').waitFor();
    expect(await wide.getByLabel('Your question, so that it is not lost').inputValue()).toBe(
      'Is <i>this</i> kept?',
    );
    expect(await violationsHere(wide)).toEqual([]);
    await wide.getByRole('link', { name: 'Back to the form' }).click();
    await wide.waitForURL(`${server.url}/about/contact`);
  });

  test('name, language and menu stand in one line on a phone', async () => {
    await phone.goto(`${server.url}/visit`);
    const middles = await Promise.all(
      ['.brand', '.language', '.menu-button'].map(async (selector) => {
        const box = await phone.locator(selector).boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
      }),
    );
    expect(new Set(middles).size).toBe(1);
  });

  test('the buttons of the 404 page stand in the middle of a phone', async () => {
    await phone.goto(`${server.url}/nothing`);
    const buttons = await phone.locator('.lost .button').all();
    expect(buttons).toHaveLength(2);
    for (const button of buttons) {
      const box = await button.boundingBox();
      expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 195)).toBeLessThanOrEqual(1);
    }
  });
});
