import { lazy, Suspense, useMemo, useState } from 'react';
import { findText, t } from '../../../base/i18n/index.ts';
import { type Flow, findNode, type NodeTypes, wireKey } from '../../../content/flow.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { computeDifferences, type FlowDifferences, type NodeDifference } from '../model/differences.ts';
import { chooseIcon, nodeName, typeName } from '../state/looks.ts';
import { ComparisonGraph } from './comparison-graph.tsx';
import classes from './versions.module.css';

const TextDiff = lazy(async () => ({
  default: (await import('../../../editors/versions/text-diff.tsx')).TextDiff,
}));

export interface FlowComparisonProps {
  readonly before: Flow;
  readonly after: Flow;
  readonly types: NodeTypes;
}

/** Two states of a flow as one graph, and what differs by name: nodes with their settings, and wires. */
export function FlowComparison({ before, after, types }: FlowComparisonProps) {
  const differences = useMemo(() => computeDifferences(before, after), [before, after]);
  const [chosen, setChosen] = useState<string>();
  const open = chosen === undefined ? undefined : differences.nodes.get(chosen);
  return (
    <div className={classes['comparison']}>
      <p className={classes['legend']}>
        {(['added', 'removed', 'changed', 'moved'] as const).map((change) => (
          <span key={change} data-change={change}>
            {t(`workflows.versions.${change}`)}
          </span>
        ))}
      </p>
      <ComparisonGraph differences={differences} types={types} chosen={chosen} onChoose={setChosen} />
      <NodeList differences={differences} chosen={chosen} onChoose={setChosen} />
      <WireList differences={differences} />
      {open !== undefined && <NodeFields difference={open} />}
    </div>
  );
}

interface NodeListProps {
  readonly differences: FlowDifferences;
  readonly chosen: string | undefined;
  onChoose(id: string): void;
}

function NodeList({ differences: { nodes }, chosen, onChoose }: NodeListProps) {
  return (
    <ul className="plain-list" aria-label={t('workflows.versions.nodes')}>
      {[...nodes.values()].map(({ node, change, fields }) => (
        <li key={node.id}>
          <button
            type="button"
            className={`${classes['wire']} list-button`}
            aria-pressed={node.id === chosen}
            onClick={() => onChoose(node.id)}
          >
            <Icon name={chooseIcon(node.type)} />
            <b>{nodeName(node)}</b>
            <span data-change={change}>{t(`workflows.versions.${change}`)}</span>
            <span className="meta">{fields.map(({ field }) => nameOfField(field)).join(', ')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function WireList({ differences: { flow, wires } }: Pick<NodeListProps, 'differences'>) {
  const nameOf = (id: string) => {
    const node = findNode(flow, id);
    return node === undefined ? id : nodeName(node);
  };
  if (wires.size === 0) return null;
  return (
    <ul className="plain-list" aria-label={t('workflows.versions.wires')}>
      {[...wires.values()].map(({ wire, change }) => (
        <li key={wireKey(wire)} className={classes['wire']}>
          <Icon name="arrow-right" />
          {t('workflows.wireLabel', { from: nameOf(wire.from), to: nameOf(wire.to) })}
          <span data-change={change}>{t(`workflows.versions.${change}`)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The fields of a node that differ, then and now. */
function NodeFields({ difference: { node, change, fields } }: { readonly difference: NodeDifference }) {
  return (
    <section aria-label={nodeName(node)}>
      <h3>{nodeName(node)}</h3>
      <p className="meta line">
        {typeName(node.type)} · {t('workflows.nodeId', { id: node.id })} · {t(`workflows.versions.${change}`)}
      </p>
      {fields.map(({ field, before, after }) => (
        <div key={field} className={classes['field']}>
          <h4>{nameOfField(field)}</h4>
          <Suspense>
            <TextDiff label={nameOfField(field)} before={textOf(before)} after={textOf(after)} />
          </Suspense>
        </div>
      ))}
    </section>
  );
}

function nameOfField(field: string): string {
  return findText(`workflows.settings.${field}`) ?? field;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
