import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/processes.ts';

/**
 * Memory of a process and of all that it has started, in MB, shared memory counted once; undefined where the system does
 * not tell, or when a process has just ended.
 */
export function memoryOfTree(pid: number): number | undefined {
  try {
    let kilobytes = 0;
    for (const each of treeOf(pid))
      kilobytes += Number(
        /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'latin1'))?.[1] ?? 0,
      );
    return kilobytes / 1024;
  } catch {
    return undefined;
  }
}

function treeOf(root: number): number[] {
  return [root, ...(childrenOf(root) ?? []).flatMap(treeOf)];
}
