import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Milliseconds from the start of the process to the line that gives its address. */
  readonly readyMs: number;
  /**
   * Processor time used so far, milliseconds, on request with that of the processes it has started; undefined where the
   * system does not tell.
   */
  cpuMs(withChildren?: boolean): number | undefined;
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

/** Starts Node with the arguments and waits for a line that holds `http://host:port`, or the same with `https`. */
export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  return running(child, await addressOf(child), performance.now() - start);
}

/**
 * Starts another program that listens on a free port, and waits until it does.
 *
 * @param argsFor the arguments, for the port to listen on
 * @returns undefined if the program is not installed
 */
export async function startProgram(
  command: string,
  argsFor: (port: number) => readonly string[],
): Promise<ServerProcess | undefined> {
  const start = performance.now();
  const port = await freePort();
  const child = spawn(command, argsFor(port), { stdio: ['ignore', 'ignore', 'ignore'] });
  const failed = once(child, 'error').then(() => true);
  if (await Promise.race([failed, once(child, 'spawn').then(() => false)])) return undefined;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() - start > startTimeoutMs)
      throw new Error(`${command} does not listen on port ${port}`);
  }
  return running(child, `http://127.0.0.1:${port}`, performance.now() - start);
}

function running(child: ChildProcess, url: string, readyMs: number): ServerProcess {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    url,
    pid: child.pid,
    readyMs,
    cpuMs: (withChildren = false) => {
      const own = cpuMillis(child.pid);
      if (own === undefined || !withChildren) return own;
      return childrenOf(child.pid).reduce((sum, { pid }) => sum + (cpuMillis(pid) ?? 0), own);
    },
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Type boundary: a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await pause(10);
    return false;
  } finally {
    socket.destroy();
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output to read');
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const lines = createInterface({ input: child.stdout });
  try {
    for await (const line of lines) {
      const url = /https?:\/\/[\d.]+:\d+/.exec(line)?.[0];
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
