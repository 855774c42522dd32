import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { TriggerKind } from './model.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    workflow_runs: RunRow;
    workflow_last_runs: LastRun;
    workflow_days: DayRow;
  }
}

const workflowLastRuns = activityTable('workflow_last_runs');
const workflowRuns = activityTable('workflow_runs');
const workflowDays = activityTable('workflow_days');

export interface RunRow {
  id: number;
  workflow_id: number;
  trigger_kind: TriggerKind;
  status: 'ok' | 'error';
  error: string;
  result: string;
  /** JSON */
  logs: string;
  /** JSON */
  trace: string;
  /** Unix milliseconds. */
  started_at: number;
  duration_ms: number;
  /** ID of the start node. */
  start_node: string;
  /** JSON of the first message; empty if it was too large. */
  message: string;
}

export interface LastRun {
  workflow_id: number;
  run_id: number;
  last_run_at: number;
  last_status: 'ok' | 'error';
}

export interface DayRow {
  workflow_id: number;
  day: string;
  runs: number;
  errors: number;
  /** JSON */
  durations: string;
}

export const listLastRuns = workflowLastRuns.listBy([], []);

export const saveLastRun = workflowLastRuns.upsert(['workflow_id'], ['run_id', 'last_run_at', 'last_status']);

export const insertRun = workflowRuns.insert(
  'id',
  'workflow_id',
  'trigger_kind',
  'status',
  'error',
  'result',
  'logs',
  'trace',
  'started_at',
  'duration_ms',
  'start_node',
  'message',
);

/** The runs of a workflow, newest first. */
export function listRuns(db: ActivityDb, workflowId: number, limit: number): Promise<RunRow[]> {
  return selectRuns.all(db, { workflowId, limit });
}

export const findRun = workflowRuns.findBy(['workflow_id', 'id']);

/** Deletes all runs of a workflow but the newest `kept`. */
export async function pruneRuns(db: ActivityDb, workflowId: number, kept: number): Promise<void> {
  const oldest = await selectOldest.first(db, { workflowId, skipped: kept - 1 });
  if (oldest !== undefined) await deleteBefore.run(db, { workflowId, id: oldest.id });
}

export async function deleteRuns(db: ActivityDb, workflowId: number): Promise<void> {
  await removeRuns.run(db, { workflowId });
}

/** Deletes everything about a workflow. */
export async function deleteAll(db: ActivityDb, workflowId: number): Promise<void> {
  for (const query of [removeRuns, removeLastRun, removeDays]) await query.run(db, { workflowId });
}

export const findDay = workflowDays.findBy(['workflow_id', 'day']);

export const saveDay = workflowDays.upsert(['workflow_id', 'day'], ['runs', 'errors', 'durations']);

export function listDays(db: ActivityDb, workflowId: number, from: string, to: string): Promise<DayRow[]> {
  return selectDays.all(db, { workflowId, from, to });
}

const selectRuns = activityQuery((db, p: { workflowId: number; limit: number }) =>
  db
    .selectFrom('workflow_runs')
    .selectAll()
    .where('workflow_id', '=', p.workflowId)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const selectOldest = activityQuery((db, p: { workflowId: number; skipped: number }) =>
  db
    .selectFrom('workflow_runs')
    .select('id')
    .where('workflow_id', '=', p.workflowId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(p.skipped),
);

const deleteBefore = activityQuery((db, p: { workflowId: number; id: number }) =>
  db.deleteFrom('workflow_runs').where('workflow_id', '=', p.workflowId).where('id', '<', p.id),
);

const removeRuns = activityQuery((db, p: { workflowId: number }) =>
  db.deleteFrom('workflow_runs').where('workflow_id', '=', p.workflowId),
);

const removeLastRun = activityQuery((db, p: { workflowId: number }) =>
  db.deleteFrom('workflow_last_runs').where('workflow_id', '=', p.workflowId),
);

const removeDays = activityQuery((db, p: { workflowId: number }) =>
  db.deleteFrom('workflow_days').where('workflow_id', '=', p.workflowId),
);

const selectDays = activityQuery((db, p: { workflowId: number; from: string; to: string }) =>
  db
    .selectFrom('workflow_days')
    .selectAll()
    .where('workflow_id', '=', p.workflowId)
    .where('day', '>=', p.from)
    .where('day', '<=', p.to)
    .orderBy('day'),
);
