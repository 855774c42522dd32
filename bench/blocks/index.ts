import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RenderWorker, type TaskContext } from '../../runtime/tasks/context.ts';
import type { PageTask } from '../../runtime/tasks/messages/delivery.ts';
import { renderPageTask } from '../../runtime/tasks/render-page.ts';
import { convertTree } from '../../server/content/blocks/convert-tree.ts';
import { openDatabases } from '../../server/db/open.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { benchTree, createBlocksSite } from './site.ts';

/** Goals: speed compared with the page written by hand, and milliseconds for a tree of 1 MB. */
const goals = { blocks: 0.7, marks: 0.4, validateMs: 50 } as const;

/**
 * A page of 60 blocks in three levels against the same page written by hand: with its texts in the template, and
 * with a template that reads the values of the tree. And how long a tree of 1 MB takes to be checked. Options:
 * `--rounds <n>` (200), `--json`. Fails if a goal is missed.
 */
export async function runBlocksBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
  });
  const dir = mkdtempSync(join(tmpdir(), 'incipit-blocks-'));
  try {
    createBlocksSite(dir, '');
    const byHand = await outputOfBlocks(dir);
    rmSync(dir, { recursive: true, force: true });
    createBlocksSite(dir, byHand);
    const contestants = await measureAll(dir, Number(values.rounds));
    const validateMs = await timeOfValidation(dir);
    if (values.json) console.log(JSON.stringify({ contestants, validateMs }));
    else print(contestants, validateMs);
    const speed = (name: string) => 1 / (contestants.find((one) => one.name === name)?.ratio.median ?? 0);
    if (speed('blocks') < goals.blocks || speed('blocks with marks') < goals.marks) process.exitCode = 1;
    if (validateMs > goals.validateMs) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Figures {
  readonly name: string;
  readonly cpuUs: number;
  /** Time compared with the page written by hand in the same round. */
  readonly ratio: Spread;
}

const cases: readonly { readonly name: string; readonly path: string; readonly isPreview?: true }[] = [
  { name: 'by hand', path: '/by-hand' },
  { name: 'by hand, again', path: '/by-hand' },
  { name: 'by hand, values of the tree', path: '/with-values' },
  { name: 'blocks', path: '/blocks' },
  { name: 'blocks with marks', path: '/blocks', isPreview: true },
];

const warmUpRounds = 40;
/** Renders of one contestant in one round. */
const rendersPerRound = 20;

async function measureAll(dir: string, rounds: number): Promise<Figures[]> {
  const worker = openWorker(dir);
  try {
    const context = worker.contextFor();
    const outputs = new Set<string>();
    for (const { path, isPreview } of cases)
      if (isPreview !== true) outputs.add(bodyOf(await rendered(context, path)));
    if (outputs.size !== 1) throw new Error('the pages differ');
    const times = cases.map((): number[] => []);
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (let turn = 0; turn < cases.length; turn++) {
        const index = (round + warmUpRounds + turn) % cases.length;
        const time = await cpuUsOf(context, index);
        if (round >= 0) times[index]?.push(time);
      }
    }
    return cases.map(({ name }, index) => ({
      name,
      cpuUs: spreadOf(times[index] ?? []).median,
      ratio: spreadOf((times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? Number.NaN))),
    }));
  } finally {
    worker.close();
  }
}

async function cpuUsOf(context: TaskContext, index: number): Promise<number> {
  const { path, isPreview } = cases[index] ?? { path: '/' };
  const before = process.cpuUsage();
  for (let render = 0; render < rendersPerRound; render++) await rendered(context, path, isPreview);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rendersPerRound;
}

async function rendered(context: TaskContext, path: string, isPreview = false): Promise<string> {
  const task: PageTask = {
    kind: 'page',
    host: 'a.test',
    scheme: 'http',
    path,
    query: '',
    siteId: 1,
    now: 1.76e12,
    encoding: undefined,
    ...(isPreview ? { preview: { kind: 'all' } } : {}),
  };
  const { outcome } = await renderPageTask(context, task);
  if (outcome.kind !== 'page') throw new Error(`${path} is ${JSON.stringify(outcome)}`);
  return Buffer.from(outcome.body.identity).toString();
}

function bodyOf(html: string): string {
  return html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
}

async function outputOfBlocks(dir: string): Promise<string> {
  const worker = openWorker(dir);
  try {
    return bodyOf(await rendered(worker.contextFor(), '/blocks')).slice('<main>'.length);
  } finally {
    worker.close();
  }
}

function openWorker(dir: string): RenderWorker {
  return new RenderWorker({
    databaseFile: join(dir, 'content.db'),
    cacheDir: join(dir, 'cache'),
    scheme: 'http',
    signingKeyFile: join(dir, 'media.key'),
  });
}

/** The median processor time to check and convert a tree of nearly 1 MB, in milliseconds. */
async function timeOfValidation(dir: string): Promise<number> {
  const { content, close } = openDatabases(dir, 5000);
  try {
    const tree = benchTree();
    // The IDs of the copies are a few characters longer.
    const copies = Math.floor(2 ** 20 / (JSON.stringify(tree).length + 60 * 4));
    const large = Array.from({ length: copies }, (_, copy) =>
      JSON.parse(JSON.stringify(tree).replaceAll('"id":"b', `"id":"c${copy}-`)),
    ).flat();
    const times: number[] = [];
    for (let round = 0; round < 15; round++) {
      const before = process.cpuUsage();
      await convertTree(content.reader, large);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    return spreadOf(times).median;
  } finally {
    close();
  }
}

function print(contestants: readonly Figures[], validateMs: number): void {
  const rows = contestants.map(({ name, cpuUs, ratio }) => [
    name,
    cpuUs.toFixed(0),
    (1 / ratio.median).toFixed(2),
    `${(1 / ratio.high).toFixed(2)} to ${(1 / ratio.low).toFixed(2)}`,
  ]);
  console.log(
    `${environmentLine()}\n\n${markdownTable(['page of 60 blocks', 'µs', 'speed', 'spread'], rows)}`,
  );
  console.log(`\ngoals: blocks ${goals.blocks}, blocks with marks ${goals.marks}`);
  console.log(`a tree of 1 MB is checked in ${validateMs.toFixed(1)} ms (goal: ${goals.validateMs})`);
}
