import { runApiBench } from './api/index.ts';
import { runBatchBench } from './batch/index.ts';
import { runBlocksBench } from './blocks/index.ts';
import { runBodiesBench } from './bodies/index.ts';
import { runBundleBench } from './bundle/index.ts';
import { runChangeSetsBench } from './changesets/index.ts';
import { runClusterFaults } from './cluster/faults.ts';
import { runClusterBench } from './cluster/index.ts';
import { runCompare } from './compare/index.ts';
import { runDataBench } from './data/index.ts';
import { runDjangoComparison } from './django/index.ts';
import { runFailingList } from './failing/index.ts';
import { runFiltersBench } from './filters/index.ts';
import { runFrontsBench } from './fronts/index.ts';
import { runFuzz } from './fuzz/index.ts';
import { runGraphBench } from './graph/index.ts';
import { runGrowthBench } from './growth/index.ts';
import { runIdleBench } from './idle/index.ts';
import { runImagesBench } from './images/index.ts';
import { runImportBench } from './import/index.ts';
import { runMarkdownBench } from './markdown/index.ts';
import { runMemoryBench } from './memory/index.ts';
import { runPackageCheck } from './package/index.ts';
import { runRecordingBench } from './recording/index.ts';
import { runRefusalsBench } from './refusals/index.ts';
import { runRenderBench } from './render/index.ts';
import { runRenderWorkersBench } from './render-workers/index.ts';
import { runSandboxBench } from './sandbox/index.ts';
import { runScrollBench } from './scroll/index.ts';
import { runSelfCheck } from './self-check.ts';
import { runServeBench } from './serve/index.ts';
import { runSoak } from './soak/index.ts';
import { runStaleCheck } from './stale/index.ts';
import { runStaticBench } from './static/index.ts';
import { runStatsBench } from './stats/index.ts';
import { runThreadsBench } from './threads/index.ts';
import { runVisitorsBench } from './visitors/index.ts';
import { runWalks } from './walks/index.ts';
import { runWorkflowBench } from './workflow/index.ts';

/** `npm run bench -- <name> [options]`. */
const benches: ReadonlyMap<string, (args: readonly string[]) => void | Promise<void>> = new Map([
  ['render', runRenderBench],
  ['compare', runCompare],
  ['filters', runFiltersBench],
  ['serve', runServeBench],
  ['fronts', runFrontsBench],
  ['idle', runIdleBench],
  ['visitors', runVisitorsBench],
  ['api', runApiBench],
  ['batch', runBatchBench],
  ['changesets', runChangeSetsBench],
  ['memory', runMemoryBench],
  ['package', runPackageCheck],
  ['bodies', runBodiesBench],
  ['threads', runThreadsBench],
  ['render-workers', runRenderWorkersBench],
  ['refusals', runRefusalsBench],
  ['blocks', runBlocksBench],
  ['fuzz', runFuzz],
  ['django', runDjangoComparison],
  ['markdown', runMarkdownBench],
  ['images', runImagesBench],
  ['import', runImportBench],
  ['stale', runStaleCheck],
  ['failing', runFailingList],
  ['static', runStaticBench],
  ['stats', runStatsBench],
  ['sandbox', runSandboxBench],
  ['data', runDataBench],
  ['growth', runGrowthBench],
  ['graph', runGraphBench],
  ['scroll', runScrollBench],
  ['recording', runRecordingBench],
  ['soak', runSoak],
  ['bundle', runBundleBench],
  ['walks', runWalks],
  ['workflow', runWorkflowBench],
  ['cluster', runClusterBench],
  ['cluster-faults', runClusterFaults],
  ['self-check', runSelfCheck],
]);

const [name = '', ...args] = process.argv.slice(2);
const bench = benches.get(name);
if (bench === undefined) {
  console.error(
    `usage: npm run bench -- <${[...benches.keys()].join(' | ')}> [--json] (see bench/README.md)`,
  );
  process.exitCode = 1;
} else {
  try {
    await bench(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
