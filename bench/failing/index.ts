import { parseArgs } from 'node:util';
import { checkFailingList } from '../../test/server/failing-pages/check-list.ts';
import { environmentLine } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { compareSpeed } from './speed.ts';

/**
 * Compares the lists of failing pages with a render of all pages after random changes. Options: `--rounds <n>` (1000),
 * `--seed <n>` (random), `--json`. Fails if a list has another page, or another change that broke it. With
 * `--with <commit>` it compares the speed of saves and renders with that version instead; `--rounds <n>` (20)
 * for each of `--starts <n>` (5) servers of each version.
 */
export async function runFailingList(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      with: { type: 'string' },
      starts: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.with === undefined)
    return checkList(Number(values.seed), Number(values.rounds ?? 1000), values.json);
  runSelfCheck();
  return compareSpeed({
    commit: values.with,
    rounds: Number(values.rounds ?? 20),
    starts: Number(values.starts),
    isJson: values.json,
  });
}

async function checkList(seed: number, rounds: number, isJson: boolean): Promise<void> {
  const started = performance.now();
  const report = await checkFailingList({ seed, rounds });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (isJson) console.log(JSON.stringify({ seed, seconds, ...report }));
  else {
    const { broken, mended, wrong } = report;
    console.log(`${environmentLine()}, seed ${seed}, ${seconds} s`);
    console.log(`${report.rounds} rounds, ${broken} pages broken, ${mended} mended, ${wrong.length} wrong`);
    for (const problem of wrong) console.log(problem);
  }
  if (report.wrong.length > 0) process.exitCode = 1;
}
