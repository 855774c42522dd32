import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { toKindKey, type UsedKind, usageQuery } from '../../content/usage.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { useSubmit } from '../form/submit.ts';
import { Consequence } from './consequence.tsx';
import { tellDeleted } from './tell-deleted.ts';
import { WayBack } from './way-back.tsx';

export interface DeleteDialogProps {
  readonly kind: UsedKind;
  readonly id: number;
  /** Name of the object. */
  readonly name: string;
  /** Name of the button. */
  readonly submit: string;
  /** What else is lost, in a sentence. */
  readonly loss?: string | undefined;
  /** The name has to be typed, because much is lost. */
  readonly isNameTyped?: boolean;
  /** It can be deleted although something uses it. */
  readonly isForced?: boolean;
  /** @param isOnlyUnused the server refuses if something uses the object */
  remove(isOnlyUnused: boolean): Promise<unknown>;
  onClose(): void;
}

/** Names what uses an object, and what is lost with it, before it is deleted. */
export function DeleteDialog({
  kind,
  id,
  name,
  submit,
  loss,
  isNameTyped = false,
  isForced = true,
  remove,
  onClose,
}: DeleteDialogProps) {
  const { data } = useQuery({ ...usageQuery(kind, id), staleTime: 0 });
  const [isAnyway, setAnyway] = useState(false);
  const [typed, setTyped] = useState('');
  const users = data?.usage ?? [];
  const sending = useSubmit(async () => {
    await remove(!isAnyway);
    onClose();
    await tellDeleted(t('code.deleted', { name }));
  });
  const isConfirmed = (users.length === 0 || isAnyway) && (!isNameTyped || typed === name);
  return (
    <FormDialog
      title={t('code.deleteTitle', { name })}
      size={560}
      submit={submit}
      sending={sending}
      isIncomplete={data === undefined || !isConfirmed}
      isDangerous
      onClose={onClose}
    >
      {loss !== undefined && <p className="line">{loss}</p>}
      <WayBack />
      {data !== undefined && users.length === 0 && <p className="line">{t('code.notUsed')}</p>}
      {users.length > 0 && (
        <>
          <Consequence title={t('code.usedBy', { count: users.length })}>
            {users.map((user) => `${t(`kinds.${toKindKey(user)}`)} "${user.title}"`)}
          </Consequence>
          {isForced ? (
            <Checkbox
              label={t('page.deleteAnyway')}
              checked={isAnyway}
              onChange={(event) => setAnyway(event.currentTarget.checked)}
            />
          ) : (
            <p className="line">{t('errors.common.inUse', { count: users.length })}</p>
          )}
        </>
      )}
      {isNameTyped && (
        <TextInput
          label={t('site.typeTitle', { title: name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
