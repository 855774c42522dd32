import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../base/i18n/index.ts';
import { diffQuery } from '../../content/releases/releases.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { FieldStates } from './field-states.tsx';

interface DifferencesDialogProps {
  readonly changeSet: number;
  readonly name: string;
  onClose(): void;
}

/** What a working copy changes, each field beside what is live. */
export function DifferencesDialog({ changeSet, name, onClose }: DifferencesDialogProps) {
  const { data: diff } = useQuery(diffQuery(changeSet));
  return (
    <Dialog onClose={onClose} size={880} title={t('copies.differencesOf', { name })}>
      {diff?.flatMap(({ fields }) =>
        fields.map((state) => (
          <FieldStates key={state.field} of={name} state={state} mine={t('copies.mine')} />
        )),
      )}
      <Group justify="flex-end" mt={16}>
        <Button onClick={onClose}>{t('actions.close')}</Button>
      </Group>
    </Dialog>
  );
}
