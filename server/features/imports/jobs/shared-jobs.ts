/**
 * Scans and imports of all nodes. What holds:
 *
 *  1. The node that runs a job tells its state about once a second while it changes, and at its end.
 *  2. Of one target there is one import at a time on all nodes: the claim is a write in their common order.
 *  3. A node that was not heard of for `silentSeconds` runs nothing any more: its jobs have failed.
 *  4. A cancellation on another node is seen at once there, and ends the work within seconds.
 */

import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import { importLimits, type Job, type JobSummary, type LogEntry } from '../model.ts';
import * as store from './job-store.ts';

/** A job of this node. */
export interface OwnJob {
  readonly id: string;
  readonly target: string | undefined;
  summary(): JobSummary;
  show(logSince: number): Job;
  cancel(): void;
}

export interface SharedJobsDeps {
  readonly activity: ActivityStore;
  readonly clock: Clock;
  readonly log: Log;
}

const tellMs = 1_000;
/** Without a change the state is told so often. */
const heartbeatSeconds = 5;
const silentSeconds = 30;

/** What was told of a job of this node. */
interface ReportedJob {
  readonly job: OwnJob;
  summary: JobSummary | undefined;
  entries: number;
  at: number;
}

export class SharedJobs {
  readonly #deps: SharedJobsDeps;
  readonly #running = new Map<string, ReportedJob>();
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(deps: SharedJobsDeps) {
    this.#deps = deps;
  }

  /** Tells of a new job before it begins. @throws ApiError 409 `import.running` */
  async claim(job: OwnJob): Promise<void> {
    const { activity, clock } = this.#deps;
    const now = unixSeconds(clock);
    await activity.write(async (db) => {
      const jobs = await store.listJobs(db);
      if (jobs.some((other) => other.target !== '' && other.target === job.target && isRunning(other, now)))
        throw apiError('import.running', {});
      await forgetOldest(db, jobs, now);
      await store.saveJob(db, { summary: job.summary(), target: job.target ?? '', heardAt: now }, undefined);
    });
    this.#running.set(job.id, { job, summary: job.summary(), entries: 0, at: now });
    this.#timer ??= setInterval(() => void this.tell(), tellMs).unref();
  }

  /** Tells what has changed, and ends jobs that were cancelled on other nodes. */
  tell(): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tellAll());
    return this.#telling;
  }

  /** Jobs of other nodes. */
  async others(): Promise<JobSummary[]> {
    const { activity, clock } = this.#deps;
    const now = unixSeconds(clock);
    return (await store.listJobs(activity.reader)).map((job) => seen(job, now));
  }

  /** A job of another node. @throws ApiError `common.notFound` */
  async show(id: string, logSince: number): Promise<Job> {
    const { activity, clock } = this.#deps;
    const job = await store.findJob(activity.reader, id);
    if (job === undefined) throw apiError('common.notFound', {});
    const result = await store.findResult(activity.reader, id);
    const log = await store.listEntries(activity.reader, id, logSince);
    return { ...seen(job, unixSeconds(clock)), log, ...(result === undefined ? {} : { result }) };
  }

  /** Cancels a job of another node. @throws ApiError `common.notFound` */
  async cancel(id: string): Promise<void> {
    const exists = await this.#deps.activity.write((db) => store.cancelJob(db, id));
    if (!exists) throw apiError('common.notFound', {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.tell();
  }

  async #tellAll(): Promise<void> {
    const { activity, log } = this.#deps;
    try {
      for (const told of this.#running.values()) {
        if ((await store.findJob(activity.reader, told.job.id))?.isCancelled === true) told.job.cancel();
        await this.#tellOne(told);
      }
    } catch (error) {
      log.warn({ err: error }, 'other nodes were not told of an import');
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #tellOne(told: ReportedJob): Promise<void> {
    const { job } = told;
    const now = unixSeconds(this.#deps.clock);
    const { log, result, ...summary } = job.show(told.entries);
    const isNew = job.summary() !== told.summary || log.length > 0;
    if (!isNew && now < told.at + heartbeatSeconds) return;
    const state = { summary, target: job.target ?? '', heardAt: now };
    const entries: readonly LogEntry[] = [...log];
    const seenSummary = job.summary();
    await this.#deps.activity.write(async (db) => {
      await store.saveJob(db, state, result);
      await store.addEntries(db, job.id, told.entries, entries);
    });
    told.summary = seenSummary;
    told.entries += entries.length;
    told.at = now;
    if (summary.status !== 'running') this.#running.delete(job.id);
  }
}

function isRunning({ summary, heardAt }: store.StoredJob, now: number): boolean {
  return summary.status === 'running' && now <= heardAt + silentSeconds;
}

/** A job as people see it. */
function seen(job: store.StoredJob, now: number): JobSummary {
  const { summary, isCancelled, heardAt } = job;
  if (summary.status !== 'running') return summary;
  const ended = { ...summary, phase: '', phase_code: '', finished_at: heardAt };
  if (isCancelled) return { ...ended, status: 'cancelled' };
  if (isRunning(job, now)) return summary;
  const { message, code } = apiError('import.failed', {});
  return { ...ended, status: 'failed', error: message, error_code: code };
}

/** Makes room for one more job. */
async function forgetOldest(db: ActivityDb, jobs: readonly store.StoredJob[], now: number): Promise<void> {
  const oldest = jobs
    .filter((job) => !isRunning(job, now))
    .sort((left, right) => left.summary.started_at - right.summary.started_at);
  const excess = jobs.length - importLimits.jobs + 1;
  for (const { summary } of oldest.slice(0, Math.max(0, excess))) await store.deleteJob(db, summary.id);
}
