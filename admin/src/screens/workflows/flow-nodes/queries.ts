import { api, ok } from '../../../api/client.ts';
import type {
  FlowNode,
  FlowNodeCreate,
  FlowNodeParam,
  FlowNodeTest,
  FlowNodeTestResult,
  FlowNodeUpdate,
} from '../../../api/generated/schema.ts';
import { queryClient } from '../../../api/query-client.ts';

export type { FlowNode, FlowNodeParam, FlowNodeTestResult };

export async function createFlowNode(body: FlowNodeCreate): Promise<FlowNode> {
  const node = await ok(api.POST('/flow-nodes', { body }));
  await flowNodesChanged();
  return node;
}

export async function updateFlowNode(id: number, body: FlowNodeUpdate): Promise<FlowNode> {
  const node = await ok(api.PUT('/flow-nodes/{id}', { params: { path: { id } }, body }));
  await flowNodesChanged();
  return node;
}

export function loadFlowNode(id: number): Promise<FlowNode> {
  return ok(api.GET('/flow-nodes/{id}', { params: { path: { id } } }));
}

export async function deleteFlowNode(id: number): Promise<void> {
  await ok(api.DELETE('/flow-nodes/{id}', { params: { path: { id } } }));
  await flowNodesChanged();
}

/** Runs a definition once; nothing of it is stored. */
export function tryFlowNode(body: FlowNodeTest): Promise<FlowNodeTestResult> {
  return ok(api.POST('/flow-nodes/test', { body }));
}

export function flowNodesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['flow-nodes'] });
}
