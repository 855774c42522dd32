import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord } from './api.ts';

const root = join(import.meta.dirname, '..', '..');

/** The file that the package installs as `incipit`. */
export const programFile = join(
  root,
  String(asRecord(asRecord(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))['bin'])['incipit']),
);

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `incipit` as a process of its own, without a terminal, to its end. */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  const child = spawnProgram(args, options);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  child.stdin.end();
  await once(child, 'close');
  return { code: child.exitCode, ...texts };
}

/** Starts `incipit` as a process of its own, with pipes. */
export function spawnProgram(args: readonly string[], { cwd, env = {} }: ProgramOptions = {}) {
  const { INCIPIT_TOKEN: _, ...inherited } = process.env;
  return spawn(process.execPath, [programFile, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
