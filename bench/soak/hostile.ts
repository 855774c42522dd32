/**
 * The hostile load, a process of its own, so that it does not slow down the normal load. Arguments: port and
 * seconds. Prints what came of the attempts as JSON, by attack.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, attacks } from './attacks.ts';

const [port = 0, seconds = 0] = process.argv.slice(2).map(Number);
const end = performance.now() + seconds * 1000;

async function runAttack({ parallel, pauseMs, attempt }: Attack): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const repeat = async () => {
    while (performance.now() < end) {
      const outcome = await attempt(port);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: parallel }, repeat));
  return outcomes;
}

const results = await Promise.all(
  attacks.map(async (attack) => [attack.name, await runAttack(attack)] as const),
);
console.log(JSON.stringify(Object.fromEntries(results)));
