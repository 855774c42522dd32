import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, fieldFaults } from '../api/failure-text.ts';
import { goTo } from '../app/history.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
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
  const [error, setError] = useState<unknown>();
  const faults = fieldFaults(error);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    try {
      const { id } = await kind.create({ name, kind: language });
      await codeChanged(kind);
      onClose();
      goTo(kind.path(id));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog onClose={onClose} title={t(`code.${kind.name}.new`)}>
      <form onSubmit={send}>
        <Stack gap={16}>
          <FormError
            message={error === undefined || faults['name'] !== undefined ? undefined : failureText(error)}
          />
          <TextInput
            data-autofocus
            label={t('fields.name')}
            description={t(`code.${kind.name}.nameHelp`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            withAsterisk={false}
            value={name}
            error={faults['name']}
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit">{t(`code.${kind.name}.create`)}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
