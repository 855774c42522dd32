/** The flow in the form that the graph draws. */
import type { Edge, Node } from '@xyflow/react';
import { Position } from '@xyflow/react';
import {
  computePorts,
  type Flow,
  type FlowNode,
  type NodeTypes,
  type Point,
  wireKey,
} from '../../../content/flow.ts';
import type { NodeChange, WireChange } from '../model/differences.ts';
import type { NodeFaults } from '../model/faults.ts';
import type { NodeTrace, RunTraces } from '../model/trace.ts';

export interface NodeData extends Record<string, unknown> {
  readonly node: FlowNode;
  readonly isStart: boolean;
  readonly outputs: number;
  /** Number of faults that the server has found. */
  readonly faults: number;
  /** What the run that is shown has done here. */
  readonly trace: NodeTrace | undefined;
  /** A run is shown. */
  readonly isTraced: boolean;
  /** Keys go here first. */
  readonly isCurrent: boolean;
  readonly index: number;
  readonly count: number;
  /** Colour of a custom node, as its definition has it. */
  readonly color: string | undefined;
  /** What has become of the node, where two states of a flow are compared. */
  readonly change: NodeChange | undefined;
}

export type ShownNode = Node<NodeData, 'step'>;
export type ShownWire = Edge<Record<string, unknown>>;

export interface GraphView {
  readonly flow: Flow;
  readonly types: NodeTypes;
  readonly chosen: ReadonlySet<string>;
  readonly current: string | undefined;
  readonly faults: NodeFaults;
  readonly traces: RunTraces | undefined;
  /** Places of nodes that are being dragged. */
  readonly dragged: ReadonlyMap<string, Point>;
  /** Colours of custom nodes, by the key of the definition. */
  readonly colors: ReadonlyMap<string, string>;
  /** What has become of nodes, where two states are compared. */
  readonly changes?: ReadonlyMap<string, NodeChange>;
}

/** Size of a node in pixels; it grows with its outputs. */
const nodeWidth = 192;
const portGap = 20;
const minHeight = 56;

function heightOf(outputs: number): number {
  return Math.max(minHeight, 16 + outputs * portGap);
}

/** Place of an output, from the top of the node. */
export function portTop(index: number, outputs: number): number {
  return heightOf(outputs) / 2 + (index - (outputs - 1) / 2) * portGap;
}

const portSize = 12;

function portsAt(isStart: boolean, outputs: number): NonNullable<ShownNode['handles']> {
  const size = { width: portSize, height: portSize };
  const top = (place: number) => place - portSize / 2;
  const input = {
    ...size,
    id: 'in',
    type: 'target' as const,
    position: Position.Left,
    x: -portSize / 2,
    y: top(heightOf(outputs) / 2),
  };
  const out = Array.from({ length: outputs }, (_, index) => ({
    ...size,
    id: String(index),
    type: 'source' as const,
    position: Position.Right,
    x: nodeWidth - portSize / 2,
    y: top(portTop(index, outputs)),
  }));
  return isStart ? out : [input, ...out];
}

export function shownNodes(shown: GraphView): ShownNode[] {
  const { flow, types, chosen, current, faults, traces, dragged, colors, changes } = shown;
  return flow.nodes.map((node, index) => {
    const { isStart, outputs } = computePorts(node, types);
    const { x, y } = dragged.get(node.id) ?? node;
    const size = { width: nodeWidth, height: heightOf(outputs) };
    return {
      id: node.id,
      type: 'step',
      position: { x, y },
      selected: chosen.has(node.id),
      data: {
        node,
        isStart,
        outputs,
        faults: faults.get(node.id)?.length ?? 0,
        trace: traces?.nodes.get(node.id),
        isTraced: traces !== undefined,
        isCurrent: node.id === current,
        index,
        count: flow.nodes.length,
        color: node.type === 'custom' ? colors.get(String(node.config['node'])) : undefined,
        change: changes?.get(node.id),
      },
      ...size,
      measured: size,
      handles: portsAt(isStart, outputs),
    };
  });
}

export function shownWires(
  {
    flow,
    chosen,
    traces,
    changes,
  }: Pick<GraphView, 'flow' | 'chosen' | 'traces'> & { readonly changes?: ReadonlyMap<string, WireChange> },
  nameOf: (id: string) => string,
): ShownWire[] {
  return flow.wires.map((wire) => {
    const id = wireKey(wire);
    const { from, out, to } = wire;
    const count = traces?.wires.get(id) ?? 0;
    const change = changes?.get(id);
    const ofTrace = traces === undefined ? '' : count > 0 ? 'ic-used' : 'ic-unused';
    return {
      id,
      source: from,
      sourceHandle: String(out),
      target: to,
      targetHandle: 'in',
      selected: chosen.has(id),
      className: change === undefined ? ofTrace : `ic-${change}`,
      label: count > 1 ? `${count}×` : undefined,
      ariaLabel: nameOf(id),
    };
  });
}

/** The node of before if it looks the same. While a node is dragged at least its data stays, so its inside is not drawn. */
export function keepNode(before: ShownNode | undefined, next: ShownNode): ShownNode {
  return keepSame(before, { ...next, data: keepSame(before?.data, next.data, isSameIn) }, isSameNode);
}

/** The wire of before if it looks the same. */
export function keepWire(before: ShownWire | undefined, next: ShownWire): ShownWire {
  return keepSame(before, next, isSameIn);
}

function keepSame<Value>(
  before: Value | undefined,
  next: Value,
  isSame: (before: Value, next: Value) => boolean,
): Value {
  return before !== undefined && isSame(before, next) ? before : next;
}

/** Size and ports follow from the data. */
function isSameNode(before: ShownNode, next: ShownNode): boolean {
  const isThere = before.position.x === next.position.x && before.position.y === next.position.y;
  return isThere && before.selected === next.selected && before.data === next.data;
}

function isSameIn(before: Readonly<Record<string, unknown>>, next: typeof before): boolean {
  return Object.keys(next).every((name) => before[name] === next[name]);
}
