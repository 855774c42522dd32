/** Three-way merge of flows: nodes by their ID, wires as a set. */

import { type Flow, type FlowNode, type FlowWire, wireKey } from '../../../content/flow.ts';
import { isEqual } from '../../../editing/merge/fields.ts';

/** The flow with the changes of both; undefined if both have changed the same node in different ways. */
export function mergeFlows(base: Flow, mine: Flow, theirs: Flow): Flow | undefined {
  const [before, own, other] = [base, mine, theirs].map(
    ({ nodes }) => new Map(nodes.map((node) => [node.id, node])),
  );
  const nodes: FlowNode[] = [];
  for (const id of new Set([...theirs.nodes, ...mine.nodes].map((node) => node.id))) {
    const merged = mergeNode(before?.get(id), own?.get(id), other?.get(id));
    if (merged === 'both') return undefined;
    if (merged !== undefined) nodes.push(merged);
  }
  const ids = new Set(nodes.map(({ id }) => id));
  const wires = mergeWires(base.wires, mine.wires, theirs.wires);
  return { nodes, wires: wires.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

/** Undefined: it was removed. */
function mergeNode(
  before: FlowNode | undefined,
  mine: FlowNode | undefined,
  theirs: FlowNode | undefined,
): FlowNode | 'both' | undefined {
  if (isEqual(mine, theirs) || isEqual(mine, before)) return theirs;
  if (isEqual(theirs, before)) return mine;
  if (before === undefined || mine === undefined || theirs === undefined) return 'both';
  const merged: Record<string, unknown> = { ...theirs };
  for (const field of ['type', 'name', 'config'] as const) {
    if (isEqual(mine[field], before[field]) || isEqual(mine[field], theirs[field])) continue;
    if (!isEqual(theirs[field], before[field])) return 'both';
    merged[field] = mine[field];
  }
  // Places are no reason to ask: mine counts.
  const place = mine.x === before.x && mine.y === before.y ? theirs : mine;
  return { ...theirs, ...merged, x: place.x, y: place.y };
}

function mergeWires(
  base: readonly FlowWire[],
  mine: readonly FlowWire[],
  theirs: readonly FlowWire[],
): FlowWire[] {
  const [before, own, other] = [base, mine, theirs].map((wires) => new Set(wires.map(wireKey)));
  const kept = theirs.filter((wire) => own?.has(wireKey(wire)) || !before?.has(wireKey(wire)));
  const added = mine.filter((wire) => !before?.has(wireKey(wire)) && !other?.has(wireKey(wire)));
  return [...kept, ...added];
}
