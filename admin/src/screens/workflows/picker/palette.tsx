import type { WorkflowNodeType } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { NodeTypes } from '../../../content/flow.ts';
import { Tooltip } from '../../../ui/floating/tooltip.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { draggedType } from '../canvas/graph-events.ts';
import { chooseIcon, typeHelp, typeName } from '../state/looks.ts';
import classes from './picker.module.css';

const groups = ['start', 'step', 'end'] as const;

/** Where a type of node stands in a flow. */
function groupOf({ start, outputs, outputs_by: by }: WorkflowNodeType): (typeof groups)[number] {
  if (start) return 'start';
  return outputs === 0 && by === '' ? 'end' : 'step';
}

/** The types of nodes beside the graph: a click adds one behind the current node, a drag puts it anywhere. */
export function Palette({ types, onAdd }: { readonly types: NodeTypes; onAdd(type: string): void }) {
  const all = [...types.values()];
  return (
    <section className={classes['palette']} aria-label={t('workflows.palette')}>
      {groups.map((group) => (
        <div key={group}>
          <h2>{t(`workflows.groups.${group}`)}</h2>
          {all
            .filter((info) => groupOf(info) === group)
            .map(({ type }) => (
              <Tooltip key={type} label={typeHelp(type)} position="right">
                <button
                  type="button"
                  className={classes['type']}
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.setData(draggedType, type);
                    event.dataTransfer.effectAllowed = 'copy';
                  }}
                  onClick={() => onAdd(type)}
                >
                  <Icon name={chooseIcon(type)} />
                  {typeName(type)}
                </button>
              </Tooltip>
            ))}
        </div>
      ))}
    </section>
  );
}
