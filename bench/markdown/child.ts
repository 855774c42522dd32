/**
 * One process that renders costly texts: `child.ts <seed> <count>`. Each text is as long as it can be, up to
 * 32 KB, without being refused. Writes a JSON line before each text, so that the seed is known if the process
 * dies, and one for each text.
 */
import { writeSync } from 'node:fs';
import { GCProfiler } from 'node:v8';
import { checkMarkdownCost } from '../../runtime/markdown/cost.ts';
import { markdownToHtml } from '../../runtime/markdown/index.ts';
import { FilterError } from '../../runtime/values/limits.ts';
import type { TextReport } from './report.ts';
import { type TextMaker, textMaker } from './texts.ts';

const maxLength = 32 * 1024;

/** A text slower than this is measured again, since other programs may have taken the processor. Milliseconds. */
const repeatFromMs = 200;

const [seedText = '', countText = ''] = process.argv.slice(2);
for (let seed = Number(seedText); seed < Number(seedText) + Number(countText); seed++) {
  writeSync(1, `${JSON.stringify({ seed })}\n`);
  writeSync(1, `${JSON.stringify(reportOf(seed))}\n`);
}

function reportOf(seed: number): TextReport {
  const make = textMaker(seed);
  const text = longestAccepted(make);
  let best = measured(text);
  for (let again = 1; again < 4 && best.ms > repeatFromMs; again++) {
    // Another text of the same cost, since results are kept.
    const next = measured(text + ' '.repeat(again));
    best = { ms: Math.min(best.ms, next.ms), mb: Math.min(best.mb, next.mb) };
  }
  const refused = !isAccepted(make(maxLength));
  return { seed, ...best, length: text.length, refused, beginning: text.slice(0, 80) };
}

function longestAccepted(make: TextMaker): string {
  let accepted = 0;
  let tried = maxLength;
  for (let step = maxLength; step >= 64; step /= 2) {
    if (isAccepted(make(tried))) {
      accepted = tried;
      tried += step / 2;
    } else tried -= step / 2;
    if (accepted === maxLength) break;
  }
  return make(accepted);
}

function isAccepted(text: string): boolean {
  try {
    checkMarkdownCost(text);
    return true;
  } catch (error) {
    if (error instanceof FilterError) return false;
    throw error;
  }
}

/** Time, and growth of the heap that was left after any collection of garbage. */
function measured(text: string): { ms: number; mb: number } {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const profiler = new GCProfiler();
  profiler.start();
  const started = performance.now();
  try {
    markdownToHtml(text);
  } catch (error) {
    // Spaces at the end may bring a text at the limit above it.
    if (!(error instanceof FilterError)) throw error;
    profiler.stop();
    return { ms: Number.POSITIVE_INFINITY, mb: Number.POSITIVE_INFINITY };
  }
  const ms = performance.now() - started;
  const heaps = profiler.stop().statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize);
  return { ms, mb: Math.max(0, ...heaps.map((heap) => heap - before)) / 2 ** 20 };
}
