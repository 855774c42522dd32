import type { Metrics } from './parse.ts';

/** What the metrics of one moment say, and how fast they grew since an earlier one. */
export interface Figures {
  /** Unix seconds. */
  readonly startedAt: number;
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly serverErrors: number;
  /** Share of pages that came from the page cache, 0 to 1; undefined before the first. */
  readonly cacheShare: number | undefined;
  /** Processor time per time, 1 for one core. */
  readonly processor: number;
  readonly memoryBytes: number;
  readonly heapBytes: number;
  readonly delaySeconds: number;
  readonly workers: number;
  readonly tasksUnfinished: number;
  /** Undefined before the first. */
  readonly taskSeconds: number | undefined;
  readonly changes: number;
  readonly changesWaiting: number;
  readonly commitSeconds: number | undefined;
  readonly contentBytes: number;
  readonly activityBytes: number;
}

/** Metrics with the moment at which they were read, in milliseconds. */
export interface Reading {
  readonly at: number;
  readonly metrics: Metrics;
}

/** @param before an earlier reading; without one the rates are 0 */
export function computeFigures({ at, metrics }: Reading, before: Reading | undefined): Figures {
  const sum = (name: string, labels?: Readonly<Record<string, string>>) => metrics.sum(name, labels);
  const seconds = before === undefined ? 0 : (at - before.at) / 1000;
  const rate = (name: string) =>
    seconds <= 0 ? 0 : Math.max(0, (sum(name) - (before?.metrics.sum(name) ?? 0)) / seconds);
  const hits = sum('incipit_cache_requests_total', { result: 'hit' });
  return {
    startedAt: sum('process_start_time_seconds'),
    requests: sum('incipit_http_requests_total'),
    requestsPerSecond: rate('incipit_http_requests_total'),
    serverErrors: sum('incipit_http_requests_total', { status: '5xx' }),
    cacheShare: share(hits, sum('incipit_cache_requests_total')),
    processor: rate('process_cpu_seconds_total'),
    memoryBytes: sum('process_resident_memory_bytes'),
    heapBytes: sum('nodejs_heap_size_used_bytes'),
    delaySeconds: sum('nodejs_eventloop_lag_p99_seconds'),
    workers: sum('incipit_worker_processes'),
    tasksUnfinished: sum('incipit_tasks_unfinished'),
    taskSeconds: share(sum('incipit_task_seconds_total'), sum('incipit_tasks_total')),
    changes: sum('incipit_changes_total'),
    changesWaiting: sum('incipit_changes_waiting'),
    commitSeconds: share(sum('incipit_commit_seconds_total'), sum('incipit_commits_total')),
    contentBytes: sum('incipit_database_bytes', { database: 'content' }),
    activityBytes: sum('incipit_database_bytes', { database: 'activity' }),
  };
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
