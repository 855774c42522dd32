import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import { ValueInput } from '../../../editors/fields/entry-fields.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';

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
  const [name, setName] = useState(fields[0]?.name ?? '');
  const field = fields.find((candidate) => candidate.name === name);
  const [value, setValue] = useState<unknown>(null);
  const sending = useSubmit(async () => {
    await apply({ [name]: value });
    onClose();
  });
  return (
    <FormDialog
      title={t('entries.setFieldTitle', { count })}
      submit={t('entries.setField')}
      sending={sending}
      onClose={onClose}
    >
      <NativeSelect
        data-autofocus
        label={t('entries.field')}
        data={fields.map((candidate) => ({ value: candidate.name, label: candidate.label }))}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setValue(null);
        }}
      />
      {field !== undefined && (
        <ValueInput key={name} field={{ ...field, required: false }} value={value} onChange={setValue} />
      )}
    </FormDialog>
  );
}
