import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import { Report } from './report.ts';

interface Options {
  readonly count: number;
  readonly seed: number;
  readonly jobs: number;
}

/** Templates per process: a crash loses no more than these. */
const perProcess = 25_000;

/** Limit of the heap of a process, megabytes. */
const memoryMb = 768;

/** Time limit of one template, milliseconds. A process that exceeds it is killed. */
const killAfterMs = 60_000;

/**
 * Runs random and mutated templates in the engine: parses, checks, compiles, renders with hostile data.
 * Prints all faults and fails if there is one. Options: `--count <n>` (1000000), `--seed <n>` (the time),
 * `--jobs <n>` (1).
 */
export async function runFuzz(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      jobs: { type: 'string', default: '1' },
    },
  });
  const options: Options = {
    count: Number(values.count),
    seed: Number(values.seed),
    jobs: Number(values.jobs),
  };
  if (!Object.values(options).every((value) => Number.isSafeInteger(value) && value >= 0) || options.jobs < 1)
    throw new Error('--count, --seed and --jobs need whole numbers');
  const started = performance.now();
  const { looked, rendered, faults } = await fuzz(options);
  const seconds = (performance.now() - started) / 1_000;
  for (const [fault, { template, seed, times }] of faults) {
    console.log(`\n${fault} (${times} times, seed ${seed})\n  ${JSON.stringify(template)}`);
  }
  console.log(
    `\n${looked} templates in ${seconds.toFixed(0)} s, ${(looked / seconds).toFixed(0)} per second; ` +
      `${((100 * rendered) / Math.max(1, looked)).toFixed(0)} % gave output; ` +
      `seed ${options.seed}; ${faults.size} kinds of faults`,
  );
  if (faults.size > 0) process.exitCode = 1;
}

interface Fault {
  /** The shortest template that shows the fault. */
  readonly template: string;
  readonly seed: number;
  readonly times: number;
}

interface Outcome {
  looked: number;
  rendered: number;
  readonly faults: Map<string, Fault>;
}

async function fuzz({ count, seed, jobs }: Options): Promise<Outcome> {
  const outcome: Outcome = { looked: 0, rendered: 0, faults: new Map() };
  const folder = mkdtempSync(join(tmpdir(), 'incipit-fuzz-'));
  let nextStart = 0;
  const work = async (job: number) => {
    for (let start = nextStart; start < count; start = nextStart) {
      nextStart += perProcess;
      // A process takes one seed per batch and has at most one batch per template, so seeds are not shared.
      await runProcess(join(folder, String(job)), seed + start, Math.min(perProcess, count - start), outcome);
      console.error(`${outcome.looked} templates, ${outcome.faults.size} kinds of faults`);
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return outcome;
}

async function runProcess(caseFile: string, seed: number, count: number, outcome: Outcome): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      '--disable-proto=delete',
      `--max-old-space-size=${memoryMb}`,
      fileURLToPath(import.meta.resolve('./child.ts')),
      caseFile,
      String(seed),
      String(count),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2_000);
  });
  const ended = endOf(child);
  const watch = watchCase(child, caseFile);
  let last = seed;
  for await (const line of createInterface({ input: child.stdout })) {
    const report = Value.Decode(Report, JSON.parse(line));
    outcome.looked += report.count;
    outcome.rendered += report.rendered;
    last = report.seed + 1;
    if (report.fault !== undefined) record(outcome, report.fault, report.template ?? '', report.seed);
  }
  const how = await ended;
  watch.stop();
  if (how === undefined) return;
  const reason = watch.killed() ? 'does not end' : `the process died (${how}): ${lastLine(errors)}`;
  record(outcome, reason, caseIn(caseFile) ?? '', last);
}

function record({ faults }: Outcome, fault: string, template: string, seed: number): void {
  const kind = fault.replace(/\d+/g, 'N').replace(/"[^"]*"|'[^']*'/g, '...');
  const known = faults.get(kind);
  if (known === undefined) console.error(`${fault} (seed ${seed})\n  ${JSON.stringify(template)}`);
  if (known === undefined || template.length < known.template.length)
    faults.set(kind, { template, seed, times: (known?.times ?? 0) + 1 });
  else faults.set(kind, { ...known, times: known.times + 1 });
}

/** The signal or exit code of a failed process; undefined after exit code 0. */
function endOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
}

/** Kills the process when it stays with one template for too long. */
function watchCase(child: ChildProcess, caseFile: string): { stop(): void; killed(): boolean } {
  let killed = false;
  let seen: string | undefined;
  let since = performance.now();
  const timer = setInterval(() => {
    const now = caseIn(caseFile);
    if (now !== seen) {
      seen = now;
      since = performance.now();
    } else if (performance.now() - since > killAfterMs) {
      killed = true;
      child.kill('SIGKILL');
    }
  }, 1_000);
  return { stop: () => clearInterval(timer), killed: () => killed };
}

/** The template that runs now; undefined while the file is being written. */
function caseIn(caseFile: string): string | undefined {
  try {
    return String(JSON.parse(readFileSync(caseFile, 'utf8')));
  } catch {
    return undefined;
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /error|fatal/i.test(line));
  return lines.at(-1)?.trim() ?? '';
}
