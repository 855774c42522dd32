import type { Workload } from '../workload.ts';
import { article } from './article.ts';
import { blog } from './blog.ts';
import { boxes } from './boxes.ts';
import { directory } from './directory.ts';
import { jsonLd } from './json-ld.ts';
import { logic } from './logic.ts';
import { page } from './page.ts';
import { panels } from './panels.ts';
import { receipt } from './receipt.ts';
import { sidebar } from './sidebar.ts';
import { small } from './small.ts';
import { table } from './table.ts';
import { timetable } from './timetable.ts';

/** The workloads whose profiles guide the work on the engine, in the order they are shown. */
export const tuned: readonly Workload[] = [
  page,
  table,
  small,
  logic,
  blog,
  sidebar,
  boxes,
  panels,
  jsonLd,
  receipt,
  timetable,
  directory,
  article,
];
