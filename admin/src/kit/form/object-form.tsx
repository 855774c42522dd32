import { type ReactNode, useState } from 'react';
import { type TextKey, t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import type { Command } from '../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import { FormError } from './form-error.tsx';
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx';
import { useSubmit } from './submit.ts';

export interface ObjectFormProps<Update extends object>
  extends Pick<SchemaFormProps<Update>, 'schema' | 'texts' | 'layout' | 'choices' | 'inputs'> {
  readonly title: string;
  readonly list: { readonly name: string; readonly path: string };
  /** Names the effect of a save. */
  readonly saveLabel: TextKey;
  /** As the server has it. */
  readonly object: Partial<Update>;
  /** Sends what has changed. */
  save(changes: Partial<Update>): Promise<unknown>;
  readonly commands: readonly Command[];
  /** Below the form. */
  readonly children?: ReactNode;
}

/** The open object of a list, for what has no drafts: its head, its form, and what belongs to it. */
export function ObjectForm<Update extends object>({
  title,
  list,
  saveLabel,
  object,
  save,
  commands,
  children,
  ...form
}: ObjectFormProps<Update>) {
  const [changes, setChanges] = useState<Partial<Update>>({});
  const values = { ...object, ...changes };
  const isChanged = JSON.stringify(values) !== JSON.stringify(object);
  const sending = useSubmit(async () => {
    await save(changes);
    setChanges({});
  });
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
    <div className="screen">
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
      <div className="body column">
        <FormError message={sending.message} />
        <SchemaForm
          {...form}
          values={values}
          faults={sending.faults}
          onChange={(change) => setChanges({ ...changes, ...change })}
        />
        {children}
      </div>
    </div>
  );
}
