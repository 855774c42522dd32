/** Places for nodes that were made without any, by a program that knows no editor. */
import type { Flow, FlowNode } from '../../../content/flow.ts';

/** Distance of columns and of rows in pixels. */
const columnWidth = 240;
const rowHeight = 96;

/**
 * The flow with places for the nodes that all lie at the origin: in columns along the wires, below the other nodes. A
 * single node at the origin was put there.
 */
export function placeNodes(flow: Flow): Flow {
  const bare = flow.nodes.filter(isAtOrigin);
  if (bare.length < 2) return flow;
  const columns = computeColumns(flow);
  const placed = flow.nodes.filter((node) => !isAtOrigin(node));
  const top = placed.length === 0 ? 0 : Math.max(...placed.map(({ y }) => y)) + 2 * rowHeight;
  const rows = new Map<number, number>();
  const places = new Map(
    bare.map(({ id }) => {
      const column = columns.get(id) ?? 0;
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [id, { x: column * columnWidth, y: top + row * rowHeight }];
    }),
  );
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, ...places.get(node.id) })) };
}

function isAtOrigin({ x, y }: FlowNode): boolean {
  return x === 0 && y === 0;
}

/** The column of each node: behind all nodes that lead to it, except those that lead back to it in a circle. */
function computeColumns({ nodes, wires }: Flow): ReadonlyMap<string, number> {
  const targets = Map.groupBy(wires, ({ from }) => from);
  const open = new Set<string>();
  const seen = new Set<string>();
  const columns = new Map(nodes.map(({ id }) => [id, 0]));
  // Each node after all that it leads to.
  const finished: { readonly id: string; readonly ahead: readonly string[] }[] = [];
  const visit = (id: string) => {
    seen.add(id);
    open.add(id);
    const ahead = (targets.get(id) ?? []).map(({ to }) => to).filter((to) => !open.has(to));
    for (const to of ahead) if (!seen.has(to)) visit(to);
    open.delete(id);
    finished.push({ id, ahead });
  };
  for (const { id } of nodes) if (!seen.has(id)) visit(id);
  for (const { id, ahead } of finished.toReversed())
    for (const to of ahead) columns.set(to, Math.max(columns.get(to) ?? 0, (columns.get(id) ?? 0) + 1));
  return columns;
}
