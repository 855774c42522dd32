import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that a server has used itself and in its processes that do not yield to others, in milliseconds.
 * Other work on the machine hardly changes it. Undefined where the system does not tell.
 */
export function findProcessorMs(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return undefined;
  const priority = readPriority(pid);
  const children = (readFileSync(file, 'utf8').match(/\d+/g) ?? []).map(Number);
  const counted = [pid, ...children.filter((child) => readPriority(child) === priority)];
  return counted.reduce((sum, process) => sum + readProcessMs(process), 0);
}

/** The nice value; undefined if the process has ended. */
function readPriority(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name in parentheses may hold spaces; the nice value is field 19.
  return readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[16];
}

function readProcessMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return 0;
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
