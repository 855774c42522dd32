import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import { TextReport, TextStart } from './report.ts';

/** Goals for one text of up to 32 KB that is not refused. */
const maxMs = 300;
const maxMb = 64;

/** Texts per process. */
const perProcess = 2_000;

/** Limit of the heap of a process, megabytes. */
const memoryMb = 512;

interface Outcome {
  looked: number;
  refused: number;
  readonly tooCostly: TextReport[];
  slowest: TextReport | undefined;
  readonly deaths: number[];
}

/**
 * Renders costly Markdown texts, each as long as it can be without being refused, and fails if one exceeds the
 * goals. Options: `--count <n>` (1000), `--seed <n>` (the time).
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
  const outcome: Outcome = { looked: 0, refused: 0, tooCostly: [], slowest: undefined, deaths: [] };
  for (let next = seed; next < seed + count; ) {
    next = await runProcess(next, Math.min(perProcess, seed + count - next), outcome);
  }
  print(outcome, seed);
}

/** @returns the seed to go on with */
async function runProcess(seed: number, count: number, outcome: Outcome): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      `--max-old-space-size=${memoryMb}`,
      fileURLToPath(import.meta.resolve('./child.ts')),
      String(seed),
      String(count),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  let last = seed;
  for await (const line of createInterface({ input: child.stdout })) {
    const message: unknown = JSON.parse(line);
    if (Value.Check(TextReport, message)) record(outcome, message);
    else last = Value.Decode(TextStart, message).seed;
  }
  const [code] = await ended;
  if (code === 0) return seed + count;
  outcome.deaths.push(last);
  return last + 1;
}

function record(outcome: Outcome, report: TextReport): void {
  outcome.looked += 1;
  if (report.refused) outcome.refused += 1;
  if (report.ms > maxMs || report.mb > maxMb) outcome.tooCostly.push(report);
  if (report.ms > (outcome.slowest?.ms ?? 0)) outcome.slowest = report;
}

function print({ looked, refused, tooCostly, slowest, deaths }: Outcome, seed: number): void {
  for (const report of tooCostly.sort((a, b) => b.ms - a.ms)) console.log(shown(report));
  for (const dead of deaths) console.log(`seed ${dead}: the process died`);
  if (slowest !== undefined) console.log(`\nslowest: ${shown(slowest)}`);
  console.log(
    `${looked} texts from seed ${seed}: ${refused} refused at 32 KB, then shortened until accepted; ` +
      `${tooCostly.length} over ${maxMs} ms or ${maxMb} MB; ${deaths.length} deaths`,
  );
  if (tooCostly.length + deaths.length > 0) process.exitCode = 1;
}

function shown({ seed, ms, mb, length, beginning }: TextReport): string {
  return `seed ${seed}: ${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB, ${length} characters, ${JSON.stringify(beginning)}`;
}
