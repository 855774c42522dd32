import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { callApi, createToken, startIncipit } from '../serve/site.ts';
import { fields, fillCollection, waitForIndexes } from './fill.ts';
import { type Figures, measureRequests } from './requests.ts';

/**
 * What entries cost in a collection of a million, compared with one of a thousand, and with a bare uWebSockets.js
 * handler that answers prepared JSON. Options: `--entries <n>` (1000000), `--rounds <n>` (3), `--seconds <n>` (2),
 * `--json`.
 */
export async function runDataBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      entries: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
    },
  });
  const entries = Number(values.entries);
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  try {
    const token = await prepare(folder, entries);
    const server = await startIncipit(folder);
    try {
      await createPages(server.url, token);
      await waitForIndexes(folder);
      const results = await measureRequests({ server, token, rounds, seconds, entries });
      if (values.json) console.log(JSON.stringify({ environment: environmentLine(), entries, results }));
      else report(results, entries);
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
  const create = (slug: string) =>
    callApi(server.url, token, 'POST', '/collections', { slug, public_api: true, fields });
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
      data: `{% for e in data("${slug}", "topic", route.query.t, _sort="-date", _limit=25, _offset=route.query.o) %}{{ e.title }}{% endfor %}`,
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

function report(results: readonly Figures[], entries: number): void {
  const rows = results.map(({ name, requestsPerSecond, p99Ms, cpuMicros, ratio, against }) => [
    name,
    requestsPerSecond.median.toFixed(0),
    p99Ms.median.toFixed(1),
    cpuMicros?.median.toFixed(1) ?? '',
    ratio === undefined ? '' : ratio.median.toFixed(2),
    ratio === undefined ? '' : `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    against,
  ]);
  const head = ['request', 'requests/s', 'p99, ms', 'CPU, µs', 'ratio', 'spread', 'against'];
  console.log([environmentLine(), `${entries} entries`, markdownTable(head, rows)].join('\n\n'));
}
