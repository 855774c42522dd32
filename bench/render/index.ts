import { parseArgs } from 'node:util';
import { type Contestant, type Measurement, measureGroups, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { openTemplates } from './contestants/index.ts';
import { renderOtherPages } from './other-pages.ts';
import { checkSameOutput } from './same-output.ts';
import * as tools from './tools.ts';
import { tuned } from './tuned/index.ts';
import { unseen } from './unseen/index.ts';
import { allLanguages, type Context, type Sources, type TemplateSet, type Workload } from './workload.ts';

const halves: ReadonlyMap<string, readonly Workload[]> = new Map([
  ['tuned', tuned],
  ['unseen', unseen],
]);

interface WorkloadResult {
  readonly half: string;
  readonly workload: string;
  readonly about: string;
  readonly outputBytes: number;
  readonly results: readonly Measurement[];
  /** Time of a first render of little data with a fresh engine, by KB of source; empty if not asked for. */
  readonly compileMicrosecondsPerKb: Readonly<Record<string, number>>;
}

/**
 * Renders all workloads with every engine, in turn and in one process. Prints shares of the hand-written
 * function. Options: `--half tuned|unseen`, `--only <workload>`, `--before <n>` (0) different pages rendered
 * first, `--rounds <n>` (20), `--round-ms <n>` (10), `--compile`, `--json`.
 */
export function runRenderBench(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      compile: { type: 'boolean', default: false },
      half: { type: 'string' },
      only: { type: 'string' },
      before: { type: 'string', default: '0' },
      rounds: { type: 'string', default: '20' },
      'round-ms': { type: 'string', default: '10' },
    },
  });
  const chosen = [...halves]
    .filter(([half]) => values.half === undefined || half === values.half)
    .flatMap(([half, list]) => list.map((workload) => ({ half, workload })))
    .filter(({ workload }) => values.only === undefined || workload.name === values.only);
  if (chosen.length === 0) throw new Error(`there is no workload "${values.only}" in "${values.half}"`);
  runSelfCheck();
  renderOtherPages(whole('before', values.before, 0));
  const groups = chosen.map(({ workload }) => contestantsOf(workload));
  const measured = measureGroups(groups, {
    rounds: whole('rounds', values.rounds, 1),
    roundMs: whole('round-ms', values['round-ms'], 1),
    warmRounds,
  });
  const results = chosen.map(({ half, workload }, index) => ({
    half,
    workload: workload.name,
    about: workload.about,
    outputBytes: Buffer.byteLength(workload.handWritten(workload.context)),
    results: measured[index] ?? [],
    compileMicrosecondsPerKb: values.compile ? compileTimes(workload) : {},
  }));
  if (values.json) console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
  else console.log([environmentLine(), ...reportOf(results)].join('\n\n'));
}

/** A server that has run for a while has compiled what it runs often. */
const warmRounds = 12;

function whole(name: string, value: string, least: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`--${name} needs a whole number from ${least} on`);
  return number;
}

/** The hand-written function and all engines, after their outputs were compared. */
function contestantsOf(workload: Workload): readonly Contestant[] {
  const { context } = workload;
  // Templates of the peers call the functions that the hand-written one calls.
  const withTools = { ...context, fn: tools };
  const contestants: Contestant[] = [{ name: 'hand-written', run: () => workload.handWritten(context) }];
  for (const language of allLanguages) {
    const render = openTemplates[language](workload.sources[language])('main');
    const given = language === 'incipit' ? context : withTools;
    contestants.push({ name: language, run: () => render(given) });
  }
  checkSameOutput(workload.name, contestants);
  return contestants;
}

// ------------------------------------------------------------------------------------------ compilation

/** Fresh engines that are timed. As many run before them for warming up. */
const compileSamples = 20;

function compileTimes(workload: Workload): Readonly<Record<string, number>> {
  const times = allLanguages.map((language) => [
    language,
    compileTime(openTemplates[language], workload.sources[language], { ...workload.least, fn: tools }),
  ]);
  return Object.fromEntries(times);
}

function compileTime(open: (sources: Sources) => TemplateSet, sources: Sources, least: Context): number {
  const kilobytes = Object.values(sources).reduce((sum, source) => sum + Buffer.byteLength(source), 0) / 1024;
  const times: number[] = [];
  for (let sample = 0; sample < 2 * compileSamples; sample += 1) {
    const start = process.hrtime.bigint();
    open(sources)('main')(least);
    if (sample >= compileSamples) times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  return spreadOf(times).median / kilobytes;
}

// -------------------------------------------------------------------------------------------- the report

/** Goals of the share of the hand-written function: every workload, and the geometric mean of all. */
const leastShare = 0.7;
const meanShare = 0.9;

function reportOf(results: readonly WorkloadResult[]): readonly string[] {
  const names = [...new Set(results.map(({ half }) => half))];
  return names.flatMap((half) => {
    const own = results.filter((result) => result.half === half);
    const head = [half, 'bytes', 'µs by hand', 'incipit', 'spread', ...allLanguages.slice(1)];
    const parts = [markdownTable(head, [...own.map(rowOf), meansOf(own)]), missedBy(own)];
    return own.some(({ compileMicrosecondsPerKb: times }) => 'incipit' in times)
      ? [...parts, compileTable(own)]
      : parts;
  });
}

function rowOf({ workload, outputBytes, results }: WorkloadResult): readonly string[] {
  const [reference, own, ...peers] = results;
  if (reference === undefined || own === undefined) throw new Error(`${workload} was not measured`);
  const { low, high } = own.ratio;
  return [
    workload,
    String(outputBytes),
    (reference.medianNs / 1000).toFixed(1),
    shareText(shareOf(own)),
    `${shareText(1 / high)}-${shareText(1 / low)}`,
    ...peers.map((peer) => shareText(shareOf(peer))),
  ];
}

function meansOf(results: readonly WorkloadResult[]): readonly string[] {
  const mean = (name: string) =>
    Math.exp(results.reduce((sum, result) => sum + Math.log(shareIn(result, name)), 0) / results.length);
  const [own, ...peers] = allLanguages.map((language) => shareText(mean(language)));
  return ['geometric mean', '', '', own ?? '', '', ...peers];
}

function missedBy(results: readonly WorkloadResult[]): string {
  const missed = results.flatMap((result) => {
    const own = shareIn(result, 'incipit');
    const ahead = result.results.filter(
      (other) => other.name !== 'hand-written' && other.name !== 'incipit' && shareOf(other) > own,
    );
    return [
      ...(own < leastShare ? [`${result.workload} is below ${leastShare}`] : []),
      ...ahead.map((other) => `${other.name} is ahead in ${result.workload}`),
    ];
  });
  const goals = `Goals: a mean of ${meanShare}, none below ${leastShare}, no peer ahead. `;
  return goals + (missed.length === 0 ? 'No workload misses one.' : `Missed: ${missed.join('; ')}.`);
}

function compileTable(results: readonly WorkloadResult[]): string {
  const rows = results.map(({ workload, compileMicrosecondsPerKb: times }) => [
    workload,
    ...allLanguages.map((language) => times[language]?.toFixed(0) ?? ''),
  ]);
  return markdownTable(['first render, µs per KB', ...allLanguages], rows);
}

function shareIn({ workload, results }: WorkloadResult, name: string): number {
  const found = results.find((result) => result.name === name);
  if (found === undefined) throw new Error(`${name} was not measured on ${workload}`);
  return shareOf(found);
}

function shareOf({ ratio }: Measurement): number {
  return 1 / ratio.median;
}

/** Two significant digits below 0.1, else two decimals: 0.0043, 0.85. */
function shareText(share: number): string {
  return share < 0.1 ? share.toPrecision(2) : share.toFixed(2);
}
