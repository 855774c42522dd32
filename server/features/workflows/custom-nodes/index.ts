import type { Feature, SharedServices } from '../../../feature.ts';
import type { CodeTask } from '../../../processes/sandbox/model.ts';
import type { FlowNodeDefinitions } from './model.ts';
import { flowNodeRoutes, requireUsableCode } from './routes.ts';
import { requireParameters } from './rules.ts';
import { type FlowNodeKind, flowNodeKind, type UsedBy } from './service.ts';
import * as store from './store.ts';

export interface FlowNodesDeps {
  readonly definitions: FlowNodeDefinitions;
  readonly usedBy: UsedBy;
  /** Answers `idb.*` in trials. */
  readonly databases: CodeTask['call'];
}

/** Custom nodes of workflows (Data, Automation and Operations, "Workflows"). */
export function flowNodesFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'sandbox' | 'clock' | 'monotonic'>,
  deps: FlowNodesDeps,
): Feature {
  const kind: FlowNodeKind = {
    ...flowNodeKind(deps.usedBy),
    errors: { create: ['flownode.keyTaken', 'flownode.codeInvalid'], update: ['flownode.codeInvalid'] },
    checkBefore: (body, isStrict) => requireUsableCode(parts.sandbox, findCode(body), isStrict),
  };
  return {
    kinds: [kind],
    routes: flowNodeRoutes({ ...parts, ...deps, kind }),
  };
}

/** The code in a body that no schema has checked yet. */
function findCode(body: unknown): { readonly code?: string } {
  const code: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined;
  return typeof code === 'string' ? { code } : {};
}

export interface DefinitionsFeature extends Feature {
  readonly definitions: FlowNodeDefinitions;
}

/** The custom nodes as committed, in memory, because every run of a workflow looks at them. */
export async function definitionsFeature({
  reader,
}: Pick<SharedServices, 'reader'>): Promise<DefinitionsFeature> {
  const readByKey = async () => new Map((await store.flowNodes.list(reader)).map((node) => [node.key, node]));
  let byKey = await readByKey();
  return {
    definitions: {
      find: (key) => byKey.get(key),
      parametersOf: ({ params }, given) => requireParameters(params, given),
    },
    followers: [
      {
        of: ['flow_node'],
        async refresh() {
          byKey = await readByKey();
        },
      },
    ],
  };
}
