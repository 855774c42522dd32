/** A flow that can run: nodes in a table, wires as their indexes. Made once for each version of a flow. */
import type { Flow } from '../model.ts';
import type { NodeServices } from '../node-services.ts';
import { nodeTypes } from '../nodes/index.ts';
import type { Execute, Trigger } from '../nodes/node-type.ts';

export interface GraphNode {
  readonly id: string;
  /** Its name, else its type and ID. */
  readonly label: string;
  readonly type: string;
  readonly isStart: boolean;
  readonly trigger: Trigger | undefined;
  /** Indexes of the nodes that each output leads to. */
  readonly targets: readonly (readonly number[])[];
  /** Whether it takes messages as JSON text, and never looks at their fields. */
  readonly takesText: boolean;
  readonly execute: Execute;
}

export type Graph = readonly GraphNode[];

/** @param flow without faults (`check.ts`) */
export function compileFlow({ nodes, wires }: Flow, services: NodeServices): Graph {
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const incoming = new Map<string, number>();
  const targets: number[][][] = nodes.map(() => []);
  for (const { from, out, to } of wires) {
    const [source, target] = [indexes.get(from), indexes.get(to)];
    if (source === undefined || target === undefined) continue;
    const outputs = targets[source] ?? [];
    while (outputs.length <= out) outputs.push([]);
    outputs[out]?.push(target);
    incoming.set(to, (incoming.get(to) ?? 0) + 1);
  }
  return nodes.map(({ id, name, type: typeName, config }, index) => {
    const type = nodeTypes.get(typeName);
    if (type === undefined) throw new Error(`there is no type of node "${typeName}"`);
    return {
      id,
      label: name.trim() === '' ? `${typeName} ${id}` : name,
      type: typeName,
      isStart: type.isStart?.(config, services.definitions) ?? false,
      trigger: type.trigger?.(config),
      targets: targets[index] ?? [],
      takesText: type.runsCode === true,
      execute: type.build(config, { id, incoming: incoming.get(id) ?? 0, services }),
    };
  });
}

/**
 * Where a run by hand begins: at the named node, else at the first inject, else at the first start node. Undefined
 * if there is none.
 */
export function findStartNode(graph: Graph, node?: string): number | undefined {
  const index =
    node === undefined
      ? [graph.findIndex(({ type }) => type === 'inject'), graph.findIndex(({ isStart }) => isStart)].find(
          (found) => found >= 0,
        )
      : graph.findIndex(({ id, isStart }) => id === node && isStart);
  return index === undefined || index < 0 ? undefined : index;
}
