import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { masterToken, startServer, type TestServer } from '../../test/support/server.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { buildServer, placeVersion, repository } from '../placed-version.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { findProcessorMs } from './processor-time.ts';
import { type CheckedSite, createCheckedSite, pageCount, type Save, saves } from './site.ts';

export interface SpeedOptions {
  /** The version to compare with. */
  readonly commit: string;
  /** Rounds for each start. */
  readonly rounds: number;
  /** How many servers of each version are started. */
  readonly starts: number;
  readonly isJson: boolean;
}

interface Contestant {
  readonly name: string;
  readonly server: TestServer;
  readonly site: CheckedSite;
}

/**
 * The median save of one turn, the mean render, and the processor time of all, in milliseconds. The first visitors after
 * a save wait for more than the others, so that a median would show only some of them.
 */
interface Times {
  readonly saveMs: number;
  readonly renderMs: number;
  readonly processorMs: number;
}

/** Times of one start divided by those of the other version in the same round: the median of its rounds. */
interface Ratios {
  readonly save: string;
  readonly contestant: string;
  readonly saves: number;
  readonly renders: number;
  readonly processor: number;
}

/** The ratios of all starts. */
interface Result {
  readonly save: string;
  readonly contestant: string;
  readonly saves: Spread;
  readonly renders: Spread;
  readonly processor: Spread;
}

/** Saves of one turn. */
const savesOfTurn = 20;
const warmRounds = 8;

/**
 * Saves, and renders of visitors after them, with this version and with another one, in turn. Servers are started
 * several times, because one start differs from the next by more than the goal allows. A second server of the other
 * version shows the noise.
 */
export async function compareSpeed({ commit, rounds, starts, isJson }: SpeedOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-failing-'));
  try {
    const other = placeVersion(commit, folder);
    for (const root of [folder, repository]) buildServer(root);
    const ratios: Ratios[] = [];
    for (let start = 0; start < starts; start++)
      ratios.push(...(await compareOneStart(other, join(folder, 'server', 'start.js'), rounds)));
    report(summarize(ratios), isJson);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareOneStart(other: string, mainFile: string, rounds: number): Promise<Ratios[]> {
  const contestants: Contestant[] = [];
  try {
    contestants.push(await startContestant(other, { mainFile }));
    contestants.push(await startContestant(`${other} again`, { mainFile }));
    contestants.push(await startContestant('this', {}));
    const ratios: Ratios[] = [];
    for (const save of saves) ratios.push(...(await compare(save, contestants, rounds)));
    return ratios;
  } finally {
    for (const { server } of contestants) await server.stop();
  }
}

async function startContestant(name: string, options: { readonly mainFile?: string }): Promise<Contestant> {
  const server = await startServer(options);
  return { name, server, site: await createCheckedSite(server) };
}

async function compare(save: Save, contestants: readonly Contestant[], rounds: number): Promise<Ratios[]> {
  const times = contestants.map((): Times[] => []);
  for (let round = 0; round < warmRounds + rounds; round++) {
    for (let place = 0; place < contestants.length; place++) {
      const index = (place + round) % contestants.length;
      const contestant = contestants[index];
      if (contestant === undefined) continue;
      const taken = await takeTurn(save, contestant, round);
      if (round >= warmRounds) times[index]?.push(taken);
    }
  }
  const [reference = []] = times;
  return contestants.slice(1).map(({ name }, index) => {
    const ratio = (read: (taken: Times) => number) =>
      spreadOf((times[index + 1] ?? []).map((taken, round) => read(taken) / read(reference[round] ?? taken)))
        .median;
    return {
      ...{ save: save.name, contestant: name },
      saves: ratio(({ saveMs }) => saveMs),
      renders: ratio(({ renderMs }) => renderMs),
      processor: ratio(({ processorMs }) => processorMs),
    };
  });
}

function summarize(ratios: readonly Ratios[]): Result[] {
  const contestants = new Set(ratios.map(({ contestant }) => contestant));
  return saves.flatMap(({ name: save }) =>
    [...contestants].map((contestant) => {
      const ofStarts = ratios.filter((one) => one.save === save && one.contestant === contestant);
      return {
        ...{ save, contestant },
        saves: spreadOf(ofStarts.map((one) => one.saves)),
        renders: spreadOf(ofStarts.map((one) => one.renders)),
        processor: spreadOf(ofStarts.map((one) => one.processor)),
      };
    }),
  );
}

/** Checks run meanwhile; the next turn begins when they have come to rest. */
async function takeTurn(save: Save, { server, site }: Contestant, round: number): Promise<Times> {
  const saveTimes: number[] = [];
  const renderTimes: number[] = [];
  const processorBefore = findProcessorMs(server.pid) ?? Number.NaN;
  for (let step = 0; step < savesOfTurn; step++) {
    const number = round * savesOfTurn + step;
    const { path, body } = save.requestOf(site, number);
    saveTimes.push(await timeOf(() => put(server, path, body)));
    for (let visit = 0; visit < save.visits; visit++) {
      const page = (number * save.visits + visit) % pageCount;
      renderTimes.push(await timeOf(() => get(`${server.url}/p${page}`)));
    }
  }
  const processorMs = (findProcessorMs(server.pid) ?? Number.NaN) - processorBefore;
  while ((await get(`${server.url}/metrics`)).includes('\nincipit_page_checks_running 1\n'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    saveMs: spreadOf(saveTimes).median,
    renderMs: renderTimes.reduce((sum, time) => sum + time, 0) / renderTimes.length,
    processorMs,
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function get(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`GET ${url}: ${response.status}`);
  return response.text();
}

async function put({ url }: TestServer, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`PUT ${path}: ${response.status} ${text}`);
}

function report(results: readonly Result[], isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
    return;
  }
  const cell = ({ median, low, high }: Spread) =>
    `${median.toFixed(3)} (${low.toFixed(2)}-${high.toFixed(2)})`;
  const rows = results.map(({ save, contestant, saves, renders, processor }) => [
    save,
    contestant,
    cell(saves),
    cell(renders),
    cell(processor),
  ]);
  const head = ['save', 'version', 'time of saves', 'time of renders', 'processor time'];
  console.log([environmentLine(), markdownTable(head, rows)].join('\n\n'));
}
