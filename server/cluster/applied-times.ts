import { Histogram } from 'prom-client';

/** Bounds in seconds: usual are some milliseconds, and a node that has died is waited for until its lease ends. */
const buckets = [
  0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20,
];

/** How long after a commit of this node all nodes with a lease have applied it. */
export class AppliedTimes {
  readonly metric = new Histogram({
    name: 'incipit_node_applied_seconds',
    help: 'Time from a commit of this node until all nodes that serve have applied it.',
    buckets,
    registers: [],
  });

  /** Measures until the promise resolves; one that fails tells nothing of the others. */
  async measure(applied: Promise<void>): Promise<void> {
    const start = performance.now();
    await applied;
    this.metric.observe((performance.now() - start) / 1000);
  }
}
