import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started and that run; undefined where the system does not tell. */
export function childrenOf(pid: number): number[] | undefined {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return undefined;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
}
