import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { load } from '../serve/load.ts';
import { startIncipit } from '../serve/site.ts';
import { createManyPages, type ManyPages, pageCount } from './pages.ts';

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** One kind of request, sent to both servers. */
interface Question {
  readonly name: string;
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body?: string;
}

interface Figures {
  readonly requestsPerSecond: number[];
  readonly p99Ms: number[];
}

interface Result {
  readonly name: string;
  readonly incipit: { readonly requestsPerSecond: Spread; readonly p99Ms: Spread };
  readonly bare: { readonly requestsPerSecond: Spread; readonly p99Ms: Spread };
  /** Requests per second divided by those of the bare server in the same round. */
  readonly ratio: Spread;
}

/**
 * Compares the API with a bare uWebSockets.js handler that only parses and writes the same JSON. Options:
 * `--json`, `--rounds <n>` (5), `--seconds <n>` (3), `--connections <n>` (32).
 */
export async function runApiBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
    },
  });
  const options = {
    rounds: Number.parseInt(values.rounds, 10),
    seconds: Number.parseInt(values.seconds, 10),
    connections: Number.parseInt(values.connections, 10),
  };
  if (Object.values(options).some((value) => !(value >= 1)))
    throw new Error('--rounds, --seconds and --connections need whole numbers above 0');
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const incipit = await startIncipit(join(folder, 'site'));
    servers.push(incipit);
    const pages = await createManyPages(join(folder, 'site'), incipit.url);
    const bare = await startBareServer(join(folder, 'values.json'), incipit.url, pages);
    servers.push(bare);
    const results: Result[] = [];
    for (const question of questionsOf(pages))
      results.push(await ask(question, incipit, bare, pages, options));
    report(results, options, values.json);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function questionsOf({ pageId }: ManyPages): Question[] {
  const page = `/api/v1/pages/${pageId}`;
  return [
    { name: 'GET one page', method: 'GET', path: page },
    { name: `GET list of ${pageCount} pages`, method: 'GET', path: '/api/v1/pages' },
    { name: 'PUT page', method: 'PUT', path: page, body: JSON.stringify({ title: 'Changed' }) },
  ];
}

const bareServer = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** Gives the bare server the answers of Incipit, and checks that both servers then answer the same. */
async function startBareServer(file: string, url: string, pages: ManyPages): Promise<ServerProcess> {
  const paths = questionsOf(pages).map(({ path }) => path);
  const answers = new Map<string, unknown>();
  for (const path of paths) answers.set(path, await getJson(url + path, pages.token));
  writeFileSync(file, JSON.stringify(Object.fromEntries(answers)));
  const bare = await startServer([bareServer, file]);
  for (const path of paths) {
    const same = JSON.stringify(await getJson(bare.url + path, pages.token));
    if (same !== JSON.stringify(answers.get(path))) throw new Error(`${path}: the servers differ`);
  }
  return bare;
}

async function getJson(url: string, token: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** Loads both servers in turn. Every second round starts with the other server. */
async function ask(
  question: Question,
  incipit: ServerProcess,
  bare: ServerProcess,
  pages: ManyPages,
  options: Options,
): Promise<Result> {
  const ours: Figures = { requestsPerSecond: [], p99Ms: [] };
  const theirs: Figures = { requestsPerSecond: [], p99Ms: [] };
  const turns = [
    { server: incipit, figures: ours },
    { server: bare, figures: theirs },
  ];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { server, figures } of round % 2 === 0 ? turns : turns.toReversed()) {
      const result = await load(server.url + question.path, {
        ...options,
        pipelining: 1,
        method: question.method,
        headers: { authorization: `Bearer ${pages.token}`, 'content-type': 'application/json' },
        ...(question.body === undefined ? {} : { body: question.body }),
      });
      figures.requestsPerSecond.push(result.requestsPerSecond);
      figures.p99Ms.push(result.p99Ms);
    }
  }
  const ratios = ours.requestsPerSecond.map(
    (rate, round) => rate / (theirs.requestsPerSecond[round] ?? Number.NaN),
  );
  return { name: question.name, incipit: spreads(ours), bare: spreads(theirs), ratio: spreadOf(ratios) };
}

function spreads({ requestsPerSecond, p99Ms }: Figures): Result['incipit'] {
  return { requestsPerSecond: spreadOf(requestsPerSecond), p99Ms: spreadOf(p99Ms) };
}

function report(results: readonly Result[], options: Options, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), options, results }, null, 2));
    return;
  }
  const rows = results.map(({ name, incipit, bare, ratio }) => [
    name,
    incipit.requestsPerSecond.median.toFixed(0),
    bare.requestsPerSecond.median.toFixed(0),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    incipit.p99Ms.median.toFixed(0),
    bare.p99Ms.median.toFixed(0),
  ]);
  const head = ['request', 'requests/s', 'bare', 'ratio', 'spread', 'p99, ms', 'bare p99, ms'];
  console.log(
    [
      environmentLine(),
      `${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s`,
      markdownTable(head, rows),
    ].join('\n\n'),
  );
}
