/** Flows in values that nobody has checked: the clipboard, an earlier version. */
import { recordOf } from '../../../api/failure.ts';
import type { Flow, FlowNode, FlowWire } from '../../../content/flow.ts';

/** The flow in a value; what is no node or wire is left out. */
export function flowIn(value: unknown): Flow {
  const { nodes, wires } = recordOf(value);
  return { nodes: listIn(nodes).flatMap(nodeIn), wires: listIn(wires).flatMap(wireIn) };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nodeIn(value: unknown): FlowNode[] {
  const { id, type, name = '', x = 0, y = 0, config } = recordOf(value);
  if (typeof id !== 'string' || typeof type !== 'string') return [];
  return [{ id, type, name: String(name), x: Number(x) || 0, y: Number(y) || 0, config: recordOf(config) }];
}

function wireIn(value: unknown): FlowWire[] {
  const { from, out = 0, to } = recordOf(value);
  return typeof from === 'string' && typeof to === 'string' ? [{ from, out: Number(out) || 0, to }] : [];
}
