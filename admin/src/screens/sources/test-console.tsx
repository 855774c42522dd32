import { Button, Group, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { SourceTest, SourceTestResult } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { apiCallCommand } from '../../commands/api-call.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import type { EditorStore } from '../../editing/editor-store.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { type AnswerPart, AnswerText, AnswerView } from '../../ui/values/answer-view.tsx';
import { JsonTree } from '../../ui/values/json-tree.tsx';
import { placeholdersIn } from './header-text.ts';
import { ListTable } from './list-table.tsx';
import { type Source, testSource } from './queries.ts';

/** Fetches the source as it is typed, with values for its placeholders, and shows the real answer. */
export function TestConsole({ store }: { readonly store: EditorStore<Source> }) {
  const url = useSyncExternalStore(store.subscribe, () => store.get('url'));
  const body = useSyncExternalStore(store.subscribe, () => store.get('body'));
  const headers = useSyncExternalStore(store.subscribe, () => store.get('headers'));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState<SourceTestResult>();
  const names = placeholdersIn([url, body, ...Object.values(headers)]);
  const test = (): SourceTest => {
    const { method, list_path, timeout } = store.whole();
    const params = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
    return { url, method, headers, body, list_path, timeout, params };
  };
  const sending = useSubmit(async () => {
    setAnswer(undefined);
    setAnswer(await testSource(test()));
  });
  const call = apiCallCommand(() => ({
    label: 'apiCall.ofTest',
    call: { method: 'POST', path: '/api/v1/sources/test', body: test() },
  }));
  return (
    <form className="form" onSubmit={sending.send}>
      <FormError message={sending.message ?? errorOf(answer)} />
      {names.length > 0 && (
        <div className="pair">
          {names.map((name) => (
            <TextInput
              key={name}
              label={`{${name}}`}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      <Group gap={8}>
        <Button type="submit" variant="default" loading={sending.isSending}>
          {t('sources.send')}
        </Button>
        <CommandIconButton command={call} />
      </Group>
      {answer !== undefined && <SourceAnswer answer={answer.result} />}
    </form>
  );
}

function errorOf(answer: SourceTestResult | undefined): string | undefined {
  if (answer?.error === undefined) return undefined;
  const { error, error_code: code = '', error_params: params = {} } = answer;
  return failureText(new ApiFailure(502, { error, code, params }));
}

type Answer = SourceTestResult['result'];

/** The answer of a source: what the path finds as a table, the whole of it as a tree or text, its headers. */
function SourceAnswer({ answer }: { readonly answer: Answer }) {
  const { status, duration_ms: ms, url, data, raw, headers } = answer;
  const list: AnswerPart = {
    name: 'list',
    label: t('sources.list'),
    render: () => <ListTable list={data} />,
  };
  const whole: readonly AnswerPart[] = [
    { name: 'tree', label: t('answer.parts.tree'), render: () => <JsonTree value={raw} /> },
    { name: 'text', label: t('answer.parts.text'), render: () => <AnswerText value={raw} /> },
    { name: 'headers', label: t('answer.parts.headers'), render: () => <JsonTree value={headers} /> },
  ];
  return (
    <AnswerView
      status={
        <>
          {status === 0 ? t('sources.noAnswer', { ms }) : t('answer.status', { status, ms })}{' '}
          <code>{url}</code>
        </>
      }
      parts={status === 0 ? [] : data === null ? whole : [list, ...whole]}
    />
  );
}
