import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import type { CodeKind } from '../../content/code-object.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';

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
