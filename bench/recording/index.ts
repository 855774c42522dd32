import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RenderWorker } from '../../runtime/tasks/context.ts';
import type { PageResult } from '../../runtime/tasks/messages/delivery.ts';
import { renderPageTask } from '../../runtime/tasks/render-page.ts';
import { installInto } from '../../test/runtime/demo-content/database.ts';
import { pages } from '../../test/runtime/demo-content/site.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { UnrecordedMemo } from './unrecorded.ts';

/** Processor time of rendering one page, and its ratio to that of the first contestant in the same round. */
interface Figures {
  readonly name: string;
  readonly cpuUs: number;
  readonly ratio: Spread;
}

/**
 * What recording the reads of a render costs: the pages of the demonstration website, rendered in turn by workers
 * that record and that do not. Two of them do not, so that their ratio shows what the machine adds. Times are
 * processor time, so that load of the machine counts less. Options: `--rounds <n>` (200), `--json`.
 */
export async function runRecordingBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
  });
  const dir = mkdtempSync(join(tmpdir(), 'incipit-recording-'));
  const settings = {
    databaseFile: join(dir, 'content.db'),
    cacheDir: join(dir, 'cache'),
    scheme: 'http',
    signingKeyFile: join(dir, 'media.key'),
  } as const;
  try {
    installInto(settings.databaseFile);
    const plain = () => new RenderWorker(settings, (reader) => new UnrecordedMemo(reader));
    const contestants = [
      { name: 'without recording', worker: plain() },
      { name: 'without recording, again', worker: plain() },
      { name: 'with recording', worker: new RenderWorker(settings) },
    ];
    const figures = await measureAll(contestants, Number(values.rounds));
    for (const { worker } of contestants) worker.close();
    if (values.json) console.log(JSON.stringify(figures));
    else console.log(`${environmentLine()}; ${pages.length} pages\n\n${table(figures)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface RecordingContestant {
  readonly name: string;
  readonly worker: RenderWorker;
}

const warmUpRounds = 30;

async function measureAll(contestants: readonly RecordingContestant[], rounds: number): Promise<Figures[]> {
  const tags = new Set<string>();
  for (const { worker } of contestants) tags.add((await renderAll(worker)).map(tagOf).join());
  if (tags.size > 1) throw new Error('pages differ with and without recording');
  const times = contestants.map((): number[] => []);
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + warmUpRounds + turn) % contestants.length;
      const time = await cpuUsOf(contestants[index]);
      if (round >= 0) times[index]?.push(time);
    }
  }
  return contestants.map(({ name }, index) => ({
    name,
    cpuUs: spreadOf(times[index] ?? []).median / pages.length,
    ratio: spreadOf((times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? Number.NaN))),
  }));
}

async function cpuUsOf(contestant: RecordingContestant | undefined): Promise<number> {
  const before = process.cpuUsage();
  if (contestant !== undefined) await renderAll(contestant.worker);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The pages are not stored, so that they are not compressed, which would take most of the time. */
async function renderAll(worker: RenderWorker): Promise<readonly PageResult[]> {
  const context = worker.contextFor();
  const results: PageResult[] = [];
  for (const { path } of pages) {
    const request = { host: 'a.test', scheme: 'http', path, query: '', siteId: 1 } as const;
    results.push(await renderPageTask(context, { kind: 'page', ...request, now: 1.76e12 }));
  }
  return results;
}

/** @throws Error for a page that cannot be rendered */
function tagOf({ outcome }: PageResult): string {
  if (outcome.kind !== 'page') throw new Error(`a page of the demonstration website is ${outcome.kind}`);
  return outcome.body.tag;
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
