import { parseArgs } from 'node:util';
import { type Cost, costOf, timedRender } from './measure.ts';
import { type TextMaker, textMaker } from './texts.ts';

/** Goals for one text of up to `maxLength` characters. */
const maxMs = 300;
const maxMb = 64;
const maxLength = 32 * 1024;

/**
 * Each text is rendered in a sixteenth of the length first (an ordinary one takes about 0.5 ms), and in a quarter of it
 * if that took longer than an ordinary text by this factor: where cost grows with the square of the length, the cost of
 * the others is at most 16 * 16 ms and so stays below the goal. One that is slow in a quarter too is rendered in full.
 * Every fiftieth text is rendered in full in any case, since its cost may grow faster, and so are all of a few texts.
 */
const shortLength = maxLength / 16;
const suspectFactor = 2;
const alwaysFull = 50;

/** A quarter that takes less stays below half of the goal in full, where cost grows with the square of the length. */
const quarterLength = maxLength / 4;
const suspectQuarterMs = maxMs / 2 / 16;

/** How often the time of the ordinary text is measured again, since other programs come and go. Texts. */
const ordinaryEvery = 500;

/** A text slower than this is measured again, since caches may have been cold. Milliseconds. */
const repeatFromMs = 200;

/** Texts between two lines of progress. */
const progressEvery = 5_000;

interface Finding extends Cost {
  readonly seed: number;
  readonly length: number;
  readonly beginning: string;
}

interface Outcome {
  full: number;
  refused: number;
  readonly tooCostly: Finding[];
  slowest: Finding | undefined;
  largest: Finding | undefined;
}

/**
 * Renders costly Markdown texts and fails if one exceeds the goals. The seed of a text is printed; with it and
 * `--count 1` the text is made again. Options: `--count <n>` (1000), `--seed <n>` (the time).
 */
export async function runMarkdownBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  if (![count, seed].every((value) => Number.isSafeInteger(value) && value >= 0))
    throw new Error('--count and --seed need whole numbers');
  const started = performance.now();
  let suspectMs = 0;
  const outcome: Outcome = { full: 0, refused: 0, tooCostly: [], slowest: undefined, largest: undefined };
  for (let next = seed; next < seed + count; next++) {
    if ((next - seed) % ordinaryEvery === 0) suspectMs = ordinaryMs() * suspectFactor;
    if (next > seed && (next - seed) % progressEvery === 0) print(outcome, `${next - seed} texts`);
    const make = textMaker(next);
    const inFull = count < alwaysFull || next % alwaysFull === 0;
    if (inFull || isSuspect(make, suspectMs)) record(next, make(maxLength), outcome);
  }
  const seconds = (performance.now() - started) / 1_000;
  print(outcome, `${count} texts from seed ${seed} in ${seconds.toFixed(0)} s`);
}

function ordinaryMs(): number {
  const text = '- *a* [b](c)\n'.repeat(shortLength / 13);
  const times = Array.from({ length: 9 }, () => timedRender(text).ms);
  return times.sort((a, b) => a - b)[4] ?? 0;
}

function isSuspect(make: TextMaker, suspectMs: number): boolean {
  return isSlow(make(shortLength), suspectMs) && isSlow(make(quarterLength), suspectQuarterMs);
}

/** Caches may have been cold the first time. */
function isSlow(text: string, ms: number): boolean {
  return timedRender(text).ms > ms && timedRender(text).ms > ms;
}

function record(seed: number, text: string, outcome: Outcome): void {
  const finding = { seed, ...leastCost(text), length: text.length, beginning: text.slice(0, 80) };
  outcome.full += 1;
  if (finding.refused) outcome.refused += 1;
  if (finding.ms > maxMs || finding.mb > maxMb) {
    outcome.tooCostly.push(finding);
    console.log(shown(finding));
  }
  if (finding.ms > (outcome.slowest?.ms ?? 0)) outcome.slowest = finding;
  if (finding.mb > (outcome.largest?.mb ?? 0)) outcome.largest = finding;
}

function leastCost(text: string): Cost {
  let least = costOf(text);
  for (let again = 1; again < 4 && least.ms > repeatFromMs; again++) {
    const { ms, mb, refused } = costOf(text);
    least = { ms: Math.min(ms, least.ms), mb: Math.min(mb, least.mb), refused };
  }
  return least;
}

function print({ full, refused, tooCostly, slowest, largest }: Outcome, about: string): void {
  if (slowest !== undefined) console.log(`\nslowest: ${shown(slowest)}`);
  if (largest !== undefined) console.log(`largest: ${shown(largest)}`);
  console.log(
    `${about}; ${full} of them at full length, ${refused} of these refused; ` +
      `${tooCostly.length} over ${maxMs} ms or ${maxMb} MB`,
  );
  if (tooCostly.length > 0) process.exitCode = 1;
}

function shown({ seed, ms, mb, length, refused, beginning }: Finding): string {
  const cost = `${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB${refused ? ', refused' : ''}`;
  return `seed ${seed}: ${cost}, ${length} characters, ${JSON.stringify(beginning)}`;
}
