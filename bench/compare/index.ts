import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Engine } from '../../runtime/engine.ts';
import { type Contestant, type Measurement, measureGroups } from '../measure.ts';
import { placeVersion } from '../placed-version.ts';
import { checkSameOutput } from '../render/same-output.ts';
import { tuned } from '../render/tuned/index.ts';
import { unseen } from '../render/unseen/index.ts';
import type { Workload } from '../render/workload.ts';
import { environmentLine, markdownTable } from '../report.ts';

/** A difference below this is never called one, however quiet the machine is. */
const leastDifference = 0.03;

/**
 * Renders all workloads with this version of the engine and with another one, in turn and in one process, and
 * says which workloads moved beyond the noise. How large the noise is shows a second engine of this version,
 * which must come out equal. Options: `--with <commit>` (HEAD), `--rounds <n>` (30), `--round-ms <n>` (10).
 */
export async function runCompare(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      with: { type: 'string', default: 'HEAD' },
      rounds: { type: 'string', default: '30' },
      'round-ms': { type: 'string', default: '10' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'incipit-compare-'));
  try {
    const commit = placeVersion(values.with, folder);
    const other = await engineIn(folder);
    const workloads = [...tuned, ...unseen];
    const groups = workloads.map((workload) => contestantsOf(workload, other));
    const options = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']), warmRounds: 12 };
    const measured = measureGroups(groups, options);
    console.log(`${environmentLine()}; the files here, compared with ${values.with} (${commit})\n`);
    console.log(reportOf(workloads, measured));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type EngineClass = typeof Engine;

/** The engine of another version. Its constructor and `render` must be those of this one. */
async function engineIn(folder: string): Promise<EngineClass> {
  const found: { readonly Engine?: EngineClass } = await import(
    pathToFileURL(join(folder, 'runtime', 'engine.ts')).href
  );
  if (found.Engine === undefined) throw new Error('the other version has no engine');
  return found.Engine;
}

function contestantsOf(workload: Workload, other: EngineClass): readonly Contestant[] {
  const contestants = [
    contestant('this', Engine, workload),
    contestant('this again', Engine, workload),
    contestant('other', other, workload),
  ];
  checkSameOutput(workload.name, contestants);
  return contestants;
}

function contestant(name: string, EngineOf: EngineClass, { sources, context }: Workload): Contestant {
  const engine = new EngineOf({ load: (template) => sources.incipit[template], timeZone: 'UTC' });
  return { name, run: () => String(engine.render('main', context)) };
}

function reportOf(workloads: readonly Workload[], measured: readonly (readonly Measurement[])[]): string {
  const rows = workloads.map(({ name }, index) => {
    const [, again, other] = measured[index] ?? [];
    if (again === undefined || other === undefined) throw new Error(`${name} was not measured`);
    // `ratio` is the time divided by that of `this`: above 1 the other version is slower.
    const change = other.ratio.median;
    const noise = Math.max(
      leastDifference,
      Math.abs(Math.log(again.ratio.median)),
      Math.log(again.ratio.high / again.ratio.low) / 2,
    );
    const moved = Math.abs(Math.log(change)) > noise;
    return [
      name,
      change.toFixed(2),
      `${other.ratio.low.toFixed(2)}-${other.ratio.high.toFixed(2)}`,
      again.ratio.median.toFixed(2),
      `${again.ratio.low.toFixed(2)}-${again.ratio.high.toFixed(2)}`,
      moved ? (change > 1 ? 'faster than before' : 'slower than before') : '',
    ];
  });
  return markdownTable(
    ['workload', 'other / this', 'spread', 'again / this', 'spread', 'beyond the noise'],
    rows,
  );
}
