import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { asRecord } from './api.ts';
import { type ProgramOptions, spawnProgram } from './program.ts';

/** `incipit dev` as a process of its own. */
export interface Dev {
  readonly folder: string;
  readonly url: string;
  /** Everything that was printed so far. */
  output(): string;
  page(path: string): Promise<string>;
  /** Resolves with the next state that fits. */
  state(fits: (state: DevState) => boolean): Promise<DevState>;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
  /** Ends it; it must have left no temporary files. */
  stop(): Promise<number | null>;
}

export interface DevState {
  readonly version: number;
  readonly findings: readonly Record<string, unknown>[];
  readonly styles: boolean;
}

/** Resolves when it has told its address. */
export async function startDev(
  folder: string,
  args: readonly string[] = ['--port', '0'],
  { env = {} }: Pick<ProgramOptions, 'env'> = {},
): Promise<Dev> {
  const temporary = mkdtempSync(join(tmpdir(), 'incipit-dev-test-'));
  const child = spawnProgram(['dev', folder, ...args], { env: { ...env, TMPDIR: temporary } });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      resolve(line);
    });
    child.once('exit', () => reject(new Error(`dev ended: ${output}`)));
  });
  const url = /at (http:\S+)\/$/.exec(first)?.[1] ?? '';
  const dev: Dev = {
    folder,
    url,
    output: () => output,
    page: async (path) => (await fetch(url + path)).text(),
    async state(fits) {
      const response = await fetch(`${url}/_incipit/events`);
      const decoder = new TextDecoder();
      let text = '';
      for await (const part of response.body ?? []) {
        text += decoder.decode(part, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const state = parseState(/^data: (.*)$/m.exec(event)?.[1] ?? '{}');
          if (fits(state)) return state;
        }
      }
      throw new Error('the events ended');
    },
    async kill() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      if (child.signalCode === null)
        expect(readdirSync(temporary).filter((name) => name.startsWith('incipit-dev-'))).toEqual([]);
      return child.exitCode;
    },
  };
  return dev;
}

function parseState(text: string): DevState {
  const { version, findings, styles } = asRecord(JSON.parse(text));
  return {
    version: Number(version),
    findings: Array.isArray(findings) ? findings.map(asRecord) : [],
    styles: styles === true,
  };
}
