import { setTimeout as plan } from 'node:timers';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { WriteLockUnavailable } from '../../../changes/commit-coordinator.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import { isBusy } from '../../../db/sqlite-errors.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { Message } from '../message/message.ts';
import type { RunOutcome } from '../run/runner.ts';
import { countDuration, type Durations, quantile } from './durations.ts';
import type { Run, RunStats, TriggerKind } from './model.ts';
import { RingBuffer } from './ring-buffer.ts';
import * as store from './store.ts';

/** Runs that are kept of each workflow (Data, Automation and Operations, "Limits"). */
const maxRuns = 50;
const maxResultText = 2000;
/** Longest message that is kept for a repetition, in characters of JSON. */
const maxKeptMessage = 2 ** 20;
/** How often a locked database is tried again, and after which time in milliseconds. */
const maxAttempts = 100;
const busyRetryMs = 50;
/** Runs that are written in one transaction, and the length of their texts. */
const maxRowsAtOnce = 10;
const maxLengthAtOnce = 2 ** 16;
/** How long ended runs wait until they are written together, in milliseconds. */
const flushMs = 500;
/** Days begin at whole quarters of an hour in all zones, in milliseconds. */
const quarterMs = 900_000;

interface LogDeps {
  readonly activity: ActivityStore;
  /** The ID of a run, not below `least`; with several nodes no other one may give it. */
  readonly idOf?: (least: number) => number;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the log is told of a run, besides its outcome. */
export interface EndedRun {
  readonly workflowId: number;
  readonly trigger: TriggerKind;
  readonly startNode: string;
  readonly message: Message;
}

/** What a run needs to be repeated. */
export interface RepeatableRun {
  readonly startNode: string;
  readonly message: string;
}

type LastRun = Pick<store.LastRun, 'last_run_at' | 'last_status'>;

/**
 * The runs of all workflows: the last 50 of each, when and how each ran last, and sums by day. Ended runs are
 * written together; whoever reads sees them all the same. Runs that have not been written are lost in a crash.
 */
export class RunLog {
  readonly #deps: LogDeps;
  readonly #last = new Map<number, LastRun>();
  #nextId = 1;
  /** Runs to be written, by workflow, oldest first. */
  #waiting = new Map<number, Waiting>();
  /** Workflows whose runs are being written. */
  #writing: ReadonlySet<number> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #lastQuarter = Number.NaN;
  #lastDay = '';
  #written: Promise<void> = Promise.resolve();

  private constructor(deps: LogDeps) {
    this.#deps = deps;
  }

  static async open(deps: LogDeps): Promise<RunLog> {
    const log = new RunLog(deps);
    await log.reload();
    return log;
  }

  /** Reads again when each workflow ran last; runs that are not written yet count too. */
  async reload(): Promise<void> {
    // What is written meanwhile may be missing in what is read.
    const writing = this.#writing;
    const stored = await store.listLastRuns(this.#deps.activity.reader);
    const ids = new Set([...stored.map(({ workflow_id }) => workflow_id), ...writing, ...this.#writing]);
    for (const id of [...this.#last.keys()])
      if (!ids.has(id) && !this.#waiting.has(id)) this.#last.delete(id);
    for (const { workflow_id, run_id, last_run_at, last_status } of stored) {
      const known = this.#last.get(workflow_id);
      if (known === undefined || known.last_run_at <= last_run_at)
        this.#last.set(workflow_id, { last_run_at, last_status });
      this.#nextId = Math.max(this.#nextId, run_id + 1);
    }
  }

  lastOf(workflowId: number): { readonly last_run_at: number; readonly last_status: '' | 'ok' | 'error' } {
    return this.#last.get(workflowId) ?? { last_run_at: 0, last_status: '' };
  }

  add({ workflowId, trigger, startNode, message }: EndedRun, outcome: RunOutcome): LoggedRun {
    const { status, error, record, startedAt, durationMs } = outcome;
    const sent = outcome.response?.text;
    const result =
      sent === undefined
        ? record.textOfValue(outcome.payload, maxResultText)
        : record.text(sent, maxResultText);
    const id = this.#deps.idOf?.(this.#nextId) ?? this.#nextId;
    this.#nextId = id + 1;
    let waiting = this.#waiting.get(workflowId);
    if (waiting === undefined) {
      waiting = { rows: new RingBuffer(maxRuns), days: new Map() };
      this.#waiting.set(workflowId, waiting);
    }
    const row: WaitingRun = {
      id,
      workflow_id: workflowId,
      trigger_kind: trigger,
      status,
      error,
      result,
      record,
      started_at: startedAt,
      duration_ms: durationMs,
      start_node: startNode,
      message: message.isLongValue || message.json.length > maxKeptMessage ? '' : message.json,
    };
    waiting.rows.add(row);
    countRun(waiting.days, this.#dayOf(startedAt), status, durationMs);
    this.#last.set(workflowId, { last_run_at: startedAt, last_status: status });
    this.#timer ??= plan(() => void this.flush(), flushMs).unref();
    return row;
  }

  /** Most runs are of the same quarter of an hour as the one before. */
  #dayOf(ms: number): string {
    const quarter = Math.floor(ms / quarterMs);
    if (quarter !== this.#lastQuarter) {
      this.#lastQuarter = quarter;
      this.#lastDay = formatDay(ms);
    }
    return this.#lastDay;
  }

  /** JSON of the last runs of a workflow, newest first, in parts. */
  async list(workflowId: number): Promise<readonly string[]> {
    await this.flush();
    return (await store.listRuns(this.#deps.activity.reader, workflowId, maxRuns)).map(jsonOf);
  }

  /** Undefined if there is no such run. */
  async find(workflowId: number, id: number): Promise<RepeatableRun | undefined> {
    await this.flush();
    const row = await store.findRun(this.#deps.activity.reader, workflowId, id);
    return row && { startNode: row.start_node, message: row.message };
  }

  async stats(workflowId: number, from: string, to: string): Promise<RunStats> {
    await this.flush();
    const rows = await store.listDays(this.#deps.activity.reader, workflowId, from, to);
    const days = rows.map(({ day, runs, errors, durations }) => {
      const classes = parseDurations(durations);
      return { day, runs, errors, p50_ms: quantile(classes, 0.5), p99_ms: quantile(classes, 0.99) };
    });
    return {
      runs: days.reduce((sum, { runs }) => sum + runs, 0),
      errors: days.reduce((sum, { errors }) => sum + errors, 0),
      days,
    };
  }

  /** Clears the log of a workflow; when it ran last stays known. */
  async clear(workflowId: number): Promise<void> {
    await this.flush();
    await this.#deps.activity.write((db) => store.deleteRuns(db, workflowId));
  }

  /** Deletes everything about a workflow that is gone. */
  async forget(workflowId: number): Promise<void> {
    this.#waiting.delete(workflowId);
    this.#last.delete(workflowId);
    await this.#written;
    await this.#deps.activity.write((db) => store.deleteAll(db, workflowId));
  }

  /** Resolves when all ended runs are written, or reported as lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      this.#writing = new Set([...this.#writing, ...waiting.keys()]);
      this.#written = this.#written.then(() => this.#write(waiting));
    }
    return this.#written;
  }

  async #write(waiting: ReadonlyMap<number, Waiting>): Promise<void> {
    for (const [workflowId, runs] of waiting) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await this.#writeOne(workflowId, runs);
          break;
        } catch (error) {
          if ((isBusy(error) || error instanceof WriteLockUnavailable) && attempt < maxAttempts) {
            await pause(busyRetryMs);
            continue;
          }
          this.#deps.log.warn({ err: error, workflow: workflowId }, 'runs could not be recorded');
          break;
        }
      }
      const left = new Set(this.#writing);
      left.delete(workflowId);
      this.#writing = left;
    }
  }

  /** Takes out of `waiting` what is written, so that it can be called again after an error. */
  async #writeOne(workflowId: number, { rows, days }: Waiting): Promise<void> {
    const { activity } = this.#deps;
    while (rows.length > 0) {
      const written = firstOf(rows);
      const last = written.at(-1);
      await activity.write(async (db) => {
        for (const row of written) await store.insertRun(db, row);
        if (last === undefined) return;
        const { id: run_id, started_at: last_run_at, status: last_status } = last;
        await store.saveLastRun(db, { workflow_id: workflowId, run_id, last_run_at, last_status });
      });
      rows.drop(written.length);
      await nextTurn();
    }
    await activity.write((db) => store.pruneRuns(db, workflowId, maxRuns));
    for (const [day, sums] of days) {
      await activity.write((db) => addDay(db, workflowId, day, sums));
      days.delete(day);
    }
  }
}

/** The first runs, as few or as many as are written in a millisecond or two: a long trace takes as long as JSON. */
function firstOf(rows: Iterable<WaitingRun>): store.RunRow[] {
  const first: store.RunRow[] = [];
  let length = 0;
  for (const { record, ...row } of rows) {
    if (first.length === maxRowsAtOnce || length > maxLengthAtOnce) break;
    const [logs, trace] = [JSON.stringify(record.logs), JSON.stringify(record.trace)];
    first.push({ ...row, logs, trace });
    length += logs.length + trace.length + row.message.length;
  }
  return first;
}

async function addDay(db: ActivityDb, workflowId: number, day: string, added: DaySums): Promise<void> {
  const known = await store.findDay(db, workflowId, day);
  const before = known === undefined ? {} : parseDurations(known.durations);
  const durations: Record<string, number> = { ...before };
  for (const [name, count] of Object.entries(added.durations))
    durations[name] = (durations[name] ?? 0) + count;
  await store.saveDay(db, {
    workflow_id: workflowId,
    day,
    runs: (known?.runs ?? 0) + added.runs,
    errors: (known?.errors ?? 0) + added.errors,
    durations: JSON.stringify(durations),
  });
}

/** A run as its log has it. */
export type LoggedRun = WaitingRun;

/** For those who have asked for the run. */
export function toStartedRun({
  trigger_kind: trigger,
  start_node: _,
  message: _message,
  record,
  ...run
}: LoggedRun): Run {
  return {
    ...run,
    trigger,
    logs: [...record.logs],
    trace: record.trace.map((entry) => ({ ...entry, out: [...entry.out] })),
  };
}

/** A run whose record is not JSON yet: of many runs most are never written. */
type WaitingRun = Omit<store.RunRow, 'logs' | 'trace'> & { readonly record: RunOutcome['record'] };

interface Waiting {
  readonly rows: RingBuffer<WaitingRun>;
  readonly days: Map<string, DaySums>;
}

interface DaySums {
  runs: number;
  errors: number;
  readonly durations: Record<string, number>;
}

function countRun(days: Map<string, DaySums>, day: string, status: 'ok' | 'error', ms: number): void {
  let sums = days.get(day);
  if (sums === undefined) {
    sums = { runs: 0, errors: 0, durations: {} };
    days.set(day, sums);
  }
  sums.runs += 1;
  if (status === 'error') sums.errors += 1;
  countDuration(sums.durations, ms);
}

/** The day of a time in the zone of the server, `YYYY-MM-DD`. */
export function formatDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The stored JSON is put together as text, because 50 runs may have megabytes of it. */
function jsonOf({
  logs,
  trace,
  trigger_kind: trigger,
  start_node: _,
  message: _message,
  ...row
}: store.RunRow) {
  const fields = JSON.stringify({ ...row, trigger });
  return `${fields.slice(0, -1)},"logs":${logs},"trace":${trace}}`;
}

/** Type boundary: only this log writes the column. */
function parseDurations(json: string): Durations {
  return JSON.parse(json) as Durations;
}
