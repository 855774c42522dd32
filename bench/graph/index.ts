import type { Page } from 'playwright-core';
import { callOk } from '../../test/support/api.ts';
import { startBrowser } from '../../test/support/browser.ts';
import { startServer } from '../../test/support/server.ts';
import { setUp } from '../../test/support/session.ts';
import { type Traced, traced } from '../browser-trace.ts';
import { environmentLine, markdownTable } from '../report.ts';

const columns = 20;
const rows = 10;
/** In the middle of the graph. */
const middle = 'n105';

interface Action {
  readonly name: string;
  readonly steps: number;
  run(page: Page): Promise<void>;
}

const actions: readonly Action[] = [
  { name: 'drag a node, the first time', steps: 60, run: (page) => drag(page, 60) },
  { name: 'drag a node', steps: 120, run: (page) => drag(page, 120) },
  {
    name: 'move the view',
    steps: 60,
    async run(page) {
      await page.mouse.move(500, 780);
      await page.mouse.down();
      for (let step = 1; step <= 60; step++) await page.mouse.move(500 + step * 3, 780 - step * 2);
      await page.mouse.up();
    },
  },
  {
    name: 'zoom',
    steps: 40,
    async run(page) {
      for (let step = 0; step < 40; step++) await page.mouse.wheel(0, step % 2 === 0 ? -60 : 60);
    },
  },
  {
    name: 'go to the next node by a key',
    steps: 20,
    async run(page) {
      await page.locator(`[data-node="${middle}"]`).focus();
      for (let step = 0; step < 20; step++)
        await page.keyboard.press(step % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
    },
  },
];

/** Measures what the graph of a workflow of 200 nodes costs in the browser, in processor time. Option: `--json`. */
export async function runGraphBench(args: readonly string[]): Promise<void> {
  const [server, browser] = await Promise.all([startServer(), startBrowser()]);
  try {
    const session = await setUp(server);
    await callOk(server, 'POST', '/sites', { title: 'Site', domains: '' });
    const { id } = await callOk(server, 'POST', '/workflows', { name: 'Large', flow: largeFlow() });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: 'ic_session', value: session, url: server.url }]);
    const page = await context.newPage();
    await page.goto(`${server.url}/cms-admin/workflows/${String(id)}`);
    await page.locator(`[data-node="${middle}"]`).waitFor();
    await page.waitForLoadState('networkidle');
    const client = await context.newCDPSession(page);
    const results = [];
    for (const { name, steps, run } of actions)
      results.push({ name, ...figuresOf(await traced(client, () => run(page)), steps) });
    print(results, args.includes('--json'));
  } finally {
    await browser.close();
    await server.stop();
  }
}

function largeFlow() {
  const nodes = Array.from({ length: columns * rows }, (_, index) => ({
    id: `n${index}`,
    name: `Step ${index}`,
    x: (index % columns) * 240,
    y: Math.floor(index / columns) * 112,
    ...(index % columns === 0
      ? { type: 'inject', config: { payload: '{}' } }
      : { type: 'function', config: { code: 'return msg;', outputs: 1 + (index % 3) } }),
  }));
  const wires = nodes.flatMap((_, index) =>
    index % columns === columns - 1 ? [] : [{ from: `n${index}`, out: 0, to: `n${index + 1}` }],
  );
  return { nodes, wires };
}

async function drag(page: Page, steps: number): Promise<void> {
  const box = await page.locator(`[data-node="${middle}"]`).boundingBox();
  if (box === null) throw new Error('the node is not on the screen');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= steps; step++) await page.mouse.move(x + (step % 40) * 3, y + (step % 7) * 4);
  await page.mouse.move(x, y);
  await page.mouse.up();
}

interface Figures {
  /** All script divided by the steps. */
  readonly scriptPerStepMs: number;
  readonly layoutPerStepMs: number;
  readonly longestScriptMs: number;
}

function figuresOf({ scripts, layoutMs }: Traced, steps: number): Figures {
  return {
    scriptPerStepMs: scripts.reduce((sum, ms) => sum + ms, 0) / steps,
    layoutPerStepMs: layoutMs / steps,
    longestScriptMs: Math.max(0, ...scripts),
  };
}

function print(results: readonly (Figures & { readonly name: string })[], isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify(results));
    return;
  }
  console.log(`${environmentLine()}, ${columns * rows} nodes, processor time in ms\n`);
  const head = ['', 'script per step', 'style and layout per step', 'longest script'];
  const lines = results.map(({ name, scriptPerStepMs, layoutPerStepMs, longestScriptMs }) => [
    name,
    ...[scriptPerStepMs, layoutPerStepMs, longestScriptMs].map((ms) => ms.toFixed(1)),
  ]);
  console.log(markdownTable(head, lines));
}
