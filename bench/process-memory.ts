import { readFileSync } from 'node:fs';
import { findProcessUsage } from '../server/processes/usage.ts';
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

/**
 * Processor time of each process of a tree, in ms, by its ID; empty where the system does not tell. What a process has
 * used stays away when it ends.
 */
export function processorTimeOfTree(pid: number): ReadonlyMap<number, number> {
  return new Map(
    treeOf(pid).flatMap((each) => {
      const usage = findProcessUsage(each);
      return usage === undefined ? [] : [[each, usage.cpuMs]];
    }),
  );
}

function treeOf(root: number): number[] {
  return [root, ...(childrenOf(root) ?? []).flatMap(treeOf)];
}
