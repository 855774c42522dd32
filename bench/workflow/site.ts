import type { ServerProcess } from '../serve/child.ts';
import { createToken, startIncipit } from '../serve/site.ts';

/** A running server with a way to create workflows. */
export interface WorkflowSite {
  readonly server: ServerProcess;
  readonly token: string;
  /** A workflow of nodes one after the other. */
  create(name: string, nodes: readonly object[]): Promise<void>;
}

/** @param dataDir a folder that does not exist yet */
export async function startSite(dataDir: string, extra: readonly string[] = []): Promise<WorkflowSite> {
  const server = await startIncipit(dataDir, extra);
  const token = createToken(dataDir);
  return {
    server,
    token,
    async create(name, nodes) {
      const answer = await fetch(`${server.url}/api/v1/workflows`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, flow: { nodes, wires: wiresBetween(nodes) } }),
      });
      if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    },
  };
}

/** Wires that lead from each node to the next. */
function wiresBetween(nodes: readonly object[]) {
  const ids = nodes.map((node) => String(Reflect.get(node, 'id')));
  return ids.slice(1).map((to, index) => ({ from: ids[index], to }));
}

/** An HTTP input at `path`, the given nodes, and a response with the payload. */
export function inputNodes(path: string, between: readonly object[]): readonly object[] {
  return [
    { id: 'in', type: 'http-in', config: { path, method: 'POST', public: true } },
    ...between,
    { id: 'out', type: 'http-response', config: {} },
  ];
}

/** A function node of three lines. */
export const functionNode = {
  id: 'code',
  type: 'function',
  config: {
    code: `const total = msg.payload.prices.reduce((sum, price) => sum + price, 0);
msg.payload = { ...msg.payload, total };
return msg;`,
  },
};
