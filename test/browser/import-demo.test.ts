/** The demonstration website, served by one instance and imported by another. */
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord } from '../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../support/browser.ts';
import { runJob } from '../support/origin.ts';
import { contentOf } from '../support/page-content.ts';
import { startServer, type TestServer } from '../support/server.ts';

let original: TestServer;
let copy: TestServer;
let paths: string[];

beforeAll(async () => {
  [original, copy] = await Promise.all([startServer({ args: ['-demo'] }), startServer()]);
  const scan = await runJob(copy, '/import/scan', { url: original.url, crawl: true });
  const { base, pages } = asRecord(scan['result']);
  const all = (Array.isArray(pages) ? pages : []).map(asRecord);
  expect(all.length).toBeGreaterThan(70);
  // Every third page, which has one of each sort, because the test must be quick.
  const found = all.filter((_page, index) => index % 3 === 0);
  paths = found.map(({ path }) => String(path));
  const job = await runJob(copy, '/import/run', {
    base,
    urls: found.map(({ url }) => url),
    new_site: { title: 'Copy', domains: '' },
    publish: true,
  });
  expect(job).toMatchObject({ status: 'done', result: { failed: 0, created: paths.length - 1 } });
}, 120_000);
afterAll(async () => {
  await original.stop();
  await copy.stop();
});

/** The text and structure of a page; addresses of files, whose names may differ, without their last part. */
async function partsOf(server: TestServer, path: string) {
  const text = await (await fetch(server.url + path)).text();
  const { body, html } = contentOf(text, {
    base: server.url + path,
    resolve: (address, base) => {
      const url = URL.parse(address, base);
      return url === null
        ? address
        : url.href
            .replace(server.url, '')
            .replace(original.url, '')
            .replace(/\/(media|_assets)\/.*$/, '/$1/');
    },
  });
  // Sets of variants and their sizes are those of the instance.
  return {
    html,
    body: body.map((part) => part.replaceAll(/ (?:srcset|sizes)=[^<>]*?(?= [a-z-]+=|>$)/g, '')),
  };
}

describe('the imported demonstration website', () => {
  test('has its pages, each with the same text, structure and links', async () => {
    const different: string[] = [];
    for (const path of paths) {
      const [there, here] = [await partsOf(original, path), await partsOf(copy, path)];
      if (JSON.stringify(there) !== JSON.stringify(here)) different.push(path);
    }
    if (different[0] !== undefined)
      expect(await partsOf(copy, different[0])).toEqual(await partsOf(original, different[0]));
    expect(different).toEqual([]);
  });

  describe.skipIf(isWithoutBrowser)('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());

    async function screenshot(server: TestServer, path: string): Promise<Buffer> {
      const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce' });
      try {
        await page.goto(server.url + path, { waitUntil: 'load' });
        await page.evaluate('document.fonts.ready');
        return await page.screenshot();
      } finally {
        await page.close();
      }
    }

    test('looks the same on six pages', async () => {
      const step = Math.floor(paths.length / 6);
      for (const path of Array.from({ length: 6 }, (_, index) => paths[index * step] ?? '/')) {
        const [there, here] = await Promise.all([screenshot(original, path), screenshot(copy, path)]);
        expect(await differenceOf(there, here), path).toBeLessThan(0.01);
      }
    }, 120_000);
  });
});

/** The part of the pixels that differ visibly, from 0 to 1. */
async function differenceOf(left: Buffer, right: Buffer): Promise<number> {
  const [one, two] = await Promise.all(
    [left, right].map((image) => sharp(image).removeAlpha().raw().toBuffer()),
  );
  if (one === undefined || two === undefined || one.length !== two.length) return 1;
  let different = 0;
  for (let at = 0; at < one.length; at += 3) {
    const distance = [0, 1, 2].reduce(
      (sum, offset) => sum + Math.abs((one[at + offset] ?? 0) - (two[at + offset] ?? 0)),
      0,
    );
    if (distance > 24) different += 1;
  }
  return different / (one.length / 3);
}
