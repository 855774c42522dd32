import { parseArgs } from 'node:util';
import { type Case, isSame, type Outcome, sourcesOf } from './case.ts';
import { type Cause, causeOf, type Difference, isPythonError, kindOf } from './causes.ts';
import { outcomeOf } from './incipit.ts';
import { Django, findPython, type Peculiarity } from './python.ts';
import { shrunk } from './shrink.ts';
import { caseOf } from './templates.ts';

/** Cases between two lines of progress. */
const progressEvery = 1_000;

/** Cases that are rendered before they are compared. */
const batchSize = 100;

/**
 * Renders random templates with Incipit and with Django, prints the differences by cause, and fails if one has
 * an unknown cause. Options: `--count <n>` (20000), `--seed <n>` (the time), `--python <path>`.
 */
export async function runDjangoComparison(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      python: { type: 'string' },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  if (![count, seed].every((number) => Number.isSafeInteger(number) && number >= 0))
    throw new Error('--count and --seed need whole numbers');
  const candidates = values.python === undefined ? ['python3', '/usr/bin/python3'] : [values.python];
  const python = findPython(candidates);
  if (python === undefined) {
    console.log(
      `No Python with Django among ${candidates.join(', ')}: nothing was compared. ` +
        'Install one (Debian: python3-django), or name it with --python <path>.',
    );
    return;
  }
  const django = new Django(python.path);
  try {
    const report = await compare(django, python.django, { count, seed });
    print(report, { count, seed, django: python.django });
  } finally {
    await django.close();
  }
}

interface Entry {
  readonly cause: Cause;
  /** The shortest case with this cause. */
  readonly shortest: Difference;
  readonly times: number;
}

interface Report {
  /** Cases for which both gave output. */
  rendered: number;
  readonly entries: Map<string, Entry>;
}

async function compare(
  django: Django,
  version: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Report> {
  const report: Report = { rendered: 0, entries: new Map() };
  const bothOf = async (cases: readonly Case[]) => {
    const theirs = await django.outcomesOf(cases);
    return cases.map((one, index) => ({ one, ours: outcomeOf(one), theirs: required(theirs[index]) }));
  };
  const differsLike = (first: Difference) => async (cases: readonly Case[]) =>
    (await bothOf(cases)).map(
      (other) => !isSame(other.ours, other.theirs) && kindOf(other) === kindOf(first),
    );
  for (let done = 0; done < count; done += batchSize) {
    const length = Math.min(batchSize, count - done);
    const cases = Array.from({ length }, (_, index) => caseOf(seed + done + index));
    for (const found of await bothOf(cases)) {
      if (isSame(found.ours, found.theirs)) {
        if ('output' in found.ours) report.rendered += 1;
        continue;
      }
      const [small] = isPythonError(found)
        ? [found]
        : await bothOf([await shrunk(found.one, differsLike(found))]);
      const difference = required(small);
      const without = async (peculiarity: Peculiarity) =>
        required((await django.outcomesOf([difference.one], peculiarity))[0]);
      record(report, difference, await causeOf(difference, version, without));
    }
    if ((done + length) % progressEvery === 0)
      console.error(`${done + length} templates, ${report.entries.size} causes of differences`);
  }
  return report;
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('An answer is missing');
  return value;
}

function record({ entries }: Report, difference: Difference, cause: Cause): void {
  const before = entries.get(cause.name);
  const shortest =
    before !== undefined && lengthOf(before.shortest) <= lengthOf(difference) ? before.shortest : difference;
  entries.set(cause.name, { cause, shortest, times: (before?.times ?? 0) + 1 });
}

function lengthOf({ one }: Difference): number {
  return JSON.stringify(sourcesOf(one)).length;
}

function print(
  { rendered, entries }: Report,
  { count, seed, django }: { readonly count: number; readonly seed: number; readonly django: string },
): void {
  const sorted = [...entries.values()].sort((a, b) => b.times - a.times);
  const unknown = sorted.filter(({ cause }) => cause.reason === undefined);
  for (const { cause, shortest, times } of sorted.filter((entry) => entry.cause.reason !== undefined)) {
    console.log(`\nknown, ${times} times: ${cause.name}. ${cause.reason} (seed ${shortest.one.seed})`);
  }
  for (const { cause, shortest, times } of unknown) {
    console.log(`\n${times} times: ${cause.name} (seed ${shortest.one.seed})`);
    for (const [name, source] of Object.entries(sourcesOf(shortest.one)))
      console.log(`  ${name}: ${JSON.stringify(source)}`);
    if (/\bt\b/.test(Object.values(sourcesOf(shortest.one)).join()))
      console.log(`  t = ${/"t":("(?:[^"\\]|\\.)*")/.exec(shortest.one.context)?.[1]}`);
    console.log(`  Incipit ${shown(shortest.ours)}\n  Django  ${shown(shortest.theirs)}`);
  }
  const differences = sorted.reduce((sum, { times }) => sum + times, 0);
  console.log(
    `\n${count} templates, seed ${seed}, Django ${django}: ${rendered} with equal output, ` +
      `${differences} differences by ${sorted.length} causes, ${unknown.length} of them unknown`,
  );
  if (unknown.length > 0) process.exitCode = 1;
}

function shown(outcome: Outcome): string {
  return JSON.stringify('output' in outcome ? outcome.output : outcome).slice(0, 600);
}
