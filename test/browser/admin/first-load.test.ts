/** What the admin loads before its first screen stands. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AdminEncoding,
  adminBuildFolder,
  encodingSuffix,
} from '../../../server/config/build/admin-files.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createAsset, createSite } from '../../support/content.ts';
import { uploadOne } from '../../support/media.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';

const maxBytes = 250_000;

describe.skipIf(isWithoutBrowser)('the first load', () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test('scripts, styles and fonts of the dashboard are below 250 KB with gzip and with Brotli', async () => {
    const session = await setUp(server);
    await createSite(server);
    const context = await browser.newContext({ locale: 'en' });
    await context.addCookies([{ name: 'ic_session', value: session, url: server.url }]);
    const page = await context.newPage();
    const loaded = new Set<string>();
    page.on('request', (request) => loaded.add(new URL(request.url()).pathname));
    await page.goto(`${server.url}/cms-admin/`);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.waitForLoadState('networkidle');
    const files = [...loaded]
      .filter((path) => path.startsWith('/cms-admin/assets/'))
      .map((path) => join(adminBuildFolder, path.replace('/cms-admin/', '')));
    expect(files.length).toBeGreaterThan(5);
    // Without TLS, browsers take no Brotli.
    expect(sentBytes(files, 'gzip')).toBeLessThan(maxBytes);
    expect(sentBytes(files, 'br')).toBeLessThan(maxBytes);
    await context.close();
  });

  test('runs scripts of the admin and none of websites or of uploads', async () => {
    const { url } = await uploadOne(server, 'run.js', 'window.hasRun = true');
    const asset = await createAsset(server, { kind: 'js', content: 'window.hasRun = true' });
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${server.url}/cms-admin/`);
    await page.getByRole('heading').first().waitFor();
    const load = (src: string) => page.evaluate<string>(`(${loadScript})(${JSON.stringify(src)})`);
    for (const src of [String(url), `/_assets/js/${asset}.js`]) {
      expect((await fetch(server.url + src)).status).toBe(200);
      expect([src, await load(src)]).toEqual([src, 'refused']);
    }
    const own = (await page.locator('script[src]').first().getAttribute('src')) ?? '';
    expect([own, await load(own)]).toEqual([own, 'loaded']);
    await context.close();
  });
});

/** Runs in the browser. */
const loadScript = `(src) => new Promise((resolve) => {
  const script = document.createElement('script');
  script.onload = () => resolve('loaded');
  script.onerror = () => resolve('refused');
  script.src = src;
  document.head.append(script);
})`;

/** What goes over the wire to a browser that takes an encoding. Fonts are compressed already. */
function sentBytes(files: readonly string[], encoding: AdminEncoding): number {
  const sizes = files.map((file) => {
    const compressed = file + encodingSuffix[encoding];
    return statSync(existsSync(compressed) ? compressed : file).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
