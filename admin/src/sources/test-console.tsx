import { Button, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { SourceTestResult } from '../api/generated/schema.ts';
import type { EditorStore } from '../editing/editor-store.ts';
import { FormError } from '../ui/form-error.tsx';
import { ScrolledText } from '../ui/scrolled-text.tsx';
import { useSending } from '../ui/sending.ts';
import { placeholdersIn } from './header-text.ts';
import { type Source, testSource } from './queries.ts';
import classes from './sources.module.css';

/** Fetches the source as it is typed, with values for its placeholders, and shows the real answer. */
export function TestConsole({ store }: { readonly store: EditorStore<Source> }) {
  const { t } = useTranslation();
  const url = useSyncExternalStore(store.subscribe, () => store.get('url'));
  const body = useSyncExternalStore(store.subscribe, () => store.get('body'));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState<SourceTestResult>();
  const names = placeholdersIn([url, body]);
  const sending = useSending(async () => {
    const { method, headers, list_path, timeout } = store.whole();
    const params = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
    setAnswer(await testSource({ url, method, headers, body, list_path, timeout, params }));
  });
  return (
    <form className={classes['form']} onSubmit={sending.send}>
      <FormError message={sending.message ?? answer?.error} />
      {names.length > 0 && (
        <div className={classes['pair']}>
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
      <div>
        <Button type="submit" variant="default" loading={sending.isSending}>
          {t('sources.send')}
        </Button>
      </div>
      {answer !== undefined && (
        <section aria-label={t('sources.answer')}>
          <p className="meta line" role="status">
            {t('sources.status', { status: answer.result.status, ms: answer.result.duration_ms })}{' '}
            <code>{answer.result.url}</code>
          </p>
          <ScrolledText
            className={classes['answer']}
            text={shownText(answer.result.data ?? answer.result.raw)}
          />
        </section>
      )}
    </form>
  );
}

/** Longest part of an answer on the screen, in characters. */
const maxShown = 20_000;

function shownText(value: unknown): string {
  return (JSON.stringify(value, undefined, 2) ?? '').slice(0, maxShown);
}
