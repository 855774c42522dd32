import type { Workload } from '../workload.ts';
import { logic } from './logic.ts';
import { page } from './page.ts';
import { small } from './small.ts';
import { table } from './table.ts';

/** Calls the function with each workload, whose context type only itself knows. */
export const workloads: readonly Workload[] = [page, table, small, logic];
