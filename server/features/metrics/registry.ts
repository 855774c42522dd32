import { stat } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { NodeState } from '../../changes/commit-coordinator.ts';
import type { Figure, SharedServices } from '../../feature.ts';
import type { Traffic } from '../../http/traffic.ts';

/** Where the figures come from, besides those that features contribute. Nothing is counted twice. */
export interface MetricsSources
  extends Pick<
    SharedServices,
    'build' | 'version' | 'config' | 'pool' | 'changes' | 'nodeState' | 'figures'
  > {
  /** The database files. */
  readonly files: { readonly content: string; readonly activity: string };
  /** What this node measures itself among others. */
  readonly nodeMetrics: readonly Metric[];
  readonly traffic: Traffic;
}

/** The metrics of this server with those of Node.js: memory, CPU, event loop, garbage collection. */
export function createRegistry(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { nodeState, nodeMetrics, files, figures } = sources;
  const nodeFigures = nodeState === undefined ? [] : figuresOfNode(nodeState);
  for (const figure of [...ownFigures(sources), ...figures(), ...nodeFigures]) addFigure(registry, figure);
  addDatabaseSizes(registry, files);
  for (const metric of nodeMetrics) registry.registerMetric(metric);
  return registry;
}

const prefix = 'incipit_';

function addFigure(registry: Registry, { type, name, help, labels = [], read }: Figure): void {
  const options = { name: prefix + name, help, labelNames: [...labels], registers: [registry] };
  const values = () => {
    const value = read();
    return typeof value === 'number' ? ([[{}, value]] as const) : value;
  };
  if (type === 'gauge') {
    const gauge: Gauge = new Gauge({
      ...options,
      collect() {
        for (const [of, value] of values()) gauge.set(of, value);
      },
    });
    return;
  }
  const counter: Counter = new Counter({
    ...options,
    collect() {
      counter.reset();
      for (const [of, total] of values()) counter.inc(of, total);
    },
  });
}

const gauge = (name: string, help: string, read: Figure['read']): Figure => ({
  ...{ type: 'gauge', name, help, read },
});
const counter = (
  name: string,
  help: string,
  read: Figure['read'],
  labels: readonly string[] = [],
): Figure => ({ type: 'counter', name, help, labels, read });

function ownFigures({ build, version, config, pool, changes, traffic }: MetricsSources): Figure[] {
  const labels = { version: build.version, build: build.build, commit: build.commit };
  return [
    {
      ...gauge('build_info', 'Version of the program, as labels.', () => [[labels, 1]]),
      labels: Object.keys(labels),
    },
    gauge('content_version', 'Number of the newest change of content.', () => version.current()),
    gauge('workers', 'Workers that render pages.', () => config.workers),
    gauge('tasks_unfinished', 'Tasks that wait for a worker or run.', () => pool.unfinished),
    gauge('worker_processes', 'Render processes that run now.', () => pool.size),
    gauge('changes_waiting', 'Changes that wait for the writer.', () => changes.figures().waiting),
    counter(
      'http_requests_total',
      'Answered requests.',
      () => traffic.totals().map(({ area, status, answers }) => [{ area, status }, answers]),
      ['area', 'status'],
    ),
    counter(
      'tasks_total',
      'Tasks of the workers by how they ended.',
      () =>
        pool
          .figures()
          .flatMap(({ task, ended }) =>
            Object.entries(ended).map(([outcome, count]) => [{ task, outcome }, count] as const),
          ),
      ['task', 'outcome'],
    ),
    counter(
      'task_seconds_total',
      'Time of all tasks, waiting included.',
      () => pool.figures().map(({ task, seconds }) => [{ task }, seconds]),
      ['task'],
    ),
    counter('changes_total', 'Committed changes.', () => changes.figures().changes),
    counter(
      'commits_total',
      'Commits; changes that wait together share one.',
      () => changes.figures().commits,
    ),
    counter(
      'commit_seconds_total',
      'Time of the commits, which wait for the disk.',
      () => changes.figures().commitSeconds,
    ),
  ];
}

/** This node among others. */
function figuresOfNode(state: () => NodeState): Figure[] {
  return [
    gauge('node_lease', '1 while this node may serve.', () => Number(state().lease)),
    gauge('node_lag', 'Known versions that this node has not applied.', () => state().lag),
    gauge('node_version', 'Version of all nodes that this one has applied.', () => state().version),
    gauge('node_leader', '1 if this node runs what only one may run.', () => Number(state().leader)),
  ];
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

const databaseFiles = [
  ['main', ''],
  ['log', '-wal'],
] as const;
