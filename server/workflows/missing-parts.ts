/** Parts that this server does not have. Whatever needs one fails with a clear error. */
import type { CodeRunner, FlowNodeDefinitions } from './parts.ts';

export const noCode: CodeRunner = {
  check: () => undefined,
  run: async () => ({ outputs: [], error: { message: 'function nodes are not set up' } }),
};

export const noDefinitions: FlowNodeDefinitions = { find: () => undefined };
