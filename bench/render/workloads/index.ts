import type { Workload } from '../workload.ts';
import { logic } from './logic.ts';
import { page } from './page.ts';
import { small } from './small.ts';
import { table } from './table.ts';

/** All workloads, in the order they are shown. */
export const workloads: readonly Workload[] = [page, table, small, logic];
