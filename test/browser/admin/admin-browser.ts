/** A browser that is signed in to the admin of a server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestServer } from '../../support/server.ts';
import { administrator } from '../../support/session.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long an action may wait for its element, in milliseconds. */
const timeoutMs = 20_000;

export interface AdminOptions extends BrowserContextOptions {
  /** Value of the session cookie; without it nobody is signed in. */
  readonly session?: string;
}

/** What the journeys of all areas share: one server, one window. */
export interface Admin {
  readonly server: TestServer;
  /** Shows a screen in the one window of all tests, without loading the admin again. */
  open(path: string): Promise<Page>;
  /** A published page with some lines. */
  newPage(title: string, fields?: object): Promise<number>;
  pageOf(id: number): Promise<Readonly<Record<string, unknown>>>;
}

/** A new window with a profile of its own, at the address of the admin. */
export async function openAdmin(
  browser: Browser,
  server: Pick<TestServer, 'url'>,
  path: string,
  { session, ...options }: AdminOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en',
    ...options,
  });
  context.setDefaultTimeout(timeoutMs);
  if (session !== undefined)
    await context.addCookies([{ name: 'ic_session', value: session, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/cms-admin${path}`);
  return page;
}

/** Goes to another screen as a link of the admin does: nothing is loaded again. */
export async function showScreen(page: Page, path: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/cms-admin${path}`)})`);
}

/** Fills in the login form. */
export async function signIn(page: Page): Promise<void> {
  const { username, password } = administrator;
  if ((await page.getByLabel('Name').inputValue()) === '') await page.getByLabel('Name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The message at the edge of the screen that contains a text. */
export function findToast(page: Page, text: string): Locator {
  return page.getByRole('status').locator('[data-tone]').filter({ hasText: text });
}

/** Where an element stands in the window, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where two elements stand, once both are on the screen and have not moved from one frame to the next: what was just
 * drawn still moves, and a mouse would miss it.
 *
 * @throws Error if they do not come to rest
 */
export async function settledBoxes(first: Locator, second: Locator): Promise<readonly [Box, Box]> {
  const end = Date.now() + timeoutMs;
  for (let last = ''; Date.now() < end; ) {
    const [one, two] = [await first.boundingBox(), await second.boundingBox()];
    const places = JSON.stringify([one, two]);
    if (one !== null && two !== null && places === last) return [one, two];
    last = places;
    await first.page().evaluate('new Promise((resume) => requestAnimationFrame(resume))');
  }
  throw new Error(`${first} and ${second} do not come to rest on the screen`);
}

/** Where an element stands, once it rests. @throws Error if it does not */
export async function settledBox(element: Locator): Promise<Box> {
  const [box] = await settledBoxes(element, element);
  return box;
}

export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Drops a file of this computer on the element with a text. */
export async function dropFile(page: Page, text: string, file: DroppedFile): Promise<void> {
  const content = JSON.stringify([file.bytes.toString('base64'), file.name, file.type]);
  const dataTransfer = await page.evaluateHandle(`(() => {
    const [content, name, type] = ${content};
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    return transfer;
  })()`);
  await page.getByText(text).dispatchEvent('drop', { dataTransfer });
}

/** Changes the theme of the system, and waits until it is drawn. */
export async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`:root[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
}

/** What axe finds on a screen: rule and element. @param rules only these; default: all */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Frames hold pages of websites, which nothing of the admin runs in.
  const options = { resultTypes: ['violations'], iframes: false, preload: false, runOnly: rules };
  // Through the tools of the browser, because the policy of the admin lets no other script run.
  const client = await page.context().newCDPSession(page);
  const { result: known } = await client.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value === 'undefined') await client.send('Runtime.evaluate', { expression: axe });
  const { result } = await client.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(options)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  // Type boundary: axe.run resolves with this.
  const { violations: found } = result.value as AxeResults;
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

/** For the theme that is not the first one: it changes colours alone. */
export const colourRules = ['color-contrast'];

/** What axe finds in each theme. @param darkRules those for the dark theme; default: all */
export async function violationsOfThemes(page: Page, darkRules?: readonly string[]): Promise<string[]> {
  await showScheme(page, 'dark');
  const dark = await violations(page, darkRules);
  await showScheme(page, 'light');
  const light = await violations(page);
  return [...dark.map((violation) => `dark ${violation}`), ...light.map((violation) => `light ${violation}`)];
}

/** The text of the code editor with a label. */
export function codeEditor(page: Page, label = 'Template') {
  // A plain field takes keys until the editor is there.
  return page.getByRole('textbox', { name: label }).and(page.locator('.cm-content'));
}
