import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { FlowNode } from '../../../content/flow.ts';
import { ScrolledText } from '../../../ui/values/scrolled-text.tsx';
import { prettyJson } from '../model/trace.ts';
import { durationText, outputName } from '../state/looks.ts';
import classes from './node-panel.module.css';

/** Most executions that are listed; an endless flow has hundreds. */
const maxShown = 20;

/** What a run has done at a node: what came in, what went out, how long it took, what was logged. */
export function NodeTrace({ node, run }: { readonly node: FlowNode; readonly run: WorkflowRun }) {
  const executions = run.trace.filter((entry) => entry.node === node.id);
  const logs = run.logs.filter((entry) => entry.node === node.id);
  return (
    <section className={classes['run']} aria-label={t('workflows.traceOf')}>
      <h3>{t('workflows.traceOf')}</h3>
      {executions.length === 0 && <p className="quiet line">{t('workflows.notReached')}</p>}
      {logs.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity
        <p key={index} className={entry.level === 'error' ? classes['error'] : 'line'}>
          {entry.message}
        </p>
      ))}
      {executions.slice(0, maxShown).map((execution, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: executions have no other identity
        <div key={index} className={classes['run']}>
          <b>{t('workflows.execution', { index: index + 1, time: durationText(execution.ms) })}</b>
          <Message label={t('workflows.in')} text={execution.in} />
          {execution.out.map((sent, out) => (
            <Message
              // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their number
              key={out}
              label={t('workflows.out', { output: outputName(node, out) })}
              text={sent}
            />
          ))}
        </div>
      ))}
    </section>
  );
}

function Message({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <div className="meta">{label}</div>
      {text === '' ? (
        <p className="quiet line">{t('workflows.nothingSent')}</p>
      ) : (
        <ScrolledText text={prettyJson(text)} />
      )}
    </div>
  );
}
