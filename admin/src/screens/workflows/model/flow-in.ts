/** Flows in values that nobody has checked: the clipboard, an earlier version. */
import { toRecord } from '../../../api/failure.ts';
import type { Flow, FlowNode, FlowWire } from '../../../content/flow.ts';

/** The flow in a value; what is no node or wire is left out. */
export function flowIn(value: unknown): Flow {
  const { nodes, wires } = toRecord(value);
  return { nodes: listIn(nodes).flatMap(nodeIn), wires: listIn(wires).flatMap(wireIn) };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nodeIn(value: unknown): FlowNode[] {
  const { id, type, name = '', x = 0, y = 0, config } = toRecord(value);
  if (typeof id !== 'string' || typeof type !== 'string') return [];
  return [{ id, type, name: String(name), x: Number(x) || 0, y: Number(y) || 0, config: toRecord(config) }];
}

function wireIn(value: unknown): FlowWire[] {
  const { from, out = 0, to } = toRecord(value);
  return typeof from === 'string' && typeof to === 'string' ? [{ from, out: Number(out) || 0, to }] : [];
}
