import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import { type TransportName, transportNames } from '../../server/http/exchange/transport.ts';
import type { ServerProcess } from '../serve/child.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { createSoakSite, NormalLoad } from './normal.ts';
import { failuresOf, HostileOutcomes, type Sample, type SoakResult, soakText } from './report.ts';

/** How long the server has to give back what the load held, milliseconds. */
const restMs = 10_000;

/**
 * Normal and hostile load at the same time, for each front in turn; fails if the server or a render process dies, if the
 * normal load gets a 5xx, a wrong answer or none, or if memory keeps growing. Options: `--front uws|node` (both),
 * `--minutes <n>` for each (30), `--peaceful` (no hostile load), `--json`.
 */
export async function runSoak(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      front: { type: 'string' },
      minutes: { type: 'string', default: '30' },
      peaceful: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.minutes) * 60;
  if (!(seconds >= 15)) throw new Error('--minutes needs a number of at least 0.25');
  const fronts = transportNames.filter((name) => (values.front ?? name) === name);
  if (fronts.length === 0) throw new Error('--front is uws or node');
  for (const front of fronts) report(await soak(front, seconds, values.peaceful), values.json);
}

async function soak(front: TransportName, seconds: number, isPeaceful: boolean): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-soak-'));
  const server = await startIncipit(folder, ['-front', front]);
  try {
    const site = await createSoakSite(server.url, createToken(folder));
    const load = new NormalLoad(site);
    const hostile = isPeaceful ? undefined : startHostile(new URL(server.url).port, seconds);
    const samples = await sampleDuring(server, seconds, load);
    const outcomes = hostile === undefined ? {} : await outcomesOf(hostile);
    await pause(restMs);
    const deaths = server.hasEnded() ? 1 : 0;
    const after = sampleOf(server, seconds);
    return { front, seconds, deaths, samples, after, tallies: load.tallies, hostile: outcomes };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the normal load and looks at the server every second, until the time is over or the server is dead. */
async function sampleDuring(server: ServerProcess, seconds: number, load: NormalLoad): Promise<Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  const secondsSince = () => Math.round((performance.now() - start) / 1000);
  const isOver = () => server.hasEnded() || secondsSince() >= seconds;
  const running = load.run(isOver);
  while (!isOver()) {
    samples.push(sampleOf(server, secondsSince()));
    await pause(1000);
  }
  await running;
  return samples;
}

function sampleOf(server: ServerProcess, second: number): Sample {
  const children = server.children();
  const own = server.residentBytes() ?? 0;
  const bytes = children.reduce((sum, { residentBytes }) => sum + residentBytes, own);
  return {
    second,
    residentMb: bytes / 2 ** 20,
    serverMb: own / 2 ** 20,
    descriptors: server.descriptors() ?? Number.NaN,
    renderers: children.map(({ pid }) => pid),
  };
}

function startHostile(port: string, seconds: number): ChildProcess {
  const file = fileURLToPath(import.meta.resolve('./hostile.ts'));
  return spawn(process.execPath, [file, port, String(seconds)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function outcomesOf(child: ChildProcess): Promise<HostileOutcomes> {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Value.Parse(HostileOutcomes, JSON.parse(Buffer.concat(chunks).toString()));
}

function report(result: SoakResult, asJson: boolean): void {
  const failures = failuresOf(result);
  if (asJson) {
    const tallies = [...result.tallies].map(([kind, { requests, serverErrors, faults }]) => ({
      kind,
      requests,
      serverErrors: Object.fromEntries(serverErrors),
      faults: Object.fromEntries(faults),
    }));
    console.log(JSON.stringify({ ...result, tallies, failures }, null, 2));
  } else {
    console.log(soakText(result));
  }
  if (failures.length > 0) process.exitCode = 1;
}
