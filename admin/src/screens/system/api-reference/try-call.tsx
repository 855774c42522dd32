import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { type AnswerPart, AnswerText, AnswerView } from '../../../ui/values/answer-view.tsx';
import { JsonTree } from '../../../ui/values/json-tree.tsx';
import type { Operation } from './description.ts';
import { type TriedAnswer, tryRequest } from './queries.ts';
import classes from './reference.module.css';

export interface TryCallProps {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
  /** With the values filled in. */
  readonly address: string;
}

/** Sends a reading call with the session of this window, and shows what comes back. */
export function TryCall({ operation: { parameters }, values, address }: TryCallProps) {
  const [answer, setAnswer] = useState<TriedAnswer & { readonly address: string }>();
  const sending = useSubmit(async () => {
    setAnswer(undefined);
    setAnswer({ ...(await tryRequest(address)), address });
  });
  const isIncomplete = parameters.some(({ name, required = false }) => required && !values[name]);
  return (
    <section className={classes['part']}>
      <h2>{t('reference.try')}</h2>
      <p className="quiet line">{t('reference.tryHelp')}</p>
      <form className="bar" onSubmit={sending.send}>
        <FormError message={sending.message} />
        <Button type="submit" variant="default" disabled={isIncomplete} loading={sending.isSending}>
          {t('reference.send')}
        </Button>
        {isIncomplete && <span className="quiet">{t('reference.needed')}</span>}
      </form>
      {answer !== undefined && <Answer answer={answer} address={answer.address} />}
    </section>
  );
}

function Answer({ answer, address }: { readonly answer: TriedAnswer; readonly address: string }) {
  const { status, milliseconds: ms, text, value, headers, isCut } = answer;
  const parts: readonly AnswerPart[] = [
    ...(value === undefined
      ? []
      : [{ name: 'tree', label: t('answer.parts.tree'), render: () => <JsonTree value={value} /> }]),
    ...(text === undefined
      ? []
      : [
          {
            name: 'text',
            label: t('answer.parts.text'),
            render: () => <AnswerText value={value ?? text} />,
          },
        ]),
    { name: 'headers', label: t('answer.parts.headers'), render: () => <JsonTree value={headers} /> },
  ];
  return (
    <>
      <AnswerView
        status={
          <>
            {t('answer.status', { status, ms })} <code>{address}</code>
          </>
        }
        parts={parts}
      />
      {isCut && <p className="meta line">{t('reference.cut')}</p>}
      {text === undefined && (
        <p className="line">
          {t('reference.noText')} <a href={address}>{t('reference.open')}</a>
        </p>
      )}
    </>
  );
}
