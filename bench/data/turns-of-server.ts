/**
 * Loaded by `--import` into a server, before its own code. Tells on the socket `TURNS_SOCKET` the longest turn of its
 * event loop since it was asked for last.
 */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import type { Turns } from './turns.ts';

/** How often the thread looks at its clocks, milliseconds; a turn can seem longer by so much. */
const lookMs = 1;

const socket = process.env['TURNS_SOCKET'];
if (isMainThread && socket !== undefined) watch(socket);

function watch(path: string): void {
  let longest: Turns = { elapsedMs: 0, cpuMs: 0 };
  let last = clocks();
  setInterval(() => {
    const now = clocks();
    longest = {
      elapsedMs: Math.max(longest.elapsedMs, now.elapsedMs - last.elapsedMs),
      cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    };
    last = now;
  }, lookMs).unref();
  createServer((_request, response) => {
    response.end(JSON.stringify(longest));
    longest = { elapsedMs: 0, cpuMs: 0 };
  })
    .listen(path)
    .unref();
}

function clocks(): Turns {
  const { user, system } = process.threadCpuUsage();
  return { elapsedMs: performance.now(), cpuMs: (user + system) / 1000 };
}
