import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { load } from '../serve/load.ts';
import { message } from './function.ts';
import { replacementLine } from './replacement.ts';

interface Figures {
  readonly name: string;
  readonly server: ServerProcess;
  readonly requestsPerSecond: number[];
  /** Processor time of a request in the server, and with its sandbox processes, in microseconds. */
  readonly cpuMicros: number[];
  readonly cpuMicrosInAll: number[];
}

/**
 * What a run in the sandbox costs: POST of 1 KB of JSON through a function of three lines, on node:http, which
 * calls the function itself or gives it to the sandbox. Options: `--rounds <n>` (5), `--seconds <n>` (2),
 * `--connections <n>` (64). Then: how long it takes to replace a process that is killed.
 */
export async function runSandboxBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
    },
  });
  const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number);
  if (!rounds || !seconds || !connections) throw new Error('options need whole numbers above 0');
  runSelfCheck();
  const figures = await Promise.all(['direct', 'sandbox'].map(start));
  try {
    await requireSameAnswers(figures);
    for (let round = 0; round < rounds; round += 1)
      for (const each of round % 2 === 0 ? figures : figures.toReversed())
        await measureOnce(each, { seconds, connections });
    report(figures);
    console.log(`\n${await replacementLine(rounds)}`);
  } finally {
    await Promise.all(figures.map(({ server }) => server.stop()));
  }
}

async function start(name: string): Promise<Figures> {
  const file = fileURLToPath(new URL('./server.ts', import.meta.url));
  const server = await startServer([file, name]);
  return { name, server, requestsPerSecond: [], cpuMicros: [], cpuMicrosInAll: [] };
}

async function requireSameAnswers(figures: readonly Figures[]): Promise<void> {
  const answers = await Promise.all(
    figures.map(async ({ server }) => (await fetch(server.url, { method: 'POST', body: message })).text()),
  );
  if (new Set(answers).size !== 1) throw new Error(`the answers differ:\n${answers.join('\n')}`);
}

async function measureOnce(
  { server, requestsPerSecond, cpuMicros, cpuMicrosInAll }: Figures,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<void> {
  const options = { seconds, connections, pipelining: 1, headers: {}, method: 'POST', body: message };
  const before = [server.cpuMs(), server.cpuMs(true)];
  const { requests, requestsPerSecond: rate } = await load(server.url, options);
  const [own = 0, inAll = 0] = [server.cpuMs(), server.cpuMs(true)].map(
    (after, index) => ((after ?? 0) - (before[index] ?? 0)) * (1000 / requests),
  );
  requestsPerSecond.push(rate);
  cpuMicros.push(own);
  cpuMicrosInAll.push(inAll);
}

function report([direct, ...others]: readonly Figures[]): void {
  if (direct === undefined) return;
  const row = ({ name, requestsPerSecond, cpuMicros, cpuMicrosInAll }: Figures): string[] => [
    name,
    rounded(spreadOf(requestsPerSecond)),
    ratioOf(
      spreadOf(requestsPerSecond.map((rate, round) => rate / (direct.requestsPerSecond[round] ?? rate))),
    ),
    rounded(spreadOf(cpuMicros)),
    rounded(spreadOf(cpuMicrosInAll)),
  ];
  console.log(`${environmentLine()}, POST of ${message.length} bytes of JSON, node:http\n`);
  const head = ['function', 'requests/s', 'share', 'server, µs', 'with sandbox, µs'];
  console.log(markdownTable(head, [direct, ...others].map(row)));
}

function rounded({ median, low, high }: Spread): string {
  return `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
}

function ratioOf({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
