import { PasswordInput, TextInput } from '@mantine/core';
import { pathFaults } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';

/** What people enter for a connection. */
export interface ConnectionForm {
  readonly name: string;
  readonly url: string;
  /** Empty: the stored one stays. */
  readonly token: string;
}

export interface ConnectionFieldsProps {
  readonly form: ConnectionForm;
  readonly faults: Partial<Readonly<Record<keyof ConnectionForm, string>>>;
  /** A token is stored, which nobody sees again. */
  readonly hasToken: boolean;
  readonly isNew?: boolean;
  onChange(form: ConnectionForm): void;
}

export function ConnectionFields({ form, faults, hasToken, isNew = false, onChange }: ConnectionFieldsProps) {
  return (
    <>
      <TextInput
        data-autofocus={isNew || undefined}
        label={t('fields.name')}
        description={t('databases.nameHelp')}
        maxLength={64}
        value={form.name}
        error={faults.name}
        onChange={(event) => onChange({ ...form, name: event.currentTarget.value })}
      />
      <TextInput
        label={t('fields.url')}
        description={t('databases.urlHelp')}
        value={form.url}
        error={faults.url}
        onChange={(event) => onChange({ ...form, url: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('databases.token')}
        description={t(hasToken ? 'databases.tokenKept' : 'databases.tokenHelp')}
        visibilityToggleButtonProps={{ 'aria-label': t('workflows.secrets.show') }}
        autoComplete="off"
        value={form.token}
        error={faults.token}
        onChange={(event) => onChange({ ...form, token: event.currentTarget.value })}
      />
    </>
  );
}

const names = ['name', 'url', 'token'] as const;

/** Faults of the connection that was sent: the server names its place in the list before the field. */
export function faultsOfConnection(error: unknown): ConnectionFieldsProps['faults'] {
  const faults = Object.entries(pathFaults(error));
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = faults.find(([path]) => path.endsWith(`.${name}`));
      return found === undefined ? [] : [[name, found[1]]];
    }),
  );
}

/** A fault that is at none of the fields; undefined if there is none. */
export function strayFault(error: unknown): string | undefined {
  return Object.entries(pathFaults(error)).find(
    ([path]) => !names.some((name) => path.endsWith(`.${name}`)),
  )?.[1];
}
