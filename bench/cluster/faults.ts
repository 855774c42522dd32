import { parseArgs } from 'node:util';
import { type Fault, faults, NodesUnderLoad, type RoundResult } from '../../test/support/node-faults.ts';
import { environmentLine, markdownTable } from '../report.ts';

/**
 * Three nodes under load while one of them, its connection or PostgreSQL fails, many times: is an answered save lost,
 * is anything stale, and how long until all nodes serve again? Options: `--rounds <n>` (50), `--only <fault>`.
 */
export async function runClusterFaults(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '50' }, only: { type: 'string' } },
  });
  const wanted = faults.filter((fault) => values.only === undefined || fault === values.only);
  const load = await NodesUnderLoad.start(10_000);
  const results = new Map<Fault, RoundResult[]>(wanted.map((fault) => [fault, []]));
  try {
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const fault of wanted) {
        const result = await load.round(fault);
        results.get(fault)?.push(result);
        for (const line of result.stale) console.log(`STALE after ${fault}, round ${round}: ${line}`);
      }
      if (round % 5 === 0) report(results);
    }
    const { lost } = await load.end();
    report(results);
    for (const line of lost) console.log(`LOST: ${line}`);
    console.log(lost.length === 0 ? 'no answered save was lost, all nodes agree' : 'saves were lost');
    if (lost.length > 0 || [...results.values()].flat().some(({ stale }) => stale.length > 0))
      process.exitCode = 1;
  } finally {
    await load.close();
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
      String(sum(rounds.map(({ stale }) => stale.length))),
      `${((heal[Math.floor(heal.length / 2)] ?? 0) / 1000).toFixed(1)} s`,
      `${((heal.at(-1) ?? 0) / 1000).toFixed(1)} s`,
    ];
  });
  console.log(environmentLine());
  console.log(markdownTable(['fault', 'rounds', 'saves', 'reads', 'stale', 'back: median', 'longest'], rows));
}
