import { measure } from './measure.ts';
import { checkSameOutput } from './render/same-output.ts';

/**
 * Shows that the harness can fail: a variant that does the work five times must be measured as far slower, an
 * equal one as equal, and a variant with another output must be refused. Throws if not.
 */
export function runSelfCheck(): void {
  const work = () => {
    let out = '';
    for (let index = 0; index < 2000; index += 1) out += String.fromCharCode(97 + (index % 26));
    return out;
  };
  const slower = () => {
    let out = '';
    for (let time = 0; time < 5; time += 1) out = work();
    return out;
  };
  const contestants = [
    { name: 'reference', run: work },
    { name: 'same', run: () => work() },
    { name: 'planted slow', run: slower },
  ];
  const [, same, slow] = measure(contestants, { rounds: 40, roundMs: 5 });
  const sameRatio = same?.ratio.median ?? Number.NaN;
  const slowRatio = slow?.ratio.median ?? Number.NaN;
  if (!(sameRatio > 0.67 && sameRatio < 1.5))
    throw new Error(`self-check: equal work measured as ${sameRatio.toFixed(2)}`);
  if (!(slowRatio > 2))
    throw new Error(`self-check: five times the work measured as ${slowRatio.toFixed(2)}`);
  if (!refusesOtherOutput()) throw new Error('self-check: different output was not noticed');
  console.error(
    `self-check: equal work ${sameRatio.toFixed(2)}, planted slow variant ${slowRatio.toFixed(2)}, different output refused`,
  );
}

function refusesOtherOutput(): boolean {
  try {
    checkSameOutput('self-check', [
      { name: 'reference', run: () => '<p>a</p>' },
      { name: 'other', run: () => '<p>b</p>' },
    ]);
    return false;
  } catch {
    return true;
  }
}
