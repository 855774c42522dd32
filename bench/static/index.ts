import { parseArgs } from 'node:util';
import { environmentLine, markdownTable } from '../report.ts';
import { pageCount } from './content.ts';
import { openHugo } from './hugo.ts';
import { type Contestant, openIncipit, type StaticRun } from './incipit.ts';

/** Goals: pages per second against Hugo in the same run, and memory of all processes in MB. */
const minRatio = 2;
const maxMb = 300;

interface Row {
  readonly name: string;
  readonly pages: number;
  /** Pages per second, of the first round and the median. */
  readonly first: number;
  readonly median: number;
  /** Processor time for a page in ms, the median; undefined where the system does not tell. */
  readonly cpuMs: number | undefined;
  readonly peakMb: number | undefined;
}

/** Exports 2,000 articles with images, and builds the same with Hugo where it is installed (`HUGO` names it). */
export async function runStaticBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '5' } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds needs a whole number above 0');
  const hugo = await openHugo();
  const builds: StaticRun[] = [];
  const entries = await measure('entries', 'Incipit, entries of a collection', rounds, hugo, builds);
  const pages = await measure('pages', 'Incipit, pages with own templates', rounds, hugo, builds);
  await hugo?.close();
  const built = hugo && rowOf('Hugo', builds);
  const rows = [entries, pages, ...(built === undefined ? [] : [built])];
  report(rows, built);
  const missed = rows.filter(({ pages: count }) => count < pageCount);
  if (missed.length > 0) throw new Error(`pages are missing: ${missed.map(({ name }) => name).join(', ')}`);
  if (built !== undefined && entries.median < minRatio * built.median)
    throw new Error(`fewer than ${minRatio} times the pages per second of Hugo`);
  const large = rows.filter(({ peakMb = 0 }) => peakMb > maxMb);
  if (large.length > 0) throw new Error(`more than ${maxMb} MB: ${large.map(({ name }) => name).join(', ')}`);
}

/** Each round is followed by one of Hugo, so that other work on the machine meets both. */
async function measure(
  kind: 'entries' | 'pages',
  name: string,
  rounds: number,
  hugo: Contestant | undefined,
  builds: StaticRun[],
): Promise<Row> {
  const incipit = await openIncipit(kind);
  try {
    const runs: StaticRun[] = [];
    for (let round = 0; round < rounds; round += 1) {
      runs.push(await incipit.run());
      if (hugo !== undefined) builds.push(await hugo.run());
    }
    return rowOf(name, runs, await incipit.peakMb());
  } finally {
    await incipit.close();
  }
}

function report(rows: readonly Row[], hugo: Row | undefined): void {
  const ratio = (own: number | undefined, other: number | undefined) =>
    own === undefined || other === undefined ? '' : (own / other).toFixed(2);
  const cells = rows.map(({ name, pages, first, median, cpuMs, peakMb }) => [
    name,
    String(pages),
    first.toFixed(0),
    median.toFixed(0),
    ratio(median, hugo?.median),
    cpuMs?.toFixed(2) ?? '',
    ratio(hugo?.cpuMs, cpuMs),
    peakMb?.toFixed(0) ?? '',
  ]);
  const head = [
    '',
    'pages',
    'pages/s, first',
    'pages/s, median',
    'against Hugo',
    'CPU ms/page',
    'against Hugo',
    'peak, MB',
  ];
  console.log(`${environmentLine()}\n\n${markdownTable(head, cells)}`);
  if (hugo === undefined) console.log('\nHugo is not installed.');
}

function rowOf(name: string, runs: readonly StaticRun[], peakMb?: number): Row {
  const rates = runs.map(({ pages, seconds }) => pages / seconds);
  return {
    name,
    pages: Math.min(...runs.map(({ pages }) => pages)),
    first: rates[0] ?? 0,
    median: medianOf(rates) ?? 0,
    cpuMs: medianOf(
      runs.flatMap(({ pages, cpuSeconds }) =>
        cpuSeconds === undefined ? [] : [(1000 * cpuSeconds) / pages],
      ),
    ),
    peakMb,
  };
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}
