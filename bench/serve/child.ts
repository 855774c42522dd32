import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Milliseconds from the start of the process to the line that gives its address. */
  readonly readyMs: number;
  /** Processor time used so far, milliseconds; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Memory in use, bytes; undefined where the system does not tell. */
  residentBytes(): number | undefined;
  /** Open files and connections; undefined where the system does not tell. */
  descriptors(): number | undefined;
  /** The processes that it has started and that still run; empty where the system does not tell. */
  children(): readonly ChildOfServer[];
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export interface ChildOfServer {
  readonly pid: number;
  readonly residentBytes: number;
}

/** How long a server may take to print its address. */
const startTimeoutMs = 20_000;

/** Starts Node with the arguments and waits for a line that holds `http://host:port`. */
export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const url = await addressOf(child);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    url,
    pid: child.pid,
    readyMs: performance.now() - start,
    cpuMs: () => cpuMillis(child.pid),
    residentBytes: () => residentBytes(child.pid),
    descriptors: () => descriptors(child.pid),
    children: () => childrenOf(child.pid),
    hasEnded,
    stop: async () => {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output to read');
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const lines = createInterface({ input: child.stdout });
  try {
    for await (const line of lines) {
      const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (url !== undefined) {
        child.stdout.resume();
        return url;
      }
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('a server ended, or took too long, before it printed its address');
}

/** Clock ticks per second in `/proc`, which Linux fixes at 100 for programs. */
const ticksPerSecond = 100;

function cpuMillis(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name in parentheses may hold spaces; user and system time are fields 14 and 15.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

function residentBytes(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function descriptors(pid: number | undefined): number | undefined {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

function childrenOf(pid: number | undefined): ChildOfServer[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return (readFileSync(file, 'utf8').match(/\d+/g) ?? []).map((found) => ({
    pid: Number(found),
    residentBytes: residentBytes(Number(found)) ?? 0,
  }));
}
