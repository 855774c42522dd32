import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowSite } from './site.ts';

export const scheduledFlows = 1000;

/** Share of one processor that scheduled workflows take while none is due; undefined where the system does not tell. */
export async function idleShare(
  { server, create }: WorkflowSite,
  seconds: number,
): Promise<number | undefined> {
  for (let index = 0; index < scheduledFlows; index += 1)
    await create(`scheduled ${index}`, [
      { id: 'a', type: 'inject', config: { cron: `${index % 60} 3 1 1 *` } },
    ]);
  // What the server has put off until it has time is not theirs.
  await pause(2000);
  const before = server.cpuMs();
  const start = performance.now();
  await pause(seconds * 1000);
  const after = server.cpuMs();
  return before === undefined || after === undefined
    ? undefined
    : (after - before) / (performance.now() - start);
}
