import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import type { Command } from '../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import { FormError } from './form-error.tsx';
import classes from './object-form.module.css';
import { useSubmit } from './submit.ts';

export interface ObjectFields<Values> {
  readonly values: Values;
  readonly faults: Readonly<Record<string, string>>;
  onChange(change: Partial<Values>): void;
}

export interface ObjectFormProps<Values> {
  readonly title: string;
  readonly list: { readonly name: string; readonly path: string };
  /** Names the effect of a save. */
  readonly saveLabel: TextKey;
  /** As the server has them. */
  readonly stored: Values;
  save(values: Values): Promise<unknown>;
  readonly commands: readonly Command[];
  fields(form: ObjectFields<Values>): ReactNode;
  /** Below the form. */
  readonly children?: ReactNode;
}

/** The open object of a list, for what has no drafts: its head, its form, and what belongs to it. */
export function ObjectForm<Values extends object>({
  title,
  list,
  saveLabel,
  stored,
  save,
  commands,
  fields,
  children,
}: ObjectFormProps<Values>) {
  const { t } = useTranslation();
  const [values, setValues] = useState(stored);
  const isChanged = JSON.stringify(values) !== JSON.stringify(stored);
  const sending = useSubmit(() => save(values));
  const saveCommand: Command = {
    id: 'object.save',
    label: saveLabel,
    icon: 'check',
    keys: 'mod+S',
    can: () => isChanged && !sending.isSending,
    run: () => sending.send(),
  };
  useCommands([saveCommand]);
  return (
    <div className={classes['editor']}>
      <PageHeader
        scope={
          <>
            <Link href={list.path}>{list.name}</Link> · {t('frame.allSites')}
          </>
        }
        title={title}
        actions={
          <>
            {isChanged && <StatusMark status="unsaved" />}
            <CommandButton command={saveCommand} />
            <CommandMenu label={t('page.more')} commands={commands} />
          </>
        }
      />
      <div className={classes['body']}>
        <FormError message={sending.message} />
        {fields({
          values,
          faults: sending.faults,
          onChange: (change) => setValues({ ...values, ...change }),
        })}
        {children}
      </div>
    </div>
  );
}
