import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';

const file = new URL('../../../runtime/tasks/low-priority.ts', import.meta.url).href;

/** The priority of a process that begins with one and lowers it twice. */
function findLowered(start: number): number {
  const code = `
    import { getPriority, setPriority } from 'node:os';
    setPriority(${start});
    const { lowerPriority } = await import('${file}');
    lowerPriority();
    lowerPriority();
    console.log(getPriority());`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code]).toString());
}

it.skipIf(process.platform !== 'linux')('is lower than that of the server, whatever the server has', () => {
  const own = getPriority();
  for (const start of [own, Math.min(own + 3, 19), 19])
    expect(findLowered(start)).toBe(Math.min(start + 10, 19));
});
