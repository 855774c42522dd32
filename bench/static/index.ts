import { parseArgs } from 'node:util';
import { environmentLine, markdownTable } from '../report.ts';
import { pageCount } from './content.ts';
import { measureHugo } from './hugo.ts';
import { measureIncipit } from './incipit.ts';

/** Goals: pages per second against Hugo in the same run, and memory of all processes in MB. */
const minRatio = 2;
const maxMb = 300;

interface Row {
  readonly name: string;
  readonly pages: number;
  /** Pages per second, of the first round and the median. */
  readonly first: number;
  readonly median: number;
  readonly peakMb: number | undefined;
}

/** Exports 2,000 articles with images, and builds the same with Hugo where it is installed (`HUGO` names it). */
export async function runStaticBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '5' } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds needs a whole number above 0');
  const entries = rowOf('Incipit, entries of a collection', await measureIncipit('entries', rounds));
  const pages = rowOf('Incipit, pages with own templates', await measureIncipit('pages', rounds));
  const builds = await measureHugo(rounds);
  const hugo = builds && rowOf('Hugo', builds);
  const rows = [entries, pages, ...(hugo === undefined ? [] : [hugo])];
  const cells = rows.map(({ name, pages: count, first, median, peakMb }) => [
    name,
    String(count),
    first.toFixed(0),
    median.toFixed(0),
    peakMb?.toFixed(0) ?? '',
    hugo === undefined ? '' : (median / hugo.median).toFixed(2),
  ]);
  const head = ['', 'pages', 'pages/s, first', 'pages/s, median', 'peak, MB', 'against Hugo'];
  console.log(`${environmentLine()}\n\n${markdownTable(head, cells)}`);
  if (hugo === undefined) console.log('\nHugo is not installed.');
  const missed = rows.filter(({ pages: count }) => count < pageCount);
  if (missed.length > 0) throw new Error(`pages are missing: ${missed.map(({ name }) => name).join(', ')}`);
  if (hugo !== undefined && entries.median < minRatio * hugo.median)
    throw new Error(`fewer than ${minRatio} times the pages per second of Hugo`);
  const large = rows.filter(({ peakMb = 0 }) => peakMb > maxMb);
  if (large.length > 0) throw new Error(`more than ${maxMb} MB: ${large.map(({ name }) => name).join(', ')}`);
}

function rowOf(
  name: string,
  runs: readonly { readonly pages: number; readonly seconds: number; readonly peakMb?: number | undefined }[],
): Row {
  const rates = runs.map(({ pages, seconds }) => pages / seconds);
  const sorted = rates.toSorted((left, right) => left - right);
  const peaks = runs.flatMap(({ peakMb }) => peakMb ?? []);
  return {
    name,
    pages: Math.min(...runs.map(({ pages }) => pages)),
    first: rates[0] ?? 0,
    median: sorted[sorted.length >> 1] ?? 0,
    peakMb: peaks.length === 0 ? undefined : Math.max(...peaks),
  };
}
