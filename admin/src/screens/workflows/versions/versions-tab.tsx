import { useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { NodeTypes } from '../../../content/flow.ts';
import { workflows } from '../../../content/workflows.ts';
import { toFieldRecord } from '../../../editing/fields.ts';
import { RevisionList } from '../../../editors/versions/revision-list.tsx';
import { flowIn } from '../model/flow-in.ts';
import classes from '../runs/runs.module.css';
import type { WorkflowStore } from '../state/store.ts';
import { FlowComparison } from './flow-comparison.tsx';

export interface VersionsTabProps {
  readonly store: WorkflowStore;
  readonly types: NodeTypes;
}

/** Earlier versions of a workflow: what has changed since then, drawn as a graph. */
export function VersionsTab({ store, types }: VersionsTabProps) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  return (
    <div className={classes['tab']}>
      <RevisionList
        kind="workflow"
        id={base.id}
        current={toFieldRecord(base)}
        fields={['description', 'flow']}
        views={{
          flow: (before, after) => (
            <FlowComparison before={flowIn(before)} after={flowIn(after)} types={types} />
          ),
        }}
        kept={t('workflows.kept')}
        onRestored={async () => {
          store.discard();
          await workflows.changed();
        }}
      />
    </div>
  );
}
