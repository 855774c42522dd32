import type { Feature, Parts } from '../../../feature.ts';
import type { CodeTask } from '../../../processes/sandbox/model.ts';
import type { Definitions } from './definitions.ts';
import { flowNodeRoutes } from './routes.ts';
import { flowNodeKind, type UsedBy } from './service.ts';

export interface FlowNodesDeps {
  readonly definitions: Definitions;
  readonly usedBy: UsedBy;
  /** Answers `idb.*` in trials. */
  readonly databases: CodeTask['call'];
}

/** Custom nodes of workflows (Data, Automation and Operations, "Workflows"). */
export function flowNodesFeature(
  parts: Pick<Parts, 'reader' | 'changes' | 'sandbox' | 'clock' | 'monotonic'>,
  deps: FlowNodesDeps,
): Feature {
  const kind = flowNodeKind(deps.usedBy);
  return {
    kinds: [kind],
    routes: flowNodeRoutes({ ...parts, ...deps, kind }),
    kept: [{ tables: ['flow_nodes'], reload: () => deps.definitions.reload() }],
    onCommit: (commits) => deps.definitions.onCommit(commits),
  };
}
