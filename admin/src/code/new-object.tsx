import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../app/history.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useSending } from '../ui/sending.ts';
import type { CodeKind } from './code-object.ts';
import { codeChanged } from './queries.ts';

export interface NewObjectProps {
  readonly kind: CodeKind;
  onClose(): void;
}

export function NewObject({ kind, onClose }: NewObjectProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [language, setLanguage] = useState<'css' | 'js'>('css');
  const sending = useSending(async () => {
    const { id } = await kind.create({ name, kind: language });
    await codeChanged(kind);
    onClose();
    goTo(kind.path(id));
  });
  return (
    <FormDialog
      title={t(`code.${kind.name}.new`)}
      submit={t(`code.${kind.name}.create`)}
      sending={sending}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('fields.name')}
        description={t(`code.${kind.name}.nameHelp`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        withAsterisk={false}
        value={name}
        error={sending.faults['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {kind.name === 'asset' && (
        <SegmentedControl
          aria-label={t('code.language')}
          data={[
            { value: 'css', label: 'CSS' },
            { value: 'js', label: 'JS' },
          ]}
          value={language}
          onChange={(value) => setLanguage(value === 'js' ? 'js' : 'css')}
        />
      )}
    </FormDialog>
  );
}
