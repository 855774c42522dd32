import { readdirSync, readFileSync } from 'node:fs';

/**
 * Memory of a process and of all that it has started, in MB; undefined where the system does not tell. What they
 * share, such as the code of Node.js, counts once (proportional set size, proc(5)).
 */
export function memoryOfTree(pid: number): number | undefined {
  try {
    return treeOf(pid).reduce((sum, one) => sum + sharedKb(one) / 1024, 0);
  } catch {
    return undefined;
  }
}

function sharedKb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
}

function treeOf(root: number): number[] {
  const children = readdirSync(`/proc/${root}/task`).flatMap((task) =>
    readFileSync(`/proc/${root}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
  return [root, ...children.flatMap(treeOf)];
}
