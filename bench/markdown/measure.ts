import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRenderer } from '../../runtime/markdown/parser.ts';
import { FilterError } from '../../runtime/values/limits.ts';

/** What a text cost. */
export interface Cost {
  /** Milliseconds. */
  readonly ms: number;
  /** Growth of the heap, megabytes. */
  readonly mb: number;
  readonly refused: boolean;
}

// Not the filter itself, since that keeps its results.
const render = createRenderer('author');

setFlagsFromString('--expose-gc');
// Each forced collection would make the code older until it is thrown away, and compiling it again took a third of the time.
setFlagsFromString('--no-flush-bytecode');
const collectGarbage: unknown = runInNewContext('gc');

/** The time is what the thread has worked, since other programs may run too. */
export function timedRender(text: string): Pick<Cost, 'ms' | 'refused'> {
  const before = process.threadCpuUsage();
  const refused = isRefused(text);
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1_000, refused };
}

/** The growth is that of the heap after any collection of garbage, since garbage alone does no harm. */
export function costOf(text: string): Cost {
  if (typeof collectGarbage === 'function') collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const profiler = new GCProfiler();
  profiler.start();
  const cost = timedRender(text);
  const heaps = profiler.stop().statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize);
  return { ...cost, mb: Math.max(0, ...heaps.map((heap) => heap - before)) / 2 ** 20 };
}

function isRefused(text: string): boolean {
  try {
    render(text);
    return false;
  } catch (error) {
    if (error instanceof FilterError) return true;
    throw error;
  }
}
