import { NativeSelect } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import { ValueInput } from '../../../editors/fields/entry-fields.tsx';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';

export interface SetFieldProps {
  readonly fields: readonly CollectionField[];
  /** Number of chosen entries. */
  readonly count: number;
  apply(data: Readonly<Record<string, unknown>>): Promise<void>;
  onClose(): void;
}

/** Gives one field the same value in several entries. */
export function SetField({ fields: all, count, apply, onClose }: SetFieldProps) {
  // Blocks have an editor of their own.
  const fields = all.filter(({ type }) => type !== 'blocks');
  return (
    <CreateDialog<{ readonly name: string; readonly value: unknown }, void>
      title={t('entries.setFieldTitle', { count })}
      submit={t('entries.setField')}
      initial={{ name: fields[0]?.name ?? '', value: null }}
      fields={[]}
      create={({ name, value }) => apply({ [name]: value })}
      more={({ body: { name, value }, onChange }) => (
        <>
          <NativeSelect
            data-autofocus
            label={t('entries.field')}
            data={fields.map((field) => ({ value: field.name, label: field.label }))}
            value={name}
            onChange={(event) => onChange({ name: event.currentTarget.value, value: null })}
          />
          {fields
            .filter((field) => field.name === name)
            .map((field) => (
              <ValueInput
                key={name}
                field={{ ...field, required: false }}
                value={value}
                onChange={(next) => onChange({ value: next })}
              />
            ))}
        </>
      )}
      onClose={onClose}
    />
  );
}
