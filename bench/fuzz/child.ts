/**
 * One process that checks random templates: `child.ts <case file> <seed> <count>`. Each template is written
 * to the case file before it runs, so that it is known if the process dies. Reports go to standard output, a
 * JSON line each.
 */
import { ftruncateSync, openSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { Checker, checkChecker } from './case.ts';
import type { Report } from './report.ts';
import { template } from './templates.ts';

/** Templates between two reports. A fault ends its batch; its template is shrunk to the shortest one. */
const batchSize = 1_000;

/** Time limit of the search for a shorter template, milliseconds. */
const shrinkMs = 10_000;

const [caseFile = '', seedText = '', countText = ''] = process.argv.slice(2);
const checker = new Checker();
const file = openSync(caseFile, 'w');
await checkChecker();
await run(Number(seedText), Number(countText));

async function run(seed: number, count: number): Promise<void> {
  for (let done = 0, batch = 0; done < count; batch += 1) {
    const report = await runBatch(seed + batch, Math.min(batchSize, count - done));
    done += Math.max(1, report.count);
    console.log(JSON.stringify(report));
  }
}

async function runBatch(seed: number, numRuns: number): Promise<Report> {
  let found: { fault: string; source: string; since: number } | undefined;
  const property = fc.asyncProperty(template, async (source) => {
    // After a first fault only the same fault counts. At the time limit the search keeps its best template.
    if (found !== undefined && Date.now() - found.since > shrinkMs) return;
    note(source);
    const fault = await checker.faultOf(source);
    if (fault === undefined || (found !== undefined && fault !== found.fault)) return;
    found = { fault, source, since: found?.since ?? Date.now() };
    throw new Error(fault);
  });
  const before = checker.rendered;
  const { numRuns: count } = await fc.check(property, { seed, numRuns });
  return {
    seed,
    count,
    rendered: checker.rendered - before,
    ...(found && { fault: found.fault, template: found.source }),
  };
}

function note(source: string): void {
  const length = writeSync(file, JSON.stringify(source), 0);
  ftruncateSync(file, length);
}
