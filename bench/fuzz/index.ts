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

/** Templates per process: a crash costs no more than these. */
const PER_PROCESS = 25_000;

/** Memory of a process, megabytes. */
const MEMORY_MB = 768;

/** How long one template may keep a process from reporting, milliseconds: it is killed then. */
const KILL_AFTER_MS = 60_000;

/**
 * Random and mutated templates against the engine: parsed, checked, compiled, rendered with hostile data. Prints what
 * it finds and fails if that is anything. Options: `--count <n>` (1000000), `--seed <n>` (the time), `--jobs <n>` (1).
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
  /** The shortest template that shows it. */
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
      nextStart += PER_PROCESS;
      // One seed per template would do; batches take one each.
      await runProcess(
        join(folder, String(job)),
        seed + start,
        Math.min(PER_PROCESS, count - start),
        outcome,
      );
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
      `--max-old-space-size=${MEMORY_MB}`,
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

/** Undefined after a good end, else the signal or exit code. */
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
    } else if (performance.now() - since > KILL_AFTER_MS) {
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
