import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { SecretText } from './field-input.tsx';
import { FormError } from './form-error.tsx';
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx';
import { SettingsButtons } from './settings-buttons.tsx';
import { useSubmit } from './submit.ts';
import { useUnsavedChanges } from './unsaved-changes.ts';

export interface SettingsSectionProps<Values, Update extends object, Key extends QueryKey>
  extends Pick<SchemaFormProps<Update>, 'schema' | 'texts' | 'layout' | 'choices' | 'inputs'> {
  /** Of the kept changes, one in the whole admin. */
  readonly name: string;
  readonly query: UseQueryOptions<Values, Error, Values, Key>;
  /** A field that is never kept and never shown. */
  readonly secret?: keyof Update & string;
  /** The settings among the values. */
  settingsOf(values: Values): Partial<Update>;
  /** Sends what has changed. */
  save(change: Partial<Update>): Promise<Values>;
  help?(values: Values): SchemaFormProps<Update>['help'];
  /** What stands above the form. */
  state?(values: Values): ReactNode;
  /** What stands below. */
  children?(values: Values): ReactNode;
}

/** A form of settings, with what was changed in it until it is sent or dropped. */
export function SettingsSection<Values, Update extends object, Key extends QueryKey>(
  props: SettingsSectionProps<Values, Update, Key>,
) {
  const { query, state, children } = props;
  const { data } = useQuery(query);
  if (data === undefined) return null;
  return (
    <>
      {state?.(data)}
      <SettingsForm {...props} data={data} />
      {children?.(data)}
    </>
  );
}

function SettingsForm<Values, Update extends object, Key extends QueryKey>({
  name,
  query,
  data,
  secret,
  settingsOf,
  save,
  help,
  inputs,
  ...form
}: SettingsSectionProps<Values, Update, Key> & { readonly data: Values }) {
  const [changes, setChanges] = useUnsavedChanges<Update>(name, secret);
  const sending = useSubmit(async () => {
    const saved = await save(changes);
    const { queryKey }: { readonly queryKey: QueryKey } = query;
    queryClient.setQueryData<Values>(queryKey, () => saved);
    setChanges({});
    showToast({ tone: 'done', message: t('system.saved') });
  });
  return (
    <form className="form" onSubmit={sending.send}>
      <FormError message={sending.message} />
      <SchemaForm
        {...form}
        inputs={secret === undefined ? inputs : { ...inputs, [secret]: SecretText }}
        help={help?.(data)}
        values={{ ...settingsOf(data), ...changes }}
        faults={sending.faults}
        onChange={(change) => setChanges({ ...changes, ...change })}
      />
      <SettingsButtons
        submit={t('system.save')}
        isSending={sending.isSending}
        changes={changes}
        onDiscard={() => setChanges({})}
      />
    </form>
  );
}
