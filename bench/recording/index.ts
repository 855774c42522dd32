import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installInto } from '../../test/runtime/demo-content/database.ts';
import { pages } from '../../test/runtime/demo-content/site.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';

/** Two of them do not record, so that their ratio shows what the machine adds. */
const contestants = [
  { name: 'without recording', args: [] },
  { name: 'without recording, again', args: [] },
  { name: 'with recording', args: ['--recording'] },
];

/** Rounds before those that count, so that V8 has compiled what it will compile. */
const warmUpRounds = 60;

interface Figures {
  readonly name: string;
  /** Processor time of rendering one page, microseconds. */
  readonly cpuUs: number;
  /** Time divided by that of the first contestant in the same round: the median of each group of processes. */
  readonly ratio: Spread;
}

/**
 * What recording the reads of a render costs: the pages of the demonstration website, rendered in turn by processes
 * that record and that do not. Each contestant has a process of its own, as in the product: in a common one, each
 * makes the code that V8 compiles for the other more general. What V8 compiles differs from process to process by
 * more than the goal, so there are several groups of processes. Times are processor time, so that load of the machine
 * counts less. Options: `--groups <n>` (9), `--rounds <n>` (100) in each of them, `--json`.
 */
export async function runRecordingBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      groups: { type: 'string', default: '9' },
      rounds: { type: 'string', default: '100' },
      json: { type: 'boolean', default: false },
    },
  });
  const dir = mkdtempSync(join(tmpdir(), 'incipit-recording-'));
  try {
    const times: number[][][] = [];
    for (let group = 0; group < Number(values.groups); group++)
      times.push(await measureGroup(join(dir, String(group)), Number(values.rounds)));
    const figures = contestants.map(({ name }, index) => figuresOf(name, index, times));
    if (values.json) console.log(JSON.stringify(figures));
    else console.log(`${environmentLine()}; ${pages.length} pages\n\n${table(figures)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The times of each contestant by round, microseconds for all pages. */
async function measureGroup(dir: string, rounds: number): Promise<number[][]> {
  const renderers: Renderer[] = [];
  try {
    for (const { args } of contestants)
      renderers.push(await Renderer.start(join(dir, String(renderers.length)), args));
    if (new Set(renderers.map(({ tags }) => tags)).size > 1)
      throw new Error('pages differ with and without recording');
    const times = renderers.map((): number[] => []);
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (let turn = 0; turn < renderers.length; turn++) {
        const index = (round + warmUpRounds + turn) % renderers.length;
        const time = await renderers[index]?.cpuUs();
        if (round >= 0 && time !== undefined) times[index]?.push(time);
      }
    }
    return times;
  } finally {
    for (const renderer of renderers) await renderer.stop();
  }
}

/** A process that renders the pages of a website of its own. */
class Renderer {
  tags = '';
  readonly #child: ChildProcess;
  /** Rejects when the process ends, so that nobody waits for it without end. */
  readonly #ended: Promise<never>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit').then(() => {
      throw new Error('a process that renders has ended');
    });
    this.#ended.catch(() => {});
  }

  static async start(dir: string, args: readonly string[]): Promise<Renderer> {
    mkdirSync(dir, { recursive: true });
    installInto(join(dir, 'content.db'));
    const file = fileURLToPath(new URL('renderer.ts', import.meta.url));
    const renderer = new Renderer(fork(file, ['--dir', dir, ...args]));
    renderer.tags = String(await renderer.#message());
    return renderer;
  }

  async cpuUs(): Promise<number> {
    this.#child.send('render');
    return Number(await this.#message());
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#ended.catch(() => {});
  }

  #message(): Promise<unknown> {
    const message = new Promise((resolve) => this.#child.once('message', resolve));
    return Promise.race([message, this.#ended]);
  }
}

function figuresOf(
  name: string,
  index: number,
  groups: readonly (readonly (readonly number[])[])[],
): Figures {
  const all = groups.flatMap((times) => times[index] ?? []);
  const ratios = groups.map((times) =>
    spreadOf((times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? Number.NaN))),
  );
  return {
    name,
    cpuUs: spreadOf(all).median / pages.length,
    ratio: spreadOf(ratios.map(({ median }) => median)),
  };
}

function table(figures: readonly Figures[]): string {
  const rows = figures.map(({ name, cpuUs, ratio }) => [
    name,
    cpuUs.toFixed(1),
    ratio.median.toFixed(3),
    `${ratio.low.toFixed(3)}-${ratio.high.toFixed(3)}`,
  ]);
  return markdownTable(['', 'µs of processor time per page', 'ratio', 'spread'], rows);
}
