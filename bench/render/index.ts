import { parseArgs } from 'node:util';
import { type Contestant, type Measurement, measure, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { openTemplates } from './contestants/index.ts';
import { checkSameOutput } from './same-output.ts';
import { allLanguages, type Context, type Sources, type TemplateSet, type Workload } from './workload.ts';
import { workloads } from './workloads/index.ts';

interface WorkloadResult {
  readonly workload: string;
  readonly about: string;
  readonly outputBytes: number;
  readonly results: readonly Measurement[];
  readonly compile: readonly CompileResult[];
}

/** Time of a first render of little data with a fresh engine. */
interface CompileResult {
  readonly name: string;
  readonly microsecondsPerKb: number;
}

/**
 * Renders each workload with every engine. Prints times, and ratios to the hand-written function.
 * Options: `--json`, `--only <workload>`, `--rounds <n>` (40), `--round-ms <n>` (20).
 */
export function runRenderBench(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string', default: '40' },
      'round-ms': { type: 'string', default: '20' },
    },
  });
  const options = {
    rounds: positive('rounds', values.rounds),
    roundMs: positive('round-ms', values['round-ms']),
  };
  const chosen = workloads.filter(({ name }) => values.only === undefined || name === values.only);
  if (chosen.length === 0) throw new Error(`there is no workload "${values.only}"`);
  runSelfCheck();
  const results = chosen.map((workload) => benchWorkload(workload, options));
  if (values.json) console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
  else console.log([environmentLine(), ...results.map(reportOf)].join('\n\n'));
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} needs a whole number above 0`);
  return number;
}

function benchWorkload(workload: Workload, options: { rounds: number; roundMs: number }): WorkloadResult {
  const { context } = workload;
  const contestants: Contestant[] = [{ name: 'hand-written', run: () => workload.handWritten(context) }];
  for (const language of allLanguages) {
    const render = openTemplates[language](workload.sources[language])('main');
    contestants.push({ name: language, run: () => render(context) });
  }
  checkSameOutput(workload.name, contestants);
  return {
    workload: workload.name,
    about: workload.about,
    outputBytes: Buffer.byteLength(workload.handWritten(context)),
    results: measure(contestants, options),
    compile: allLanguages.map((language) => ({
      name: language,
      microsecondsPerKb: compileTime(openTemplates[language], workload.sources[language], workload.least),
    })),
  };
}

/** Fresh engines that are timed. As many run before them for warming up. */
const compileSamples = 40;

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

function reportOf({ workload, about, outputBytes, results, compile }: WorkloadResult): string {
  const perKb = new Map(compile.map(({ name, microsecondsPerKb }) => [name, microsecondsPerKb.toFixed(0)]));
  const rows = results.map(({ name, medianNs, ratio }) => [
    name,
    (medianNs / 1000).toFixed(2),
    shareText(1 / ratio.median),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    perKb.get(name) ?? '',
  ]);
  const head = [workload, 'µs per render', 'share', 'ratio', 'spread', 'compile, µs per KB'];
  return `${about}; ${outputBytes} bytes\n\n${markdownTable(head, rows)}`;
}

/** Two significant digits below 0.1, else two decimals: 0.0043, 0.85. */
function shareText(share: number): string {
  return share < 0.1 ? share.toPrecision(2) : share.toFixed(2);
}
