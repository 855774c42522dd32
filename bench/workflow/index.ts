import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentLine } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { hostileTable, measureHostile } from './hostile.ts';
import { idleShare, scheduledFlows } from './idle.ts';
import { inputsTable, type LoadSettings, measureInputs } from './inputs.ts';
import { startSite } from './site.ts';
import { measureVisitors, visitorsTable } from './visitors.ts';

interface Part {
  /** Measures, and says how to show it. */
  run(folder: string, settings: LoadSettings): Promise<{ readonly result: unknown; readonly text: string }>;
}

const parts: ReadonlyMap<string, Part> = new Map([
  [
    'inputs',
    withSite(async (site, settings) => {
      const result = await measureInputs(site, settings);
      return { result, text: inputsTable(result) };
    }),
  ],
  [
    'visitors',
    withSite(async (site, settings) => {
      const result = await measureVisitors(site, settings);
      return { result, text: visitorsTable(result) };
    }),
  ],
  [
    'idle',
    withSite(async (site, { seconds }) => {
      const idle = await idleShare(site, seconds);
      const share = idle === undefined ? 'unknown' : `${(idle * 100).toFixed(2)} %`;
      return {
        result: { scheduledFlows, idle },
        text: `${scheduledFlows} scheduled workflows, none due: ${share} of a processor`,
      };
    }),
  ],
  [
    'hostile',
    {
      async run() {
        const result = await measureHostile();
        return { result, text: hostileTable(result) };
      },
    },
  ],
]);

/**
 * What workflows cost, and what they cost others. Options: `--json`, `--only <part>` (`inputs`, `visitors`, `idle`,
 * `hostile`), `--rounds <n>` (5), `--seconds <n>` (3), `--connections <n>` (32).
 */
export async function runWorkflowBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
    },
  });
  const settings = {
    rounds: Number.parseInt(values.rounds, 10),
    seconds: Number.parseInt(values.seconds, 10),
    connections: Number.parseInt(values.connections, 10),
  };
  if (Object.values(settings).some((value) => !(value >= 1)))
    throw new Error('--rounds, --seconds and --connections need whole numbers above 0');
  const chosen = [...parts].filter(([name]) => values.only === undefined || name === values.only);
  if (chosen.length === 0) throw new Error(`--only needs one of ${[...parts.keys()].join(', ')}`);
  runSelfCheck();
  if (!values.json) console.log(environmentLine());
  const results: Record<string, unknown> = {};
  for (const [name, part] of chosen) {
    const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
    try {
      const { result, text } = await part.run(folder, settings);
      results[name] = result;
      if (!values.json) console.log(`\n${text}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  if (values.json) console.log(JSON.stringify({ settings, ...results }, null, 2));
}

function withSite(
  measure: (site: Awaited<ReturnType<typeof startSite>>, settings: LoadSettings) => ReturnType<Part['run']>,
): Part {
  return {
    async run(folder, settings) {
      const site = await startSite(join(folder, 'site'));
      try {
        return await measure(site, settings);
      } finally {
        await site.server.stop();
      }
    },
  };
}
