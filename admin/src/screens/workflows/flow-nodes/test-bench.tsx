import { Button, Textarea } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { toRecord } from '../../../api/failure.ts';
import { t } from '../../../base/i18n/index.ts';
import { useCommands } from '../../../commands/registry.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { ScrolledText } from '../../../ui/values/scrolled-text.tsx';
import { prettyJson } from '../model/trace.ts';
import type { CodeMark } from '../panel/flow-code.tsx';
import panelClasses from '../panel/node-panel.module.css';
import { ParamFields } from '../panel/param-fields.tsx';
import { durationText } from '../state/looks.ts';
import { type FlowNodeTestResult, tryFlowNode } from './queries.ts';
import type { FlowNodeStore } from './store.ts';

export interface TestBenchProps {
  readonly store: FlowNodeStore;
  /** Where the code has failed; undefined if it has not. */
  onFailed(place: CodeMark | undefined): void;
}

/** The message of the first trial. */
const firstMessage = '{\n  "payload": ""\n}';

/** Runs the definition as it is in the editor, also unsaved, with a message and values for its parameters. */
export function TestBench({ store, onFailed }: TestBenchProps) {
  const params = useSyncExternalStore(store.subscribe, () => store.get('params'));
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [message, setMessage] = useState(firstMessage);
  const [result, setResult] = useState<FlowNodeTestResult>();
  const parsed = useMemo(() => parsedMessage(message), [message]);
  const sending = useSubmit(async () => {
    if (parsed === undefined) return;
    const { name, inputs, outputs, code } = store.whole();
    // Values of parameters that are gone are not sent.
    const given = Object.fromEntries(params.map((param) => [param.name, values[param.name]]));
    const answer = await tryFlowNode({
      node: { name, inputs, outputs, params, code },
      params: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      msg: parsed,
    });
    setResult(answer);
    const { status, error, line, column } = answer;
    onFailed(status === 'error' && line > 0 ? { line, column, text: error } : undefined);
  });
  useCommands([
    {
      id: 'flow-node.try',
      label: 'flowNodes.run',
      icon: 'play',
      keys: 'mod+Shift+Enter',
      can: () => parsed !== undefined,
      run: () => sending.send(),
    },
  ]);
  return (
    <section className={panelClasses['panel']} aria-label={t('flowNodes.bench')}>
      <h2>{t('flowNodes.bench')}</h2>
      <form className={panelClasses['run']} onSubmit={sending.send}>
        <FormError
          message={sending.error === undefined ? undefined : (sending.message ?? faultText(sending.faults))}
        />
        <ParamFields
          params={params}
          values={values}
          faults={{}}
          onChange={(name, value) => setValues({ ...values, [name]: value })}
        />
        <Textarea
          label={t('flowNodes.message')}
          className={panelClasses['mono'] ?? ''}
          spellCheck={false}
          minRows={3}
          maxRows={14}
          value={message}
          error={parsed === undefined ? t('flowNodes.noObject') : undefined}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <div>
          <Button
            type="submit"
            variant="default"
            leftSection={<Icon name="play" />}
            loading={sending.isSending}
            disabled={parsed === undefined}
          >
            {t('flowNodes.run')}
          </Button>
        </div>
        <p className="meta line">{t('flowNodes.benchHelp')}</p>
      </form>
      {result !== undefined && <Result result={result} store={store} />}
    </section>
  );
}

function faultText(faults: Readonly<Record<string, string>>): string {
  return Object.entries(faults)
    .map(([field, text]) => `${field}: ${text}`)
    .join(' ');
}

/** Undefined if it is no JSON object. */
function parsedMessage(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || typeof value !== 'object' || value === null
      ? undefined
      : { ...toRecord(value) };
  } catch {
    return undefined;
  }
}

/** What the trial has sent at each output, what it has logged, and why it failed. */
function Result({ result, store }: { readonly result: FlowNodeTestResult; readonly store: FlowNodeStore }) {
  const labels = useSyncExternalStore(store.subscribe, () => store.get('outputs'));
  const { status, error, line, column, outputs, logs, duration_ms: ms } = result;
  const isOk = status === 'ok';
  return (
    <div className={panelClasses['run']}>
      <p className={`${panelClasses['state']} line`} data-status={status} role="status">
        <Icon name={isOk ? 'check-circle' : 'warning-circle'} size={20} />
        {t(isOk ? 'workflows.ranOk' : 'workflows.ranFailed', { time: durationText(Math.round(ms)) })}
      </p>
      {!isOk && (
        <p className={panelClasses['error']}>
          {line > 0 ? t('flowNodes.failedAt', { line, column, error }) : error}
        </p>
      )}
      {outputs
        .map((sent, index) => ({ sent, number: index + 1, label: labels[index] ?? '' }))
        .map(({ sent, number, label }) => (
          <div key={number}>
            <h3>{t('workflows.out', { output: label === '' ? number : `${number}, ${label}` })}</h3>
            {sent === '' ? (
              <p className="quiet line">{t('workflows.nothingSent')}</p>
            ) : (
              <ScrolledText text={prettyJson(sent)} />
            )}
          </div>
        ))}
      {logs.length > 0 && (
        <>
          <h3>{t('workflows.log')}</h3>
          <ScrolledText text={logs.map(({ level, message }) => `${level}: ${message}`).join('\n')} />
        </>
      )}
    </div>
  );
}
