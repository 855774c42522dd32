import { api, requireData } from '../../../api/client.ts';
import type {
  FlowNode,
  FlowNodeParam,
  FlowNodeTest,
  FlowNodeTestResult,
} from '../../../api/generated/schema.ts';

export type { FlowNode, FlowNodeParam, FlowNodeTestResult };

/** Runs a definition once; nothing of it is stored. */
export function tryFlowNode(body: FlowNodeTest): Promise<FlowNodeTestResult> {
  return requireData(api.POST('/flow-nodes/test', { body }));
}
