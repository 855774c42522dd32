import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { queryClient } from '../../../api/query-client.ts';
import { t } from '../../../base/i18n/index.ts';
import type { ContentChanges } from '../../../content/jobs/connections.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { showToast } from '../../../ui/messages/toasts.ts';
import classes from './content-diff.module.css';
import { ContentDiff, hasChanges } from './content-diff.tsx';

export interface ReplaceDialogProps {
  readonly title: string;
  readonly submit: string;
  /** Where the content comes from, and whose content it replaces. */
  readonly from: string;
  readonly to: string;
  /** What is lost and what stays. */
  readonly effect: string;
  /** A name that must be typed; undefined for none. */
  readonly typed?: string;
  /** Shown while something goes on. */
  readonly progress?: ReactNode;
  preview(): Promise<ContentChanges>;
  /** Replaces the content. Resolves with the message after it. */
  run(): Promise<string>;
  onClose(): void;
}

/** Asks before the content of an instance becomes another one, and shows what would happen object by object. */
export function ReplaceDialog(props: ReplaceDialogProps) {
  const { title, submit, from, to, effect, typed, progress, preview, run, onClose } = props;
  const [name, setName] = useState('');
  const { data: kinds, error } = useQuery({
    queryKey: ['content-diff', title, from, to],
    queryFn: preview,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const sending = useSubmit(async () => {
    const message = await run();
    onClose();
    showToast({ tone: 'done', message });
    await queryClient.invalidateQueries();
  });
  const isSame = kinds !== undefined && !hasChanges(kinds);
  return (
    <FormDialog
      title={title}
      size={800}
      submit={submit}
      sending={sending}
      isDangerous
      isIncomplete={kinds === undefined || isSame || (typed !== undefined && name !== typed)}
      onClose={onClose}
    >
      <p className={classes['direction']}>
        <b>{from}</b>
        <Icon name="arrow-right" size={20} />
        <span className="visually-hidden">{t('bundles.replaces')}</span>
        <b>{to}</b>
      </p>
      {error !== null && <FormError message={failureText(error)} />}
      {kinds === undefined && error === null && (
        <p className="line quiet" role="status">
          {t('bundles.comparing')}
        </p>
      )}
      {(sending.isSending || kinds === undefined) && error === null && progress}
      {isSame && (
        <p className="line" role="status">
          {t('bundles.same')}
        </p>
      )}
      {kinds !== undefined && !isSame && (
        <>
          <p className="line">{effect}</p>
          <ContentDiff kinds={kinds} />
          {typed !== undefined && (
            <TextInput
              label={t('bundles.typeName', { name: typed })}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
