import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import { t, useLanguage } from '../../../base/i18n/index.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { chooseIcon, durationText, formatSummary, nodeName, outputName, typeName } from '../state/looks.ts';
import classes from './flow-graph.module.css';
import { type NodeData, portTop, type ShownNode } from './shown-flow.ts';

/** A node in the graph. Those of a flow have one tab stop together; arrows go from one to the next. */
export const FlowStep = memo(function FlowStep({ data, selected }: NodeProps<ShownNode>) {
  useLanguage();
  const { node, isStart, outputs, faults, trace, isTraced, isCurrent, color, change } = data;
  const hasErrors = faults > 0 || (trace?.errors.length ?? 0) > 0;
  const summary = formatSummary(node);
  const step = useRef<HTMLDivElement>(null);
  const isChosen = isCurrent && selected === true;
  useEffect(() => {
    if (isChosen && isFocusFree(step.current)) step.current?.focus({ preventScroll: true });
  }, [isChosen]);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button element cannot be dragged in every browser */}
      <div
        ref={step}
        role="button"
        tabIndex={isCurrent ? 0 : -1}
        data-node={node.id}
        aria-pressed={selected === true}
        className={classes['step']}
        data-start={isStart || undefined}
        data-end={outputs === 0 || undefined}
        data-selected={selected || undefined}
        data-error={hasErrors || undefined}
        data-change={change}
        data-skipped={(isTraced && trace === undefined) || undefined}
      >
        {color !== undefined && (
          <span className={classes['color']} style={{ backgroundColor: color }} aria-hidden="true" />
        )}
        <span className={classes['icon']}>
          <Icon name={chooseIcon(node.type)} size={20} />
        </span>
        <span className={classes['names']}>
          <b>{nodeName(node)}</b>
          <span className="meta">{summary === '' ? node.id : summary}</span>
        </span>
        <span className="visually-hidden">{useMore(data)}</span>
        {hasErrors && (
          <span className={classes['fault']}>
            <Icon name="warning-circle" />
          </span>
        )}
        {change !== undefined && (
          <span className={classes['change']}>{t(`workflows.versions.${change}`)}</span>
        )}
        {trace !== undefined && trace.count > 0 && (
          <span className={classes['trace']}>
            {trace.count > 1 && <span>{t('workflows.times', { count: trace.count })} </span>}
            {durationText(trace.ms)}
          </span>
        )}
      </div>
      {!isStart && (
        <Handle
          id="in"
          type="target"
          position={Position.Left}
          className={classes['port'] ?? ''}
          title={t('workflows.input')}
        />
      )}
      {Array.from({ length: outputs }, (_, index) => index).map((index) => (
        <Handle
          key={index}
          id={String(index)}
          type="source"
          position={Position.Right}
          className={classes['port'] ?? ''}
          style={{ top: portTop(index, outputs) }}
          title={t('workflows.output', { name: outputName(node, index) })}
        />
      ))}
    </>
  );
});

/** The focus goes with the current node as long as it is in the graph, or nowhere. */
function isFocusFree(step: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return focused === document.body || step?.closest('section')?.contains(focused) === true;
}

/** Type, place, and what is wrong, for screen readers. */
function useMore({ node, index, count, faults, trace }: NodeData): string {
  const parts = [
    t('workflows.nodePlace', { type: typeName(node.type), index: index + 1, count }),
    faults > 0 ? t('workflows.nodeFaults', { count: faults }) : '',
    ...(trace?.errors ?? []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
