import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others put the browser; first the one without windows, which takes a fifth less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = places.find((place) => existsSync(place));

/**
 * Whether tests that need a browser are left out. In the automatic run, where `CI` is set, they never are: a
 * browser that is missing there fails the test.
 */
export const isWithoutBrowser = executablePath === undefined && process.env['CI'] === undefined;
if (isWithoutBrowser) process.stderr.write(`no browser at ${places.join(', ')}: its tests are left out\n`);

export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`there is no browser at ${places.join(', ')}`);
  // The sandbox of the browser needs rights that containers do not have; the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
