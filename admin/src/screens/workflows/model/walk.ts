/** Ways through a flow by keys: along the wires, and between nodes beside each other. */
import type { Flow, FlowNode } from '../../../content/flow.ts';

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export function findDirection(key: string): Direction | undefined {
  return directions.find((direction) => direction === key);
}

const directions = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;

/**
 * The node to go to. Right and left follow wires, or else lead to the nearest node at that side; up and down lead to
 * the nearest node above or below.
 */
export function nodeBeside(flow: Flow, from: FlowNode, direction: Direction): FlowNode | undefined {
  const wired = wiredTo(flow, from, direction);
  if (wired.length > 0) return nearest(from, wired, () => 0);
  const isBeside: Readonly<Record<Direction, (node: FlowNode) => boolean>> = {
    ArrowLeft: ({ x }) => x < from.x,
    ArrowRight: ({ x }) => x > from.x,
    ArrowUp: ({ y }) => y < from.y,
    ArrowDown: ({ y }) => y > from.y,
  };
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown';
  const beside = flow.nodes.filter((node) => node.id !== from.id && isBeside[direction](node));
  // Nodes straight ahead come before those that are nearer but aside.
  return nearest(from, beside, (node) => 2 * Math.abs(isVertical ? node.x - from.x : node.y - from.y));
}

function wiredTo({ nodes, wires }: Flow, { id }: FlowNode, direction: Direction): FlowNode[] {
  if (direction === 'ArrowUp' || direction === 'ArrowDown') return [];
  const ids = wires.flatMap(({ from, to }) => {
    if (direction === 'ArrowRight') return from === id ? [to] : [];
    return to === id ? [from] : [];
  });
  return nodes.filter((node) => ids.includes(node.id) && node.id !== id);
}

function nearest(
  from: FlowNode,
  nodes: readonly FlowNode[],
  penalty: (node: FlowNode) => number,
): FlowNode | undefined {
  const distance = (node: FlowNode) => Math.hypot(node.x - from.x, node.y - from.y) + penalty(node);
  return [...nodes].sort((left, right) => distance(left) - distance(right))[0];
}

/** The nodes in the order of a reader: each after what leads to it, else from left to right. */
export function inOrder({
  nodes,
  wires,
}: Flow): readonly { readonly node: FlowNode; readonly depth: number }[] {
  const byPlace = [...nodes].sort((left, right) => left.x - right.x || left.y - right.y);
  const reached = new Set(wires.map(({ to }) => to));
  const rows: { node: FlowNode; depth: number }[] = [];
  const seen = new Set<string>();
  const visit = (node: FlowNode, depth: number) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    rows.push({ node, depth });
    const outgoing = wires.filter(({ from }) => from === node.id).sort((left, right) => left.out - right.out);
    for (const { to } of outgoing) {
      const target = nodes.find(({ id }) => id === to);
      if (target !== undefined) visit(target, depth + 1);
    }
  };
  for (const node of byPlace) if (!reached.has(node.id)) visit(node, 0);
  for (const node of byPlace) visit(node, 0);
  return rows;
}
