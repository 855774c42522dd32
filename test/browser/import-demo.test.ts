/** The demonstration website, served by one instance, imported by another, and moved to a third by a bundle. */
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../support/browser.ts';
import { startDemo } from '../support/browser-project/use.ts';
import { BundleParts, download, hashOf, importBundle } from '../support/bundles.ts';
import { createPage, idOf } from '../support/content.ts';
import { Origin, runJob } from '../support/origin.ts';
import { contentOf } from '../support/page-content.ts';
import { startServer, type TestServer } from '../support/server.ts';

let original: TestServer;
let copy: TestServer;
let base: string;
let target: number;
let paths: string[];

/** A page that is in no navigation, so that no other page changes when it is deleted. */
const deletedThere = '/imprint';

beforeAll(async () => {
  [original, copy] = await Promise.all([startDemo(), startServer()]);
  const scan = await runJob(copy, '/import/scan', { url: original.url, crawl: true });
  const { base: found, pages } = asRecord(scan['result']);
  base = String(found);
  const all = (Array.isArray(pages) ? pages : []).map(asRecord);
  expect(all.length).toBeGreaterThan(70);
  // Every third page, which has one of each sort, because the test must be quick.
  const chosen = all.filter(({ path }, index) => index % 3 === 0 || path === deletedThere);
  paths = chosen.map(({ path }) => String(path));
  const job = await runJob(copy, '/import/run', {
    base,
    urls: chosen.map(({ url }) => url),
    new_site: { title: 'Copy', domains: '' },
    publish: true,
  });
  expect(job).toMatchObject({ status: 'done', result: { failed: 0, created: paths.length - 1 } });
  target = Number(asRecord(job['result'])['target_page_id']);
});
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
        // A screenshot does not wait for images that are decoded beside the page.
        await page.evaluate('Promise.all(Array.from(document.images, isShown))'.replace('isShown', isShown));
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
    });
  });
});

/** In the page: an image that is not below the part that is seen, as it is drawn. */
const isShown = `(image) => image.getBoundingClientRect().top > innerHeight || image.decode()`;

/** The pages of an instance by their paths. */
async function pagesOf(server: TestServer): Promise<ReadonlyMap<string, number>> {
  return new Map((await callList(server, '/pages')).map((page) => [String(page['path']), idOf(page)]));
}

/** Imports pages of the original again, and tells what was done with each by its path there. */
async function importAgain(server: TestServer, wanted: readonly string[], flags: object) {
  const urls = wanted.map((path) => new URL(path, base).href);
  const job = await runJob(server, '/import/run', { base, urls, target_page_id: target, ...flags });
  expect(job).toMatchObject({ status: 'done', error: '' });
  const { pages } = asRecord(job['result']);
  return new Map(
    (Array.isArray(pages) ? pages : [])
      .map(asRecord)
      .map(({ source, action }) => [new URL(String(source)).pathname, action]),
  );
}

describe('imported again after changes on both sides', () => {
  let [changed, edited, both, renamedHere, deletedHere]: string[] = [];
  let wanted: string[];
  let expected: Map<string, string>;

  beforeAll(async () => {
    const there = await pagesOf(original);
    const all = [...there.keys(), ...paths];
    const isLeaf = (path: string) => !all.some((other) => other.startsWith(`${path}/`));
    [changed, edited, both, renamedHere, deletedHere] = paths.filter(
      (path) => there.has(path) && isLeaf(path) && path !== deletedThere,
    );
  });

  const put = async (server: TestServer, path: string | undefined, fields: object) =>
    callOk(server, 'PUT', `/pages/${(await pagesOf(server)).get(path ?? '')}`, fields);

  test('does with each page what the flags say', async () => {
    const there = await pagesOf(original);
    const home = there.get('/') ?? 0;
    for (const path of [changed, both]) await put(original, path, { html: '<p>changed there</p>' });
    for (const path of [edited, both]) await put(copy, path, { html: '<p>edited here</p>' });
    await put(copy, renamedHere, { slug: 'renamed-here' });
    await call(copy, 'DELETE', `/pages/${(await pagesOf(copy)).get(deletedHere ?? '')}`);
    await call(original, 'DELETE', `/pages/${there.get(deletedThere)}`);
    const fresh = { published: true, hide_in_nav: true, html: '<p>new there</p>' };
    for (const slug of ['fresh', 'own', 'foreign']) await createPage(original, home, { ...fresh, slug });
    await createPage(copy, target, { slug: 'own' });
    await put(copy, '/own', { html: '<p>own</p>' });
    const other = await new Origin({ '/foreign': '<p>of another website</p>' }).listen();
    await runJob(copy, '/import/run', {
      base: other.url(),
      urls: [other.url('/foreign')],
      target_page_id: target,
    });
    await other.close();

    wanted = [...paths, '/fresh', '/own', '/foreign'];
    const actions = await importAgain(copy, wanted, { overwrite: true });
    expected = new Map([
      ...paths.map((path): [string, string] => [path, 'unchanged']),
      [changed ?? '', 'updated'],
      [both ?? '', 'modified'],
      [deletedHere ?? '', 'created'],
      [deletedThere, 'failed'],
      ['/fresh', 'created'],
      ['/own', 'modified'],
      ['/foreign', 'foreign'],
    ]);
    expect(actions).toEqual(expected);
    const htmlOf = async (path: string) =>
      (await callOk(copy, 'GET', `/pages/${(await pagesOf(copy)).get(path)}`))['html'];
    expect(await htmlOf(changed ?? '')).toContain('changed there');
    expect(await htmlOf(both ?? '')).toBe('<p>edited here</p>');
    expect(await htmlOf(edited ?? '')).toBe('<p>edited here</p>');
    expect([...(await pagesOf(copy)).keys()]).toContain(deletedThere);
  });

  test('overwrites what was edited here only when it is told to', async () => {
    const actions = await importAgain(copy, [both ?? '', edited ?? '', '/own'], {
      overwrite: true,
      overwrite_modified: true,
    });
    expect(actions).toEqual(
      new Map([
        [both, 'updated'],
        [edited, 'unchanged'],
        ['/own', 'updated'],
      ]),
    );
  });

  describe('on an instance that it was moved to', () => {
    let moved: TestServer;
    beforeAll(async () => {
      moved = await startServer();
      expect((await importBundle(moved, await download(copy))).status).toBe(200);
    });
    afterAll(() => moved.stop());

    test('knows what has changed since, and keeps what was edited', async () => {
      expect(await hashOf(moved)).toBe(await hashOf(copy));
      await put(original, changed, { html: '<p>changed again</p>' });
      const actions = await importAgain(moved, wanted, { overwrite: true });
      expect(actions).toEqual(
        new Map([
          ...[...expected.keys()].map((path): [string, string] => [path, 'unchanged']),
          [changed ?? '', 'updated'],
          [deletedThere, 'failed'],
          ['/foreign', 'foreign'],
        ]),
      );
      const file = (await callList(moved, '/files?limit=1'))[0];
      const forced = await runJob(moved, `/pages/${target}/reimport`, { force: true });
      expect(forced['result']).toMatchObject({ updated: 1, files: 0, assets: 0, files_updated: 0 });
      expect((await callList(moved, '/files?limit=1'))[0]).toEqual(file);
    });

    test('keeps it when it gets a bundle that does not say where pages come from', async () => {
      let parts = await BundleParts.of(await download(moved));
      for (const table of ['imported_pages', 'imported_files', 'imported_assets', 'import_hosts'])
        parts = parts.without(`data/${table}.ndjson`);
      expect((await importBundle(moved, parts.zip())).status).toBe(200);
      expect(await importAgain(moved, [edited ?? ''], { overwrite: true })).toEqual(
        new Map([[edited, 'unchanged']]),
      );
    });

    test('refuses a bundle whose list of hosts is none', async () => {
      const parts = await BundleParts.of(await download(moved));
      const rows = parts.rows('import_hosts').map((row) => ({ ...row, hosts: '[1' }));
      expect(outcomeOf(await importBundle(moved, parts.withRows('import_hosts', rows).zip()))).toEqual({
        status: 400,
        code: 'bundle.invalid',
      });
    });
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
