import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { RunAnswer } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { computePorts } from '../../../content/flow.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import type { Sending } from '../../../kit/form/submit.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { ScrolledText } from '../../../ui/values/scrolled-text.tsx';
import { prettyJson } from '../model/trace.ts';
import { type FlowEditing, type RunInput, useFlow } from '../state/flow-editing.ts';
import { durationText, nodeName } from '../state/looks.ts';
import classes from './node-panel.module.css';

export interface RunPanelProps {
  readonly editing: FlowEditing;
  readonly input: RunInput;
  readonly sending: Sending;
  readonly answer: RunAnswer | undefined;
  onInput(input: RunInput): void;
  /** Leads to a node of the log. */
  onNode(id: string): void;
}

/** Runs the flow as it is in the editor, with a message to try it with. */
export function RunPanel({ editing, input, sending, answer, onInput, onNode }: RunPanelProps) {
  const flow = useFlow(editing);
  const starts = flow.nodes.filter((node) => computePorts(node, editing.types).isStart);
  return (
    <div className={classes['panel']}>
      <form onSubmit={sending.send} className={classes['run']}>
        <FormError message={sending.message} />
        {starts.length > 1 && (
          <NativeSelect
            label={t('workflows.start')}
            data={starts.map((node) => ({ value: node.id, label: nodeName(node) }))}
            value={input.start}
            onChange={(event) => onInput({ ...input, start: event.currentTarget.value })}
          />
        )}
        <Textarea
          label={t('workflows.payload')}
          description={t('workflows.payloadHelp')}
          className={classes['mono'] ?? ''}
          spellCheck={false}
          minRows={3}
          maxRows={14}
          value={input.payload}
          onChange={(event) => onInput({ ...input, payload: event.currentTarget.value })}
        />
        <div>
          <Button
            type="submit"
            leftSection={<Icon name="play" />}
            loading={sending.isSending}
            disabled={starts.length === 0}
          >
            {t('workflows.runNow')}
          </Button>
        </div>
        <p className="meta line">
          {t(starts.length === 0 ? 'workflows.noStartNode' : 'workflows.runUnsaved')}
        </p>
      </form>
      {answer === undefined ? (
        <p className="quiet line">{t('workflows.notRun')}</p>
      ) : (
        <RunResult answer={answer} onNode={onNode} />
      )}
    </div>
  );
}

interface RunResultProps {
  readonly answer: RunAnswer;
  onNode(id: string): void;
}

/** How a run went: status, answer, result and log. */
function RunResult({ answer: { run, response }, onNode }: RunResultProps) {
  const time = durationText(run.duration_ms);
  return (
    <section className={classes['run']} aria-label={t('workflows.result')}>
      <p className={`${classes['state']} line`} data-status={run.status} role="status">
        <Icon name={run.status === 'ok' ? 'check-circle' : 'warning-circle'} size={20} />
        {t(run.status === 'ok' ? 'workflows.ranOk' : 'workflows.ranFailed', { time })}
      </p>
      {run.error !== '' && <p className={classes['error']}>{run.error}</p>}
      {response !== undefined && (
        <>
          <h3>{t('workflows.response', { status: response.status })}</h3>
          <ScrolledText text={shown(response.body)} />
        </>
      )}
      {response === undefined && run.result !== '' && (
        <>
          <h3>{t('workflows.result')}</h3>
          <ScrolledText text={prettyJson(run.result)} />
        </>
      )}
      <h3>{t('workflows.log')}</h3>
      {run.logs.length === 0 && <p className="quiet line">{t('workflows.noLog')}</p>}
      <ul className={classes['log']}>
        {run.logs.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity
          <li key={index}>
            <button type="button" data-level={entry.level} onClick={() => onNode(entry.node)}>
              <span className="meta">{entry.label}</span>
              {entry.message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function shown(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, undefined, 2);
}
