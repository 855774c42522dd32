/** A worker of a pool that does what strangers may try: hostile templates, random templates, data, hoards. */
import fc from 'fast-check';
import { serveTasks } from '../../runtime/tasks/serve.ts';
import { hoard } from '../../test/support/hoard.ts';
import { Checker } from '../fuzz/case.ts';
import { template } from '../fuzz/templates.ts';
import { outcomeOfAttack } from './attacks.ts';
import type { HostileTask } from './hostile-tasks.ts';

const checker = new Checker();

serveTasks<HostileTask>(async (task) => {
  switch (task.kind) {
    case 'attack':
      return outcomeOfAttack(task.name);
    case 'random': {
      const sources = fc.sample(template, { seed: task.seed, numRuns: task.count });
      let faults = 0;
      for (const source of sources) if ((await checker.faultOf(source)) !== undefined) faults += 1;
      return faults;
    }
    case 'hoard':
      hoard(task.name);
      return undefined;
  }
});
