import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../api/client.ts';
import { failureText } from '../api/failure-text.ts';
import { goTo } from '../app/history.ts';
import { text } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { showToast } from '../ui/toasts.ts';
import type { CodeKind, CodeObject } from './code-object.ts';
import { codeChanged } from './queries.ts';

export interface DeleteObjectProps {
  readonly kind: CodeKind;
  readonly object: CodeObject;
  onClose(): void;
}

/** Names what uses the object before it is deleted. */
export function DeleteObject({ kind, object, onClose }: DeleteObjectProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['usage', kind.name, object.id],
    queryFn: () => ok(api.GET('/usage', { params: { query: { kind: kind.name, id: object.id } } })),
    staleTime: 0,
  });
  const [isAnyway, setAnyway] = useState(false);
  const [error, setError] = useState<unknown>();
  const users = data?.usage ?? [];
  const remove = async () => {
    try {
      await kind.remove(object.id, !isAnyway);
      onClose();
      goTo(kind.path(undefined));
      showToast({ tone: 'done', message: text('code.deleted', { name: object.name }) });
      await codeChanged(kind);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog onClose={onClose} title={t('code.deleteTitle', { name: object.name })}>
      <Stack gap={12}>
        <FormError message={error === undefined ? undefined : failureText(error)} />
        {data !== undefined && users.length === 0 && <p style={{ margin: 0 }}>{t('code.notUsed')}</p>}
        {users.length > 0 && (
          <>
            <b>{t('code.usedBy', { count: users.length })}</b>
            <ul style={{ margin: 0 }}>
              {users.slice(0, 8).map(({ kind: user, id, title }) => (
                <li key={`${user} ${id}`}>{title}</li>
              ))}
            </ul>
            <Checkbox
              label={t('page.deleteAnyway')}
              checked={isAnyway}
              onChange={(event) => setAnyway(event.currentTarget.checked)}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            color="brick"
            disabled={data === undefined || (users.length > 0 && !isAnyway)}
            onClick={remove}
          >
            {t(`code.${kind.name}.delete`)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
