import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { LoadOptions, LoadResult } from './load-types.ts';

const Report = Type.Object({
  requests: Type.Number(),
  micros: Type.Number(),
  p50Micros: Type.Number(),
  p99Micros: Type.Number(),
  maxMicros: Type.Number(),
  /** Connections that failed, broke off or took too long. */
  broken: Type.Number(),
  /** Answers of status 400 and above. */
  refused: Type.Number(),
});

/**
 * Loads a URL with `wrk`, which needs less of the machine than a server does; a generator in JavaScript needs more.
 * It tells answers below 400 from others, nothing finer. Throws if any request failed.
 */
export async function wrkLoad(url: string, options: LoadOptions): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    writeFileSync(script, scriptOf(options));
    const { stdout } = await promisify(execFile)('wrk', [
      ...['--threads', '1', '--connections', String(options.connections)],
      ...['--duration', `${options.seconds}s`, '--script', script, url],
    ]);
    const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '';
    const report = Value.Parse(Report, JSON.parse(line));
    const isRefusalAsked = (options.status ?? 200) >= 400;
    const wrong = isRefusalAsked ? report.requests - report.refused : report.refused;
    if (report.broken + wrong > 0)
      throw new Error(`of the requests to ${url} ${report.broken} failed and ${wrong} had another status`);
    return {
      requests: report.requests,
      requestsPerSecond: report.requests / (report.micros / 1e6),
      p50Ms: report.p50Micros / 1000,
      p99Ms: report.p99Micros / 1000,
      maxMs: report.maxMicros / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests that are made once and repeated, so many at a time as shall be in flight. */
function scriptOf({ pipelining, headers, method = 'GET', body }: LoadOptions): string {
  const lua = (text: string): string => JSON.stringify(text);
  const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  const request = `wrk.format(${lua(method)}, nil, { ${fields.join(', ')} }, ${body === undefined ? 'nil' : lua(body)})`;
  return `
local all
function init(args)
  wrk.headers["Host"] = wrk.host .. ":" .. wrk.port
  local list = {}
  for i = 1, ${pipelining} do list[i] = ${withHost(request)} end
  all = table.concat(list)
end
function request() return all end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"micros":%d,"p50Micros":%d,"p99Micros":%d,"maxMicros":%d,"broken":%d,"refused":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect + e.read + e.write + e.timeout, e.status))
end
`;
}

/** `wrk.format` takes headers that are given in place of its own. */
function withHost(request: string): string {
  return request.replace('{ ', '{ ["Host"] = wrk.headers["Host"], ');
}
