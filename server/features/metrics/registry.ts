import { stat } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { Changes } from '../../changes/changes.ts';
import type { NodeState } from '../../changes/commit-coordinator.ts';
import type { ContentVersion } from '../../changes/content-version.ts';
import type { BuildInfo } from '../../config/build-info.ts';
import type { PageCacheStats } from '../../delivery/model.ts';
import type { Traffic } from '../../http/traffic.ts';
import type { Pool } from '../../processes/pool.ts';

/** Where the figures come from. They are read when somebody asks; nothing is counted twice. */
export interface MetricsSources {
  readonly build: BuildInfo;
  readonly version: ContentVersion;
  readonly workers: number;
  readonly pool: Pick<Pool, 'figures' | 'unfinished' | 'size'>;
  readonly changes: Pick<Changes, 'figures'>;
  /** The database files. */
  readonly files: { readonly content: string; readonly activity: string };
  readonly nodeState: (() => NodeState) | undefined;
  /** What this node measures itself among others. */
  readonly nodeMetrics: readonly Metric[];
  readonly cache: { stats(): PageCacheStats };
  readonly traffic: Traffic;
}

/** The metrics of this server with those of Node.js: memory, CPU, event loop, garbage collection. */
export function createRegistry(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { build, version, workers, pool, cache, changes, files, nodeState, nodeMetrics } = sources;
  addGauge(registry, 'build_info', 'Version of the program, as labels.', 1, {
    version: build.version,
    build: build.build,
    commit: build.commit,
  });
  addGauge(registry, 'content_version', 'Number of the newest change of content.', () => version.current());
  addGauge(registry, 'cache_entries', 'Pages in the page cache.', () => cache.stats().entries);
  addGauge(registry, 'cache_bytes', 'Bytes in the page cache.', () => cache.stats().bytes);
  addGauge(registry, 'cache_max_bytes', 'Size limit of the page cache.', () => cache.stats().max_bytes);
  addGauge(registry, 'workers', 'Workers that render pages.', workers);
  addGauge(registry, 'tasks_unfinished', 'Tasks that wait for a worker or run.', () => pool.unfinished);
  addGauge(registry, 'worker_processes', 'Render processes that run now.', () => pool.size);
  addGauge(registry, 'changes_waiting', 'Changes that wait for the writer.', () => changes.figures().waiting);
  addDatabaseSizes(registry, files);
  if (nodeState !== undefined) addNodeState(registry, nodeState);
  for (const metric of nodeMetrics) registry.registerMetric(metric);
  addCounters(registry, sources);
  return registry;
}

const prefix = 'incipit_';

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  value: number | (() => number),
  labels: Readonly<Record<string, string>> = {},
): void {
  const gauge: Gauge = new Gauge({
    name: prefix + name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
    collect: () => gauge.set(labels, typeof value === 'number' ? value : value()),
  });
}

/** The write-ahead log grows while a reader holds an old state, and is used again afterwards. */
function addDatabaseSizes(registry: Registry, files: MetricsSources['files']): void {
  const gauge: Gauge = new Gauge({
    name: `${prefix}database_bytes`,
    help: 'Size of the database files and of their write-ahead logs.',
    labelNames: ['database', 'file'],
    registers: [registry],
    async collect() {
      for (const [database, path] of Object.entries(files))
        for (const [file, ending] of databaseFiles) {
          const found = await stat(path + ending).catch(() => undefined);
          gauge.set({ database, file }, found?.size ?? 0);
        }
    },
  });
}

/** This node among others. */
function addNodeState(registry: Registry, state: () => NodeState): void {
  addGauge(registry, 'node_lease', '1 while this node may serve.', () => Number(state().lease));
  addGauge(registry, 'node_lag', 'Known versions that this node has not applied.', () => state().lag);
  addGauge(
    registry,
    'node_version',
    'Version of all nodes that this one has applied.',
    () => state().version,
  );
  addGauge(registry, 'node_leader', '1 if this node runs what only one may run.', () =>
    Number(state().leader),
  );
}

const databaseFiles = [
  ['main', ''],
  ['log', '-wal'],
] as const;

function addCounters(registry: Registry, { cache, traffic, pool, changes }: MetricsSources): void {
  addCounter(registry, 'http_requests_total', 'Answered requests.', ['area', 'status'], () =>
    traffic.totals().map(({ area, status, answers }) => [{ area, status }, answers]),
  );
  addCounter(registry, 'cache_requests_total', 'Hits, and pages that were stored.', ['result'], () => [
    [{ result: 'hit' }, cache.stats().hits],
    [{ result: 'miss' }, cache.stats().misses],
  ]);
  addCounter(registry, 'tasks_total', 'Tasks of the workers by how they ended.', ['task', 'outcome'], () =>
    pool
      .figures()
      .flatMap(({ task, ended }) =>
        Object.entries(ended).map(([outcome, count]) => [{ task, outcome }, count]),
      ),
  );
  addCounter(registry, 'changes_total', 'Committed changes.', [], () => [[{}, changes.figures().changes]]);
  addCounter(registry, 'commits_total', 'Commits; changes that wait together share one.', [], () => [
    [{}, changes.figures().commits],
  ]);
  addCounter(registry, 'commit_seconds_total', 'Time of the commits, which wait for the disk.', [], () => [
    [{}, changes.figures().commitSeconds],
  ]);
  addCounter(registry, 'task_seconds_total', 'Time of all tasks, waiting included.', ['task'], () =>
    pool.figures().map(({ task, seconds }) => [{ task }, seconds]),
  );
}

function addCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => [labels: Record<string, string>, total: number][],
): void {
  const counter: Counter = new Counter({
    name: prefix + name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [labels, total] of read()) counter.inc(labels, total);
    },
  });
}
