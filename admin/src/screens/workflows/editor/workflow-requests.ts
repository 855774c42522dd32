import { workflows } from '../../../content/workflows.ts';
import type { SaveRequests } from '../../../editing/save.ts';
import { mergeFlows } from '../model/merge.ts';
import { type EditedWorkflow, toEditedWorkflow, type WorkflowStore } from '../state/store.ts';

export function workflowRequests(store: WorkflowStore): SaveRequests<EditedWorkflow> {
  const { id } = store.base;
  return {
    send: async (fields) => toEditedWorkflow(await workflows.update(id, fields)),
    load: async () => {
      const theirs = toEditedWorkflow(await workflows.load(id));
      takeOverFlow(store, theirs);
      return theirs;
    },
  };
}

/** Changes of different nodes are no conflict: mine are put into their flow before the rest is asked. */
function takeOverFlow(store: WorkflowStore, theirs: EditedWorkflow): void {
  const merged = mergeFlows(store.base.flow, store.get('flow'), theirs.flow);
  if (merged === undefined || store.changes.flow === undefined) return;
  store.rebase({ ...store.base, flow: theirs.flow });
  store.set('flow', merged);
}
