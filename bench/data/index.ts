import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Measurement, Spread } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { callApi, createToken, startIncipit } from '../serve/site.ts';
import { fieldsOf, fillCollection, waitForIndexes } from './fill.ts';
import { type ImportFigures, measureImport } from './import.ts';
import { measureQueries } from './queries.ts';
import { type Figures, measureRequests } from './requests.ts';
import { watchTurns } from './turns.ts';

/**
 * What entries cost in a collection of a million, compared with one of a thousand, and with a bare uWebSockets.js
 * handler that answers prepared JSON. Options: `--entries <n>` (1000000), `--rounds <n>` (3), `--seconds <n>` (2),
 * `--only queries`, `requests` or `import`, `--json`.
 */
export async function runDataBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      entries: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const entries = Number(values.entries);
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  const runs = (part: string) => values.only === '' || values.only === part;
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  try {
    const token = await prepare(folder, entries);
    const turnsSocket = join(folder, 'turns.sock');
    const watched = { flags: watchTurns, env: { TURNS_SOCKET: turnsSocket } };
    const server = await startIncipit(folder, [], runs('import') ? watched : undefined);
    try {
      await createPages(server.url, token);
      // An index for item(), one for data(), one for the order of data() with references, and its links; twice.
      await waitForIndexes(folder, 8);
      const imports = runs('import')
        ? await measureImport({ server, token, turnsSocket }, { rounds, seconds })
        : undefined;
      const queries = runs('queries') ? measureQueries(folder, 3 * rounds) : [];
      const requests = runs('requests')
        ? await measureRequests({ server, token, rounds, seconds, entries })
        : [];
      const results = { environment: environmentLine(), entries, queries, requests, imports };
      if (values.json) console.log(JSON.stringify(results));
      else report(results);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two collections with the same fields: `small` of a thousand entries, `large` of as many as asked for. */
async function prepare(folder: string, entries: number): Promise<string> {
  const server = await startIncipit(folder);
  const token = createToken(folder);
  const { id: tags } = await callApi(server.url, token, 'POST', '/collections', { slug: 'tags', fields: [] });
  const create = (slug: string) =>
    callApi(server.url, token, 'POST', '/collections', { slug, public_api: true, fields: fieldsOf(tags) });
  const small = await create('small');
  const large = await create('large');
  await callApi(server.url, token, 'POST', '/sites', { title: 'Bench', domains: '' });
  await server.stop();
  fillCollection(folder, small.id, 1000);
  fillCollection(folder, large.id, entries);
  return token;
}

/** Pages that ask for one entry, and for a filtered and sorted list; the indexes follow from them. */
async function createPages(url: string, token: string): Promise<void> {
  for (const slug of ['small', 'large']) {
    const templates = {
      item: `{{ item("${slug}", "slug", route.query.s).title }}`,
      data: list(slug, '"topic", route.query.t'),
      several: list(slug, 'topic__in=route.query.t'),
      references: list(slug, '"tags", route.query.t'),
    };
    for (const [name, html] of Object.entries(templates))
      await callApi(url, token, 'POST', '/pages', {
        parent_id: 1,
        title: name,
        slug: `${slug}-${name}`,
        published: true,
        no_cache: true,
        html,
      });
  }
  await callApi(url, token, 'POST', '/pages', {
    parent_id: 1,
    title: 'x',
    slug: 'plain',
    published: true,
    no_cache: true,
    html: 'x',
  });
}

function list(slug: string, filter: string): string {
  const call = `data("${slug}", ${filter}, _sort="-date", _limit=25, _offset=route.query.o)`;
  return `{% for e in ${call} %}{{ e.title }}{% endfor %}`;
}

function importLine({ quietP99Ms, p99Ms, longestTurnMs, longestTurnCpuMs, seconds }: ImportFigures): string {
  const figure = ({ median, low, high }: Spread) =>
    `${median.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
  return `Import of 50,000 rows while 64 clients read a cached page: p99 of the page ${figure(p99Ms)} ms, without import ${figure(quietP99Ms)} ms; longest turn of the event loop ${figure(longestTurnMs)} ms, ${figure(longestTurnCpuMs)} ms of them processor time; one import ${figure(seconds)} s.`;
}

interface Results {
  readonly environment: string;
  readonly entries: number;
  readonly queries: readonly Measurement[];
  readonly requests: readonly Figures[];
  readonly imports: ImportFigures | undefined;
}

function report({ environment, entries, queries, requests, imports }: Results): void {
  const times = queries.map(({ name, medianNs, ratio }) => [
    name,
    (medianNs / 1000).toFixed(1),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
  ]);
  const rows = requests.map(({ name, requestsPerSecond, p99Ms, cpuMicros, ratio, against }) => [
    name,
    requestsPerSecond.median.toFixed(0),
    p99Ms.median.toFixed(1),
    cpuMicros?.median.toFixed(1) ?? '',
    ratio === undefined ? '' : ratio.median.toFixed(2),
    ratio === undefined ? '' : `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    against,
  ]);
  const head = ['request', 'requests/s', 'p99, ms', 'CPU, µs', 'ratio', 'spread', 'against'];
  console.log(
    [
      environment,
      `${entries} entries in the large collection, 1,000 in the small one`,
      ...(times.length === 0
        ? []
        : [markdownTable(['query alone', 'CPU, µs', 'time against the small one', 'spread'], times)]),
      ...(rows.length === 0 ? [] : [markdownTable(head, rows)]),
      ...(imports === undefined ? [] : [importLine(imports)]),
    ].join('\n\n'),
  );
}
