import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import type { NewRedirect } from './queries.ts';
import classes from './redirects.module.css';

export interface RedirectFormProps {
  readonly initial?: NewRedirect;
  readonly submit: string;
  /** Whether typing can begin when the form appears. */
  readonly hasFocus?: boolean;
  onSubmit(redirect: NewRedirect): Promise<void>;
  onCancel?(): void;
  /** Shows the versions of the redirect. */
  onVersions?(): void;
}

/** Old and new address in one line. */
export function RedirectForm({
  initial,
  submit,
  hasFocus = false,
  onSubmit,
  onCancel,
  onVersions,
}: RedirectFormProps) {
  const [source, setSource] = useState(initial?.source ?? '');
  const [target, setTarget] = useState(initial?.target ?? '');
  const [status, setStatus] = useState<301 | 302>(initial?.status ?? 301);
  const sending = useSubmit(() => onSubmit({ source, target, status }));
  const { faults } = sending;
  return (
    <form
      className={classes['form']}
      onSubmit={sending.send}
      onKeyDown={(event) => event.key === 'Escape' && onCancel?.()}
    >
      <FormError message={sending.message} />
      <TextInput
        aria-label={t('fields.source')}
        placeholder={t('fields.source')}
        required
        autoFocus={hasFocus}
        value={source}
        error={faults['source']}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      <Icon name="arrow-right" />
      <TextInput
        aria-label={t('fields.target')}
        placeholder={t('fields.target')}
        required
        value={target}
        error={faults['target']}
        onChange={(event) => setTarget(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={t('redirects.status')}
        data={[
          { value: '301', label: t('redirects.permanent') },
          { value: '302', label: t('redirects.temporary') },
        ]}
        value={String(status)}
        onChange={(event) => setStatus(event.currentTarget.value === '302' ? 302 : 301)}
      />
      <Button type="submit" variant="default">
        {submit}
      </Button>
      {onVersions !== undefined && (
        <Tooltip label={t('history.title')}>
          <ActionIcon size={28} aria-label={t('history.title')} onClick={onVersions}>
            <Icon name="clock-counter-clockwise" />
          </ActionIcon>
        </Tooltip>
      )}
      {onCancel !== undefined && (
        <ActionIcon aria-label={t('actions.cancel')} onClick={onCancel}>
          <Icon name="x" />
        </ActionIcon>
      )}
    </form>
  );
}
