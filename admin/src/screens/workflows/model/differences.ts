/** What has changed from one state of a flow to another. */

import { type Flow, type FlowNode, type FlowWire, wireKey } from '../../../content/flow.ts';
import { isEqual } from '../../../editing/merge/fields.ts';

/** `moved`: only its place in the graph is another one. */
export type NodeChange = 'added' | 'removed' | 'changed' | 'moved';
export type WireChange = 'added' | 'removed';

export interface FieldDifference {
  /** `name`, `type`, or a setting. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface NodeDifference {
  /** As it is now; a removed one as it was. */
  readonly node: FlowNode;
  readonly change: NodeChange;
  readonly fields: readonly FieldDifference[];
}

export interface FlowDifferences {
  /** Nodes and wires of both states, each once. A removed node stands beside what is there now. */
  readonly flow: Flow;
  /** By ID of the node; nodes that are the same are not in it. */
  readonly nodes: ReadonlyMap<string, NodeDifference>;
  /** By key of the wire. */
  readonly wires: ReadonlyMap<string, { readonly wire: FlowWire; readonly change: WireChange }>;
}

export function computeDifferences(before: Flow, after: Flow): FlowDifferences {
  const earlier = new Map(before.nodes.map((node) => [node.id, node]));
  const later = new Set(after.nodes.map(({ id }) => id));
  const nodes = new Map<string, NodeDifference>();
  for (const node of after.nodes) {
    const difference = nodeDifference(earlier.get(node.id), node);
    if (difference !== undefined) nodes.set(node.id, difference);
  }
  const shown = [...after.nodes];
  for (const removed of before.nodes) {
    if (later.has(removed.id)) continue;
    const node = beside(shown, removed);
    shown.push(node);
    nodes.set(node.id, { node, change: 'removed', fields: [] });
  }
  const wires = wireDifferences(before.wires, after.wires);
  const gone = [...wires.values()].filter(({ change }) => change === 'removed').map(({ wire }) => wire);
  return { flow: { nodes: shown, wires: [...after.wires, ...gone] }, nodes, wires };
}

function nodeDifference(before: FlowNode | undefined, node: FlowNode): NodeDifference | undefined {
  if (before === undefined) return { node, change: 'added', fields: [] };
  const fields = fieldDifferences(before, node);
  if (fields.length > 0) return { node, change: 'changed', fields };
  const isThere = before.x === node.x && before.y === node.y;
  return isThere ? undefined : { node, change: 'moved', fields: [] };
}

function fieldDifferences(before: FlowNode, after: FlowNode): FieldDifference[] {
  const own = (['type', 'name'] as const).map((field) => ({
    field,
    before: before[field],
    after: after[field],
  }));
  const names = new Set([...Object.keys(before.config), ...Object.keys(after.config)]);
  const settings = [...names].map((field) => ({
    field,
    before: before.config[field],
    after: after.config[field],
  }));
  return [...own, ...settings].filter((each) => !isEqual(each.before, each.after));
}

function wireDifferences(before: readonly FlowWire[], after: readonly FlowWire[]): FlowDifferences['wires'] {
  const [earlier, later] = [before, after].map((wires) => new Set(wires.map(wireKey)));
  const changed = (wires: readonly FlowWire[], others: ReadonlySet<string> | undefined, change: WireChange) =>
    wires
      .filter((wire) => !others?.has(wireKey(wire)))
      .map((wire) => [wireKey(wire), { wire, change }] as const);
  return new Map([...changed(after, earlier, 'added'), ...changed(before, later, 'removed')]);
}

/** Size of a node in pixels, roughly; nodes closer than that would cover each other. */
const size = { x: 200, y: 64 };

function beside(nodes: readonly FlowNode[], node: FlowNode): FlowNode {
  const isTaken = ({ x, y }: Pick<FlowNode, 'x' | 'y'>) =>
    nodes.some((other) => Math.abs(other.x - x) < size.x && Math.abs(other.y - y) < size.y);
  let place = { x: node.x, y: node.y };
  while (isTaken(place)) place = { x: place.x, y: place.y + size.y };
  return { ...node, ...place };
}
