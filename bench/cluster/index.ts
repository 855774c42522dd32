import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { callOk } from '../../test/support/api.ts';
import { createPage, createSite, insertPages } from '../../test/support/content.ts';
import { shareMedia, startNode } from '../../test/support/nodes.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { startS3 } from '../../test/support/s3.ts';
import {
  makeTempDir,
  masterToken,
  runMain,
  startServer,
  type TestServer,
} from '../../test/support/server.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { load } from '../serve/load.ts';

/** Writers at the same time. */
const writers = 32;
/** Saves before those that are measured. */
const warmUpSeconds = 2;

/**
 * What several nodes cost beside one machine: saves per second and their times, the processor time of cached and
 * rendered pages, and how long an empty node takes to be filled. PostgreSQL runs on the same machine and does not sync
 * (`fsync=off`), so the times of saves show round trips and not its disk. Options: `--seconds <n>` (5), `--pages <n>`
 * (100000).
 */
export async function runClusterBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string', default: '5' }, pages: { type: 'string', default: '100000' } },
  });
  const seconds = Number(values.seconds);
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  try {
    console.log(environmentLine());
    const rows: string[][] = [];
    rows.push(await measure('SQLite, one machine', [await startServer()], seconds));
    for (const count of [1, 3]) {
      const database = await postgres.createDatabase();
      const first = await startNode(database);
      await shareMedia(first, s3);
      const nodes = [first];
      while (nodes.length < count) nodes.push(await startNode(database));
      rows.push(await measure(`${count} ${count === 1 ? 'node' : 'nodes'}`, nodes, seconds));
    }
    const head = [
      '',
      'saves/s',
      'p50',
      'p99',
      'one save',
      'commit to applied, p99',
      'CPU, cached page',
      'CPU, rendered page',
    ];
    console.log(markdownTable(head, rows));
    await measureFilling(postgres, Number(values.pages));
  } finally {
    await Promise.all([postgres.remove(), s3.stop()]);
  }
}

async function measure(name: string, nodes: readonly TestServer[], seconds: number): Promise<string[]> {
  const [first] = nodes;
  if (first === undefined) throw new Error('there is no node');
  try {
    const home = await createSite(first);
    const ids: number[] = [];
    for (let page = 0; page < writers; page++)
      ids.push(
        await createPage(first, home, { slug: `p${page}`, published: true, html: '<p>{{ page.title }}</p>' }),
      );
    // The first saves compile code, and start the process that checks pages.
    await save(nodes, ids, warmUpSeconds);
    const parallel = await save(nodes, ids, seconds);
    const alone = await save(nodes, ids.slice(0, 1), seconds);
    const applied = nodes.length > 1 ? `${await appliedWithin(nodes)} or less` : '-';
    const cached = await cpuPerCachedPage(first);
    const rendered = await cpuPerPage(first, (round) => `/p${round % 8}?n=${round}`);
    return [
      name,
      String(Math.round(parallel.length / seconds)),
      ms(quantile(parallel, 0.5)),
      ms(quantile(parallel, 0.99)),
      `${ms(quantile(alone, 0.5))}, p99 ${ms(quantile(alone, 0.99))}`,
      applied,
      `${cached.toFixed(1)} µs`,
      `${rendered.toFixed(0)} µs`,
    ];
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

/** Times of all saves, in milliseconds, sorted; each writer has a page of its own and goes from node to node. */
async function save(
  nodes: readonly TestServer[],
  ids: readonly number[],
  seconds: number,
): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  await Promise.all(
    ids.map(async (id, writer) => {
      for (let round = writer; performance.now() < end; round++) {
        const node = nodes[round % nodes.length];
        const start = performance.now();
        const response = await fetch(`${node?.url}/api/v1/pages/${id}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ title: `Round ${round}` }),
        });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`a save was answered ${response.status}`);
        times.push(performance.now() - start);
      }
    }),
  );
  return times.sort((left, right) => left - right);
}

/** The bound within which 99 of 100 commits were applied on all nodes, by the metrics of the nodes. */
async function appliedWithin(nodes: readonly TestServer[]): Promise<string> {
  const counts = new Map<number, number>();
  for (const { url } of nodes) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const [, bound, count] of metrics.matchAll(appliedBucket)) {
      const seconds = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
      counts.set(seconds, (counts.get(seconds) ?? 0) + Number(count));
    }
  }
  const all = Math.max(...counts.values());
  const within = [...counts].find(([, count]) => count >= all * 0.99);
  return ms((within?.[0] ?? Number.NaN) * 1000);
}

const appliedBucket = /^incipit_node_applied_seconds_bucket\{le="([\d.]+|\+Inf)"\} (\d+)$/gm;

/** Processor time of the server for a page from the cache, in microseconds. */
async function cpuPerCachedPage(node: TestServer): Promise<number> {
  const options = { connections: 16, pipelining: 1, headers: {} };
  await load(`${node.url}/p0`, { ...options, seconds: 1 });
  const before = cpuSeconds(node.pid);
  const { requests } = await load(`${node.url}/p0`, { ...options, seconds: 4 });
  return ((cpuSeconds(node.pid) - before) / requests) * 1e6;
}

const pagesPerRun = 3_000;

/** Processor time of the server and its render processes for a page, in microseconds. */
async function cpuPerPage(node: TestServer, pathOf: (round: number) => string): Promise<number> {
  for (let round = 0; round < 200; round++) await (await fetch(node.url + pathOf(-round))).arrayBuffer();
  const before = cpuSeconds(node.pid);
  for (let round = 0; round < pagesPerRun; round += 8)
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (await fetch(node.url + pathOf(round + index))).arrayBuffer(),
      ),
    );
  return ((cpuSeconds(node.pid) - before) / pagesPerRun) * 1e6;
}

/** Seconds of processor time of a process and its children. */
function cpuSeconds(pid: number): number {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).split(
    '\n',
  );
  const ticks = [String(pid), ...children.map((line) => line.trim()).filter((line) => line !== '')].map(
    (id) => {
      const fields = readFileSync(`/proc/${id}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    },
  );
  return ticks.reduce((sum, value) => sum + value, 0) / 100;
}

async function measureFilling(postgres: TestPostgres, pages: number): Promise<void> {
  const dataDir = makeTempDir();
  const database = await postgres.createDatabase();
  const server = await startServer({ dataDir });
  await insertPages(server, await createSite(server), pages);
  await callOk(server, 'PUT', '/pages/1', { title: 'Many' });
  await server.stop();
  const start = performance.now();
  const { stdout } = await runMain(['-data', dataDir], { IC_COPY_TO: database });
  console.log(`${stdout.split('\n')[0]}, in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const begin = performance.now();
  const node = await startNode(database);
  console.log(
    `an empty node with ${pages} pages serves after ${((performance.now() - begin) / 1000).toFixed(1)} s`,
  );
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
