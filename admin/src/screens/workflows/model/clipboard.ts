/** Nodes as text, to copy them within a flow, into another one, or into a message to a colleague. */
import { toRecord } from '../../../api/failure.ts';
import { type Flow, findNode, freshId, grid, type Point } from '../../../content/flow.ts';
import { flowIn } from './flow-in.ts';

const mark = 'incipit-flow';

/** The chosen nodes with the wires between them. */
export function copyNodes({ nodes, wires }: Flow, ids: ReadonlySet<string>): string {
  const part = {
    nodes: nodes.filter(({ id }) => ids.has(id)),
    wires: wires.filter(({ from, to }) => ids.has(from) && ids.has(to)),
  };
  return JSON.stringify({ [mark]: 1, ...part }, undefined, 1);
}

/** The part of a flow in a text; undefined if there is none. */
export function partIn(text: string): Flow | undefined {
  try {
    const part = toRecord(JSON.parse(text));
    if (part[mark] !== 1) return undefined;
    return flowIn(part);
  } catch {
    return undefined;
  }
}

/**
 * Puts copies of nodes into a flow. They get new IDs and stand where they stood, beside what is there.
 *
 * @param at place of the first node; default: a step from where it was
 */
export function pasteNodes(
  flow: Flow,
  part: Flow,
  at?: Point,
): { readonly flow: Flow; readonly ids: readonly string[] } {
  const [first] = part.nodes;
  if (first === undefined) return { flow, ids: [] };
  const shift = at === undefined ? freeShift(flow, part) : { x: at.x - first.x, y: at.y - first.y };
  const names = new Map<string, string>();
  const nodes = [...flow.nodes];
  for (const node of part.nodes) {
    const id = freshId({ nodes }, node.type);
    names.set(node.id, id);
    nodes.push({ ...node, id, x: node.x + shift.x, y: node.y + shift.y });
  }
  const wires = part.wires.flatMap(({ from, out, to }) => {
    const [source, target] = [names.get(from), names.get(to)];
    return source === undefined || target === undefined ? [] : [{ from: source, out, to: target }];
  });
  return { flow: { nodes, wires: [...flow.wires, ...wires] }, ids: [...names.values()] };
}

/** Steps to the lower right until no copy lies exactly on a node. */
function freeShift(flow: Flow, part: Flow): Point {
  const taken = new Set(flow.nodes.map(({ x, y }) => `${x} ${y}`));
  let shift = 0;
  while (part.nodes.some(({ x, y }) => taken.has(`${x + shift} ${y + shift}`))) shift += 2 * grid;
  return { x: shift, y: shift };
}

/** Copies of the chosen nodes beside them. */
export function duplicateNodes(flow: Flow, ids: ReadonlySet<string>): ReturnType<typeof pasteNodes> {
  const inside = (id: string) => ids.has(id) && findNode(flow, id) !== undefined;
  return pasteNodes(flow, {
    nodes: flow.nodes.filter(({ id }) => inside(id)),
    wires: flow.wires.filter(({ from, to }) => inside(from) && inside(to)),
  });
}
