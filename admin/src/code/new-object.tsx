import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../app/history.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { FormText } from '../ui/form-text.tsx';
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
      <FormText
        isFirst
        label={t('fields.name')}
        help={t(`code.${kind.name}.nameHelp`)}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
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
