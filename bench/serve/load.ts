import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { LoadOptions, LoadResult } from './load-types.ts';
import { wrkLoad } from './wrk.ts';

export type { LoadOptions, LoadResult } from './load-types.ts';

/** The fields that are read from autocannon's report. */
const Report = Type.Object({
  errors: Type.Number(),
  timeouts: Type.Number(),
  non2xx: Type.Number(),
  duration: Type.Number(),
  requests: Type.Object({ total: Type.Number() }),
  latency: Type.Object({ p50: Type.Number(), p99: Type.Number(), max: Type.Number() }),
});

const autocannon = fileURLToPath(import.meta.resolve('autocannon'));

/** The program that makes the load: `wrk` where it is installed. */
export const generator = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';

/** Loads a URL from a process of its own; throws if any request failed. */
export function load(url: string, options: LoadOptions): Promise<LoadResult> {
  return generator === 'wrk' ? wrkLoad(url, options) : autocannonLoad(url, options);
}

async function autocannonLoad(url: string, options: LoadOptions): Promise<LoadResult> {
  const child = spawn(
    process.execPath,
    [
      autocannon,
      '--json',
      ...['--duration', String(options.seconds)],
      ...['--connections', String(options.connections)],
      ...['--pipelining', String(options.pipelining)],
      ...['--method', options.method ?? 'GET'],
      ...(options.body === undefined ? [] : ['--body', options.body]),
      ...Object.entries(options.headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
      url,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const report = Value.Parse(Report, JSON.parse(Buffer.concat(chunks).toString()));
  const isOther = options.status !== undefined && (options.status < 200 || options.status > 299);
  const wrong = isOther ? report.requests.total - report.non2xx : report.non2xx;
  const failed = report.errors + report.timeouts + wrong;
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return {
    requests: report.requests.total,
    requestsPerSecond: report.requests.total / report.duration,
    p50Ms: report.latency.p50,
    p99Ms: report.latency.p99,
    maxMs: report.latency.max,
  };
}
