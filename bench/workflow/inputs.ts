import { fileURLToPath } from 'node:url';
import { type Spread, spreadOf } from '../measure.ts';
import { markdownTable } from '../report.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { type LoadOptions, load } from '../serve/load.ts';
import { functionNode, inputNodes, type WorkflowSite } from './site.ts';

/** Flows from an HTTP input to a response, with what lies between, and the path at which the bare server does the same. */
const flows: readonly { name: string; between: readonly object[]; barePath: string }[] = [
  { name: 'http-in, http-response', between: [], barePath: '/' },
  {
    name: 'http-in, switch, http-response',
    between: [
      { id: 'it', type: 'switch', config: { property: 'payload.n', rules: [{ op: 'gt', value: 1 }] } },
    ],
    barePath: '/',
  },
  { name: 'http-in, function, http-response', between: [functionNode], barePath: '/sum' },
];

/** What the parts of a flow cost at least, by the path at which both servers do the same. */
const floors: readonly { name: string; path: string }[] = [
  { name: 'floor: uWebSockets.js', path: '/' },
  { name: 'floor: uWebSockets.js, pipe, isolate', path: '/sum' },
];

const body = JSON.stringify({ n: 42, name: 'Ada Lovelace', prices: [12.5, 3, 99.95] });
const headers = { 'Content-Type': 'application/json' };

export interface InputResult {
  readonly name: string;
  readonly perSecond: Spread;
  readonly p99Ms: Spread;
  /** Requests per second divided by those of the bare server in the same round. */
  readonly share: Spread;
  /** Processor time of the bare server for a request, divided by that of the server; undefined where the system does not tell. */
  readonly cpuShare: Spread | undefined;
  /** Processor time of a request in the server, and with its processes, in microseconds. */
  readonly cpuMicros: Spread | undefined;
  readonly cpuMicrosInAll: Spread | undefined;
}

export interface LoadSettings {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Compares HTTP inputs with a bare node:http server that does the same. */
export async function measureInputs(
  site: WorkflowSite,
  settings: LoadSettings,
): Promise<readonly InputResult[]> {
  const bare = await startServer([fileURLToPath(new URL('bare-server.ts', import.meta.url))]);
  const floor = await startServer([fileURLToPath(new URL('floor-server.ts', import.meta.url))]);
  try {
    const results: InputResult[] = [];
    for (const { name, between, barePath } of flows) {
      const path = name.replaceAll(/[^a-z]+/g, '-');
      await site.create(name, inputNodes(path, between));
      const own = { server: site.server, url: `${site.server.url}/api/v1/flows/${path}` };
      const other = { server: bare, url: `${bare.url}${barePath}` };
      await requireSame([own.url, other.url]);
      results.push({ name, ...(await compare(own, other, settings)) });
    }
    for (const { name, path } of floors) {
      const least = { server: floor, url: `${floor.url}${path}` };
      const other = { server: bare, url: `${bare.url}${path}` };
      await requireSame([least.url, other.url]);
      results.push({ name, ...(await compare(least, other, settings)) });
    }
    return results;
  } finally {
    await Promise.all([bare.stop(), floor.stop()]);
  }
}

interface Target {
  readonly server: ServerProcess;
  readonly url: string;
}

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMicros: number | undefined;
  readonly cpuMicrosInAll: number | undefined;
}

async function compare(
  own: Target,
  bare: Target,
  { rounds, seconds, connections }: LoadSettings,
): Promise<Omit<InputResult, 'name'>> {
  const request: LoadOptions = { seconds, connections, pipelining: 1, headers, method: 'POST', body };
  const measured: { own: Figures; bare: Figures }[] = [];
  // The first round is for the compilers of both.
  for (let round = -1; round < rounds; round += 1) {
    const first = await measureOnce(round % 2 === 0 ? own : bare, request);
    const second = await measureOnce(round % 2 === 0 ? bare : own, request);
    if (round >= 0)
      measured.push(round % 2 === 0 ? { own: first, bare: second } : { own: second, bare: first });
  }
  const spread = (value: (figures: { own: Figures; bare: Figures }) => number | undefined) => {
    const values = measured.flatMap((each) => value(each) ?? []);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  return {
    perSecond: spreadOf(measured.map((each) => each.own.perSecond)),
    p99Ms: spreadOf(measured.map((each) => each.own.p99Ms)),
    share: spreadOf(measured.map((each) => each.own.perSecond / each.bare.perSecond)),
    cpuShare: spread((each) =>
      each.own.cpuMicros === undefined || each.bare.cpuMicros === undefined
        ? undefined
        : each.bare.cpuMicros / each.own.cpuMicros,
    ),
    cpuMicros: spread((each) => each.own.cpuMicros),
    cpuMicrosInAll: spread((each) => each.own.cpuMicrosInAll),
  };
}

async function measureOnce({ server, url }: Target, request: LoadOptions): Promise<Figures> {
  const before = [server.cpuMs(), server.cpuMs(true)];
  const { requests, requestsPerSecond, p99Ms } = await load(url, request);
  const [cpuMicros, cpuMicrosInAll] = [server.cpuMs(), server.cpuMs(true)].map((after, index) => {
    const start = before[index];
    return after === undefined || start === undefined ? undefined : ((after - start) * 1000) / requests;
  });
  return { perSecond: requestsPerSecond, p99Ms, cpuMicros, cpuMicrosInAll };
}

async function requireSame(urls: readonly string[]): Promise<void> {
  const texts = new Set<string>();
  for (const url of urls) {
    const answer = await fetch(url, { method: 'POST', body, headers });
    texts.add(await answer.text());
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  }
  if (texts.size !== 1) throw new Error(`the answers differ:\n${[...texts].join('\n')}`);
}

export function inputsTable(results: readonly InputResult[]): string {
  const head = [
    'flow',
    'requests/s',
    'p99 ms',
    'share of bare node:http',
    'by processor time',
    'CPU µs',
    'with sandbox',
  ];
  const rows = results.map(({ name, perSecond, p99Ms, share, cpuShare, cpuMicros, cpuMicrosInAll }) => [
    name,
    perSecond.median.toFixed(0),
    p99Ms.median.toFixed(1),
    rangeOf(share, 2),
    rangeOf(cpuShare, 2),
    rangeOf(cpuMicros, 0),
    rangeOf(cpuMicrosInAll, 0),
  ]);
  return markdownTable(head, rows);
}

function rangeOf(spread: Spread | undefined, digits: number): string {
  if (spread === undefined) return '';
  const [median, low, high] = [spread.median, spread.low, spread.high].map((value) => value.toFixed(digits));
  return `${median} (${low} to ${high})`;
}
