/** A flow and its changes. Flows never change; each function returns another one. */
import type {
  FlowNode as Definition,
  Flow,
  WorkflowNode as FlowNode,
  WorkflowWire as FlowWire,
  WorkflowNodeType,
} from '../api/generated/schema.ts';

export type { Flow, FlowNode, FlowWire };

/** The types of nodes that the server knows, by their name. */
export type NodeTypes = ReadonlyMap<string, WorkflowNodeType>;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Nodes stand on this grid, in pixels. */
export const grid = 16;

export function onGrid({ x, y }: Point): Point {
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid };
}

/** The name of a wire among those of its flow. */
export function wireKey({ from, out, to }: FlowWire): string {
  return JSON.stringify([from, out, to]);
}

export function findNode({ nodes }: Flow, id: string | undefined): FlowNode | undefined {
  return nodes.find((node) => node.id === id);
}

/** An ID that the flow does not have: the type with a number. */
export function freshId({ nodes }: Pick<Flow, 'nodes'>, type: string): string {
  const taken = new Set(nodes.map(({ id }) => id));
  for (let count = 1; ; count++) if (!taken.has(`${type}${count}`)) return `${type}${count}`;
}

export function addNode(flow: Flow, node: FlowNode): Flow {
  return { ...flow, nodes: [...flow.nodes, node] };
}

export function removeNodes({ nodes, wires }: Flow, ids: ReadonlySet<string>): Flow {
  return {
    nodes: nodes.filter(({ id }) => !ids.has(id)),
    wires: wires.filter(({ from, to }) => !ids.has(from) && !ids.has(to)),
  };
}

export function addWire(flow: Flow, wire: FlowWire): Flow {
  const key = wireKey(wire);
  if (flow.wires.some((other) => wireKey(other) === key)) return flow;
  return { ...flow, wires: [...flow.wires, wire] };
}

export function removeWires(flow: Flow, keys: ReadonlySet<string>): Flow {
  return { ...flow, wires: flow.wires.filter((wire) => !keys.has(wireKey(wire))) };
}

export function moveNodes(flow: Flow, places: ReadonlyMap<string, Point>): Flow {
  return updateNodes(flow, ({ id }) => places.get(id));
}

export function updateNode(flow: Flow, id: string, fields: Partial<FlowNode>): Flow {
  return updateNodes(flow, (node) => (node.id === id ? fields : undefined));
}

function updateNodes(flow: Flow, fieldsOf: (node: FlowNode) => Partial<FlowNode> | undefined): Flow {
  return {
    ...flow,
    nodes: flow.nodes.map((node) => {
      const fields = fieldsOf(node);
      return fields === undefined ? node : { ...node, ...fields };
    }),
  };
}

/** Gives a node other settings. Wires at outputs that it has no longer are dropped. */
export function configure(flow: Flow, id: string, config: FlowNode['config'], types: NodeTypes): Flow {
  const next = updateNode(flow, id, { config });
  const node = findNode(next, id);
  if (node === undefined) return flow;
  const { outputs, isStart } = computePorts(node, types);
  const wires = next.wires.filter(
    (wire) => (wire.from !== id || wire.out < outputs) && !(wire.to === id && isStart),
  );
  return { ...next, wires };
}

/** Takes an element out of the list of settings that makes the outputs; the wires of the others stay with them. */
export function removeOutput(flow: Flow, id: string, index: number): Flow {
  const wires = flow.wires.flatMap((wire) => {
    if (wire.from !== id || wire.out < index) return [wire];
    return wire.out === index ? [] : [{ ...wire, out: wire.out - 1 }];
  });
  return { ...flow, wires };
}

/** The settings that make a node a custom one: its ports are those of the definition now, which the wires fit. */
export function customConfig({ key, inputs, outputs }: Definition): FlowNode['config'] {
  return { node: key, inputs, outputs };
}

export interface Ports {
  /** It has no input. */
  readonly isStart: boolean;
  readonly outputs: number;
}

/** The ports of a node with its settings. A node of an unknown type has those that its wires need. */
export function computePorts({ type, config }: FlowNode, types: NodeTypes): Ports {
  const info = types.get(type);
  if (info === undefined) return { isStart: false, outputs: 1 };
  const by = info.outputs_by === '' ? undefined : config[info.outputs_by];
  const counted = Array.isArray(by) ? by.length : by;
  return {
    isStart: info.start || config['inputs'] === 0,
    outputs: typeof counted === 'number' ? counted : info.outputs,
  };
}

/** Why a wire cannot be drawn; undefined if it can. */
export function faultOfWire(
  flow: Flow,
  { from, out, to }: FlowWire,
  types: NodeTypes,
): 'isStart' | 'isThere' | 'isSelf' | 'isMissing' | undefined {
  const [source, target] = [findNode(flow, from), findNode(flow, to)];
  if (source === undefined || target === undefined || out >= computePorts(source, types).outputs)
    return 'isMissing';
  if (from === to) return 'isSelf';
  if (computePorts(target, types).isStart) return 'isStart';
  const key = wireKey({ from, out, to });
  return flow.wires.some((wire) => wireKey(wire) === key) ? 'isThere' : undefined;
}

/** Space between a node and one that is added behind it, in pixels. */
const gap = { x: 240, y: 96 };

/** A free place for a node: behind another one, else at a point; below what is there already. */
export function freePlace({ nodes }: Flow, behind: FlowNode | undefined, point: Point): Point {
  const start = behind === undefined ? point : { x: behind.x + gap.x, y: behind.y };
  const isTaken = ({ x, y }: Point) =>
    nodes.some((node) => Math.abs(node.x - x) < gap.x * 0.75 && Math.abs(node.y - y) < gap.y * 0.75);
  let place = onGrid(start);
  while (isTaken(place)) place = { x: place.x, y: place.y + gap.y };
  return place;
}
