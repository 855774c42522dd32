import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { startBrowser } from '../../test/support/browser.ts';
import { startServer } from '../../test/support/server.ts';
import { setUp } from '../../test/support/session.ts';
import { traced } from '../browser-trace.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { amounts, fillLarge } from './site.ts';

/** Frames of one scroll. */
const frames = 240;
/** How far a frame goes, in pixels: as a fast wheel, and as a scroll bar that is pulled. */
const speeds = [120, 400] as const;

interface List {
  readonly name: string;
  readonly path: string;
  /** Name of the part that scrolls. */
  readonly scroller: string;
}

const lists: readonly List[] = [
  { name: `tree of ${amounts.pages} pages, all open`, path: '/s/1/pages', scroller: '[role=tree]' },
  {
    name: `collection of ${amounts.entries} entries`,
    path: '/collections/lamps',
    scroller: 'section[aria-label=Entries]',
  },
  {
    name: `library of ${amounts.files} files`,
    path: '/media',
    scroller: 'section[aria-label=Media]',
  },
];

/** Screens that are shown one after the other, by their addresses, with the first heading of each. */
const routes: readonly (readonly [path: string, heading: string])[] = [
  ['/collections', 'Collections'],
  ['/snippets', 'Snippets'],
  ['/media', 'Media'],
  ['/s/1/redirects', 'Redirects and 404'],
  ['/', 'Dashboard'],
];

/**
 * What scrolling long lists of the admin costs in the browser, in processor time, and how long its screens take.
 * Option: `--json`.
 */
export async function runScrollBench(args: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  await fillLarge(dataDir);
  const [server, browser] = await Promise.all([startServer({ dataDir }), startBrowser()]);
  try {
    const session = await setUp(server);
    const openWindow = async (path: string) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
      await context.addCookies([{ name: 'ic_session', value: session, url: server.url }]);
      const page = await context.newPage();
      await page.addInitScript(`localStorage.setItem('ic-open-1', '${JSON.stringify(allPages())}')`);
      await page.goto(`${server.url}/cms-admin${path}`);
      return page;
    };
    const scrolls = [];
    for (const list of lists) {
      const page = await openWindow(list.path);
      for (const stepPx of speeds)
        scrolls.push({ name: list.name, stepPx, ...(await scroll(page, list, stepPx)) });
      await page.context().close();
    }
    const starts = await repeated(5, async () => {
      const page = await openWindow('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The time at which the heading was drawn is not later than now.
      const ms = Number(await page.evaluate('performance.now()'));
      await page.context().close();
      return ms;
    });
    const page = await openWindow('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const changes = [];
    for (const [path, heading] of [...routes, ...routes])
      changes.push(await routeChange(page, path, heading));
    const results = { scrolls, startMs: spread(starts), changeMs: spread(changes.slice(routes.length)) };
    if (args.includes('--json')) console.log(JSON.stringify(results));
    else print(results);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** IDs that may be pages with others below them. */
function allPages(): readonly number[] {
  return Array.from({ length: amounts.pages }, (_, index) => index + 1);
}

interface Figures {
  readonly scriptPerFrameMs: number;
  readonly layoutPerFrameMs: number;
  readonly longestScriptMs: number;
}

async function scroll(page: Page, { scroller }: List, stepPx: number): Promise<Figures> {
  await page.locator(`${scroller} :is(a, [role=treeitem], button)`).first().waitFor();
  await page.waitForLoadState('networkidle');
  const client: CDPSession = await page.context().newCDPSession(page);
  const { scripts, layoutMs } = await traced(client, async () => {
    await page.evaluate(`(async () => {
      const list = document.querySelector('${scroller}');
      for (let frame = 0; frame < ${frames}; frame++) {
        list.scrollTop += ${stepPx};
        await new Promise((done) => requestAnimationFrame(done));
      }
    })()`);
  });
  return {
    scriptPerFrameMs: scripts.reduce((sum, ms) => sum + ms, 0) / frames,
    layoutPerFrameMs: layoutMs / frames,
    longestScriptMs: Math.max(0, ...scripts),
  };
}

/** From the change of the address until the first heading is that of the next screen, in milliseconds. */
async function routeChange(page: Page, path: string, heading: string): Promise<number> {
  const ms = await page.evaluate(`new Promise((done) => {
    const started = performance.now();
    const look = () => {
      const title = document.querySelector('h1')?.textContent ?? '';
      if (title.startsWith(${JSON.stringify(heading)})) done(performance.now() - started);
      else requestAnimationFrame(look);
    };
    history.pushState({}, '', ${JSON.stringify(`/cms-admin${path}`)});
    look();
  })`);
  await page.waitForLoadState('networkidle');
  return Number(ms);
}

async function repeated(times: number, measure: () => Promise<number>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let round = 0; round < times; round++) all.push(await measure());
  return all;
}

interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (place: number) => sorted[Math.floor(place * (sorted.length - 1))] ?? 0;
  return { least: at(0), median: at(0.5), most: at(1) };
}

interface Results {
  readonly scrolls: readonly (Figures & { readonly name: string; readonly stepPx: number })[];
  readonly startMs: Spread;
  readonly changeMs: Spread;
}

function print({ scrolls, startMs, changeMs }: Results): void {
  console.log(`${environmentLine()}\n\nScrolling, processor time in ms\n`);
  const head = ['', 'pixels per frame', 'script per frame', 'style and layout per frame', 'longest script'];
  const lines = scrolls.map(({ name, stepPx, scriptPerFrameMs, layoutPerFrameMs, longestScriptMs }) => [
    name,
    String(stepPx),
    ...[scriptPerFrameMs, layoutPerFrameMs, longestScriptMs].map((ms) => ms.toFixed(1)),
  ]);
  console.log(markdownTable(head, lines));
  console.log('\nTime in ms, which depends on what else the machine does\n');
  const times = (name: string, { least, median, most }: Spread) => [
    name,
    ...[least, median, most].map((ms) => ms.toFixed(0)),
  ];
  console.log(
    markdownTable(
      ['', 'least', 'median', 'most'],
      [
        times('first screen after a cold start', startMs),
        times('change to another screen, its code known', changeMs),
      ],
    ),
  );
}
