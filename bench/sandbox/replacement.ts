import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentBundle, sources } from '../../server/config/build/program-files.ts';
import { Sandbox } from '../../server/processes/sandbox/sandbox.ts';
import { spreadOf } from '../measure.ts';
import { functionCode, message } from './function.ts';

/** Goal, in milliseconds. */
const maxMs = 300;

/** How long after the death of its process the next run has come to its end. */
export async function replacementLine(rounds: number): Promise<string> {
  const log = { error: console.error, warn: console.error, info: console.error, debug: console.error };
  const sandbox = new Sandbox({ filename: (currentBundle() ?? sources()).sandbox, log });
  const { signal } = new AbortController();
  const task = { code: functionCode, outputs: 1, call: async () => 'null', log: () => {}, signal, message };
  try {
    if (process.platform !== 'linux') return 'the system does not tell which processes run code';
    sandbox.expectRuns(true);
    await sandbox.run(task);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = sandboxProcesses();
      const start = performance.now();
      for (const pid of before) process.kill(pid, 'SIGKILL');
      // A run that begins earlier would be one that the process took along, which begins again elsewhere.
      while (!sandboxProcesses().some((pid) => !before.includes(pid))) await nextTurn();
      await sandbox.run(task);
      times.push(performance.now() - start);
    }
    const { median, low, high } = spreadOf(times);
    const range = `${median.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)})`;
    return `from the death of a process to the end of the next run: ${range}; goal: ${maxMs} ms`;
  } finally {
    await sandbox.close();
  }
}

/** The children of this process that run code; none where the system does not tell. */
function sandboxProcesses(): number[] {
  try {
    const list = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    return (list.match(/\d+/g) ?? [])
      .map(Number)
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('memoryMb'));
  } catch {
    return [];
  }
}
