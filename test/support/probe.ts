/**
 * Loaded by `--import` into a server and its render processes, before their own code. Tells on a socket in
 * `PROBE_DIR`, named after the process, what the process has used so far.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** What a process with all its threads has used. */
export interface Usage {
  /** Processor time in microseconds. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
  /** Most resident memory since the start. */
  readonly peakBytes: number;
}

function usage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    cpuMicros: userCPUTime + systemCPUTime,
    residentBytes: process.memoryUsage.rss(),
    peakBytes: maxRSS * 1024,
  };
}

const folder = process.env['PROBE_DIR'];
if (isMainThread && folder !== undefined) {
  createServer((_request, response) => response.end(JSON.stringify(usage())))
    .listen(join(folder, String(process.pid)))
    .unref();
}
