import { t } from '../../../base/i18n/index.ts';
import type { NodeTypes } from '../../../content/flow.ts';
import { workflows } from '../../../content/workflows.ts';
import { RevisionList } from '../../../editors/versions/revision-list.tsx';
import { flowIn } from '../model/flow-in.ts';
import classes from '../runs/runs.module.css';
import type { WorkflowStore } from '../state/store.ts';
import { FlowComparison } from './flow-comparison.tsx';

/** Earlier versions of a workflow: what has changed since then, drawn as a graph. */
export function VersionsTab({ store, types }: { readonly store: WorkflowStore; readonly types: NodeTypes }) {
  return (
    <div className={classes['tab']}>
      <RevisionList
        kind="workflow"
        store={store}
        views={{
          flow: (before, after) => (
            <FlowComparison before={flowIn(before)} after={flowIn(after)} types={types} />
          ),
        }}
        kept={t('workflows.kept')}
        changed={() => workflows.changed()}
      />
    </div>
  );
}
