import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { sharedDatabaseEnv } from './shared-database.ts';

/** `IC_MASTER_TOKEN` of every test server. */
export const masterToken = 'test-master-token-0123456789abcdef';

/** The flags of Node.js that `npm start` uses. */
const nodeFlags = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--max-semi-space-size=4',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
];
const mainFile = fileURLToPath(new URL('../../server/start.js', import.meta.url));

/** What runs the command line, to be followed by its options. */
export const mainCommand: readonly string[] = [process.execPath, ...nodeFlags, mainFile];

/** Options that `.ci/matrix` gives to every server of a run, separated by spaces; those of a test come after them. */
const everywhere = (process.env['IC_TEST_ARGS'] ?? '').split(' ').filter((arg) => arg !== '');

/** Whether servers that name no front have several threads. */
export const hasFrontThreads = everywhere.includes('-front-threads');

/** Without those of fronts where a test names one. Each option of a run has a value behind it. */
function optionsOfRun(own: readonly string[]): readonly string[] {
  if (!own.includes('-front')) return everywhere;
  return everywhere.filter((_, index) => !/^-front/.test(everywhere[index - (index % 2)] ?? ''));
}

export interface TestServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** The file that runs. */
  readonly program: string;
  /** ID of the process. */
  readonly pid: number;
  readonly dataDir: string;
  readonly firstLine: string;
  /** Resolves with a line of standard output once it is there. Index 0 is the first line. */
  line(index: number): Promise<string>;
  /** Everything the process has written to standard output so far. */
  output(): string;
  /** Everything the process has written to standard error so far. */
  log(): string;
  /** The largest memory that the process has had, in MB; undefined where the system does not tell. */
  peakMb(): number | undefined;
  /** Makes the memory that the process has now the start of `peakMb`, and returns it. */
  resetPeak(): number | undefined;
  /** Open files and connections of the process; undefined where the system does not tell. */
  descriptors(): number | undefined;
  /** Sends a signal and resolves with the exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Sends SIGTERM, and removes the data directory unless it was given. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** An existing directory that outlives the server; default: a new one that `stop()` removes. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file to run; default: the one that `npm start` runs. */
  readonly mainFile?: string;
  /** Uses the default rate limit of the server; otherwise there is no limit. */
  readonly rateLimited?: boolean;
}

/** Starts the real server on a free port and waits for its first line. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? makeTempDir();
  const args = [
    ...['-data', dataDir, '-addr', '127.0.0.1:0', '-workers', '1'],
    '-no-country-sync',
    ...(options.rateLimited === true ? [] : ['-rate-limit', '0']),
    ...optionsOfRun(options.args ?? []),
    ...(options.args ?? []),
  ];
  const env = { IC_MASTER_TOKEN: masterToken, ...(await sharedDatabaseEnv(dataDir)), ...options.env };
  const program = options.mainFile ?? mainFile;
  const child = spawnServer(args, env, program);
  const log = collect(child);
  const output = collectLines(child);
  const firstLine = await output.line(0).catch(() => {
    throw new Error(`the server ended before it listened: ${log()}`);
  });
  const port = Number(/:(\d+)$/.exec(firstLine)?.[1]);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    await once(child, 'exit');
    return child.exitCode;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    program,
    pid: child.pid ?? 0,
    dataDir,
    firstLine,
    line: output.line,
    output: output.text,
    log,
    peakMb: () => peakMb(child.pid),
    resetPeak: () => resetPeak(child.pid),
    descriptors: () => descriptors(child.pid),
    end,
    async stop() {
      await end('SIGTERM');
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end. */
export async function runMain(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawnServer(args, env);
  const stderr = collect(child);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr: stderr() };
}

export function makeTempDir(): string {
  return mkdtempSync(join(tmpdir(), 'incipit-test-'));
}

function spawnServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  file = mainFile,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('IC_'));
  return spawn(process.execPath, [...nodeFlags, file, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function peakMb(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'latin1'))?.[1]) / 1024;
}

/** See proc_pid_clear_refs(5). */
function resetPeak(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/clear_refs`;
  if (existsSync(file)) writeFileSync(file, '5');
  return peakMb(pid);
}

function descriptors(pid: number | undefined): number | undefined {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

interface Lines {
  /** Rejects when the process ends before it has written this line. */
  line(index: number): Promise<string>;
  text(): string;
}

function collectLines(child: ChildProcess): Lines {
  if (child.stdout === null) throw new Error('the server has no standard output');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  let isOpen = true;
  reader.on('close', () => {
    isOpen = false;
  });
  return {
    async line(index) {
      while (isOpen && lines.length <= index)
        await Promise.race([once(reader, 'line'), once(reader, 'close')]);
      const line = lines[index];
      if (line === undefined) throw new Error(`there is no line ${index} of standard output`);
      return line;
    },
    text: () => lines.join('\n'),
  };
}
