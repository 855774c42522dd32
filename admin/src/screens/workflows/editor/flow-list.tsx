import { t } from '../../../base/i18n/index.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import type { NodeFaults } from '../model/faults.ts';
import { inOrder } from '../model/walk.ts';
import classes from '../runs/runs.module.css';
import { type FlowEditing, useFlow, useSelection } from '../state/flow-editing.ts';
import { chooseIcon, formatSummary, nodeName, typeName } from '../state/looks.ts';

/** Indentation of a step behind another, in pixels. */
const indent = 24;

export interface FlowListProps {
  readonly editing: FlowEditing;
  readonly faults: NodeFaults;
}

/** The same flow as the graph, as lines: each node below what leads to it. */
export function FlowList({ editing, faults }: FlowListProps) {
  const flow = useFlow(editing);
  const { nodes: chosen } = useSelection(editing);
  if (flow.nodes.length === 0) return <EmptyState>{t('workflows.empty')}</EmptyState>;
  return (
    <div className={classes['tab']}>
      <ol className="plain-list" aria-label={t('workflows.graph')}>
        {inOrder(flow).map(({ node, depth }) => (
          <li key={node.id} style={{ paddingInlineStart: Math.min(depth, 12) * indent }}>
            <button
              type="button"
              className="row-8 list-button"
              aria-pressed={chosen.includes(node.id)}
              onClick={() => editing.choose([node.id])}
            >
              <Icon name={chooseIcon(node.type)} size={20} />
              <b>{nodeName(node)}</b>
              <span className="meta">
                {typeName(node.type)} {formatSummary(node)}
              </span>
              {(faults.get(node.id)?.length ?? 0) > 0 && (
                <span className={classes['error']}>
                  {t('workflows.nodeFaults', { count: faults.get(node.id)?.length ?? 0 })}
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
