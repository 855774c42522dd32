import { activityQuery } from '../../../db/prepared.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { TriggerKind } from './model.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    workflow_runs: RunRow;
    workflow_last_runs: LastRun;
    workflow_days: DayRow;
  }
}

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

export function listLastRuns(db: ActivityDb): Promise<LastRun[]> {
  return selectLastRuns.all(db, {});
}

export async function saveLastRun(db: ActivityDb, row: LastRun): Promise<void> {
  await upsertLastRun.run(db, row);
}

export async function insertRun(db: ActivityDb, row: RunRow): Promise<void> {
  await insert.run(db, row);
}

/** The runs of a workflow, newest first. */
export function listRuns(db: ActivityDb, workflowId: number, limit: number): Promise<RunRow[]> {
  return selectRuns.all(db, { workflowId, limit });
}

export function findRun(db: ActivityDb, workflowId: number, id: number): Promise<RunRow | undefined> {
  return selectRun.first(db, { workflowId, id });
}

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

export function findDay(db: ActivityDb, workflowId: number, day: string): Promise<DayRow | undefined> {
  return selectDay.first(db, { workflowId, day });
}

export async function saveDay(db: ActivityDb, row: DayRow): Promise<void> {
  await upsertDay.run(db, row);
}

export function listDays(db: ActivityDb, workflowId: number, from: string, to: string): Promise<DayRow[]> {
  return selectDays.all(db, { workflowId, from, to });
}

const selectLastRuns = activityQuery((db, _p: object) => db.selectFrom('workflow_last_runs').selectAll());

const upsertLastRun = activityQuery((db, p: LastRun) =>
  db
    .insertInto('workflow_last_runs')
    .values({
      workflow_id: p.workflow_id,
      run_id: p.run_id,
      last_run_at: p.last_run_at,
      last_status: p.last_status,
    })
    .onConflict((conflict) =>
      conflict
        .column('workflow_id')
        .doUpdateSet({ run_id: p.run_id, last_run_at: p.last_run_at, last_status: p.last_status }),
    ),
);

const insert = activityQuery((db, p: RunRow) =>
  db.insertInto('workflow_runs').values({
    id: p.id,
    workflow_id: p.workflow_id,
    trigger_kind: p.trigger_kind,
    status: p.status,
    error: p.error,
    result: p.result,
    logs: p.logs,
    trace: p.trace,
    started_at: p.started_at,
    duration_ms: p.duration_ms,
    start_node: p.start_node,
    message: p.message,
  }),
);

const selectRuns = activityQuery((db, p: { workflowId: number; limit: number }) =>
  db
    .selectFrom('workflow_runs')
    .selectAll()
    .where('workflow_id', '=', p.workflowId)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const selectRun = activityQuery((db, p: { workflowId: number; id: number }) =>
  db.selectFrom('workflow_runs').selectAll().where('id', '=', p.id).where('workflow_id', '=', p.workflowId),
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

const selectDay = activityQuery((db, p: { workflowId: number; day: string }) =>
  db.selectFrom('workflow_days').selectAll().where('workflow_id', '=', p.workflowId).where('day', '=', p.day),
);

const upsertDay = activityQuery((db, p: DayRow) =>
  db
    .insertInto('workflow_days')
    .values({
      workflow_id: p.workflow_id,
      day: p.day,
      runs: p.runs,
      errors: p.errors,
      durations: p.durations,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workflow_id', 'day'])
        .doUpdateSet({ runs: p.runs, errors: p.errors, durations: p.durations }),
    ),
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
