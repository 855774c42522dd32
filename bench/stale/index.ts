import { parseArgs } from 'node:util';
import { checkRandomChanges } from '../../test/server/delivery/random-changes.ts';
import { environmentLine } from '../report.ts';

/**
 * Looks for a stale page after random changes. Options: `--rounds <n>` (10000), `--seed <n>` (random),
 * `--visits <n>` compared per round (5), `--json`. Fails if an answer differs from a render that starts from
 * nothing.
 */
export async function runStaleCheck(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      visits: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const started = performance.now();
  const report = await checkRandomChanges({
    seed,
    rounds: Number(values.rounds),
    visits: Number(values.visits),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (values.json) console.log(JSON.stringify({ seed, seconds, ...report }));
  else {
    const { rounds, compared, reused, rendered, stale } = report;
    console.log(`${environmentLine()}, seed ${seed}, ${seconds} s`);
    console.log(
      `${rounds} rounds, ${compared} answers compared, ${rendered} rendered, ${reused} reused after a change, ${stale.length} stale`,
    );
    for (const problem of stale) console.log(problem);
  }
  if (report.stale.length > 0) process.exitCode = 1;
}
