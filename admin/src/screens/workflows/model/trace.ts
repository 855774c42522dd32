/** What a run has done at each node and wire, from its trace. */
import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { type Flow, wireKey } from '../../../content/flow.ts';

export interface NodeTrace {
  /** Number of executions. */
  readonly count: number;
  /** Time of all executions, in milliseconds. */
  readonly ms: number;
  /** Messages of errors at the node. */
  readonly errors: readonly string[];
}

export interface RunTraces {
  readonly nodes: ReadonlyMap<string, NodeTrace>;
  /** Executions that have sent something, by the key of the wire. */
  readonly wires: ReadonlyMap<string, number>;
}

const nothing: NodeTrace = { count: 0, ms: 0, errors: [] };

export function computeTraces(
  { trace, logs }: Pick<WorkflowRun, 'trace' | 'logs'>,
  { wires }: Flow,
): RunTraces {
  const nodes = new Map<string, NodeTrace>();
  const sent = new Map<string, number>();
  const change = (id: string, next: (before: NodeTrace) => NodeTrace) =>
    nodes.set(id, next(nodes.get(id) ?? nothing));
  for (const { node, ms, out } of trace) {
    change(node, (before) => ({ ...before, count: before.count + 1, ms: before.ms + ms }));
    for (const wire of wires) {
      if (wire.from !== node || (out[wire.out] ?? '') === '') continue;
      sent.set(wireKey(wire), (sent.get(wireKey(wire)) ?? 0) + 1);
    }
  }
  for (const { node, level, message } of logs)
    if (level === 'error') change(node, (before) => ({ ...before, errors: [...before.errors, message] }));
  return { nodes, wires: sent };
}

/** A shortened JSON text of the trace, indented where it is complete. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
