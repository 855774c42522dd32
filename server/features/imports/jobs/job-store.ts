import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { Job, JobSummary, LogEntry } from '../model.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    import_jobs: JobRow;
    import_job_log: { job_id: string; place: number; entry: string };
  }
}

const importJobs = activityTable('import_jobs');
const importJobLog = activityTable('import_job_log');

interface JobRow {
  id: string;
  target: string;
  summary: string;
  result: string;
  heard_at: number;
  is_cancelled: number;
}

/** A scan or import as the node that runs it has told. */
export interface StoredJob {
  readonly summary: JobSummary;
  /** Empty for work that disturbs no other. */
  readonly target: string;
  /** Unix seconds. */
  readonly heardAt: number;
  /** Whether somebody has cancelled it on another node. */
  readonly isCancelled: boolean;
}

export async function listJobs(db: ActivityDb): Promise<StoredJob[]> {
  return (await selectAll(db)).map(fromRow);
}

export async function findJob(db: ActivityDb, id: string): Promise<StoredJob | undefined> {
  const row = await selectOne(db, id);
  return row === undefined ? undefined : fromRow(row);
}

/** What a job has brought; undefined before its end. */
export async function findResult(db: ActivityDb, id: string): Promise<Job['result']> {
  const { result = '' } = (await selectResult(db, id)) ?? {};
  // Type boundary: only this store writes the results.
  return result === '' ? undefined : (JSON.parse(result) as Job['result']);
}

/** Creates a job, or brings it to its newest state; a cancellation stays. */
export async function saveJob(
  db: ActivityDb,
  { summary, target, heardAt }: Omit<StoredJob, 'isCancelled'>,
  result: Job['result'],
): Promise<void> {
  await upsert.run(db, {
    id: summary.id,
    target,
    summary: JSON.stringify(summary),
    result: result === undefined ? '' : JSON.stringify(result),
    heardAt,
  });
}

/** Answers false if there is no such job. */
export async function cancelJob(db: ActivityDb, id: string): Promise<boolean> {
  return (await markCancelled.run(db, { id })) > 0;
}

export async function deleteJob(db: ActivityDb, id: string): Promise<void> {
  await removeLog(db, id);
  await removeJob(db, id);
}

/** @param place of the first entry */
export async function addEntries(
  db: ActivityDb,
  id: string,
  place: number,
  entries: readonly LogEntry[],
): Promise<void> {
  for (const [index, entry] of entries.entries())
    await insertEntry(db, { job_id: id, place: place + index, entry: JSON.stringify(entry) });
}

/** The log of a job from an entry on. */
export async function listEntries(db: ActivityDb, id: string, since: number): Promise<LogEntry[]> {
  const rows = await selectEntries.all(db, { id, since });
  // Type boundary: only this store writes the entries.
  return rows.map(({ entry }) => JSON.parse(entry) as LogEntry);
}

/** Type boundary: only this store writes the rows. */
function fromRow({ target, summary, heard_at, is_cancelled }: Omit<JobRow, 'id' | 'result'>): StoredJob {
  return {
    summary: JSON.parse(summary) as JobSummary,
    target,
    heardAt: heard_at,
    isCancelled: is_cancelled !== 0,
  };
}

const selectAll = importJobs.listBy([], [], ['target', 'summary', 'heard_at', 'is_cancelled']);

const selectOne = importJobs.findBy(['id'], ['target', 'summary', 'heard_at', 'is_cancelled']);

const selectResult = importJobs.findBy(['id'], ['result']);

const upsert = activityQuery(
  (db, p: { id: string; target: string; summary: string; result: string; heardAt: number }) =>
    db
      .insertInto('import_jobs')
      .values({
        id: p.id,
        target: p.target,
        summary: p.summary,
        result: p.result,
        heard_at: p.heardAt,
        is_cancelled: 0,
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ summary: p.summary, result: p.result, heard_at: p.heardAt }),
      ),
);

const markCancelled = activityQuery((db, p: { id: string }) =>
  db.updateTable('import_jobs').set({ is_cancelled: 1 }).where('id', '=', p.id),
);

const removeJob = importJobs.removeBy('id');

const removeLog = importJobLog.removeBy('job_id');

const insertEntry = importJobLog.insert('job_id', 'place', 'entry');

const selectEntries = activityQuery((db, p: { id: string; since: number }) =>
  db
    .selectFrom('import_job_log')
    .select('entry')
    .where('job_id', '=', p.id)
    .where('place', '>=', p.since)
    .orderBy('place'),
);
