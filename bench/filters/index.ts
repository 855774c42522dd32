import { parseArgs } from 'node:util';
import { Engine } from '../../runtime/engine.ts';
import { type Contestant, type Measurement, measureGroups } from '../measure.ts';
import { renderOtherPages } from '../render/other-pages.ts';
import { checkSameOutput } from '../render/same-output.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { type FilterCase, filterCases } from './cases.ts';
import { rows } from './data.ts';

/**
 * Prints one filter for 120 rows, compared with a function written by hand, all filters in turn and in one
 * process. Options: `--only <part of an expression>`, `--before <n>` (1000) different pages rendered first,
 * `--rounds <n>` (12), `--round-ms <n>` (4).
 */
export function runFiltersBench(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      before: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '12' },
      'round-ms': { type: 'string', default: '4' },
    },
  });
  const chosen = filterCases.filter(({ expression }) => expression.includes(values.only));
  if (chosen.length === 0) throw new Error(`there is no case with "${values.only}"`);
  runSelfCheck();
  renderOtherPages(Number(values.before));
  const options = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']), warmRounds: 6 };
  const measured = measureGroups(chosen.map(contestantsOf), options);
  console.log(environmentLine());
  console.log(`\n${reportOf(chosen, measured)}`);
}

function contestantsOf({ expression, byHand }: FilterCase): readonly Contestant[] {
  const source = `{% for row in rows %}<li>{{ ${expression} }}</li>{% endfor %}`;
  const engine = new Engine({ load: () => source, timeZone: 'UTC' });
  const contestants = [
    { name: 'by hand', run: () => listOf(byHand) },
    { name: 'incipit', run: () => String(engine.render('main', { rows })) },
  ];
  checkSameOutput(expression, contestants);
  return contestants;
}

function listOf(write: FilterCase['byHand']): string {
  let out = '';
  for (const row of rows) out += `<li>${write(row)}</li>`;
  return out;
}

function reportOf(cases: readonly FilterCase[], measured: readonly (readonly Measurement[])[]): string {
  const shares: number[] = [];
  const table = cases.map(({ expression }, index) => {
    const [reference, own] = measured[index] ?? [];
    if (reference === undefined || own === undefined) throw new Error(`${expression} was not measured`);
    shares.push(1 / own.ratio.median);
    return [
      expression.replaceAll('|', '\\|'),
      (reference.medianNs / rows.length).toFixed(0),
      (own.medianNs / rows.length).toFixed(0),
      (1 / own.ratio.median).toFixed(2),
      `${(1 / own.ratio.high).toFixed(2)}-${(1 / own.ratio.low).toFixed(2)}`,
    ];
  });
  const mean = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
  return markdownTable(
    ['filter', 'ns by hand', 'ns', 'share', 'spread'],
    [...table, ['geometric mean', '', '', mean.toFixed(2), '']],
  );
}
