import { parseArgs } from 'node:util';
import { type Fault, faults, NodesUnderLoad, type RoundResult } from '../../test/support/node-faults.ts';
import type { Findings } from '../../test/support/node-load.ts';
import { environmentLine, markdownTable } from '../report.ts';

/** Rounds between two reports. */
const reportEvery = 20;

/**
 * Three nodes under load while nodes, connections and PostgreSQL fail at random: is an answered save lost, is anything
 * stale or torn, does a schedule run twice or never, and how long until all nodes serve again? Options:
 * `--minutes <n>` (30), `--seed <n>` (1), `--only <fault>`.
 */
export async function runClusterFaults(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
    },
  });
  const wanted = faults.filter((fault) => values.only === undefined || fault === values.only);
  if (wanted.length === 0) throw new Error(`--only must be one of ${faults.join(', ')}`);
  const seed = Number(values.seed);
  const load = await NodesUnderLoad.start({ pausedMs: 10_000, slowMs: 5_000, isLarge: true, seed });
  const results = new Map<Fault, RoundResult[]>();
  const end = performance.now() + Number(values.minutes) * 60_000;
  const totals = { lost: 0, stale: 0, torn: 0 };
  try {
    for (let round = 1; performance.now() < end; round++) {
      const fault = load.pickFault(wanted);
      const result = await load.round(fault);
      results.set(fault, [...(results.get(fault) ?? []), result]);
      count(totals, result.findings, `after ${fault}, round ${round}`);
      if (round % reportEvery === 0) report(results);
    }
    const { findings, imports, minutes, twice, never } = await load.end();
    count(totals, findings, 'at the end');
    report(results);
    for (const line of [...twice, ...never]) console.log(`SCHEDULE: ${line}`);
    const { lost, stale, torn } = totals;
    console.log(
      `seed ${seed}, ${imports} imports: lost ${lost}, stale ${stale}, torn ${torn}; of ${minutes} minutes twice ${twice.length}, never ${never.length}`,
    );
    if (lost + stale + torn + twice.length + never.length > 0) process.exitCode = 1;
  } finally {
    await load.close();
  }
}

function count(totals: Record<keyof Findings, number>, findings: Findings, when: string): void {
  for (const kind of ['lost', 'stale', 'torn'] as const) {
    totals[kind] += findings[kind].length;
    for (const line of findings[kind]) console.log(`${kind.toUpperCase()} ${when}: ${line}`);
  }
}

function report(results: ReadonlyMap<Fault, readonly RoundResult[]>): void {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const rows = [...results].map(([fault, rounds]) => {
    const heal = rounds.map(({ healMs }) => healMs).sort((left, right) => left - right);
    return [
      fault,
      String(rounds.length),
      String(sum(rounds.map(({ saves }) => saves))),
      String(sum(rounds.map(({ reads }) => reads))),
      String(sum(rounds.map(({ revocations }) => revocations))),
      String(sum(rounds.map(({ findings }) => findings.stale.length))),
      String(sum(rounds.map(({ findings }) => findings.torn.length))),
      `${((heal[Math.floor(heal.length / 2)] ?? 0) / 1000).toFixed(1)} s`,
      `${((heal.at(-1) ?? 0) / 1000).toFixed(1)} s`,
    ];
  });
  const head = ['fault', 'rounds', 'saves', 'reads', 'revoked', 'stale', 'torn', 'back: median', 'longest'];
  console.log(environmentLine());
  console.log(markdownTable(head, rows));
}
